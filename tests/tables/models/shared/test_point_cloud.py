"""Points in balls, beside counting one by one, at all sizes of coordinates."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import histogram_of
from unlinkable.tables.models.shared.coordinates import Coordinates
from unlinkable.tables.models.shared.point_cloud import PointCloud

Point = tuple[int, int]

POINTS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=12, unique=True
)
TIMES = st.sampled_from([1, 10**6, 10**8, 10**12, 10**17])
"""Squared distances that floats tell, 64-bit integers tell, and neither does."""


def squared(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


def n_in_ball(
    members: list[Point], victims: list[Point], everybody: list[Point], c: Fraction
) -> int:
    """Count what lies around the middle of the members, as near as the nearest victim."""
    q = tuple(Fraction(min(axis) + max(axis), 2) for axis in zip(*members, strict=True))
    radius = c**2 * min(squared(as_fractions(p), q) for p in victims)
    return sum(squared(as_fractions(x), q) <= radius for x in everybody)


def as_fractions(point: Point) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, point))


@given(POINTS, TIMES, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(5, 4)]), st.data())
def test_counts_what_counting_one_by_one_counts(
    points: list[Point], times: int, c: Fraction, data: st.DataObject
) -> None:
    points = [(a * times + b, b * times - a) for a, b in points]
    axes = [Coordinates.at(map(Fraction, axis)) for axis in zip(*points, strict=True)]
    codes = np.arange(len(points), dtype=np.int32)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(points)), max_size=3)))
    bounds = [*pairwise([0, *(cut for cut in cuts if cut < len(points)), len(points)])]
    rows = [[int(low <= i < high) for i in range(len(points))] for low, high in bounds]
    hidden = histogram_of(rows)
    parts = [points[low:high] for low, high in bounds]

    own = PointCloud.of([(axis, codes) for axis in axes], hidden.total, scaled=False)
    assert own.points_in_balls(hidden, c).tolist() == [n_in_ball(p, p, points, c) for p in parts]

    beside = PointCloud.beside([(axis, codes) for axis in axes], axes, scaled=False)
    assert beside.points_in_balls(hidden, c).tolist() == [
        n_in_ball(p, points, points, c) for p in parts
    ]
