"""Possible tables: all ways to deal out what is hidden, each class once, and drawn evenly."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import observe

TREE = ul.Tree({"a": ["a0", "a1"], "b": ["b0", "b1"]}).build(observe("q", ["a0"]))


def release(shown: list[str], hidden: list[str]) -> Target:
    return Target(pl.DataFrame({"q": shown, "s": hidden}), ("q",), ("s",), {"q": TREE})


def possible(shown: list[str], hidden: list[str], people: list[str]) -> PossibleTables:
    everybody = SideTable("external", pl.DataFrame({"q": people}))
    return PossibleTables.of(release(shown, hidden), everybody, ("s",))


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw people, and what they hide."""
    people = draw(st.lists(st.sampled_from(["a0", "a1", "b0", "b1"]), min_size=1, max_size=6))
    hidden = draw(st.lists(st.sampled_from("xyz"), min_size=len(people), max_size=len(people)))
    return people, hidden


@given(groups())
def test_all_classes_come_once_with_all_their_tables(drawn: tuple[list[str], list[str]]) -> None:
    people, hidden = drawn
    shown = [person[0] for person in people]
    wanted: Counter[tuple[tuple[str, str], ...]] = Counter()
    for values in set(permutations(hidden)):
        dealt = Counter(zip(shown, values, strict=True))
        if dealt == Counter(zip(shown, hidden, strict=True)):
            wanted[tuple(sorted(zip(people, values, strict=True)))] += 1
    tables = possible(shown, hidden, people)
    found: dict[tuple[tuple[str, str], ...], int] = {}
    for records, weight in tables.classes():
        frame = tables.table(records).frame
        assert frame["q"].to_list() == people
        key = tuple(sorted(frame.rows()))
        assert key not in found
        found[key] = weight
    assert found.keys() == wanted.keys()
    assert tables.n_classes(1000) == len(found)
    # Groups in which nothing is open add the same factor to all classes.
    factors = {wanted[key] / weight for key, weight in found.items()}
    assert len(factors) == 1


@given(groups())
def test_counting_stops_at_a_bound(drawn: tuple[list[str], list[str]]) -> None:
    people, hidden = drawn
    tables = possible(["*"] * len(people), hidden, people)
    n = tables.n_classes(1000)
    assume(n > 1)
    assert tables.n_classes(n) == n
    assert tables.n_classes(n - 1) > n - 1


def test_tables_are_drawn_evenly() -> None:
    """Six tables, 6,000 draws: by Hoeffding, 250 off has a chance of 12 exp(-20.8) < 2e-8."""
    tables = possible(["a"] * 4, ["x", "x", "y", "y"], ["a0", "a0", "a1", "a1"])
    rng = np.random.default_rng(0)
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        drawn[tuple(tables.values[tables.draw(rng)].tolist())] += 1
    assert len(drawn) == 6
    assert all(abs(n - 1000) <= 250 for n in drawn.values())


def test_people_left_out_have_what_any_record_tells() -> None:
    tables = possible(["a"] * 4, ["x", "x", "x", "y"], ["a0", "a0", "a0", "a0", "b1"])
    assert tables.pools.tolist() == [0, 0, 0, 0, -1]
    found = {tables.values[records][-1]: weight for records, weight in tables.classes()}
    assert found == {0: 3, 1: 1}
    rng = np.random.default_rng(0)
    drawn = Counter(int(tables.values[tables.draw(rng)][-1]) for _ in range(2000))
    assert abs(drawn[0] - 1500) < 150


def test_groups_that_somebody_fits_are_one_pool() -> None:
    tables = possible(["a", "*", "b"], ["x", "y", "z"], ["a0", "b0", "b1"])
    assert len(set(tables.pools.tolist())) == 1
    assert tables.n_fitting.tolist() == [2, 2, 2]
    apart = possible(["a", "b", "b"], ["x", "y", "z"], ["a0", "b0", "b1"])
    assert len(set(apart.pools.tolist())) == 2
    assert apart.is_open.tolist() == [False, True, True]


def test_many_open_groups_are_not_listed() -> None:
    n = 70
    ages = ul.Intervals(2).build(observe("age", range(2 * n)))
    told = {
        "age": [f"[{i - i % 2}-{i - i % 2 + 2})" for i in range(2 * n)],
        "s": ["x", "y"] * n,
    }
    target = Target(pl.DataFrame(told), ("age",), ("s",), {"age": ages})
    everybody = SideTable("external", pl.DataFrame({"age": range(2 * n)}))
    tables = PossibleTables.of(target, everybody, ("s",))
    assert tables.n_classes(20_000) == 20_001


def test_other_people_are_refused() -> None:
    with pytest.raises(DataError, match="1 people in the list fit groups with 2 records"):
        possible(["a", "a"], ["x", "y"], ["a0"])


def test_a_list_without_a_column_is_refused() -> None:
    with pytest.raises(SchemaError, match="no column 'q' among 1"):
        PossibleTables.of(
            release(["a"], ["x"]), SideTable("external", pl.DataFrame({"age": [3]})), ("s",)
        )
