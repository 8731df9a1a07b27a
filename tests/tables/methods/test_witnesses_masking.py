"""Maskings against the witnesses, through what they publish alone."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest

from tests.tables.methods.masked import masked, records_of
from tests.tables.methods.witnessed import Asked
from tests.witness import noise_tests, spaces
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.perturb import DRBT, CrossTrainingRound, DensityPerturbation
from unlinkable.tables.methods.regions import RecursiveHistogram
from unlinkable.tables.models import KAnonymity


def scattered(n: int, d: int, seed: int = 0) -> dict[str, list[float]]:
    """Give columns of numbers with many digits, so that rounding does nothing."""
    rng = random.Random(seed)
    return {f"x{j}": [rng.gauss(0, 10.0**j) for _ in range(n)] for j in range(d)}


def bits(m: int) -> dict[str, list[float]]:
    """Give all combinations of -1 and 1: columns have mean 0, variance 1 and no covariance."""
    rows = list(product([-1.0, 1.0], repeat=m))
    return {f"x{j}": [row[j] for row in rows] for j in range(m)}


def matrix_behind(
    columns: Mapping[str, Sequence[float]], found: MaskedRecords
) -> list[list[float]]:
    """Solve for the projection: with such columns it is their mean product with coordinates."""
    records, n = records_of(found), len(next(iter(columns.values())))
    return [
        [sum(x * row[c] for x, row in zip(column, records, strict=True)) / n for c in records[0]]
        for column in columns.values()
    ]


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize(("m", "r"), [(3, 2), (5, 1), (6, 4)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_gaussian_projections_have_columns_of_one_length(
    m: int, r: int, seed: int, standardize: bool
) -> None:
    columns = bits(m)
    table = as_table(columns, quasi=list(columns))
    found = masked(DRBT(r, kind="gaussian", standardize=standardize), table, seed=seed)
    matrix = matrix_behind(columns, found)
    lengths = [math.hypot(*column) for column in zip(*matrix, strict=True)]
    assert lengths == pytest.approx([math.sqrt(m / r)] * r)
    points = list(zip(*columns.values(), strict=True))
    image = spaces.projected(points, matrix)
    for row, point in zip(records_of(found), image, strict=True):
        assert list(row.values()) == pytest.approx(point)


@pytest.mark.parametrize(("m", "r"), [(4, 3), (6, 4)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sparse_projections_have_three_entries(m: int, r: int, seed: int) -> None:
    columns = bits(m)
    table = as_table(columns, quasi=list(columns))
    matrix = matrix_behind(columns, masked(DRBT(r, kind="sparse"), table, seed=seed))
    entries = [x * math.sqrt(r) / math.sqrt(3) for row in matrix for x in row]
    assert all(min(abs(x - value) for value in (-1, 0, 1)) < 1e-9 for x in entries)


def test_entries_of_projections_are_drawn_with_their_probabilities() -> None:
    """Entries of gaussian matrices before they were normalized cannot be seen: signs can."""
    columns = bits(6)
    table = as_table(columns, quasi=list(columns))
    sparse: list[float] = []
    signs: list[float] = []
    for seed in range(40):
        for kind, into in (("sparse", sparse), ("gaussian", signs)):
            matrix = matrix_behind(columns, masked(DRBT(4, kind=kind), table, seed=seed))
            into += [x for row in matrix for x in row]
    shares = [sum(test(x) for x in sparse) / len(sparse) for test in (_negative, _zero, _positive)]
    room = noise_tests.critical_distance(len(sparse), 1e-6)
    assert abs(shares[0] - 1 / 6) < room
    assert abs(shares[2] - 1 / 6) < room
    assert abs(sum(x > 0 for x in signs) / len(signs) - 1 / 2) < room


def _negative(x: float) -> bool:
    return x < -1e-9


def _zero(x: float) -> bool:
    return abs(x) <= 1e-9


def _positive(x: float) -> bool:
    return x > 1e-9


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("t", [1, 7])
def test_noise_reaches_as_far_as_the_neighbour(d: int, t: int) -> None:
    """False alarms below one in a million; a scale 30 % off is seen as surely."""
    n = 1000
    columns = scattered(n, d)
    table = as_table(columns, quasi=list(columns))
    records = records_of(masked(DensityPerturbation(t), table))
    spreads = {c: _deviation(values) for c, values in columns.items()}
    points = list(zip(*([x / spreads[c] for x in v] for c, v in columns.items()), strict=True))
    noise = []
    for i, row in enumerate(records):
        reach = spaces.neighbour_distance(points, i, t)
        noise += [
            (row[c] / spreads[c] - points[i][j]) / reach * math.sqrt(d)
            for j, c in enumerate(columns)
        ]
    assert noise_tests.has_scale(noise, 1.0, "gaussian", 1e-6)
    for factor in (0.7, 1.3):
        assert noise_tests.scale_power(len(noise), factor, "gaussian", 1e-6) >= 1 - 1e-6
        assert not noise_tests.has_scale(noise, factor, "gaussian", 1e-6)


def test_noise_in_a_ball_stays_in_it_and_fills_it() -> None:
    """The share of radii below x is x to the power of d; false alarms below one in a million."""
    columns = scattered(1000, 2)
    table = as_table(columns, quasi=list(columns))
    records = records_of(masked(DensityPerturbation(3, shape="ball", scale=2), table))
    spreads = {c: _deviation(values) for c, values in columns.items()}
    points = list(zip(*([x / spreads[c] for x in v] for c, v in columns.items()), strict=True))
    radii = []
    for i, row in enumerate(records):
        moved = [row[c] / spreads[c] - points[i][j] for j, c in enumerate(columns)]
        radii.append(math.hypot(*moved) / (2 * spaces.neighbour_distance(points, i, 3)))
    assert max(radii) <= 1 + 1e-3
    assert noise_tests.agrees(radii, lambda x: min(x, 1.0) ** 2, 1e-6)


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((x - mean) ** 2 for x in values) / len(values))


def ends_of(text: str, lowest: float, highest: float) -> tuple[float, float]:
    """Read the ends of a cell: an interval, or what is below or above a number."""
    if text.startswith(">="):
        return float(text[2:]), highest
    if text.startswith("<"):
        return lowest, float(text[1:])
    if text.startswith("["):
        low, high = text[1:-1].split("-") if text.count("-") == 1 else _parted(text[1:-1])
        return float(low), float(high)
    return lowest, highest


def _parted(text: str) -> tuple[str, str]:
    at = next(i for i in range(1, len(text)) if text[i] == "-" and text[i - 1] not in "-e")
    return text[:at], text[at + 1 :]


@pytest.mark.parametrize(("d", "n"), [(1, 61), (2, 80)])
@pytest.mark.parametrize("t", [1, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_cells_of_one_half_are_those_of_its_histogram(d: int, n: int, t: int, seed: int) -> None:
    rng = random.Random(seed)
    columns = {f"x{j}": [rng.randrange(0, 1025) for _ in range(n - 2)] for j in range(d)}
    for values in columns.values():
        values += [0, 1024]
    table = as_table(columns, quasi=list(columns))
    records = records_of(masked(CrossTrainingRound(t), table, seed=seed))
    points = list(zip(*columns.values(), strict=True))
    cells = [i for i, row in enumerate(records) if row["half"] == "cell"]
    assert len(cells) in (n // 2, (n + 1) // 2)
    space: spaces.Box = ((Fraction(0), Fraction(1024)),) * d
    boxes = spaces.histogram([points[i] for i in cells], [(0, 1024)] * d, t)
    for i in cells:
        shown = [ends_of(records[i][c], 0, 1024) for c in columns]
        box = spaces.holder(list(boxes), points[i], space)
        assert box is not None
        assert shown == [(float(lo), float(hi)) for lo, hi in box]


def test_the_other_half_has_noise_as_wide_as_its_cell() -> None:
    """False alarms below one in a million; a scale 30 % off is seen as surely."""
    n = 1000
    rng = random.Random(4)
    columns = {f"x{j}": [rng.random() * 1024 for _ in range(n - 2)] + [0.0, 1024.0] for j in (0, 1)}
    table = as_table(columns, quasi=list(columns))
    records = records_of(masked(CrossTrainingRound(5), table))
    points = list(zip(*columns.values(), strict=True))
    shown = [row["half"] == "cell" for row in records]
    space: spaces.Box = ((Fraction(0), Fraction(1024)),) * 2
    others = [point for point, is_cell in zip(points, shown, strict=True) if is_cell]
    boxes = list(spaces.histogram(others, [(0, 1024)] * 2, 5))
    scales = spaces.cross_training_scales(points, boxes, space)
    noise = []
    for point, row, is_cell, scale in zip(points, records, shown, scales, strict=True):
        if not is_cell and scale is not None:
            sides = zip(columns, point, scale, strict=True)
            noise += [(float(row[c]) - x) / float(side) for c, x, side in sides]
    assert len(noise) == n
    assert noise_tests.has_scale(noise, 1.0, "gaussian", 1e-6)
    for factor in (0.7, 1.3):
        assert noise_tests.scale_power(n, factor, "gaussian", 1e-6) >= 1 - 1e-6
        assert not noise_tests.has_scale(noise, factor, "gaussian", 1e-6)


@pytest.mark.parametrize(("d", "n"), [(1, 60), (2, 90)])
@pytest.mark.parametrize("t", [1, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_recursive_histograms_are_the_literal_ones(d: int, n: int, t: int, seed: int) -> None:
    rng = random.Random(seed)
    points = [tuple(rng.randrange(1025) for _ in range(d)) for _ in range(n - 2)]
    points += [(0,) * d, (1024,) * d]
    names = [f"n{j}" for j in range(d)]
    table = Asked([dict(zip(names, point, strict=True)) for point in points], {}, names)
    found = table.search(RecursiveHistogram(t), [KAnonymity(1)])
    boxes = list(spaces.histogram(points, [(0, 1024)] * d, t))
    space: spaces.Box = ((Fraction(0), Fraction(1024)),) * d
    cells = {box: [p for p in points if spaces.holder([box], p, space)] for box in boxes}
    expected = sorted(sorted(inside) for inside in cells.values() if inside)
    assert sorted(sorted(points[i] for i in part) for part in table.regions(found)) == expected
