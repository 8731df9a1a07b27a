"""Overlaps: whatever way is taken, the pairs are those of comparing each with each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.shared.overlaps import Boxes, Overlaps

SIZES = (12, 3, 6)


def boxes(lo: np.ndarray, hi: np.ndarray) -> Boxes:
    columns = []
    for j in range(lo.shape[1]):
        pairs = np.column_stack([lo[:, j], hi[:, j]])
        bounds, numbers = np.unique(pairs, axis=0, return_inverse=True)
        columns.append((numbers.ravel().astype(np.int32), bounds.astype(np.int32)))
    return Boxes(len(lo), tuple(columns))


def make(kind: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.array(SIZES)
    points = rng.integers(0, sizes, (n, len(sizes)))
    if kind == "raw":
        return points, points + 1
    if kind == "level":
        lo = points // 3 * 3
        return lo, np.minimum(lo + 3, sizes)
    if kind == "ranges":
        lo = points - rng.integers(0, points + 1)
        return lo, points + 1 + rng.integers(0, sizes - points)
    is_whole = rng.random((n, len(sizes))) < (0.2 if kind == "few stars" else 0.5)
    return np.where(is_whole, 0, points), np.where(is_whole, sizes, points + 1)


kinds = st.sampled_from(["raw", "level", "ranges", "stars", "few stars"])


@given(kinds, kinds, st.integers(0, 99), st.integers(0, 40), st.integers(0, 40))
def test_pairs_are_those_of_comparing_each_with_each(
    one: str, other: str, seed: int, n: int, m: int
) -> None:
    rng = np.random.default_rng(seed)
    a, b = make(one, n, rng), make(other, m, rng)
    met: np.ndarray = np.all((a[0][:, None] < b[1][None]) & (b[0][None] < a[1][:, None]), axis=2)
    overlaps = Overlaps(boxes(*a), boxes(*b), SIZES)
    weights = rng.integers(1, 9, n), rng.integers(1, 9, m)
    sums, back, n_met = overlaps.sums(*weights)
    assert sums.tolist() == (met @ weights[1]).tolist()
    assert back.tolist() == (weights[0] @ met).tolist()
    indptr, looks = overlaps.pairs(n_met)
    rows = [looks[s:e].tolist() for s, e in itertools.pairwise(indptr)]
    assert rows == [np.flatnonzero(row).tolist() for row in met]


@pytest.mark.parametrize(
    ("one", "other", "n_parts", "n_open"),
    [
        ("raw", "raw", 1, 0),
        ("raw", "level", 1, 0),
        ("level", "raw", 1, 0),
        ("raw", "ranges", 1, 3),
        ("raw", "stars", 8, 0),
    ],
)
def test_ranges_are_compared_only_where_classes_do_not_settle_it(
    one: str, other: str, n_parts: int, n_open: int
) -> None:
    rng = np.random.default_rng(0)
    overlaps = Overlaps(boxes(*make(one, 300, rng)), boxes(*make(other, 300, rng)), SIZES)
    assert len(overlaps._parts) == n_parts
    assert sum(len(part.open) for part in overlaps._parts) == n_open
