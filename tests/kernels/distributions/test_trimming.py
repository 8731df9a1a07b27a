"""How many records a group must lose: against all that can be left of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import by_definition
from tests.kernels.distributions.test_divergences import csr
from tests.tables.groups.plain import histogram_of
from tests.witness.models import recursive_cl
from unlinkable.kernels.distributions.trimming import trim_to_entropy, trim_to_ratio, trim_to_share

ROWS = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4), min_size=1, max_size=2)


@given(ROWS, st.floats(1, 4.5))
def test_no_fewer_records_can_go_for_entropy(rows: list[list[int]], l: float) -> None:  # noqa: E741
    lost = trim_to_entropy(*csr(rows), log(l)).tolist()
    for row, at_least in zip(rows, lost, strict=True):
        must = by_definition.least_removed(
            row, lambda left: by_definition.entropies([left])[0] >= log(l) + 1e-9
        )
        assert at_least <= must
        assert (at_least > 0) is (by_definition.entropies([row])[0] < log(l))
        if len(row) < l:
            assert at_least == must == sum(row)


@given(ROWS, st.fractions(Fraction(1, 4), 4, max_denominator=6), st.integers(1, 4), st.booleans())
def test_exactly_so_many_must_go_for_a_ratio(
    rows: list[list[int]],
    c: Fraction,
    l: int,  # noqa: E741
    strict: bool,
) -> None:
    lost = trim_to_ratio(*csr(rows), l, *c.as_integer_ratio(), strict).tolist()
    for row, found in zip(rows, lost, strict=True):
        assert found == by_definition.least_removed(
            row, lambda left: recursive_cl(left, c, l, strict=strict)
        )


@pytest.mark.parametrize("n", [10**3, 10**6, 2**31 - 1])
def test_a_large_row_is_cut_to_what_is_needed(n: int) -> None:
    rows = [[n, 10, 10]]
    (lost,) = trim_to_ratio(*csr(rows), 2, 3, 1, True)
    assert lost == n - 59  # 59 < 3 * 20
    (at_least,) = trim_to_entropy(*csr(rows), log(3) - 1e-9)
    assert at_least == n - 10


def test_no_rows_lose_nothing() -> None:
    none = np.array([0]), np.zeros(0, np.int64)
    assert trim_to_entropy(*none, 1.0).size == trim_to_ratio(*none, 2, 1, 1, True).size == 0


def fewest(row: list[int], bounded: list[bool], share: Fraction) -> int:
    """Try all that can be left of a row, and count what the largest of it lacks."""
    return min(
        sum(row) - sum(left)
        for left in product(*(range(c + 1) for c in row))
        if all(c <= share * sum(left) for c, b in zip(left, bounded, strict=True) if b)
    )


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.fractions(0, 1, max_denominator=6),
)
def test_loses_as_few_records_as_any_choice_would(
    rows: list[list[int]], bounded: list[bool], share: Fraction
) -> None:
    hidden = histogram_of(rows)
    is_bounded = np.array(bounded)[hidden.values]
    lost = trim_to_share(hidden.indptr, hidden.counts, is_bounded, *share.as_integer_ratio())
    assert lost.tolist() == [fewest(row, bounded, share) for row in rows]


def test_large_groups_are_cut_as_exactly_as_small_ones() -> None:
    hidden = histogram_of([[2_000_000_000, 1_000_000_000], [1, 1]])
    lost = trim_to_share(hidden.indptr, hidden.counts, np.ones(4, bool), 1, 2)
    assert lost.tolist() == [1_000_000_000, 0]
