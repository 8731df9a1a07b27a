"""Where to cut: the cut that spares most pairs, of those that are tried."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.link_cuts import choose_cut


def chosen(a: np.ndarray, b: np.ndarray) -> tuple[int, int]:
    """Cut two sets of ranges, given as (n, d, 2)."""
    lists = [np.arange(len(x), dtype=np.int32) for x in (a, b)]
    cell = np.stack([a[:, :, 0].min(axis=0), a[:, :, 1].max(axis=0)]).astype(np.int32)
    (a_lo, a_hi), (b_lo, b_hi) = (
        [np.ascontiguousarray(x[:, :, k]).astype(np.int32) for k in (0, 1)] for x in (a, b)
    )
    return choose_cut(lists[0], 0, len(a), lists[1], 0, len(b), a_lo, a_hi, b_lo, b_hi, cell)


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
