"""Distances of shares, decided exactly."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.models.shared.distribution_distance import DistributionDistance, Reference
from unlinkable.tables.models.shared.divergences import Hellinger, RelativeEntropy

ROW = st.lists(st.integers(0, 9), min_size=3, max_size=3)
WHOLE = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def is_within(
    divergence: DistributionDistance, row: list[int], whole: list[int], bound: Fraction
) -> bool:
    hidden = histogram_of([row])
    others = Reference.whole(np.array(whole), 1)
    return bool(divergence.are_within(hidden, np.array([sum(row)]), others, bound)[0])


def distance(divergence: DistributionDistance, row: list[int], whole: list[int]) -> float:
    others = Reference.whole(np.array(whole), 1)
    return float(divergence.distances(histogram_of([row]), np.array([sum(row)]), others)[0])


def digits(divergence: DistributionDistance, row: list[int], whole: list[int]) -> Decimal:
    """Compute a distance to forty digits."""
    with localcontext(prec=60):
        n, total = Decimal(sum(row)), Decimal(sum(whole))
        pairs = [(c / n, w / total) for c, w in zip(map(Decimal, row), whole, strict=True)]
        if isinstance(divergence, Hellinger):
            overlap = sum(((p * q).sqrt() for p, q in pairs), Decimal(0))
            return max(1 - overlap, Decimal(0)).sqrt()
        return sum((p * (p / q).ln() for p, q in pairs if p), Decimal(0))


@pytest.mark.parametrize(
    "divergence", [RelativeEntropy(), Hellinger()], ids=lambda y: type(y).__name__
)
@given(row=ROW.filter(any), whole=WHOLE)
def test_a_hair_to_either_side_of_the_bound_is_told(
    divergence: DistributionDistance, row: list[int], whole: list[int]
) -> None:
    exact = digits(divergence, row, whole)
    assert math.isclose(distance(divergence, row, whole), exact, rel_tol=1e-9, abs_tol=1e-9)
    hair = Fraction(1, 10**25)
    assert is_within(divergence, row, whole, Fraction(exact) + hair)
    if exact > 1e-20:
        assert not is_within(divergence, row, whole, Fraction(exact) - hair)


@given(WHOLE, st.integers(1, 10**11))
def test_equal_shares_are_within_nothing(whole: list[int], times: int) -> None:
    for divergence in (RelativeEntropy(), Hellinger()):
        row = [w * times for w in whole]
        assert distance(divergence, row, whole) == 0.0
        assert is_within(divergence, row, whole, Fraction(0))
        row[0] += 1
        assert not is_within(divergence, row, whole, Fraction(0))


@pytest.mark.parametrize(
    ("row", "whole", "t"),
    [
        # 1 - (sqrt(1/4 * 1) + 0) is 1/2; its square root is no fraction, so t^2 = 1/2 is not met.
        ([1, 0, 0], [1, 1, 2], Fraction(1, 2)),
        # Overlaps of 16/25, 9/25 and 24/25, whose distances are 3/5, 4/5 and 1/5.
        ([1, 0, 0], [256, 144, 225], Fraction(3, 5)),
        ([1, 0, 0], [81, 319, 225], Fraction(4, 5)),
        ([9, 16, 0], [16, 9, 0], Fraction(1, 5)),
    ],
)
def test_the_bound_is_met_by_equality(row: list[int], whole: list[int], t: Fraction) -> None:
    square = digits(Hellinger(), row, whole) ** 2
    is_met = math.isclose(square, float(t) ** 2, rel_tol=1e-12)
    assert is_met is (t != Fraction(1, 2))
    assert is_within(Hellinger(), row, whole, t) is is_met
    assert is_within(Hellinger(), row, whole, t + Fraction(1, 10**30)) is is_met
    assert not is_within(Hellinger(), row, whole, t - Fraction(1, 10**30))


def test_no_value_in_common_is_as_far_as_can_be() -> None:
    assert distance(Hellinger(), [1, 0, 0], [0, 5, 5]) == 1.0
    assert is_within(Hellinger(), [1, 0, 0], [0, 5, 5], Fraction(1))
    assert distance(RelativeEntropy(), [1, 0, 0], [0, 5, 5]) == math.inf
    assert not is_within(RelativeEntropy(), [1, 0, 0], [0, 5, 5], Fraction(10**9))


def test_counts_of_any_size_are_compared() -> None:
    large = 10**10
    for divergence in (RelativeEntropy(), Hellinger()):
        small = distance(divergence, [1, 2, 4], [3, 3, 5])
        row, whole = [large, 2 * large, 4 * large], [3 * large, 3 * large, 5 * large]
        assert math.isclose(distance(divergence, row, whole), small, rel_tol=1e-9)
        for gap in (-1e-6, 1e-6):
            assert is_within(divergence, row, whole, Fraction(small + gap)) is (gap > 0)
