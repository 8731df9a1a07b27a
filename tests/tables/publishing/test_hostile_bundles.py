"""Bundles from strangers: nothing outside of them is opened, and nothing takes long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.sampling import sample
from tests.tables.publishing.saved_bundles import (
    change,
    release_of,
    rewrite_manifest,
    rewrite_provenance,
)
from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.registry.lookup import entries
from unlinkable.release.bundle import MANIFEST, PROVENANCE, Promise, PublicFile, write_manifest
from unlinkable.release.verify import verify
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing import open_bundle
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.manifest_sections import PublishedColumn
from unlinkable.tables.publishing.releases.risking import risk_of

SECRET = "s3cret-canary"
"""What stands in a file of the machine that no bundle may show."""

PROMISES = {
    "confidence-bounding": 'confidence-bounding(file="{}")',
    "t-closeness": 't-closeness(t=0.5, distance=given, ground="{}")',
    "n-t-closeness": 'n-t-closeness(n=2, t=0.5, distance=given, ground="{}")',
    "r-robustness": 'r-robustness(r=2, prior="{}", values="flu")',
    "delta-bounding": 'delta-bounding(r=2, prior="{}", values="flu")',
    "d-gamma-privacy": 'd-gamma-privacy(d=0.5, gamma=0.5, prior="{}")',
    "privacy-maxent": 'privacy-maxent(p=0.5, constraints="{}")',
    "ct-isolation": 'ct-isolation(c=2, t=2, points="{}")',
    "differential-privacy": 'differential-privacy(epsilon=1, ledger="{}")',
    "distributional-privacy": 'distributional-privacy(alpha=1, beta=0.5, cells=4, ledger="{}")',
    "k-map": 'k-map(k=2, population="{}")',
    "delta-presence": 'delta-presence(low=0, high=0.5, population="{}")',
    "profitability": "profitability(publisher_benefit=1, publisher_loss=1, adversary_gain=1, "
    'adversary_cost=1, adversary=journalist, population="{}")',
    "population-uniqueness": 'population-uniqueness(share=0.5, population="{}")',
}
"""Every promise that names a table, with the name left open."""


def written_forms() -> list[str]:
    return list(PROMISES.values())


def test_every_promise_that_names_a_table_is_tried() -> None:
    naming = {e.name for e in entries("model") if "sources" in _own(e.make)}
    for form in written_forms():
        assert GroupModel.read(form.format("people.csv")).sources == ("people.csv",)
    assert naming <= set(PROMISES), naming - set(PROMISES)


def _own(model: type) -> set[str]:
    """Name what a model declares by itself or by what it is made of, apart from the base."""
    return {name for c in model.__mro__ if c.__name__ != "GroupModel" for name in vars(c)}


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle, in a folder that is not the one where commands are run."""
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    return release_of().save(tmp_path / "release")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A table elsewhere on the machine."""
    file = tmp_path / "home" / "outside.csv"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"value,{SECRET}\n{SECRET},{SECRET}\n", encoding="utf-8")
    return file


@pytest.fixture
def opened_files(tmp_path: Path) -> Iterator[list[str]]:
    """Every path below the test's folder that Python code opens from now on."""
    found: list[str] = []
    is_on = [True]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if is_on[0] and event == "open" and isinstance(arguments[0], str | os.PathLike):
            found.append(str(Path.cwd() / arguments[0]))

    sys.addaudithook(watch)
    yield found
    is_on[0] = False


NAMES: dict[str, Callable[[Path, Path], str]] = {
    "by its place": lambda bundle, outside: str(outside),
    "by steps upwards": lambda bundle, outside: os.path.relpath(outside, bundle / "public"),
    "from where commands are run": lambda bundle, outside: outside.name,
    "by an address": lambda bundle, outside: f"file://{outside}",
    "by the address of a database": lambda bundle, outside: f"sqlite:///{outside}",
    "by a link": lambda bundle, outside: _link(bundle, outside),
}


def _link(bundle: Path, outside: Path) -> str:
    link = bundle.parent / "linked.csv"
    link.unlink(missing_ok=True)
    link.symlink_to(outside)
    return str(link)


@pytest.mark.parametrize(
    ("model", "named", "refers"), sample([*product(PROMISES, NAMES, [False, True])], at_most=42)
)
def test_no_table_outside_is_opened_whatever_promises_call_it(
    bundle: Path, outside: Path, opened_files: list[str], model: str, named: str, refers: bool
) -> None:
    name = NAMES[named](bundle, outside)
    promise = {
        "model": PROMISES[model].format(name),
        "holds": True,
        "basis": "counted",
        "achieved": {},
        "refers": refers,
    }
    rewrite_manifest(bundle / "public", change("models", to=[promise]))
    rewrite_provenance(
        bundle / "private",
        change("manifest", to=PublicFile.of(bundle / "public" / MANIFEST).sha256),
    )
    opened_files.clear()
    for folder in (bundle, bundle / "public"):
        result = verify(folder)
        is_left_out = refers and folder.name == "public"
        assert result.holds == is_left_out
        assert SECRET not in " ".join([*result.problems, *result.notes])
        opened = open_bundle(folder)
        for use in (
            lambda bundle: bundle.report().to_html(),
            lambda bundle: bundle.report(holder=True).to_html(),
            lambda bundle: bundle.measure("discernibility"),
            lambda bundle: risk_of(bundle).to_json(),
            lambda bundle: Attackable.of_bundle(bundle).attack("minimality"),
        ):
            assert SECRET not in _said(use, opened)
    assert str(outside) not in opened_files
    assert str(bundle.parent / "linked.csv") not in opened_files


def _said(use: Callable[[Any], object], opened: object) -> str:
    try:
        return str(use(opened))
    except UnlinkableError as error:
        return str(error)


@pytest.mark.parametrize("name", ["public", "private", f"public/{MANIFEST}", "public/data.csv",
                                  "public/about.json", f"private/{PROVENANCE}",
                                  "private/rows.parquet", "private/taxonomies.json"])  # fmt: skip
def test_a_link_is_no_part_of_a_bundle(bundle: Path, name: str) -> None:
    """Not even one that leads to exactly what should be there."""
    place = bundle / name
    place.rename(bundle.parent / "elsewhere")
    place.symlink_to(bundle.parent / "elsewhere")
    if "/" in name:
        result = verify(bundle)
        assert not result.holds
        assert "is a link, and no file" in result.problems[0]
    else:
        with pytest.raises(BundleError, match="is a link, and no folder"):
            verify(bundle)
    with pytest.raises(BundleError, match="a link, and no"):
        _use(bundle)
    if name == "public":
        with pytest.raises(BundleError, match="is a link, and no folder"):
            verify(bundle / "public")


def _use(bundle: Path) -> None:
    opened = open_bundle(bundle)
    assert opened.private is not None
    _ = opened.frame, opened.report(), opened.shown(), opened.private.rows()


def test_a_manifest_that_is_a_link_elsewhere_shows_nothing_of_it(
    bundle: Path, outside: Path
) -> None:
    file = bundle / "public" / MANIFEST
    file.unlink()
    file.symlink_to(outside)
    assert verify(bundle).problems == (f"{file} is a link, and no file: get the bundle again",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_not_waited_for(bundle: Path) -> None:
    file = bundle / "public" / MANIFEST
    file.unlink()
    os.mkfifo(file)
    assert "is something else, and no file" in verify(bundle).problems[0]


@pytest.mark.parametrize("name", ["../home/outside.csv", "/etc/hostname", "..", "a\\b", "c:x"])
def test_tables_of_a_private_half_are_in_it(bundle: Path, outside: Path, name: str) -> None:
    rewrite_provenance(bundle / "private", change("side", to={"people": name}))
    private = open_bundle(bundle).private
    assert private is not None
    with pytest.raises(BundleError, match="nothing outside of a bundle is opened") as refused:
        private.side()
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("digest", [None, "0" * 64], ids=["without a digest", "with another"])
@pytest.mark.parametrize("has_plan", [False, True])
def test_a_source_that_is_not_known_by_its_digest_is_not_read(
    bundle: Path, outside: Path, digest: str | None, has_plan: bool
) -> None:
    plan = {"data": {"source": str(outside)}, "columns": {"age": {"role": "quasi-identifier"}}}
    rewrite_provenance(
        bundle / "private",
        change("source", to=str(outside)),
        change("digest", to=digest),
        change("plan", to=plan if has_plan else None),
    )
    opened = open_bundle(bundle)
    uses: list[Callable[[], object]] = [opened.published, opened.charts]
    uses += [lambda: rerun(opened)] if has_plan else []
    for use in uses:
        with pytest.raises(
            BundleError, match=r"no digest of its source|is another file"
        ) as refused:
            use()
        assert SECRET not in str(refused.value)


def test_no_database_is_asked_because_a_bundle_names_it(bundle: Path) -> None:
    database = bundle.parent / "home" / "new.db"
    address = f"sqlite:///{database}"
    plan = {
        "data": {"source": address, "query": "create table t(x)"},
        "columns": {"age": {"role": "quasi-identifier"}},
    }
    rewrite_provenance(bundle / "private", change("source", to=address), change("plan", to=plan))
    for use in (open_bundle(bundle).published, lambda: rerun(open_bundle(bundle))):
        with pytest.raises(BundleError, match="no database is opened because a bundle names it"):
            use()
    assert not database.exists()


# Sizes.


def listed(folder: Path, name: str, columns: list[str], rows: int) -> Path:
    """Write the manifest of a public half whose only table is already there."""
    manifest = Manifest(
        created=date(2026, 1, 1),
        version="0.1.0",
        records=rows,
        groups=1,
        suppressed=0.0,
        columns=tuple(PublishedColumn(name=c, role="quasi-identifier") for c in columns),
        models=(Promise(model="k-anonymity(k=2)", holds=True, basis="counted", achieved={}),),
        method="optimal",
        files=(PublicFile.of(folder / name, rows),),
    )
    write_manifest(manifest, folder)
    return folder


def wide(folder: Path) -> Path:
    names = ",".join(f"c{i}" for i in range(300_000))
    (folder / "data.csv").write_text(f"{names}\n{','.join('1' * 300_000)}\n", encoding="utf-8")
    return listed(folder, "data.csv", ["c0"], 1)


def long_line(folder: Path) -> Path:
    (folder / "data.csv").write_bytes(b"c0\n" + b"," * 3_000_000 + b"\n")
    return listed(folder, "data.csv", ["c0"], 1)


def unlisted_rows(folder: Path) -> Path:
    pl.select(a=pl.repeat("x", 40_000_000)).write_parquet(folder / "data.parquet")
    return listed(folder, "data.parquet", ["a"], 2)


def listed_rows(folder: Path) -> Path:
    pl.select(a=pl.repeat(True, 400_000_000)).write_parquet(folder / "data.parquet")
    return listed(folder, "data.parquet", ["a"], 400_000_000)


def packed_text(folder: Path) -> Path:
    frame = pl.DataFrame({"a": ["y" * 300_000_000, "z"]})
    frame.write_parquet(folder / "data.parquet", compression="zstd")
    return listed(folder, "data.parquet", ["a"], 2)


def repeated_text(folder: Path) -> Path:
    long = "z" * 1_000_000
    frame = pl.DataFrame({"a": pl.Series([0, 1] * 50_000)})
    frame = frame.select(pl.col("a").replace_strict({0: long, 1: f"{long}1"}))
    frame.cast(pl.Categorical).write_parquet(folder / "data.parquet")
    return listed(folder, "data.parquet", ["a"], 100_000)


def document(content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / MANIFEST).write_bytes(content)
        return folder

    return write


MANY = [{"model": "k-anonymity(k=2)", "holds": True, "basis": "counted", "achieved": {}}] * 20_000


@pytest.mark.parametrize(
    ("make_bundle", "message"),
    [
        (wide, "the names of the columns have more than"),
        (long_line, "line 2: the line has 3000001 fields instead of 1"),
        (unlisted_rows, "there are 40000000 records, and the manifest says 2"),
        (listed_rows, "unpacks to 400000000 values, more than"),
        (packed_text, "unpacks to 3000000.. bytes, more than"),
        (repeated_text, "unpacks to 100000050000 bytes of text, more than"),
        (document(b'{"a":' + b"[" * 10**6 + b"]" * 10**6 + b"}"), "nested too deeply"),
        (document(b'{"a":' + b"[" * 400 + b"]" * 400 + b"}"), "nested too deeply"),
        (document(b'{"format": 3, "records": ' + b"9" * 4_000 + b"}"), "a number has 4000 digits"),
        (document(b'{"x": "' + b"a" * (1 << 27) + b'"}'), "is too large: it has more than"),
        (
            document(
                json.dumps(
                    {
                        "format": 3, "created": "2026-01-01", "version": "", "records": 0,
                        "groups": 0, "suppressed": 0.0, "columns": [], "models": MANY,
                        "method": "", "files": [],
                    }
                ).encode()
            ),
            "models: must have at most 200 items",
        ),
    ],
)  # fmt: skip
def test_what_is_too_large_is_refused_in_little_room(
    tmp_path: Path, make_bundle: Callable[[Path], Path], message: str
) -> None:
    """In a process of its own, with 1 GB more than the library itself takes and 60 s of work."""
    folder = make_bundle(tmp_path)
    code = (
        "import re, resource, sys\n"
        "from unlinkable.release.verify.verification import verify\n"
        "import unlinkable.tables.publishing.judging.judged_bundle\n"
        "with open('/proc/self/statm') as file:\n"
        "    taken = int(file.read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (taken + (1 << 30), taken + (1 << 30)))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (60, 60))\n"
        "problems = verify(sys.argv[1]).problems\n"
        "assert re.search(sys.argv[2], problems[0]), problems[0][:1000]\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(folder), message],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
