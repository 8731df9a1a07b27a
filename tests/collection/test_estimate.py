"""Estimates: exact intervals, the nearest possible shares, and how they are told."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from unlinkable.collection import RandomizedResponse, likeliest_shares, shares_before
from unlinkable.collection.estimate import exact_interval, nearest_shares
from unlinkable.errors import DataError, ParameterError

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


MATRIX = [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]]


@given(st.lists(st.integers(1, 50), min_size=3, max_size=3))
def test_what_the_matrix_made_is_unmade(counts: list[int]) -> None:
    true = np.array(counts) / sum(counts)
    after = np.round(true @ np.array(MATRIX) * 1e9).astype(np.int64)
    found = shares_before(after, MATRIX, "abc")
    assert found.shares.tolist() == pytest.approx(true.tolist(), abs=1e-6)
    likely, converged = likeliest_shares(after // 1000, MATRIX)
    assert converged
    assert likely.tolist() == pytest.approx(true.tolist(), abs=1e-3)


def test_errors_are_those_of_many_samples() -> None:
    rng = np.random.default_rng(4)
    n, true = 500, np.array([0.5, 0.2, 0.3])
    drawn = rng.multinomial(n, true @ np.array(MATRIX), 3000)
    found = [shares_before(counts, MATRIX, "abc") for counts in drawn]
    spread = np.std([e.shares for e in found], axis=0)
    assert np.mean([e.errors for e in found], axis=0) == pytest.approx(spread, rel=0.08)
    covered = np.mean([(e.low <= true) & (true <= e.high) for e in found], axis=0)
    assert (covered > 0.93).all()  # false alarm at 95 %: below 1e-6 for each
    assert (covered < 0.97).all()


def test_the_likeliest_shares_are_the_unbiased_ones_where_these_are_possible() -> None:
    counts = [400, 350, 250]
    found = shares_before(counts, MATRIX, "abc").shares
    assert found.min() > 0
    assert likeliest_shares(counts, MATRIX)[0].tolist() == pytest.approx(found.tolist(), abs=2e-3)


def test_no_possible_shares_are_likelier() -> None:
    counts, matrix = np.array([900, 10, 90]), np.array(MATRIX)
    found, converged = likeliest_shares(counts, matrix)
    assert converged
    assert shares_before(counts, matrix, "abc").shares.min() < 0 <= found.min()
    grid = [(a, b, 100 - a - b) for a in range(101) for b in range(101 - a)]
    others = np.array(grid) / 100 @ matrix
    best = (counts * np.log(np.maximum(others, 1e-300))).sum(axis=1).max()
    assert (counts * np.log(found @ matrix)).sum() >= best - 1e-3


def test_says_when_rounds_did_not_suffice() -> None:
    assert not likeliest_shares([900, 10, 90], MATRIX, rounds=2)[1]


@pytest.mark.parametrize(
    ("counts", "matrix", "error", "message"),
    [
        ([1, 2], [[0.5, 0.5], [0.5, 0.5]], ParameterError, "cannot be inverted"),
        ([1, 2], [[0.5, 0.6], [0.5, 0.5]], ParameterError, "2 rows of 2 probabilities"),
        ([1, 2], [[1.5, -0.5], [0.5, 0.5]], ParameterError, "2 rows of 2 probabilities"),
        ([1, 2, 3], [[1, 0], [0, 1]], ParameterError, "3 rows of 3 probabilities"),
        ([1, 0], [[0.9, 0.1], [0.1, 0.9]], DataError, "at least 2 answers are needed"),
        ([1, -2], [[0.9, 0.1], [0.1, 0.9]], DataError, "at least 2 answers are needed"),
        ([1, 2], [[1, 0], [1, 0]], DataError, "that no category becomes"),
    ],
)
def test_refuses_what_means_nothing(
    counts: list[int], matrix: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        shares_before(counts, matrix, "ab")


def test_refuses_a_level_that_is_none() -> None:
    with pytest.raises(ParameterError, match=r"level must lie in \(0, 1\), got 0"):
        shares_before([5, 5], [[0.9, 0.1], [0.1, 0.9]], "ab", level=0)


def test_one_answer_has_likeliest_shares_and_none_has_not() -> None:
    assert likeliest_shares([0, 1], [[0.9, 0.1], [0.1, 0.9]])[0].round(2).tolist() == [0, 1]
    with pytest.raises(DataError, match="at least 1 answers are needed"):
        likeliest_shares([0, 0], [[0.9, 0.1], [0.1, 0.9]])
