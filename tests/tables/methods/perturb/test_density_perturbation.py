"""Density-based perturbation: noise of the right size, by definition, and the refusals."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.points_setting import masked_by
from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.density_perturbation import (
    DensityPerturbation,
    NoiseShape,
    _distance_to_neighbour,
    draw_noise,
)
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.typing import FloatArray

N = 20_000
SURE = 5.0
"""Standard errors allowed: the chance of a false alarm is below one in a million per statement."""


def is_spread_as(numbers: FloatArray, deviation: float) -> bool:
    """Whether the mean square of normal numbers is what it should be, within 5 standard errors."""
    ratio = float((numbers**2).mean()) / deviation**2
    return bool(abs(ratio - 1) < SURE * np.sqrt(2 / numbers.size))


def line() -> Table:
    """Everybody has the next neighbour 1000 away."""
    return as_table({"x": np.arange(N) * 1000, "s": ["a"] * N}, quasi="x", sensitive="s")


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=20), st.data()
)
def test_the_neighbour_is_the_one_of_the_definition(
    points: list[tuple[int, int]], data: st.DataObject
) -> None:
    t = data.draw(st.integers(1, len(points) - 1))
    found = _distance_to_neighbour(np.array(points, float), t, lambda *_: None)
    for i, (x, y) in enumerate(points):
        others = [p for j, p in enumerate(points) if j != i]
        distances = sorted(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in others)
        assert found[i] == pytest.approx(distances[t - 1])


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_gaussian_noise_reaches_to_the_neighbour(scale: float) -> None:
    masked = masked_by(DensityPerturbation(1, scale=scale), line())
    noise = masked.frame["x"].to_numpy() - np.arange(N) * 1000.0
    assert is_spread_as(noise, 1000 * scale)
    assert not is_spread_as(noise * 1.3, 1000 * scale)
    assert not is_spread_as(noise / 1.3, 1000 * scale)


def test_in_several_columns_the_length_of_noise_is_what_reaches_to_the_neighbour() -> None:
    noise = draw_noise(secure_generator(3), np.full(N, 7.0), 3, NoiseShape.GAUSSIAN)
    for j in range(3):
        assert is_spread_as(noise[:, j], 7.0 / np.sqrt(3))
        assert not is_spread_as(noise[:, j] * 1.3, 7.0 / np.sqrt(3))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_a_ball_is_filled_evenly(d: int) -> None:
    noise = draw_noise(secure_generator(4), np.full(N, 2.0), d, NoiseShape.BALL)
    # The share of the ball within a point's distance is uniform; Kolmogorov and Smirnov's distance
    # exceeds 2.7 / sqrt(n) with a chance below one in a million.
    share = np.sort((np.sqrt((noise**2).sum(axis=1)) / 2.0) ** d)
    assert np.abs(share - np.arange(1, N + 1) / N).max() < 2.7 / np.sqrt(N)
    off = np.minimum((share ** (1 / d) / 1.3) ** d, 1)
    assert np.abs(off - np.arange(1, N + 1) / N).max() > 2.7 / np.sqrt(N)
    # The mean direction is nowhere: each coordinate is below 2, and within 5 standard errors of 0.
    assert (np.abs(noise.mean(axis=0)) < SURE * 2 / np.sqrt(N)).all()


def test_where_people_are_few_noise_is_large() -> None:
    x = [*range(0, 1000, 10), 100_000]
    people = as_table({"x": x}, quasi="x")
    moved = [
        masked_by(DensityPerturbation(3), people, seed).frame["x"].to_numpy() - x
        for seed in range(30)
    ]
    assert np.abs([m[:-1] for m in moved]).mean() < 50
    assert np.abs([m[-1] for m in moved]).mean() > 10_000


def test_a_record_that_enough_others_equal_stays_as_it_is() -> None:
    people = as_table({"x": [5, 5, 5, 9]}, quasi="x")
    frame = masked_by(DensityPerturbation(2), people).frame
    assert frame["x"].to_list()[:3] == [5, 5, 5]


def test_types_stay_and_other_columns_are_as_they_were() -> None:
    n = 50
    days = [date(2024, 1, 1) + timedelta(days=3 * i) for i in range(n)]
    data = {
        "id": [f"p{i}" for i in range(n)],
        "x": [i * 0.25 for i in range(n)],
        "d": days,
        "s": list("ab") * 25,
    }
    people = as_table(data, quasi=["x", "d"], sensitive="s", identifiers="id")
    masked = masked_by(DensityPerturbation(2), people)
    assert masked.frame.columns == ["x", "d", "s"]
    assert masked.frame.schema["d"] == people.frame.schema["d"]
    assert masked.frame["s"].to_list() == data["s"]
    assert np.allclose(masked.frame["x"].to_numpy().round(2), masked.frame["x"].to_numpy())
    assert masked.frame["x"].to_list() != data["x"]
    assert masked.rows is not None
    assert masked.rows.tolist() == [*range(n)]


def test_the_same_seed_gives_the_same_noise() -> None:
    people = as_table({"x": [*range(0, 500, 7)]}, quasi="x")
    one, again, other = (masked_by(DensityPerturbation(2), people, s).frame for s in (1, 1, 2))
    assert one.equals(again)
    assert not one.equals(other)


def test_promises_and_tables_that_it_cannot_serve_are_refused() -> None:
    people = as_table({"x": [1, 2, 3]}, quasi="x")
    with pytest.raises(UnsupportedError, match="cannot keep k-anonymity"):
        masked_by(DensityPerturbation(1), people, 1, KAnonymity(2))
    with pytest.raises(DataError, match="there are 3 records: choose a smaller t"):
        masked_by(DensityPerturbation(3), people)
    with pytest.raises(ParameterError, match="no shape of noise 'cube'"):
        DensityPerturbation(shape="cube")
    with pytest.raises(ParameterError, match="scale must be greater than 0"):
        DensityPerturbation(scale=0)
    owned = as_table({"x": [1, 2, 3], "id": [1, 1, 2]}, quasi="x", owner="id")
    with pytest.raises(UnsupportedError, match="every record for another person"):
        masked_by(DensityPerturbation(1), owned)


@pytest.mark.parametrize("shape", NoiseShape)
def test_noise_that_leads_beyond_all_numbers_is_refused(shape: NoiseShape) -> None:
    people = as_table({"a": [1e100, 2e100, 4e100, 9e100]}, quasi="a")
    with pytest.raises(ParameterError, match="too large for the numbers of column 'a'"):
        masked_by(DensityPerturbation(1, scale=1e250, shape=shape), people)
    with pytest.raises(ParameterError, match="farther than numbers do: choose a smaller scale"):
        masked_by(DensityPerturbation(1, scale=float("inf"), shape=shape), people)
    with pytest.raises(DataError, match="too large to compare: change the unit"):
        masked_by(DensityPerturbation(1), as_table({"a": [1e200, 1.0]}, quasi="a"))


def test_progress_is_told_for_some_records_at_a_time() -> None:
    people = as_table({"a": np.random.default_rng(1).normal(size=5_000)}, quasi="a")
    told: list[float] = []
    task = Task(people.attributes, ILoss(), rng=secure_generator(1),
                progress=lambda share, _: told.append(share))  # fmt: skip
    DensityPerturbation(1).mask(people, All([]), task)
    assert told == [0, 0.4, 0.8]
