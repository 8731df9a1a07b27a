"""Who could be meant, and who is there: the library against the definitions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.models.twins import agree, bounds, frame_of, same, small, verdict_of
from tests.witness import population
from unlinkable.errors import DataError
from unlinkable.tables.models import DeltaPresence, KMap

alone = small(owner=False)


@st.composite
def people(draw: st.DrawFn) -> tuple[RandomTable, list[dict[str, object]]]:
    """Draw a table and a population that everybody in it belongs to."""
    table = draw(alone)
    cells = {
        name: st.sampled_from([v for v in table.trees[name].leaves if v is not None])
        for name in table.qid
    }
    others = draw(st.lists(st.fixed_dictionaries(cells), max_size=10))
    return table, draw(st.permutations([*table.rows, *others]))


@given(people(), st.integers(1, 5))
def test_k_map(found: tuple[RandomTable, list[dict[str, object]]], k: int) -> None:
    table, everybody = found
    level = population.k_map(table.rows, everybody, table.qid)
    side = {"people": frame_of(everybody, table.qid)}
    verdict = verdict_of(table, KMap(k, population="people"), side=side)
    agree(verdict, level, holds=level is None or level >= k)


@given(people(), st.fractions(0, 1, max_denominator=6), bounds)
def test_delta_presence(
    found: tuple[RandomTable, list[dict[str, object]]], low: Fraction, high: Fraction
) -> None:
    table, everybody = found
    low, high = min(low, high), max(low, high)
    side = {"people": frame_of(everybody, table.qid)}
    verdict = verdict_of(table, DeltaPresence(low, high, population="people"), side=side)
    holds = population.is_present_within(table.rows, everybody, table.qid, low, high)
    assert verdict.holds is holds
    if level := population.presence(table.rows, everybody, table.qid):
        assert same(verdict.reached["low"], level[0])
        assert same(verdict.reached["high"], level[1])


@given(people())
def test_who_is_in_the_table_must_be_in_the_population(
    found: tuple[RandomTable, list[dict[str, object]]],
) -> None:
    table, everybody = found
    somebody = next(iter(table.rows), None)
    if somebody is None:
        return
    key = [somebody[name] for name in table.qid]
    others = [person for person in everybody if [person[name] for name in table.qid] != key]
    side = {"people": frame_of(others, table.qid)}
    with pytest.raises(DataError, match="people"):
        verdict_of(table, DeltaPresence(0, 1, population="people"), side=side)
    verdict = verdict_of(table, KMap(1, population="people"), side=side)
    agree(verdict, population.k_map(table.rows, others, table.qid), holds=False)
