"""What groups must lose: no more than the fewest records that would do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from unlinkable.tables.models.shared.suppression_bounds import (
    suppressed_to_a_share,
    suppressed_to_shares,
    suppressed_to_values,
)

ROW = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


def fewest(row: list[int], rest: list[int], limit: int, near: Callable[..., bool]) -> int | None:
    """Count what must be left out of a row, of all that at most ``limit`` records are left out."""
    everything = [range(n + 1) for n in (*row, *rest)]
    best = None
    for left in product(*everything):
        here, there = left[:3], [a + b for a, b in zip(left[:3], left[3:], strict=True)]
        n_gone = sum(row) + sum(rest) - sum(left)
        if n_gone <= limit and (not any(here) or near(here, there)):
            lost = sum(row) - sum(here)
            best = lost if best is None else min(best, lost)
    return best


@given(ROW, ROW, st.integers(0, 4), st.fractions(0, 1, max_denominator=6))
def test_shares_of_sets_are_bounded(
    row: list[int], rest: list[int], limit: int, bound: Fraction
) -> None:
    def near(here: tuple[int, ...], there: list[int]) -> bool:
        gaps = [
            Fraction(c, sum(here)) - Fraction(w, sum(there))
            for c, w in zip(here, there, strict=True)
        ]
        return sum(gap for gap in gaps if gap > 0) <= bound

    groups = groups_of([row, rest])
    lost = suppressed_to_shares(groups.histograms["s",], groups, groups.whole["s",], bound, limit)
    least = fewest(row, rest, limit, near)
    assert least is None or lost[0] <= least


@given(ROW, ROW, st.integers(0, 4), st.fractions(1, 3, max_denominator=6))
def test_ratios_are_bounded(row: list[int], rest: list[int], limit: int, times: Fraction) -> None:
    def near(here: tuple[int, ...], there: list[int]) -> bool:
        return all(
            c * sum(there) <= times * w * sum(here) for c, w in zip(here, there, strict=True)
        )

    groups = groups_of([row, rest])
    lost = suppressed_to_values(
        groups.histograms["s",], groups, groups.whole["s",], float(times), limit
    )
    least = fewest(row, rest, limit, near)
    assert least is None or lost[0] <= least


def test_a_share_of_1_or_more_costs_nothing() -> None:
    here, sizes = np.array([4, 4, 4]), np.array([4, 4, 4])
    assert suppressed_to_a_share(here, np.array([1.0, 1.5, 0.99999]), sizes).tolist() == [0, 0, 0]
    assert suppressed_to_a_share(here, np.array([0.0, 0.5, 0.9]), sizes).tolist() == [4, 4, 4]
