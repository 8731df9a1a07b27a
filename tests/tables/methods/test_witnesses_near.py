"""Maskings that put near records together, against the quadratic and the exhaustive witnesses."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables.methods.masked import masked, records_of
from tests.witness import bundles, condensation, microaggregation, noise_tests
from unlinkable.errors import ParameterError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.perturb import (
    MDAV,
    Condensation,
    CondensationStream,
    RGather,
    Synthetic,
)
from unlinkable.tables.models import KAnonymity

Points = Sequence[Sequence[float]]


def table_of(points: Points) -> Table:
    columns = {f"x{j}": list(column) for j, column in enumerate(zip(*points, strict=True))}
    return as_table(columns, quasi=list(columns))


def shown_points(found: MaskedRecords, d: int) -> list[list[float]]:
    """Give what every original record shows, in their order."""
    assert found.rows is not None
    rows = zip(found.rows.tolist(), records_of(found), strict=True)
    return [[float(row[f"x{j}"]) for j in range(d)] for _, row in sorted(rows, key=lambda r: r[0])]


def check_mdav(points: Points, parts: list[list[int]], found: MaskedRecords) -> None:
    shown = shown_points(found, len(points[0]))
    for part in parts:
        mean = [float(x) for x in microaggregation.mean([points[i] for i in part])]
        for i in part:
            assert shown[i] == pytest.approx(mean, rel=1e-9, abs=1e-9)


wide = st.integers(-(10**6), 10**6)


@given(st.lists(st.tuples(wide, wide), min_size=2, max_size=30, unique=True), st.integers(2, 4))
def test_mdav_groups_are_those_of_the_quadratic_steps(
    points: list[tuple[int, int]], k: int
) -> None:
    if len(points) >= k:
        found = masked(MDAV(scaled=False), table_of(points), [KAnonymity(k)])
        check_mdav(points, microaggregation.mdav(points, k), found)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [2, 3, 7])
def test_mdav_of_scaled_columns_is_that_of_their_standard_scores(seed: int, k: int) -> None:
    rng = random.Random(seed)
    points = [(rng.gauss(0, 1), rng.gauss(0, 1000), rng.expovariate(0.01)) for _ in range(90)]
    spreads = [float(np.std(column)) for column in zip(*points, strict=True)]
    scores = [[x / s for x, s in zip(point, spreads, strict=True)] for point in points]
    found = masked(MDAV(), table_of(points), [KAnonymity(k)])
    check_mdav(points, microaggregation.mdav(scores, k), found)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=9), st.integers(2, 3))
def test_one_column_loses_the_least_that_is_possible(values: list[int], k: int) -> None:
    if len(values) < k:
        return
    found = masked(MDAV(), table_of([[v] for v in values]), [KAnonymity(k)])
    shown = [x for (x,) in shown_points(found, 1)]
    lost = sum((v - x) ** 2 for v, x in zip(values, shown, strict=True))
    best = microaggregation.least_error(values, k)
    assert best is not None
    assert lost == pytest.approx(float(best), abs=1e-6)
    assert min(Counter(shown).values()) >= k


def check_gathered(points: Points, found: MaskedRecords, r: int) -> float:
    """Check sizes and radii against the records, and give the square of the largest radius."""
    assert found.rows is not None
    records, d = records_of(found), len(points[0])
    clusters: dict[tuple[Any, ...], list[int]] = {}
    told: dict[tuple[Any, ...], set[tuple[int, float]]] = {}
    for i, row in zip(found.rows.tolist(), records, strict=True):
        centre = tuple(row[f"x{j}"] for j in range(d))
        clusters.setdefault(centre, []).append(i)
        told.setdefault(centre, set()).add((row["size"], row["radius"]))
    largest = 0.0
    for centre, part in clusters.items():
        reached = max(math.dist(points[i], centre) for i in part)
        assert sum(size for size, _ in told[centre]) == len(part)
        assert max(radius for _, radius in told[centre]) == pytest.approx(reached, abs=1e-9)
        assert min(size for size, _ in told[centre]) >= r
        assert centre in [tuple(points[i]) for i in part]
        largest = max(largest, reached)
    return largest


grid = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=7, unique=True
)


@given(grid, st.integers(2, 3))
def test_gathered_radii_are_at_most_twice_the_least(points: list[tuple[int, int]], r: int) -> None:
    if len(points) < r:
        return
    found = masked(RGather(r, scaled=False), table_of(points), [KAnonymity(r)])
    largest = check_gathered(points, found, r)
    least = microaggregation.least_gather_radius(points, r, anywhere=True)
    assert least is not None
    assert largest <= 2 * math.sqrt(least) + 1e-9
    assert found.n_suppressed == 0


@given(
    st.lists(st.tuples(st.integers(0, 30)), min_size=3, max_size=6, unique=True),
    st.integers(2, 3),
    st.sampled_from([Fraction(1, 5), Fraction(1, 3)]),
)
@example([(0,), (1,), (2,), (5,), (6,), (7,)], 3, Fraction(1, 5))
def test_with_outliers_radii_are_at_most_four_times_the_least(
    points: list[tuple[int]], r: int, epsilon: Fraction
) -> None:
    method = RGather(r, epsilon=epsilon, scaled=False)
    found = masked(method, table_of(points), [KAnonymity(r)], limit=epsilon)
    assert found.n_suppressed <= epsilon * len(points)
    largest = check_gathered(points, found, r)
    least = microaggregation.least_gather_radius(points, r, epsilon, anywhere=True)
    assert least is not None
    assert largest <= 4 * math.sqrt(least) + 1e-9


def moments(points: Points) -> tuple[list[float], list[list[float]]]:
    group = condensation.condense(points)
    return group.mean, group.covariance


@pytest.mark.parametrize("k", [3, 5, 40])
def test_condensed_tables_keep_their_mean_and_covariance(k: int) -> None:
    rng = random.Random(k)
    points = [(rng.gauss(50, 10), rng.gauss(0, 1)) for _ in range(40)]
    points = [(x, y + 0.05 * x) for x, y in points]
    found = masked(Condensation(k), table_of(points))
    shown = [[float(row["x0"]), float(row["x1"])] for row in records_of(found)]
    assert found.rows is None
    assert len(shown) == 40
    (mean, covariance), (found_mean, found_covariance) = moments(points), moments(shown)
    assert found_mean == pytest.approx(mean)
    for row, expected in zip(found_covariance, covariance, strict=True):
        assert row == pytest.approx(expected)


@pytest.mark.parametrize("d", [1, 2])
def test_condensed_records_are_not_the_original_ones(d: int) -> None:
    rng = random.Random(3)
    points = [tuple(rng.gauss(50, 10) for _ in range(d)) for _ in range(30)]
    found = masked(Condensation(3), table_of(points))
    shown = [[float(row[f"x{j}"]) for j in range(d)] for row in records_of(found)]
    assert min(math.dist(a, b) for a in shown for b in points) > 1e-6


def test_two_people_are_no_group() -> None:
    """Two points that have the mean and covariance of two others are these others."""
    for method in (Condensation, CondensationStream):
        with pytest.raises(ParameterError, match="at least 3"):
            method(2)


def test_condensed_groups_keep_their_mean_and_covariance() -> None:
    """Four clusters of five, so far apart that every published point shows which it is of."""
    rng = random.Random(1)
    points = [
        (1000.0 * (g // 2) + rng.random(), 1000.0 * (g % 2) + rng.random())
        for g in range(4)
        for _ in range(5)
    ]
    found = masked(Condensation(5), table_of(points))
    shown = [[float(row["x0"]), float(row["x1"])] for row in records_of(found)]
    for g in range(4):
        near = [p for p in shown if math.dist(p, (1000 * (g // 2), 1000 * (g % 2))) < 100]
        (mean, covariance), (found_mean, found_covariance) = (
            moments(points[5 * g : 5 * g + 5]),
            moments(near),
        )
        assert found_mean == pytest.approx(mean, abs=1e-6)
        for row, expected in zip(found_covariance, covariance, strict=True):
            assert row == pytest.approx(expected, abs=1e-6)


def test_condensed_points_are_spread_evenly() -> None:
    """One group of 4,000: sqrt(12 variance) wide; false alarms below one in a million."""
    rng = random.Random(2)
    points = [(rng.gauss(0, 3),) for _ in range(4000)]
    ((variance,),) = condensation.condense(points).covariance
    (mean,) = condensation.condense(points).mean
    found = masked(Condensation(4000), table_of(points))
    width = math.sqrt(12 * variance)
    places = [(float(row["x0"]) - mean) / width + 0.5 for row in records_of(found)]
    assert noise_tests.agrees(places, lambda x: min(max(x, 0.0), 1.0), 1e-6)


@pytest.mark.parametrize("k", [3, 4, 6])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_streams_are_condensed_as_in_the_equations(k: int, d: int) -> None:
    rng = random.Random(10 * k + d)
    points = [[rng.gauss(0, 1 + j) for j in range(d)] for _ in range(120)]
    stream = CondensationStream(k)
    groups = [condensation.condense(points[:1])]
    for point in points[1:]:
        groups = condensation.join(groups, point, k)
    for start in range(0, 120, 7):
        stream.add(np.array(points[start : start + 7]))
    found = stream.groups
    assert sorted(found.counts.tolist()) == sorted(group.r for group in groups)
    expected = sorted((group.mean, group.r, group.covariance) for group in groups)
    order = np.lexsort(found.means.T[::-1])
    for at, (mean, r, covariance) in zip(order, expected, strict=True):
        assert found.means[at].tolist() == pytest.approx(mean, abs=1e-7)
        assert found.counts[at] == r
        for row, wanted in zip(found.covariances[at].tolist(), covariance, strict=True):
            assert row == pytest.approx(wanted, abs=1e-7)
    made = stream.generate(secure_generator(1)).tolist()
    assert len(made) == len(points)
    if k <= d:
        return
    (mean, covariance), (made_mean, made_covariance) = moments(points), moments(made)
    assert made_mean == pytest.approx(mean, abs=1e-7)
    for row, wanted in zip(made_covariance, covariance, strict=True):
        assert row == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("common", [2, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_made_up_record_is_that_of_few_people(common: int, seed: int) -> None:
    rng = random.Random(seed)
    columns = {
        "sex": [rng.choice("fm") for _ in range(300)],
        "job": [rng.choice("aaaabbbcccd") for _ in range(300)],
        "age": [rng.randrange(20, 30) for _ in range(300)],
    }
    table = as_table(columns, quasi=["sex", "job", "age"])
    original = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    found = masked(Synthetic(common=common), table, seed=seed)
    published = records_of(found)
    assert len(published) == 300
    assert found.rows is None
    assert bundles.copied(original, published, ["sex", "job", "age"], common) == []
    jobs = Counter(str(row["job"]) for row in original)
    assert all(jobs[row["job"]] >= common for row in published)
