"""Overlapping boxes: each compared with each.

Where to cut: the cut that spares most pairs, of those that are tried.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.overlapping_boxes import (
    BoxSet,
    PairedBoxes,
    choose_cut,
    fill_overlaps,
    sum_overlaps,
)

Boxes = tuple[np.ndarray, np.ndarray]


def random_boxes(rng: np.random.Generator, n: int, d: int, widest: int) -> Boxes:
    lo = rng.integers(0, 40, (n, d))
    return lo.astype(np.int32), (lo + rng.integers(1, widest + 1, (n, d))).astype(np.int32)


def by_definition(a: Boxes, b: Boxes) -> np.ndarray:
    met = (a[0][:, None] < b[1][None]) & (b[0][None] < a[1][:, None])
    return np.asarray(met.all(axis=2))


def compared(seed: int, n_a: int, n_b: int, d: int, widths: tuple[int, int]) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_boxes(rng, n_a, d, widths[0]), random_boxes(rng, n_b, d, widths[1])
    met = by_definition(a, b)
    weights = rng.integers(0, 9, n_a), rng.integers(0, 9, n_b)
    first, second, n_met, back = sum_overlaps(*a, *b, *weights)
    assert first.tolist() == (met @ weights[1]).tolist()
    assert second.tolist() == (weights[0] @ met).tolist()
    assert n_met.tolist() == met.sum(axis=1).tolist()
    assert back.tolist() == met.sum(axis=0).tolist()
    names = np.arange(n_a, dtype=np.int32), np.arange(n_b, dtype=np.int32)
    for by_second, table in ((False, met), (True, met.T)):
        ends = np.append(0, np.cumsum(table.sum(axis=1)))
        free, out = ends[:-1].copy(), np.zeros(int(ends[-1]), np.int32)
        fill_overlaps(*a, *b, *names, free, out, by_second=by_second)
        assert free.tolist() == ends[1:].tolist()
        rows = [sorted(out[s:e].tolist()) for s, e in itertools.pairwise(ends)]
        assert rows == [np.flatnonzero(row).tolist() for row in table]


@given(st.integers(0, 999), st.integers(0, 9), st.integers(0, 9), st.integers(1, 3))
def test_few_boxes_are_compared_each_with_each(seed: int, n_a: int, n_b: int, d: int) -> None:
    compared(seed, n_a, n_b, d, (20, 20))


@pytest.mark.parametrize("widths", [(1, 1), (1, 8), (8, 1), (30, 3), (3, 30), (40, 40)], ids=str)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_many_boxes_are_parted(widths: tuple[int, int], d: int) -> None:
    compared(d, 400, 300, d, widths)


@pytest.mark.parametrize("widths", [(1, 12), (6, 12)], ids=str)
def test_parts_are_parted_again_and_room_is_made_for_them(widths: tuple[int, int]) -> None:
    compared(0, 3000, 1000, 3, widths)


def chosen(a: np.ndarray, b: np.ndarray) -> tuple[int, int]:
    """Cut two sets of ranges, given as (n, d, 2)."""
    lists = [np.arange(len(x), dtype=np.int32) for x in (a, b)]
    cell = np.stack([a[:, :, 0].min(axis=0), a[:, :, 1].max(axis=0)]).astype(np.int32)
    nothing, names = np.zeros(0, np.int64), np.zeros(0, np.int32)
    first, second = (
        BoxSet(
            np.ascontiguousarray(x[:, :, 0], np.int32),
            np.ascontiguousarray(x[:, :, 1], np.int32),
            nothing,
            nothing,
            nothing,
            names,
        )
        for x in (a, b)
    )
    part = PairedBoxes(lists[0], 0, len(a), lists[1], 0, len(b))
    return choose_cut(first, second, part, cell)


def spared(a: np.ndarray, b: np.ndarray, column: int, cut: int) -> int:
    """Count the pairs that lie on different sides of a cut."""
    left, right = (x[:, column, 1] <= cut for x in (a, b))
    beyond = [x[:, column, 0] >= cut for x in (a, b)]
    return int(left.sum() * beyond[1].sum() + beyond[0].sum() * right.sum())


@given(st.integers(0, 9999), st.integers(2, 20), st.integers(2, 20))
def test_cuts_where_it_spares_pairs(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    lo = [rng.integers(0, 20, (k, 3)) for k in (n, m)]
    a, b = (np.stack([x, x + rng.integers(1, 9, x.shape)], axis=2) for x in lo)
    column, cut = chosen(a, b)
    ends = {(j, int(end)) for j in range(3) for end in b[:, j].ravel()}
    if column < 0:
        # Three cuts of each column are tried; the worst case is that all others are better.
        return
    assert (column, cut) in ends
    assert spared(a, b, column, cut) > n * m // 32


def test_cuts_points_in_the_middle() -> None:
    points = np.arange(8)[:, None, None] + np.array([0, 1])
    assert chosen(points, points) == (0, 4)


def test_does_not_cut_what_overlaps_everywhere() -> None:
    wide = np.tile(np.array([[[0, 9]]]), (5, 1, 1))
    assert chosen(wide, wide) == (-1, 0)
