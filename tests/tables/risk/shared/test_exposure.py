"""Exposure: the definitions in plain loops, whether records or people count."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.risk import Exposure, exposure

Row = dict[str, object]


def by_definition(
    groups: list[list[Row]], sensitive: tuple[str, ...], owner: str | None
) -> Exposure:
    """Look at every victim, and at every sensitive value of everybody who looks the same."""
    chances, surest = [], 0.0
    for group in groups:
        people = {row[owner] for row in group} if owner else set(range(len(group)))
        chances += [1 / len(people)] * len(people)
        for column in sensitive:
            most = max(Counter(row[column] for row in group).values())
            surest = max(surest, most / len(group))
    if not chances:
        return Exposure(0.0, 0.0, 0.0)
    return Exposure(max(chances), sum(chances) / len(chances), surest)


def groups_of(
    table: RandomTable, levels: list[int], gone: set[int]
) -> tuple[Groups, list[list[Row]]]:
    """Publish a table at some levels without some of its groups: for the library, and plainly."""
    given_table = table_of(table)
    counted = count(given_table, [(name,) for name in table.sensitive])
    whole = Partition.at_levels(counted.finest, given_table.attributes, levels)
    is_gone = [g in gone for g in range(whole.n_parts)]
    by_key: dict[tuple[object, ...], list[Row]] = {}
    for row, label in zip(table.rows, whole.labels[counted.labels].tolist(), strict=True):
        shown = tuple(
            table.trees[a].generalize(row[a], level)
            for a, level in zip(table.qid, levels, strict=True)
        )
        if label not in gone:
            by_key.setdefault(shown, []).append(dict(row))
    return whole.suppress(np.array(is_gone, bool)).groups(), list(by_key.values())


@given(tables(), st.data())
def test_says_what_the_definition_says(table: RandomTable, data: st.DataObject) -> None:
    levels = [data.draw(st.integers(0, table.trees[a].height)) for a in table.qid]
    gone = data.draw(st.sets(st.integers(0, 5)))
    groups, plain = groups_of(table, levels, gone)
    found = exposure(groups, [(name,) for name in table.sensitive])
    expected = by_definition(plain, table.sensitive, table.owner)
    assert found.highest == pytest.approx(expected.highest)
    assert found.average == pytest.approx(expected.average)
    assert found.attribute == pytest.approx(expected.attribute)


@given(tables(min_records=1, owner=False), st.data())
def test_generalizing_hides_people_and_their_values(
    table: RandomTable, data: st.DataObject
) -> None:
    lower = [data.draw(st.integers(0, table.trees[a].height)) for a in table.qid]
    higher = [
        data.draw(st.integers(low, table.trees[a].height))
        for low, a in zip(lower, table.qid, strict=True)
    ]
    columns = [(name,) for name in table.sensitive]
    fine, coarse = (exposure(groups_of(table, x, set())[0], columns) for x in (lower, higher))
    assert coarse.highest <= fine.highest
    assert coarse.average <= fine.average
    assert coarse.attribute <= fine.attribute + 1e-12
    assert 0 < coarse.average <= coarse.highest <= 1
    assert 0 < coarse.attribute <= 1


def test_a_person_with_many_records_is_found_as_easily_as_one_with_a_single_record() -> None:
    data = {"job": ["cook"] * 5, "who": ["p"] * 4 + ["q"]}
    records = as_table(data, quasi="job", insensitive="who")
    people = as_table(data, quasi="job", owner="who")
    assert exposure(count(records).finest, []) == Exposure(0.2, 0.2, 0.0)
    assert exposure(count(people).finest, []) == Exposure(0.5, 0.5, 0.0)


def test_the_worst_of_several_sensitive_columns_counts() -> None:
    data = as_table(
        {"job": ["cook"] * 4, "ill": list("wxyz"), "pay": list("aaab")},
        quasi="job",
        sensitive=["ill", "pay"],
    )
    groups = count(data, [("ill",), ("pay",)]).finest
    assert exposure(groups, [("ill",), ("pay",)]).attribute == 0.75
    assert exposure(groups, [("ill",)]).attribute == 0.25


def test_where_nothing_is_published_nobody_is_exposed() -> None:
    data = as_table({"job": ["cook", "clerk"], "ill": ["x", "y"]}, quasi="job", sensitive="ill")
    counted = count(data, [("ill",)])
    nothing = Partition.whole(counted.finest)
    groups = nothing.suppress(np.ones(1, bool)).groups()
    assert exposure(groups, [("ill",)]) == Exposure(0.0, 0.0, 0.0)
    empty = as_table({"job": [], "ill": []}, quasi="job", sensitive="ill")
    assert exposure(count(empty, [("ill",)]).finest, [("ill",)]) == Exposure(0.0, 0.0, 0.0)
