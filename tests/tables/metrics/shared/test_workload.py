"""Random queries: how wide, how many, on which columns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.metrics.shared.workload import Workload

FREE = {"a": 90, "b": 2, "c": 7, "d": 1}
FIXED = {"s": 10, "t": 33}


def drawn(
    n: int = 200, dimension: int = 2, selectivity: Fraction = Fraction(1, 10), seed: int = 0
) -> Workload:
    rng = np.random.default_rng(seed)
    return Workload.draw(n, FREE, FIXED, dimension=dimension, selectivity=selectivity, rng=rng)


def width_by_definition(size: int, selectivity: Fraction, m: int) -> int:
    """The least width whose share, to the power of m, is no less than the selectivity."""
    return next(w for w in range(1, size + 1) if Fraction(w, size) ** m >= selectivity)


@given(
    st.integers(1, 3),
    st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6),
    st.integers(0, 5),
)
def test_ranges_are_as_wide_as_the_selectivity_says_and_lie_in_the_domain(
    dimension: int, selectivity: Fraction, seed: int
) -> None:
    asked = drawn(20, dimension, selectivity, seed)
    sizes = asked.sizes[asked.at]
    expected = [[width_by_definition(n, selectivity, dimension + 1) for n in r] for r in sizes]
    assert (asked.hi - asked.lo).tolist() == expected
    assert (asked.lo >= 0).all()
    assert (asked.hi <= sizes).all()


def test_a_root_that_is_whole_is_not_missed_by_a_float() -> None:
    asked = Workload.draw(
        1,
        {"a": 10, "b": 10, "c": 10},
        {},
        dimension=3,
        selectivity=Fraction(1, 1000),
        rng=np.random.default_rng(0),
    )
    assert (asked.hi - asked.lo).tolist() == [[1, 1, 1]]


def test_queries_ask_for_distinct_columns_and_one_that_is_fixed() -> None:
    asked = drawn()
    assert asked.columns == ("a", "b", "c", "d", "s", "t")
    assert (np.diff(asked.at, axis=1) > 0).all()
    assert (asked.at[:, :2] < 4).all()
    assert set(asked.at[:, 2].tolist()) == {4, 5}


def test_every_column_and_every_beginning_is_drawn_equally_often() -> None:
    # 6,000 draws: each count is within five standard deviations, or the draw is one in a million.
    asked = Workload.draw(
        6000,
        {"a": 6, "b": 6, "c": 6},
        {},
        dimension=1,
        selectivity=Fraction(1, 6),
        rng=np.random.default_rng(1),
    )
    columns = np.bincount(asked.at.ravel(), minlength=3)
    assert columns.tolist() == pytest.approx([2000] * 3, abs=5 * np.sqrt(6000 * 2 / 9))
    begins = np.bincount(asked.lo.ravel(), minlength=6)
    assert begins.tolist() == pytest.approx([1000] * 6, abs=5 * np.sqrt(6000 * 5 / 36))


def test_queries_on_the_same_columns_are_found_together() -> None:
    asked = drawn()
    seen = []
    for at, queries in asked.alike():
        assert (asked.at[queries] == at).all()
        seen += queries.tolist()
    assert sorted(seen) == list(range(200))
    assert len(list(asked.alike())) == len({tuple(row) for row in asked.at.tolist()})


def test_queries_are_told_apart_by_some_columns() -> None:
    asked = drawn()
    for names, queries in asked.apart(("b", "t")):
        for q in queries:
            there = {asked.columns[c] for c in asked.at[q]}
            assert there & {"b", "t"} == set(names)
    assert sorted(q for _, some in asked.apart(("b", "t")) for q in some) == list(range(200))


def test_no_queries_are_on_no_columns() -> None:
    none = drawn().select(np.array([], np.int64))
    assert len(none) == 0
    assert list(none.alike()) == []
