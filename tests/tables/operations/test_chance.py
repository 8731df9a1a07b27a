"""The tests of chance themselves: true distributions pass, those 30 % off do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.tables.operations.chance import fits, fits_counts


def test_true_distributions_pass_and_those_that_are_off_do_not() -> None:
    sample = np.random.default_rng(0).normal(0, 1, 20_000)
    assert fits(sample, stats.norm(0, 1).cdf)
    assert not fits(sample, stats.norm(0, 1.3).cdf)
    assert not fits(sample, stats.norm(0, 0.7).cdf)


@pytest.mark.parametrize(
    ("chances", "expected"), [((0.5, 0.5), True), ((0.65, 0.35), False), ((1.0, 0.0), False)]
)
def test_counts_are_held_against_their_chances(
    chances: tuple[float, float], expected: bool
) -> None:
    assert fits_counts([5_050, 4_950], chances) == expected


def test_a_certain_outcome_fits_if_nothing_else_came_out() -> None:
    assert fits_counts([10, 0], [1.0, 0.0])
