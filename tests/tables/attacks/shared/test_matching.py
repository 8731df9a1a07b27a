"""Matching: compatibility word by word against the fast join, and what cannot be joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared import matching
from unlinkable.tables.attacks.shared.matching import Matching, match, shared_columns
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

JOBS = {"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}
JOB = Tree(JOBS).build(observe("job", ["Dancer"]))

AGES = ["30", "31", "34", "[30-32)", "[31-35)", "<31", ">=31", "*", None]
LABELS = ["Engineer", "Dancer", "Writer", "Artist", "Professional", "{Lawyer, Dancer}", "Pilot"]
ZIPS = ["130**", "1305*", "13053", "13068", "148**", "14850", "*", None]

Row = tuple[str | None, str | None, str | None]

SHOWN: Row = ("[28-29)", None, "149**")
"""One interval and one mask at least, so that the columns are known for what they are."""
LISTED: Row = ("28", "Engineer", "14900")
"""One job and one zip at least that the release knows."""


def ages(text: str) -> set[float]:
    """Every number and half that an age text covers, between 28 and 38."""
    steps = [28 + i / 2 for i in range(21)]
    if text.startswith("["):
        lower, upper = text[1:-1].split("-")
        return {v for v in steps if float(lower) <= v < float(upper)}
    if text.startswith("<"):
        return {v for v in steps if v < float(text[1:])}
    if text.startswith(">="):
        return {v for v in steps if v >= float(text[2:])}
    return {float(text)}


def jobs(text: str) -> set[str]:
    if text.startswith("{"):
        return set(text[1:-1].split(", "))
    return set(JOBS.get(text, [text]))


def zips(text: str) -> set[str]:
    start = text.rstrip("*")
    return {f"{i}" for i in range(13000, 15000) if f"{i}".startswith(start)}


def are_compatible(a: Row, b: Row) -> bool:
    """Compare two rows column by column, as the module says it in words."""
    covers: tuple[Callable[[str], set[Any]], ...] = (ages, jobs, zips)
    for x, y, cover in zip(a, b, covers, strict=True):
        if "*" in (x, y) or x == y:
            continue
        if x is None or y is None or not cover(x) & cover(y):
            return False
    return True


def by_definition(published: Sequence[Row], listed: Sequence[Row]) -> list[list[int]]:
    return [[i for i, r in enumerate(published) if are_compatible(r, p)] for p in listed]


def matched(published: Sequence[Row], listed: Sequence[Row]) -> Matching:
    names = ("age", "job", "zip")
    types = dict.fromkeys(names, pl.String)
    target = Target(pl.DataFrame(published, types, orient="row"), names, (), {"job": JOB})
    return match(target, SideTable("list", pl.DataFrame(listed, types, orient="row")))


def records(found: Matching, person: int) -> list[int]:
    kind = found.kind[person]
    looks = found.looks[found.indptr[kind] : found.indptr[kind + 1]]
    return np.flatnonzero(np.isin(found.look, looks)).tolist()


rows = st.tuples(
    st.sampled_from(AGES), st.sampled_from([*LABELS, "*", None]), st.sampled_from(ZIPS)
)


@given(st.lists(rows, max_size=12), st.lists(rows, max_size=12))
def test_says_what_compatible_means(published: list[Row], listed: list[Row]) -> None:
    published, listed = [*published, SHOWN], [*listed, LISTED]
    found = matched(published, listed)
    assert [records(found, i) for i in range(len(listed))] == by_definition(published, listed)


@given(st.lists(rows, max_size=12), st.lists(rows, max_size=12))
def test_sums_are_those_of_the_listed_pairs(published: list[Row], listed: list[Row]) -> None:
    published, listed = [*published, SHOWN], [*listed, LISTED]
    found = matched(published, listed)
    pairs = by_definition(published, listed)
    assert found.n_records()[found.kind].tolist() == [len(p) for p in pairs]
    n_people = [sum(i in p for p in pairs) for i in range(len(published))]
    assert found.n_people()[found.look].tolist() == n_people
    assert found.kind_sizes.sum() == len(listed)
    assert found.look_sizes.sum() == len(published)


@given(st.lists(rows, max_size=12), st.lists(rows, max_size=12), st.integers(1, 5))
def test_chunks_are_the_whole(published: list[Row], listed: list[Row], most: int) -> None:
    found = matched([*published, SHOWN], [*listed, LISTED])
    chunks = list(found.chunks(most))
    kinds = [kind for chunk in chunks for kind in chunk[0].tolist()]
    assert kinds == list(range(found.first.size))
    looks = [look for chunk in chunks for look in chunk[2].tolist()]
    assert looks == found.looks.tolist()
    assert all(chunk[2].size <= most or len(chunk[0]) == 1 for chunk in chunks)


def test_book_example_2_2_links_generalized_people_and_records() -> None:
    case = cases.load("book-ch02-ex2.2-k-anonymity")
    expected = case["expected"]
    told = expected["anonymous"]
    frame = pl.DataFrame(told["rows"], told["columns"], orient="row")
    tree = case["input"]["taxonomies"]["Job"]["ANY_Job"]
    tree = {label: list(leaves) for label, leaves in tree.items()}
    job = Tree(tree).build(observe("Job", ["Writer"]))
    target = Target(frame, ("Job", "Sex", "Age"), ("Disease",), {"Job": job})
    links = {row["Name"]: row["linked_records"] for row in expected["links_external_to_anonymous"]}
    for listed in (case["input"]["external"], expected["anonymous_external"]):
        people = pl.DataFrame(listed["rows"], listed["columns"], orient="row")
        found = match(target, SideTable("external", people))
        counts = found.n_records()[found.kind].tolist()
        assert dict(zip(people["Name"].to_list(), counts, strict=True)) == links


def test_missing_matches_missing_and_everything_alone() -> None:
    published: list[Row] = [(None, "*", "*"), ("*", "*", "*"), ("[30-32)", "*", "149**")]
    found = matched(published, [(None, None, None)])
    assert records(found, 0) == [0, 1] == by_definition(published, [(None, None, None)])[0]


def test_columns_can_be_chosen() -> None:
    target = Target(pl.DataFrame({"a": [1, 1], "b": [1, 2]}), ("a", "b"), ())
    people = SideTable("list", pl.DataFrame({"a": [1], "b": [2]}))
    assert match(target, people).n_records().tolist() == [1]
    assert match(target, people, ("a",)).n_records().tolist() == [2]
    assert match(target, people, ("a",)).columns == ("a",)


def test_an_empty_side_matches_nothing() -> None:
    empty, full = pl.DataFrame({"a": [""]}).clear(), pl.DataFrame({"a": ["x", "*"]})
    found = match(Target(empty, ("a",), ()), SideTable("list", full))
    assert found.n_records().tolist() == [0, 0]
    found = match(Target(full, ("a",), ()), SideTable("list", empty))
    assert found.n_people().tolist() == [0, 0]
    assert found.looks.size == 0


def test_refuses_to_list_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_PAIRS", 1)
    found = matched([("[30-32)", "*", "*"), ("[30-35)", "*", "149**")], [("30", None, "14950")])
    assert found.n_pairs == 2
    with pytest.raises(UnsupportedError, match="2 pairs of people and records match"):
        _ = found.looks


def test_refuses_a_list_without_a_shared_column() -> None:
    target = Target(pl.DataFrame({"a": [1], "s": [1]}), ("a",), ("s",))
    people = SideTable("voters", pl.DataFrame({"b": [1]}))
    with pytest.raises(SchemaError, match=r"'voters' shares no column .* \(a\)"):
        match(target, people)
    with pytest.raises(SchemaError, match=r"no column 'a' among 1 .* in 'voters'"):
        shared_columns(target, people, ("a",))
    with pytest.raises(SchemaError, match=r"no column 'b' among 2 .* in the release"):
        shared_columns(target, people, ("b",))


def test_refuses_labels_without_their_taxonomy() -> None:
    target = Target(pl.DataFrame({"job": ["Artist"]}), ("job",), ())
    people = SideTable("list", pl.DataFrame({"job": ["Dancer"]}))
    with pytest.raises(DataError, match=r"no value of column 'job' .* give the taxonomy"):
        match(target, people)
