"""Estimates: exact intervals, the nearest possible shares, and how they are told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from unlinkable.collection import RandomizedResponse
from unlinkable.collection.estimate import exact_interval, nearest_shares

SHARES = st.lists(st.floats(-2, 2), min_size=1, max_size=6).map(np.array)


@given(st.integers(1, 60), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_intervals_are_those_of_clopper_and_pearson(
    n: int, data: st.DataObject, level: float
) -> None:
    count = data.draw(st.integers(0, n))
    low, high = exact_interval(np.array([count]), n, level)
    expected = binomtest(count, n).proportion_ci(level, method="exact")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(SHARES, st.data())
def test_no_possible_shares_are_nearer(shares: np.ndarray, data: st.DataObject) -> None:
    nearest = nearest_shares(shares)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(1)
    k = shares.size
    drawn = data.draw(st.lists(st.floats(0.001, 1), min_size=k, max_size=k))
    other = np.array(drawn) / sum(drawn)
    distance = np.linalg.norm(shares - nearest)
    assert distance <= np.linalg.norm(shares - other) + 1e-9


def test_possible_shares_stay_as_they_are() -> None:
    assert nearest_shares(np.array([0.2, 0.8])).tolist() == pytest.approx([0.2, 0.8])


def test_an_estimate_is_told_as_json() -> None:
    found = RandomizedResponse(["yes", "no"], truth=0.75).estimate_counts([20, 80])
    told = json.loads(json.dumps(found.to_json()))
    assert told["records"] == found.n == 100
    assert told["level"] == 0.95
    assert told["shares"][0]["value"] == "yes"
    assert told["shares"][0]["answered"] == 20
    assert told["shares"][0]["share"] == pytest.approx(-0.1)
    assert told["shares"][0]["projected"] == 0
    assert told["shares"][0]["low"] == 0
