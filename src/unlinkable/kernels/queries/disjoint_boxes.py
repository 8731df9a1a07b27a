"""Disjoint boxes: showing that no two boxes intersect, without comparing every pair."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["are_surely_apart"]

_FEW = 16
"""Up to this many boxes, comparing every pair is faster than cutting further."""

_SOME = 256
"""Up to this many boxes that cannot be cut are compared pair by pair."""

_PATIENCE = 64
"""How often a box is visited on average before the boxes are given up as too entangled."""

_EDGES = 16
"""Edges that are tried per box; of columns with more codes, only every second, fourth and so on."""


@njit(cache=True, nogil=True)
def are_surely_apart(lo: CodeArray, hi: CodeArray) -> bool:
    """Tell whether boxes ``[lo, hi)``, a column per row, are known to be disjoint.

    Boxes on different sides of a cut that goes through none are disjoint. Boxes that were made by
    cutting, or that publish one level of each taxonomy, are separated by such cuts until few are
    left, in O(m d log m) for m boxes in d columns. False means that two boxes intersect, or that
    cuts cannot decide.

    Examples
    --------
    >>> lo, hi = np.array([[0, 2], [0, 0]], np.int32), np.array([[2, 3], [5, 4]], np.int32)
    >>> are_surely_apart(lo, hi), are_surely_apart(lo, hi + np.int32(1))
    (True, False)
    """
    m = lo.shape[1]
    lo, hi = _rank_ends(lo, hi)
    boxes = np.arange(m)
    # A part is its first and its last box. Every part that waits has two boxes at least.
    parts = np.empty((m + 2, 2), np.int64)
    parts[0, 0], parts[0, 1] = 0, m
    n_parts, n_looks = 1, 0
    while n_parts:
        n_parts -= 1
        start, end = parts[n_parts]
        column, cut = -1, 0
        if end - start > _FEW:
            column, cut = _clean_cut(boxes, start, end, lo, hi)
            n_looks += end - start
        # With no cut left, a small part is decided by comparing every pair. A large one is given
        # up.
        if column < 0 and end - start <= _SOME:
            if _has_overlap(boxes, start, end, lo, hi):
                return False
            continue
        if column < 0 or n_looks > _PATIENCE * m:
            return False
        # No box lies on both sides, so each side can be decided by itself.
        middle = _part_boxes(boxes, start, end, lo[column], cut)
        parts[n_parts, 0], parts[n_parts, 1] = start, middle
        parts[n_parts + 1, 0], parts[n_parts + 1, 1] = middle, end
        n_parts += 2
    return True


@njit(cache=True, nogil=True)
def _rank_ends(lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
    """Number the codes at which boxes begin or end: no other cut matters."""
    n_columns, m = lo.shape
    begins, ends = np.empty((n_columns, m), np.int32), np.empty((n_columns, m), np.int32)
    for j in range(n_columns):
        most = 0
        for i in range(m):
            most = max(most, hi[j, i])
        ranks = np.zeros(most + 1, np.int32)
        for i in range(m):
            ranks[lo[j, i]] = 1
            ranks[hi[j, i]] = 1
        for code in range(1, most + 1):
            ranks[code] += ranks[code - 1]
        for i in range(m):
            begins[j, i], ends[j, i] = ranks[lo[j, i]], ranks[hi[j, i]]
    return begins, ends


@njit(cache=True, nogil=True)
def _has_overlap(boxes: CountArray, start: int, end: int, lo: CodeArray, hi: CodeArray) -> bool:
    """Compare every pair of boxes."""
    for a in range(start, end):
        for b in range(start, a):
            are_parted = False
            for j in range(lo.shape[0]):
                # Two boxes are disjoint if they are so on one column.
                if lo[j, boxes[a]] >= hi[j, boxes[b]] or lo[j, boxes[b]] >= hi[j, boxes[a]]:
                    are_parted = True
                    break
            if not are_parted:
                return True
    return False


@njit(cache=True, nogil=True)
def _clean_cut(
    boxes: CountArray, start: int, end: int, lo: CodeArray, hi: CodeArray
) -> tuple[int, int]:
    """Find the column and the code of a cut that goes through no box and divides most evenly.

    The column is -1 if there is none. A cut that leaves a third on either side is good enough.
    """
    n = end - start
    found, cut, best = -1, 0, 0
    for j in range(lo.shape[0]):
        least, most = lo[j, boxes[start]], hi[j, boxes[start]]
        for i in range(start + 1, end):
            least = min(least, lo[j, boxes[i]])
            most = max(most, hi[j, boxes[i]])
        shift = 0
        while (most - least) >> shift > _EDGES * n:
            shift += 1
        n_edges = ((most - least - 1) >> shift) + 2
        across = np.zeros(n_edges, np.int32)
        passed = np.zeros(n_edges, np.int32)
        for i in range(start, end):
            # The edges after the first of these and up to the last go through the box.
            first, last = (lo[j, boxes[i]] - least) >> shift, (hi[j, boxes[i]] - 1 - least) >> shift
            across[first] += 1
            across[last] -= 1
            passed[last + 1] += 1
        # Running sums over the edges: how many boxes the edge goes through, and how many end before
        # it.
        crossed, n_left = 0, 0
        for edge in range(n_edges):
            n_left += passed[edge]
            evenness = min(n_left, n - n_left)
            if crossed == 0 and evenness > best:
                found, cut, best = j, least + (edge << shift), evenness
            crossed += across[edge]
        if 3 * best > n:
            break
    return found, cut


@njit(cache=True, nogil=True)
def _part_boxes(boxes: CountArray, start: int, end: int, lo: CodeArray, cut: int) -> int:
    """Move the boxes before the cut to the front, and return where the others begin."""
    while start < end:
        if lo[boxes[start]] < cut:
            start += 1
        else:
            end -= 1
            boxes[start], boxes[end] = boxes[end], boxes[start]
    return start
