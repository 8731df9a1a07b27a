"""A small release, and ways to tamper with its bundle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import ValidationError

from unlinkable.release.bundle import MANIFEST, PROVENANCE, PublicFile, write_manifest
from unlinkable.release.bundle.manifest_json import written_json
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Optimal
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing import GeneralizedRelease, anonymize
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.provenance import Provenance
from unlinkable.tables.taxonomies.builders import Intervals, Tree

Edit = Callable[[dict[str, Any]], object]

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
TWO = (KAnonymity(2), DistinctLDiversity(2))


def patients(**roles: Any) -> Table:
    """Twelve patients in two columns that others know; one of them is like nobody else."""
    data = {
        "name": [f"Patient{i}" for i in range(12)],
        "age": [31, 33, 34, 36, 38, 39, 41, 43, 44, 46, 47, 97],
        "job": ["Engineer", "Lawyer"] * 3 + ["Dancer", "Writer"] * 3,
        "ill": ["flu", "hiv", "cold"] * 3 + ["flu", "hiv", "unheard-of"],
        "stay": [1.5, 2.0, 0.5, 3.0, 4.5, 1.0, 2.5, 2.5, 8.0, 1.0, 0.25, 9.0],
    }
    known = {"taxonomies": {"age": Intervals(5, 10), "job": JOBS}}
    usual = {"identifiers": "name", "quasi": ["age", "job"], "sensitive": "ill"}
    return as_table(data, **{**known, **usual, "insensitive": "stay", **roles})


def release_of(
    table: Table | None = None,
    privacy: Iterable[GroupModel] = TWO,
    method: Search | None = None,
    suppression: str = "0.1",
) -> GeneralizedRelease:
    """Make a release of the patients; one of them may be left out."""
    return anonymize(
        patients() if table is None else table,
        privacy=privacy,
        method=method or Optimal(),
        suppression=suppression,
    )


def change(*path: str | int, to: object) -> Edit:
    """Set one key of a document."""

    def edit(document: dict[str, Any]) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return edit


def rewrite_manifest(public: Path, *edits: Edit) -> None:
    """Do what a clever forger does: change what is said, and compute all digests anew."""
    told = json.loads((public / MANIFEST).read_text(encoding="utf-8"))
    del told["digest"]
    told["files"] = [
        json.loads(PublicFile.of(public / f["name"], f["rows"]).model_dump_json())
        for f in told["files"]
    ]
    for edit in edits:
        edit(told)
    (public / MANIFEST).unlink()
    write_manifest(Manifest.model_validate(told), public)


def n_rows(file: Path) -> int | None:
    """Count the records of a table; None for another file."""
    return pl.read_parquet(file).height if file.suffix == ".parquet" else None


def rewrite_provenance(private: Path, *edits: Edit) -> None:
    """Change the private half, and compute its digests anew."""
    told = json.loads((private / PROVENANCE).read_text(encoding="utf-8"))
    del told["own_digest"]
    told["files"] = [
        json.loads(
            PublicFile.of(private / f["name"], n_rows(private / f["name"])).model_dump_json()
        )
        for f in told["files"]
    ]
    for edit in edits:
        edit(told)
    try:
        content = Provenance.model_validate(told).file_bytes()
    except ValidationError:
        content = written_json(told)
    (private / PROVENANCE).write_bytes(content)


def rewrite_rows(public: Path, edit: Callable[[list[str]], list[str]]) -> None:
    """Change the lines of the published table, the header among them."""
    file = public / "data.csv"
    lines = edit(file.read_text(encoding="utf-8").splitlines())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
