"""Deconvolution: the smoothest shares that explain what was observed."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.collection import NoiseLaw
from unlinkable.collection.deconvolution import smoothed_at, smoothest
from unlinkable.collection.observations import Observations
from unlinkable.typing import FloatArray


def observed(scale: float = 20) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(6)
    law = NoiseLaw(scale)
    noisy = law.add(rng.triangular(0, 50, 100, 10_000), rng)
    return Observations.of(noisy, law, 20, (0.0, 100.0)).in_all_cells()


def bend(shares: FloatArray) -> float:
    return float((np.diff(shares, n=2) ** 2).sum())


def misfit(likelihood: FloatArray, counts: FloatArray, shares: FloatArray) -> float:
    expected = counts.sum() * likelihood @ shares
    return float(((counts - expected) ** 2 / (counts + 1)).sum())


def test_heavier_smoothness_bends_less_and_fits_worse() -> None:
    likelihood, counts = observed()
    found = [smoothed_at(likelihood, counts, weight) for weight in (-4.0, 0.0, 4.0)]
    bends, misfits = [bend(s) for s in found], [misfit(likelihood, counts, s) for s in found]
    assert bends == sorted(bends, reverse=True)
    assert misfits == sorted(misfits)


def test_the_misfit_is_what_chance_would_make_it_and_not_more() -> None:
    likelihood, counts = observed()
    found = smoothest(likelihood, counts)
    assert found.fits
    aim = max(counts.size, misfit(likelihood, counts, smoothed_at(likelihood, counts, -12.0)))
    assert misfit(likelihood, counts, found.shares) <= aim + 1e-6
    heavier = smoothed_at(likelihood, counts, found.weight + 0.1)
    assert misfit(likelihood, counts, heavier) > aim


def test_shares_are_a_distribution() -> None:
    found = smoothest(*observed())
    assert found.shares.min() >= 0
    assert found.shares.sum() == pytest.approx(1)


def test_counts_that_no_shares_explain_are_told() -> None:
    likelihood, counts = observed()
    spiked = counts.copy()
    spiked[counts.size // 2] *= 3
    assert not smoothest(likelihood, spiked).fits
