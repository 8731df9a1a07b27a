"""Condensation of a stream: sizes, what is kept for ever, scales, the refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.errors import DataError, InfeasibleError, ParameterError
from unlinkable.tables.methods.perturb.condensation_stream import CondensationStream


def test_groups_split_when_the_worked_example_says_so() -> None:
    case = cases.load("book-ch03-condensation-statistics")
    group, told = np.array(case["input"]["group"], float), case["expected"]["stream"]
    stream = CondensationStream(told["k"])
    stream.add(group)
    assert stream.groups.sums[0] == pytest.approx(np.array(case["expected"]["sums"]))
    assert stream.groups.products[0] == pytest.approx(np.array(case["expected"]["sum_products"]))
    stream.add(group[:2] + 1)
    assert stream.groups.counts.tolist() == [told["split_when_group_size_reaches"] - 1]
    stream.add(group[2:] + 1)
    assert stream.groups.counts.tolist() == told["sizes_after_split"]


@given(st.integers(0, 1_000), st.integers(3, 6), st.lists(st.integers(1, 90), max_size=6))
def test_mean_and_covariance_of_all_records_are_kept_for_ever(
    seed: int, k: int, batches: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    stream = CondensationStream(k, scales=(1.0, 100.0))
    points = rng.normal(size=(k + sum(batches), 2)) * (1, 100) + (5, 7_000)
    for batch in np.split(points, np.cumsum([k, *batches])[:-1]):
        stream.add(batch)
    kept = stream.groups
    assert stream.n_records == len(points) == kept.counts.sum()
    assert kept.counts.min() >= k
    assert kept.counts.max() < 2 * k
    assert kept.sums.sum(axis=0) == pytest.approx(points.sum(axis=0))
    assert kept.products.sum(axis=0) == pytest.approx(points.T @ points)
    made = stream.generate(rng)
    assert made.shape == points.shape
    assert made.mean(axis=0) == pytest.approx(points.mean(axis=0))
    assert np.cov(made.T) == pytest.approx(np.cov(points.T), rel=1e-6, abs=1e-6)


def test_one_record_can_split_every_group() -> None:
    stream = CondensationStream(3)
    stream.add(np.repeat([[0.0], [100.0], [200.0]], 3, axis=0))
    while (stream.groups.counts < 5).any():
        least = int(np.argmin(stream.groups.counts))
        stream.add(stream.groups.means[[least]])
    n = len(stream.groups)
    for mean in stream.groups.means:
        stream.add(mean[None])
    assert len(stream.groups) == 2 * n
    assert stream.groups.counts.tolist() == [3] * (2 * n)


def test_scales_decide_what_is_near() -> None:
    points = np.array([[x, y] for x in (0.0, 1.0) for y in (0.0, 50.0, 100.0)])
    as_it_is, scaled = CondensationStream(3), CondensationStream(3, scales=(0.001, 1_000.0))
    for stream in (as_it_is, scaled):
        stream.add(points)
    assert np.ptp(as_it_is.groups.means, axis=0) == pytest.approx([0, 70.71], abs=0.01)
    assert np.ptp(scaled.groups.means, axis=0) == pytest.approx([0.866, 0], abs=0.001)


def test_no_record_is_stored() -> None:
    stream = CondensationStream(50)
    stream.add(np.random.default_rng(0).normal(size=(10_000, 3)))
    held = sum(v.nbytes for v in vars(stream).values() if isinstance(v, np.ndarray))
    # A group is 13 numbers of 8 bytes; there is room for one per 50 records.
    assert held <= 13 * 8 * (10_000 // 50 + 2)
    assert repr(stream).startswith("<CondensationStream of 10000 records in ")


def test_the_order_of_points_tells_nothing_of_groups() -> None:
    stream = CondensationStream(10)
    stream.add(np.concatenate([np.zeros((10, 1)), np.full((10, 1), 100.0)]))
    made = stream.generate(np.random.default_rng(1))
    far = (made[:, 0] > 50).tolist()
    assert far not in ([True] * 10 + [False] * 10, [False] * 10 + [True] * 10)


def test_refuses_what_means_nothing() -> None:
    for k in (1, 2, 3.5, True):
        with pytest.raises(ParameterError, match="k must be a whole number of at least 3"):
            CondensationStream(k)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="scales must be greater than 0"):
        CondensationStream(3, scales=(1.0, 0.0))
    stream = CondensationStream(3)
    with pytest.raises(DataError, match="expected a row of numbers for each record"):
        stream.add(np.zeros(3))
    stream.add(np.zeros((2, 2)))
    with pytest.raises(DataError, match="expected 2 columns, got an array of shape"):
        stream.add(np.zeros((1, 3)))
    with pytest.raises(DataError, match="values are missing or infinite"):
        stream.add(np.array([[1.0, np.nan]]))
    with pytest.raises(InfeasibleError, match="2 records are not enough for a group of 3"):
        stream.generate(np.random.default_rng(0))
    with pytest.raises(DataError, match="expected 1 columns"):
        CondensationStream(3, scales=(1.0,)).add(np.zeros((1, 3)))


@pytest.mark.parametrize(("number", "scales"), [(2e150, None), (1e100, [1e-100])])
def test_numbers_that_are_too_large_are_refused(number: float, scales: list[float] | None) -> None:
    stream = CondensationStream(3, scales=scales)
    with pytest.raises(DataError, match="too large to compare: change the unit"):
        stream.add(np.array([[1.0], [number]]))
    assert stream.n_records == 0
