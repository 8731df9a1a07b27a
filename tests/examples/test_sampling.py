"""Weighted draws: the weights are met, and what weighs nothing never comes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.examples._sampling import curve, draw

WEIGHTS = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)


@given(st.lists(WEIGHTS, min_size=1, max_size=6), st.integers(0, 2**32))
def test_what_weighs_nothing_is_never_drawn(rows: list[list[int]], seed: int) -> None:
    weights = np.array(rows, np.float64)
    kinds = np.repeat(np.arange(len(rows), dtype=np.int32), 20)
    drawn = draw(np.random.default_rng(seed), weights, kinds)
    assert (weights[kinds, drawn] > 0).all()


def test_the_ends_of_the_unit_interval_fall_into_columns_of_their_own_row() -> None:
    class Ends(np.random.Generator):
        def random(self, *_: object, **__: object) -> np.ndarray:  # type: ignore[override]
            return np.array([0.0, np.nextafter(1.0, 0.0)] * 3)

    weights = np.array([[0.0, 1.0, 1.0, 0.0]] * 1_000)
    kinds = np.array([0, 0, 500, 500, 999, 999], np.int32)
    drawn = draw(Ends(np.random.PCG64(0)), weights, kinds)
    assert drawn.tolist() == [1, 2, 1, 2, 1, 2]


def test_columns_come_as_often_as_they_weigh() -> None:
    """Each bound is 6 standard errors wide: false alarm below 1e-7, and a weight 30 % off fails."""
    n = 40_000
    weights = np.array([[1.0, 2.0, 5.0], [6.0, 1.0, 1.0]])
    kinds = np.repeat(np.array([0, 1], np.int32), n)
    drawn = draw(np.random.default_rng(3), weights, kinds)

    def is_met(expected: np.ndarray) -> bool:
        shares = expected / expected.sum(axis=1, keepdims=True)
        counts = np.array([np.bincount(drawn[kinds == kind], minlength=3) for kind in (0, 1)])
        return bool((abs(counts / n - shares) < 6 * np.sqrt(shares * (1 - shares) / n)).all())

    assert is_met(weights)
    assert not is_met(weights * [1.3, 1.0, 1.0])


def test_a_curve_is_flat_outside_its_knots_and_straight_between() -> None:
    assert curve(((1, 2.0), (3, 6.0)), 6).tolist() == [2.0, 2.0, 4.0, 6.0, 6.0, 6.0]
