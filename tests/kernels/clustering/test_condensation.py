"""Statistics of a stream: groups against sums kept in plain Python, and the rule of the split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.clustering.condensation import condense, split_group


class Plain:
    """Groups of count, sums and sums of products, as equations 20.6 to 20.9 write them."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.groups: list[tuple[int, np.ndarray, np.ndarray]] = []

    def add(self, point: np.ndarray) -> None:
        if not self.groups:
            self.groups.append((1, point, np.outer(point, point)))
            return
        gaps = [((sums / n - point) ** 2).sum() for n, sums, _ in self.groups]
        g = int(np.argmin(gaps))
        n, sums, products = self.groups[g]
        self.groups[g] = n + 1, sums + point, products + np.outer(point, point)
        if n + 1 == 2 * self.k:
            self.split(g)

    def split(self, g: int) -> None:
        n, sums, products = self.groups[g]
        mean = sums / n
        values, vectors = np.linalg.eigh(products / n - np.outer(mean, mean))
        e = vectors[:, -1]
        e = e if e[np.argmax(np.abs(e))] > 0 else -e
        length = np.sqrt(12 * values[-1])
        values[-1] /= 4
        covariance = vectors @ np.diag(values) @ vectors.T
        halves = []
        for centre in (mean + length / 4 * e, mean - length / 4 * e):
            product = self.k * (covariance + np.outer(centre, centre))
            halves.append((self.k, self.k * centre, product))
        self.groups[g] = halves[0]
        self.groups.append(halves[1])


def run(points: np.ndarray, k: int, batch: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n, d = points.shape
    room = n // k + 2
    sizes, means, scatter = np.zeros(room, np.int64), np.zeros((room, d)), np.zeros((room, d, d))
    n_groups = 0
    for first in range(0, n, batch):
        n_groups = condense(points[first : first + batch], k, n_groups, sizes, means, scatter)
    return sizes[:n_groups], means[:n_groups], scatter[:n_groups]


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 120), st.sampled_from([1, 2, 4]))
def test_groups_are_those_of_sums_and_products(seed: int, k: int, n: int, d: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, d)) * 5 + 20
    plain = Plain(k)
    for point in points:
        plain.add(point)
    sizes, means, scatter = run(points, k, n)
    assert sizes.tolist() == [n for n, _, _ in plain.groups]
    assert means == pytest.approx(np.array([s / n for n, s, _ in plain.groups]), abs=1e-6)
    moments = [p - np.outer(s, s) / n for n, s, p in plain.groups]
    assert scatter == pytest.approx(np.array(moments), abs=1e-5)


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 200))
def test_batches_make_no_difference(seed: int, k: int, batch: int) -> None:
    points = np.round(np.random.default_rng(seed).normal(size=(400, 2)) * 3)
    whole, parts = run(points, k, 400), run(points, k, batch)
    for one, other in zip(whole, parts, strict=True):
        assert one.tolist() == other.tolist()


@given(st.integers(0, 10_000), st.integers(2, 20), st.integers(1, 6))
def test_halves_have_the_mean_and_covariance_of_the_whole(seed: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(2 * k, d)) @ rng.normal(size=(d, d)) + 100
    mean = points.mean(axis=0)
    whole = (points - mean).T @ (points - mean)
    sizes, means, scatter = np.array([2 * k, 0]), np.zeros((2, d)), np.zeros((2, d, d))
    means[0], scatter[0] = mean, whole
    split_group(sizes, means, scatter, 0, 1)
    assert sizes.tolist() == [k, k]
    assert means.mean(axis=0) == pytest.approx(mean)
    off = means - mean
    pooled = scatter.sum(axis=0) + k * off.T @ off
    assert pooled == pytest.approx(whole, abs=1e-9 * np.abs(whole).max())
    values, vectors = np.linalg.eigh(whole / (2 * k))
    halved, _ = np.linalg.eigh(scatter[0] / k)
    expected = np.sort(np.append(values[:-1], values[-1] / 4))
    assert halved == pytest.approx(expected, abs=1e-9 * values[-1])
    assert np.abs(off[0] @ vectors[:, -1]) == pytest.approx(np.sqrt(12 * values[-1]) / 4)


def test_sizes_stay_between_k_and_2k_and_nobody_is_lost() -> None:
    points = np.random.default_rng(3).normal(size=(5_000, 3))
    sizes, means, scatter = run(points, 20, 1_000)
    assert sizes.sum() == 5_000
    assert 20 <= sizes.min() <= sizes.max() < 40
    mean = points.mean(axis=0)
    assert sizes @ means / 5_000 == pytest.approx(mean)
    off = means - mean
    pooled = scatter.sum(axis=0) + (sizes[:, None] * off).T @ off
    assert pooled / 5_000 == pytest.approx(np.cov(points.T, bias=True))
