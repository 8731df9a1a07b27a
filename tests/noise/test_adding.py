"""Added noise: its distribution, which no seed repeats."""

from __future__ import annotations

import numpy as np
from scipy import stats

from tests.recoding.chance import fits
from unlinkable.noise.adding import add_laplace


def test_noise_has_its_distribution_and_none_that_is_30_percent_off() -> None:
    """A false alarm in one of a million runs; what is off by 30 % is missed in about one of 1e9."""
    noise = add_laplace(np.full(6_000, 10.0), 2.0) - 10.0
    assert fits(noise, stats.laplace(0, 2.0).cdf)
    assert not fits(noise, stats.laplace(0, 2.6).cdf)


def test_no_numbers_are_no_noise() -> None:
    assert add_laplace(np.zeros(0), 1.0).size == 0
