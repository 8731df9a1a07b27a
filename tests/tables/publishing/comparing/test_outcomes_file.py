"""Outcomes in a file: what is kept, what is refused, and who may read it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.publishing.comparing.comparison import Compared
from unlinkable.tables.publishing.comparing.outcomes_file import OutcomesFile, fingerprint
from unlinkable.tables.risk import Exposure
from unlinkable.tables.taxonomies.builders import Flat, Intervals, Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

A = Compared("optimal", "k-anonymity(k=2)", "0", {"iloss": 0.25}, Exposure(0.5, 0.5, 1.0), 2, 0)
B = evolve(A, method="mondrian", metrics={"iloss": float("inf")}, optimal=True, seconds=0.125)
C = Compared("optimal", "k-anonymity(k=9)", "0.1", {}, problem="nothing keeps “it”\n")
ALL = (A, B, C)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "outcomes.jsonl"


def filled(path: Path) -> OutcomesFile:
    file = OutcomesFile.open(path, "x")
    for outcome in ALL:
        file.add(outcome)
    return file


def told(known: dict[str, Compared]) -> dict[str, object]:
    return {setting: outcome.to_json() for setting, outcome in known.items()}


EXPECTED = told({outcome.setting: outcome for outcome in ALL})


def test_what_was_added_is_there_when_it_is_opened_again(path: Path) -> None:
    assert told(filled(path).known) == EXPECTED
    assert told(OutcomesFile.open(path, "x").known) == EXPECTED


def test_every_outcome_is_on_disk_as_soon_as_it_is_added(path: Path) -> None:
    file = OutcomesFile.open(path, "x")
    for n, outcome in enumerate(ALL, start=1):
        file.add(outcome)
        assert len(OutcomesFile.open(path, "x").known) == n


@given(data=st.data())
def test_a_file_that_was_cut_off_anywhere_loses_one_outcome_at_most(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "outcomes.jsonl"
    filled(path)
    whole = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    cut = data.draw(st.integers(ends[0], len(whole)))
    path.write_bytes(whole[:cut])
    n = sum(end <= cut for end in ends[1:])
    file = OutcomesFile.open(path, "x")
    assert told(file.known) == dict(list(EXPECTED.items())[:n])
    for outcome in ALL[n:]:
        file.add(outcome)
    assert path.read_bytes() == whole


@pytest.mark.skipif(os.name != "posix", reason="rights work differently elsewhere")
@pytest.mark.parametrize("is_there", [False, True])
def test_nobody_else_can_read_it(path: Path, is_there: bool) -> None:
    if is_there:
        path.touch(mode=0o644)
        path.chmod(0o644)
    filled(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


RECORDS = {"age": [30, 31, 45], "ill": ["flu", "flu", "hiv"]}


def people(data: object = RECORDS, **roles: Any) -> Table:
    return as_table(data, **{"quasi": "age", "sensitive": "ill", **roles})


def test_the_same_has_the_same_fingerprint() -> None:
    assert fingerprint(people(), ["iloss"], 0) == fingerprint(people(), ["iloss"], 0)
    assert fingerprint(people(), [], 0) == fingerprint(people(pl.DataFrame(RECORDS)), [], 0)


LONG = [f"v{i:04}" for i in range(3000)]


def long_taxonomy(cut: int) -> Table:
    """Many values in two halves: nothing that is printed tells where they are cut."""
    tree = Tree({"low": LONG[:cut], "high": LONG[cut:]})
    column = as_table({"a": LONG}, quasi="a", taxonomies={"a": tree}).taxonomy("a")
    return as_table({"a": LONG}, quasi="a", taxonomies={"a": ReadyMade(column)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (people(), people(data={"age": [30, 31, 46], "ill": ["flu", "flu", "hiv"]})),
        (people(), people(data={"age": [30, 45, 31], "ill": ["flu", "flu", "hiv"]})),
        (people(), people(data={"age": [30, 31, 45], "ill": ["flu", "hiv", "flu"]})),
        (people(), people(sensitive=(), target="ill")),
        (people(), people(importance={"age": 2.0})),
        (people(), people(taxonomies={"age": Intervals(5)})),
        (
            people(taxonomies={"ill": Tree({"x": ["flu"], "y": ["hiv"]})}),
            people(taxonomies={"ill": Flat()}),
        ),
        (long_taxonomy(1500), long_taxonomy(1501)),
    ],
    ids=[
        "another value",
        "another order",
        "another sensitive value",
        "another role",
        "another importance",
        "another taxonomy",
        "another taxonomy of a sensitive column",
        "a long taxonomy cut elsewhere",
    ],
)
def test_what_decides_on_outcomes_changes_the_fingerprint(one: Table, other: Table) -> None:
    assert fingerprint(one, ["iloss"], 0) != fingerprint(other, ["iloss"], 0)


def test_metrics_seeds_and_side_tables_change_the_fingerprint() -> None:
    some = SideTable("people", pl.DataFrame({"age": [30, 45]}))
    others = SideTable("people", pl.DataFrame({"age": [30, 46]}))
    found = [
        fingerprint(people(), ["iloss"], 0),
        fingerprint(people(), ["iloss", "discernibility"], 0),
        fingerprint(people(), ["discernibility", "iloss"], 0),
        fingerprint(people(), ["iloss"], 1),
        fingerprint(people(), ["iloss"], 0, [some]),
        fingerprint(people(), ["iloss"], 0, [others]),
        fingerprint(people(), ["iloss"], 0, [SideTable("crowd", some.frame)]),
    ]
    assert len(set(found)) == len(found)


def test_refuses_outcomes_of_something_else(path: Path) -> None:
    before = filled(path).path.read_bytes()
    with pytest.raises(DataError, match="for other records, roles or metrics: give another file"):
        OutcomesFile.open(path, "y")
    assert path.read_bytes() == before


def test_refuses_a_file_of_another_format(path: Path) -> None:
    path.write_text(json.dumps({"format": 2, "of": "x"}) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="for other records"):
        OutcomesFile.open(path, "x")


HEAD = '{"format": 1, "of": "x"}\n'


@pytest.mark.parametrize(
    "content",
    [
        b"age,ill\n30,flu\n",
        b"PAR1\x00\xff\xfe\x00\n",
        b"[1]\n",
        b'{"format": 1}\n',
        b'{"format": 1, "of": "x"}',
        HEAD.encode() + b"5\n",
        HEAD.encode() + b"{}\n",
        HEAD.encode() + json.dumps({**A.to_json(), "metrics": [1]}).encode() + b"\n",
        HEAD.encode() + json.dumps({**A.to_json(), "risk": {"other": 1}}).encode() + b"\n",
        HEAD.encode() + json.dumps({**A.to_json(), "groups": "many"}).encode() + b"\n",
    ],
    ids=[
        "a table",
        "bytes",
        "a list",
        "no fingerprint",
        "a head without end",
        "a number",
        "no setting",
        "metrics without names",
        "another risk",
        "no number of groups",
    ],
)
def test_leaves_files_alone_that_hold_something_else(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DataError, match="holds no outcomes of a comparison"):
        OutcomesFile.open(path, "x")
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["nowhere/outcomes.jsonl", "."])
def test_says_so_if_nothing_can_be_kept_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=r"cannot keep outcomes here: (No such|Is a directory)"):
        OutcomesFile.open(tmp_path / name, "x")
