"""Kernel regression and work past a value apart: by definition, on random points."""

from __future__ import annotations

from math import isnan, nan, prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from unlinkable.kernels.distributions.regression import move_past_missing, regress
from unlinkable.typing import FloatArray

PLACES = st.sampled_from([nan, 0.0, 0.25, 0.5, 1.5, 2.0])
POINTS = st.lists(
    st.tuples(PLACES, PLACES, st.integers(0, 3), st.integers(0, 2), st.integers(1, 5)),
    min_size=1,
    max_size=8,
)
LEVELS = [1.0, 0.75, 0.25]
"""The weight of two categories that are the same, that share a node, and that share the root."""


def weight(
    one: tuple[float, float, int, int, int], other: tuple[float, float, int, int, int], apart: float
) -> float:
    parts = []
    for a, b in zip(one[:2], other[:2], strict=True):
        if isnan(a) or isnan(b):
            parts.append(1.0 if isnan(a) and isnan(b) else apart)
        else:
            parts.append(max(1 - (a - b) ** 2, 0.0))
    level = 0 if one[2] == other[2] else 1 if one[2] // 2 == other[2] // 2 else 2
    return prod(parts) * LEVELS[level]


@given(POINTS, st.sampled_from([0.0, 0.5]))
def test_means_are_those_of_the_definition(
    points: list[tuple[float, float, int, int, int]], apart: float
) -> None:
    if apart:
        # Then all numbers are within reach of each other.
        points = [(a / 3, b / 3, *rest) for a, b, *rest in points]  # type: ignore[misc]
    points.sort(key=lambda p: (isnan(p[0]), p[0]))
    first = next((i for i, p in enumerate(points) if isnan(p[0])), len(points))
    n, cut = len(points), first if apart == 0 else len(points)
    found = regress(
        np.array([cut] * cut + [n] * (n - cut)),
        np.array([p[:2] for p in points]),
        apart,
        np.array([[p[2], p[2] // 2] for p in points], np.int32),
        np.array([0, 2]),
        np.array(LEVELS),
        np.arange(n + 1),
        np.array([p[3] for p in points], np.int32),
        np.array([p[4] for p in points]),
        3,
    )
    for i, one in enumerate(points):
        votes = np.zeros(3)
        for other in points:
            votes[other[3]] += weight(one, other, apart) * other[4]
        assert np.allclose(found[i], votes / votes.sum())


def beliefs(draw: list[list[int]]) -> FloatArray:
    amounts = np.array(draw, float) + 1e-3
    shares: FloatArray = amounts / amounts.sum(axis=1, keepdims=True)
    return shares


@given(
    st.integers(2, 6).flatmap(
        lambda m: st.lists(
            st.lists(st.integers(0, 9), min_size=m, max_size=m), min_size=2, max_size=2
        )
    )
)
def test_work_past_a_value_apart_is_the_least(rows: list[list[int]]) -> None:
    after, before = beliefs(rows)
    m = after.size
    ends = max(m - 2, 1)
    cost = [
        [0 if i == j else ends if m - 1 in (i, j) else abs(i - j) for j in range(m)]
        for i in range(m)
    ]
    sums = [[float(k // m == i) for k in range(m * m)] for i in range(m)]
    sums += [[float(k % m == j) for k in range(m * m)] for j in range(m)]
    least = linprog(np.ravel(cost), A_eq=sums, b_eq=[*after, *before]).fun
    assert np.allclose(move_past_missing(after[None], before[None]), least, atol=1e-7)
