"""The witnesses of clusters, condensed groups and cells on worked cases and by what is proved."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.witness import condensation, microaggregation, spaces

line = st.lists(st.integers(0, 20), min_size=1, max_size=6)
plane = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=14)
dots = st.lists(
    st.tuples(st.integers(-8, 8).map(float), st.integers(-8, 8).map(float)),
    min_size=2,
    max_size=12,
)


@given(plane, st.integers(1, 4))
def test_mdav_groups_have_k_to_2k_minus_one_records(points: list[tuple[int, int]], k: int) -> None:
    parts = microaggregation.mdav(points, k)
    assert sorted(i for part in parts for i in part) == list(range(len(points)))
    if len(points) >= k:
        assert all(k <= len(part) <= 2 * k - 1 for part in parts)


@given(line, st.integers(1, 3))
def test_runs_of_sorted_numbers_lose_the_least(values: list[int], k: int) -> None:
    points = [[value] for value in values]
    best = microaggregation.least_error(values, k)
    assert best == microaggregation.least_error_of_any(points, k)
    if best is not None:
        assert best <= microaggregation.within_error(points, microaggregation.mdav(points, k))


def test_gathering_two_tight_clusters() -> None:
    case = load("book-ch05-r-gather")
    points, r = case["input"]["points"], case["input"]["r"]
    assert microaggregation.least_gather_radius(points, r) == 1
    extra = case["input"]["with_outlier"]
    more = [*points, extra["extra_point"]]
    epsilon = Fraction(str(extra["epsilon"]))
    assert int(epsilon * len(more)) == case["expected"]["with_outlier"]["max_outliers"]
    assert microaggregation.least_gather_radius(more, r) == 88**2
    assert microaggregation.least_gather_radius(more, r, epsilon) == 1
    radii = [microaggregation.gather_radius(points, part) for part in ([0, 1, 2], [3, 4, 5])]
    assert radii == [c["radius"] ** 2 for c in case["expected"]["clusters"]]


@given(st.lists(st.integers(0, 20), min_size=2, max_size=5), st.integers(1, 3))
def test_free_centres_and_dropped_points_never_gather_worse(values: list[int], r: int) -> None:
    points = [[value] for value in values]
    strict = microaggregation.least_gather_radius(points, r)
    if strict is None:
        assert len(values) < r
        return
    free = microaggregation.least_gather_radius(points, r, anywhere=True)
    fewer = microaggregation.least_gather_radius(points, r, Fraction(1, 3))
    assert free is not None
    assert fewer is not None
    assert free <= strict
    assert fewer <= strict


def test_statistics_of_a_condensed_group() -> None:
    case = load("book-ch03-condensation-statistics")
    group, expected = condensation.condense(case["input"]["group"]), case["expected"]
    assert group.r == expected["n"]
    assert group.sums == expected["sums"]
    assert group.products == expected["sum_products"]
    assert group.mean == expected["mean"]
    for found, said in zip(group.covariance, expected["covariance_population"], strict=True):
        assert found == pytest.approx(said)


def test_a_stream_splits_at_twice_k() -> None:
    case = load("book-ch03-condensation-statistics")["expected"]["stream"]
    groups = [condensation.condense([[float(i), 0.0] for i in range(case["k"])])]
    for i in range(case["k"]):
        assert [g.r for g in groups] == [case["k"] + i]
        groups = condensation.join(groups, [1.0, float(i)], case["k"])
    assert [g.r for g in groups] == case["sizes_after_split"]


@given(dots)
def test_halves_of_a_group_make_up_the_whole(points: list[tuple[float, float]]) -> None:
    group = condensation.condense(points[: len(points) // 2 * 2])
    again = condensation.pooled(*condensation.split(group))
    assert again.r == group.r
    assert again.mean == pytest.approx(group.mean, abs=1e-9)
    for found, said in zip(again.covariance, group.covariance, strict=True):
        assert found == pytest.approx(said, abs=1e-8)


@given(dots)
def test_eigenvectors_rebuild_their_matrix(points: list[tuple[float, float]]) -> None:
    matrix = condensation.condense(points).covariance
    values, vectors = condensation.eigen(matrix)
    for i in range(2):
        for j in range(2):
            rebuilt = sum(values[c] * vectors[c][i] * vectors[c][j] for c in range(2))
            assert rebuilt == pytest.approx(matrix[i][j], abs=1e-8)
            dot = sum(vectors[i][c] * vectors[j][c] for c in range(2))
            assert dot == pytest.approx(float(i == j), abs=1e-9)


def test_an_even_spread_over_a_span_has_its_eigenvalue_for_variance() -> None:
    group = condensation.condense([[0.0, 0.0], [4.0, 2.0], [8.0, 3.0], [1.0, 7.0]])
    values, _ = condensation.eigen(group.covariance)
    for (_, span), value in zip(condensation.spans(group), values, strict=True):
        assert span**2 / 12 == pytest.approx(value)


def test_recursive_histogram_on_a_line() -> None:
    case = load("book-ch05-recursive-histogram")
    points = [[x] for x in case["input"]["points"]]
    found = spaces.histogram(points, [tuple(case["input"]["space"])], case["input"]["t"])
    assert [{"bounds": [box[0][0], box[0][1]], "count": n} for box, n in found.items()] == case[
        "expected"
    ]["cells"]
    assert spaces.histogram_faults(list(found.items()), points, 1) == []


@given(plane, st.integers(1, 3))
def test_cells_of_a_histogram_have_no_fault(points: list[tuple[int, int]], t: int) -> None:
    cells = list(spaces.histogram(points, [(0, 9), (0, 9)], t, depth=6).items())
    faults = spaces.histogram_faults(cells, points, t)
    crowded = max(points.count(p) for p in points) > 2 * t
    assert faults == (["a cell holds too much"] if crowded else [])
    assert sum(n for _, n in cells) == len(points)


def test_a_histogram_that_loses_a_point_is_seen() -> None:
    assert spaces.histogram_faults([([(0, 2)], 1)], [[0], [3]], 1) == ["a point is in no cell"]


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5))
def test_sparse_projections_keep_squares_on_average(point: list[int]) -> None:
    assert spaces.sparse_second_moment(point) == sum(x * x for x in point)


def test_normalized_projections_keep_squares_on_average() -> None:
    """10,000 columns of the unit sphere in three dimensions; fails by chance at about 6 sigma."""
    rng, point, n = random.Random(7), [1.0, 2.0, 2.0], 10_000
    matrix = [[rng.gauss(0, 1) for _ in range(n)] for _ in point]
    columns = spaces.normalized(matrix)
    assert [math.hypot(*column) for column in zip(*columns, strict=True)] == pytest.approx([1] * n)
    (image,) = spaces.projected([point], columns)
    estimate = sum(float(x) ** 2 for x in image) * len(point) / n
    spread = 9 * math.sqrt(0.8 / n)
    assert abs(estimate - 9) < 6 * spread


def test_stress_of_a_projection_by_hand() -> None:
    before = spaces.distances([[0, 0], [3, 4], [0, 4]])
    after = spaces.distances(spaces.projected([[0, 0], [3, 4], [0, 4]], [[1], [0]]))
    assert before == [5, 4, 3]
    assert after == [3, 0, 3]
    assert spaces.stress(before, after) == pytest.approx((4 + 16) / 50)
