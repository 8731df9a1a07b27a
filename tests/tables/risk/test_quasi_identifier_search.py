"""Quasi-identifier search: against a literal enumeration, and the claims made."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import qid_search
from unlinkable.errors import ParameterError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.risk import QuasiIdentifierSearch


def taken(random: RandomTable) -> Table:
    columns = {name: [row[name] for row in random.rows] for name in random.qid}
    return as_table(columns, quasi=random.qid)


@given(tables(min_records=1, owner=False))
def test_says_what_the_definitions_say(random: RandomTable) -> None:
    for found in QuasiIdentifierSearch(largest=3).measure(taken(random), random.qid):
        columns = found.columns
        assert Fraction(found.distinct).limit_denominator(1000) == qid_search.distinct_ratio(
            random.rows, columns
        )
        assert found.separation == pytest.approx(
            float(qid_search.separation_ratio(random.rows, columns))
        )
        assert found.unique == pytest.approx(float(qid_search.unique_share(random.rows, columns)))


@given(tables(min_records=1, owner=False), st.fractions(Fraction(1, 50), 1))
def test_finds_the_smallest_sets(random: RandomTable, alpha: Fraction) -> None:
    search = QuasiIdentifierSearch(largest=4, alpha=alpha)
    found = [s.columns for s in search.smallest(taken(random), random.qid)]
    expected = qid_search.minimal_sets(
        random.rows, random.qid, qid_search.distinct_ratio, 1 - alpha, 4
    )
    assert sorted(found) == sorted(expected)


def test_looks_at_all_sets_up_to_the_largest() -> None:
    people = as_table({name: [1, 2] for name in "abcd"}, quasi="a", insensitive=["b", "c", "d"])
    sets = QuasiIdentifierSearch(largest=2).measure(people, ["a", "b", "c", "d"])
    assert len(sets) == 4 + 6


def test_tells_how_far_it_is() -> None:
    told: list[float] = []
    people = as_table({"a": [1, 2], "b": [1, 1]}, quasi=["a", "b"])
    QuasiIdentifierSearch().measure(people, ["a", "b"], lambda share, words: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1


def test_of_very_many_columns_small_sets_are_looked_at() -> None:
    names = [f"c{i}" for i in range(1_000)]
    wide = as_table({name: [1, 1, 0] for name in names}, quasi=names)
    sets = QuasiIdentifierSearch().measure(wide, names)
    assert {len(found.columns) for found in sets} == {1}
    with pytest.raises(ParameterError, match="too many to look at all of them: ask for at most 1"):
        QuasiIdentifierSearch(largest=2).measure(wide, names)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"largest": 0}, "largest must be at least 1"), ({"alpha": 0}, r"alpha must lie in \(0, 1\]")],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        QuasiIdentifierSearch(**parameters)
