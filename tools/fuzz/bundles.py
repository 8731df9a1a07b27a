"""Bundles of every kind, each made once by a process, to be changed afterwards."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Literal

import unlinkable as ul
from unlinkable.release.bundle.signing import SigningKey, new_signing_key, save_verifying_key

__all__ = ["copied", "holder", "kinds", "public_key"]

_AGES = (31, 33, 34, 36, 38, 52, 31, 33, 47, 48, 47, 48)
_JOBS = ("cook", "clerk", "cook", "cook", "clerk", "cook") * 2
_ILLS = ("flu", "hiv", "cold", "flu", "hiv", "cold", "hiv", "flu", "cold", "flu", "hiv", "cold")


@cache
def holder() -> SigningKey:
    """The holder's key."""
    return new_signing_key()


@cache
def public_key() -> Path:
    """The file with the holder's public key."""
    file = _place() / "holder.pub"
    save_verifying_key(holder(), file)
    return file


@cache
def _place() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-bundles-"))


def _patients(**more: object) -> ul.Table:
    columns = {"age": list(_AGES), "job": list(_JOBS), "ill": list(_ILLS)}
    roles: dict[str, object] = {
        "quasi": ["job", "age"],
        "sensitive": "ill",
        "taxonomies": {"age": ul.Intervals(5, 10, 20)},
    }
    if "owner" in more:
        columns["who"] = [f"p{at}" for at in range(len(_AGES))]
    if "guard" in more:
        columns["minds"] = ["hiv", None, *["flu"] * 3, *[None] * 7]
    return ul.as_table(columns, **{**roles, **more})  # type: ignore[arg-type]


def kinds() -> dict[str, tuple[object, dict[str, object]]]:
    """What to make: the table, and how it is anonymized."""
    people = {"age": [*_AGES, *_AGES], "job": [*_JOBS, *_JOBS]}
    listed = {"age": ul.Intervals(5, 10, 20), "job": ul.Tree({"any job": ["cook", "clerk"]})}
    shown = ul.as_table({"age": list(_AGES), "job": list(_JOBS)}, quasi=["age", "job"])
    return {
        "generalized": (_patients(), {"privacy": ul.KAnonymity(2), "suppression": "1/4"}),
        "parquet": (_patients(), {"privacy": ul.KAnonymity(2), "method": "mondrian"}),
        "owned": (_patients(owner="who"), {"privacy": ul.KAnonymity(2)}),
        "guarded": (_patients(guard="minds"), {"privacy": ul.PersonalizedPrivacy("2/3")}),
        "population": (
            shown,
            {"privacy": ul.KMap(3, population="people"), "side": {"people": people}},
        ),
        "close": (_patients(), {"privacy": [ul.TCloseness("1/2"), ul.KAnonymity(3)]}),
        "buckets": (_patients(), {"privacy": ul.DistinctLDiversity(2), "method": "anatomize"}),
        "averages": (_patients(), {"privacy": ul.KAnonymity(3), "method": "mdav"}),
        "swapped": (_patients(), {"method": "rank-swapping(p=50)"}),
        "noisy": (
            _patients(taxonomies=listed),
            {"privacy": ul.DifferentialPrivacy(5), "method": "dp-histogram(columns=[job])"},
        ),
    }


@cache
def _made(kind: str) -> Path:
    table, how = kinds()[kind]
    release: ul.Release = ul.anonymize(table, **how)  # type: ignore[call-overload]
    form: Literal["csv", "parquet"] = "parquet" if kind == "parquet" else "csv"
    return release.save(_place() / kind, format=form, signing_key=holder())


def copied(kind: str, folder: Path) -> Path:
    """Give a fresh copy of a bundle."""
    target = folder / "bundle"
    shutil.copytree(_made(kind), target)
    return target
