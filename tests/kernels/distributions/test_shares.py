"""Trimming groups until no value has too large a share: never more than must be, never less."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.kernels.distributions.shares import trim_to_share


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
