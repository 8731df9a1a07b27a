"""Values that nobody listed are told only if many have them."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from tests.noise.distributions import FALSE_ALARM, fit, geometric
from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.noise import Ledger, keep_frequent, least_threshold, price


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.1, 1e-9), (3.0, 0.01)])
def test_the_threshold_hides_a_single_person_but_for_delta(epsilon: float, delta: float) -> None:
    threshold = least_threshold(epsilon, delta)
    alpha = math.exp(-epsilon)

    def told(at: int) -> float:
        """Give the probability that a count of one comes out above a threshold."""
        return alpha**at / (1 + alpha)

    assert told(threshold) <= delta < told(threshold - 1) * (1 + 1e-6)


@pytest.mark.statistical
def test_a_single_person_is_told_no_more_often_than_is_paid_for() -> None:
    # Fails by chance once in a million runs. It fails if counts equal to the threshold are told.
    n = 40_000
    where, noisy, event = keep_frequent(np.ones(n, np.int64), epsilon=1.0, threshold=3)
    delta = event.parameters["delta"]
    assert stats.binom.sf(len(where) - 1, n, delta) > FALSE_ALARM
    assert stats.binom.sf(len(where) - 1, n, 0.7 * delta) < FALSE_ALARM
    assert noisy.min() > 3


def test_the_event_costs_what_was_asked_for() -> None:
    threshold = least_threshold(0.5, 1e-6)
    _, _, event = keep_frequent(np.array([100, 1]), epsilon=0.5, threshold=threshold, what="jobs")
    assert price(Ledger([event])).at(1e-6) == pytest.approx(0.5)
    assert price(Ledger([event])).at(1e-9) == math.inf


@pytest.mark.statistical
def test_frequent_counts_have_geometric_noise() -> None:
    # Fails by chance once in a million runs.
    where, noisy, _ = keep_frequent(np.full(20_000, 500), epsilon=0.5, threshold=50)
    assert len(where) == 20_000
    fits = [fit(noisy - 500, partial(geometric, scale=b)) for b in (2.0, 1.4, 2.6)]
    assert [p > FALSE_ALARM for p in fits] == [True, False, False]


def test_nothing_is_told_of_nobody() -> None:
    where, noisy, _ = keep_frequent(np.zeros(1000, np.int64), epsilon=1, threshold=2)
    assert where.size == noisy.size == 0


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (0.0, 0.1)])
def test_a_threshold_needs_a_delta(epsilon: float, delta: float) -> None:
    with pytest.raises(InfeasibleError, match="only be told with a delta greater than 0"):
        least_threshold(epsilon, delta)


def test_a_threshold_out_of_reach_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="no threshold is high enough"):
        least_threshold(1e-12, 1e-9)


def test_numbers_of_people_are_not_negative() -> None:
    with pytest.raises(ParameterError, match="not negative"):
        keep_frequent(np.array([-1]), epsilon=1, threshold=5)
