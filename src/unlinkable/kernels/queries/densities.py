"""Densities: adding up the amounts of the boxes that cover a point.

Where a cut along a column goes through no box, the points on either side are not covered by boxes
on the other. What cannot be cut any further is compared: few points and boxes one by one, many by
bits.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["sum_covering"]

_FEW = 1 << 12
"""Up to this many pairs of a point and a box, comparing all of them is faster than cutting."""

_MANY = 1 << 20
"""From this many pairs on, comparing by bits is worth the table of them."""

_WORDS = 32
"""Number of words of 64 boxes that are compared together: their table stays in the cache."""

_SPREAD = np.uint64(0x03F79D71B4CB0A89)
"""A de Bruijn sequence: its 64 runs of six bits all differ, which identifies a bit of a word."""

_PLACES = np.zeros(64, np.int64)
_PLACES[[((int(_SPREAD) << bit) & (1 << 64) - 1) >> 58 for bit in range(64)]] = np.arange(64)


@njit(cache=True, nogil=True)
def sum_covering(
    lo: CodeArray, hi: CodeArray, amounts: FloatArray, points: CodeArray
) -> FloatArray:
    """Add up, for every point, the amounts of the boxes ``[lo, hi)`` that it lies in.

    Boxes may overlap. O((n + m) d log m) for n points and m boxes in d columns if there are cuts
    that divide the boxes evenly, as there are where the boxes were made by cutting; O(n m d / 64)
    if there are none, and a step for every box that a point lies in.

    Examples
    --------
    >>> lo, hi = np.array([[0, 0], [1, 0]], np.int32), np.array([[2, 1], [3, 3]], np.int32)
    >>> points = np.array([[0, 0], [1, 0], [2, 2], [0, 2]], np.int32)
    >>> sum_covering(lo, hi, np.array([1.0, 0.5]), points).tolist()
    [1.0, 1.5, 0.5, 0.0]
    """
    n, m = points.shape[0], lo.shape[0]
    at, who, boxes = points.copy(), np.arange(n), np.arange(m)
    out = np.zeros(n, np.float64)
    # A part is its first and last point and its first and last box. Cutting never makes more
    # waiting parts than there are boxes.
    parts = np.empty((m + 2, 4), np.int64)
    parts[0, 0], parts[0, 1], parts[0, 2], parts[0, 3] = 0, n, 0, m
    n_parts = 1
    while n_parts:
        n_parts -= 1
        first, last, start, end = parts[n_parts]
        n_pairs = (last - first) * (end - start)
        if n_pairs == 0:
            continue
        column, cut = -1, 0
        if n_pairs > _FEW and end - start > 1:
            column, cut = _clean_cut(boxes, start, end, lo, hi)
        if column >= 0:
            # No box goes across the cut, so the points of a side can only be covered by boxes of
            # that side.
            middle = _part_points(at, who, first, last, column, cut)
            between = _part_boxes(boxes, start, end, lo, column, cut)
            parts[n_parts, 0], parts[n_parts, 1] = first, middle
            parts[n_parts, 2], parts[n_parts, 3] = start, between
            parts[n_parts + 1, 0], parts[n_parts + 1, 1] = middle, last
            parts[n_parts + 1, 2], parts[n_parts + 1, 3] = between, end
            n_parts += 2
        elif n_pairs < _MANY:
            _compare(at, who, first, last, boxes, start, end, lo, hi, amounts, out)
        else:
            ranks, froms = _rank_codes(at, first, last)
            for block in range(start, end, 64 * _WORDS):
                chosen = boxes[block : min(block + 64 * _WORDS, end)]
                covers, rows = _mark(chosen, lo, hi, ranks, froms)
                for i in range(first, last):
                    _add_common(covers, rows, ranks, froms, at[i], chosen, amounts, out, who[i])
    return out


@njit(cache=True, nogil=True)
def _clean_cut(
    boxes: CountArray, start: int, end: int, lo: CodeArray, hi: CodeArray
) -> tuple[int, int]:
    """Find the column and the code of a cut that goes through no box and divides most evenly.

    The column is -1 if there is none. Where a column has far more codes than there are boxes, cuts
    are tried at every so many codes only. O(m d) for m boxes.
    """
    n = end - start
    found, cut, best = -1, 0, 0
    for j in range(lo.shape[1]):
        least, most = lo[boxes[start], j], hi[boxes[start], j]
        for i in range(start + 1, end):
            least = min(least, lo[boxes[i], j])
            most = max(most, hi[boxes[i], j])
        step = (most - least) // (4 * n) + 1
        n_edges = (most - least) // step + 2
        across = np.zeros(n_edges, np.int64)
        passed = np.zeros(n_edges, np.int64)
        for i in range(start, end):
            # The edges least + e step that lie within the box, and the first that does not.
            inside = (lo[boxes[i], j] - least) // step + 1
            after = (hi[boxes[i], j] - least + step - 1) // step
            if inside < after:
                across[inside] += 1
                across[after] -= 1
            passed[after] += 1
        crossed, n_left = 0, 0
        for edge in range(n_edges):
            crossed += across[edge]
            n_left += passed[edge]
            evenness = min(n_left, n - n_left)
            if crossed == 0 and evenness > best:
                found, cut, best = j, least + edge * step, evenness
        if 3 * best > n:
            break
    return found, cut


@njit(cache=True, nogil=True)
def _part_points(
    at: CodeArray, who: CountArray, first: int, last: int, column: int, cut: int
) -> int:
    """Move the points before the cut to the front, and return where the others begin."""
    while first < last:
        if at[first, column] < cut:
            first += 1
        else:
            last -= 1
            for j in range(at.shape[1]):
                at[first, j], at[last, j] = at[last, j], at[first, j]
            who[first], who[last] = who[last], who[first]
    return first


@njit(cache=True, nogil=True)
def _part_boxes(
    boxes: CountArray, start: int, end: int, lo: CodeArray, column: int, cut: int
) -> int:
    """Move the boxes before the cut to the front, and return where the others begin."""
    while start < end:
        if lo[boxes[start], column] < cut:
            start += 1
        else:
            end -= 1
            boxes[start], boxes[end] = boxes[end], boxes[start]
    return start


@njit(cache=True, nogil=True)
def _compare(
    at: CodeArray,
    who: CountArray,
    first: int,
    last: int,
    boxes: CountArray,
    start: int,
    end: int,
    lo: CodeArray,
    hi: CodeArray,
    amounts: FloatArray,
    out: FloatArray,
) -> None:
    """Add up the boxes of every point by looking at each."""
    for i in range(first, last):
        for k in range(start, end):
            box = boxes[k]
            is_inside = True
            for j in range(at.shape[1]):
                if at[i, j] < lo[box, j] or at[i, j] >= hi[box, j]:
                    is_inside = False
                    break
            if is_inside:
                out[who[i]] += amounts[box]


@njit(cache=True, nogil=True)
def _rank_codes(at: CodeArray, first: int, last: int) -> tuple[CountArray, CountArray]:
    """Count the codes of points below each code: column ``j`` begins at ``froms[j]``."""
    n_columns = at.shape[1]
    froms = np.zeros(n_columns + 1, np.int64)
    for j in range(n_columns):
        most = 0
        for i in range(first, last):
            most = max(most, at[i, j])
        # One entry more than there are codes, so that a box may end after the last one.
        froms[j + 1] = froms[j] + most + 2
    ranks = np.zeros(froms[n_columns], np.int64)
    for j in range(n_columns):
        for i in range(first, last):
            ranks[froms[j] + at[i, j] + 1] = 1
        for k in range(froms[j] + 1, froms[j + 1]):
            ranks[k] += ranks[k - 1]
    return ranks, froms


@njit(cache=True, nogil=True)
def _mark(
    boxes: CountArray, lo: CodeArray, hi: CodeArray, ranks: CountArray, froms: CountArray
) -> tuple[NDArray[np.uint64], CountArray]:
    """Set for every code of points the bits of the boxes that cover it.

    Also returns where the codes of each column begin. A bit is switched where its box begins and
    again where it ends; in between it is carried on.
    """
    n_columns = lo.shape[1]
    rows = np.zeros(n_columns + 1, np.int64)
    for j in range(n_columns):
        rows[j + 1] = rows[j] + ranks[froms[j + 1] - 1] + 1
    covers = np.zeros((rows[n_columns], _WORDS), np.uint64)
    for k in range(boxes.size):
        bit = np.uint64(1) << np.uint64(k % 64)
        for j in range(n_columns):
            last = froms[j + 1] - 1
            begin = ranks[min(froms[j] + lo[boxes[k], j], last)]
            end = ranks[min(froms[j] + hi[boxes[k], j], last)]
            # A box that covers no code of any point begins and ends at the same rank and cancels
            # itself.
            covers[rows[j] + begin, k // 64] ^= bit
            covers[rows[j] + end, k // 64] ^= bit
    for j in range(n_columns):
        for row in range(rows[j] + 1, rows[j + 1]):
            for word in range(_WORDS):
                covers[row, word] ^= covers[row - 1, word]
    return covers, rows


@njit(cache=True, nogil=True)
def _add_common(
    covers: NDArray[np.uint64],
    rows: CountArray,
    ranks: CountArray,
    froms: CountArray,
    point: CodeArray,
    boxes: CountArray,
    amounts: FloatArray,
    out: FloatArray,
    place: int,
) -> None:
    """Add up the boxes of a point: those that cover all its codes."""
    common = covers[rows[0] + ranks[froms[0] + point[0]]].copy()
    for j in range(1, point.size):
        row = covers[rows[j] + ranks[froms[j] + point[j]]]
        left = np.uint64(0)
        for word in range(_WORDS):
            common[word] &= row[word]
            left |= common[word]
        if left == np.uint64(0):
            return
    for word in range(_WORDS):
        bits = common[word]
        while bits != np.uint64(0):
            # Multiplying by a power of two shifts the sequence: its six highest bits then identify
            # the bit.
            lowest = bits & (~bits + np.uint64(1))
            # Padding bits are never set: no box is there to set them.
            box = boxes[64 * word + _PLACES[(lowest * _SPREAD) >> np.uint64(58)]]
            out[place] += amounts[box]
            bits ^= lowest
