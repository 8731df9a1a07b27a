"""Overlapping boxes: finding the boxes of one set that overlap boxes of another.

Both sets are divided together, on one column after the other: what lies left of a cut overlaps
nothing right of it. What is left in the end is compared pair by pair. No pair is met twice: of the
two sets one is divided, and the other is copied where a box goes across the cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["BoxSet", "PairedBoxes", "choose_cut", "fill_overlaps", "sum_overlaps"]

_FEW = 2048
"""Up to this many pairs are compared at once."""

_NOTHING = np.zeros(0, np.int64)
_NOBODY = np.zeros(0, np.int32)


class BoxSet(NamedTuple):
    """A set of boxes ``[lo, hi)``, and what is counted for each, or what it is called."""

    lo: CodeArray
    hi: CodeArray
    weights: CountArray
    sums: CountArray
    n_met: CountArray
    names: CodeArray


class _Lists(NamedTuple):
    """Where the names of overlapping boxes are written, if they are not counted."""

    fills: bool
    by_second: bool
    free: CountArray
    out: CodeArray


class PairedBoxes(NamedTuple):
    """Some boxes of both sets, which may overlap: stretches of two lists of boxes."""

    a_list: CodeArray
    a_from: int
    a_to: int
    b_list: CodeArray
    b_from: int
    b_to: int


def sum_overlaps(
    a_lo: CodeArray,
    a_hi: CodeArray,
    b_lo: CodeArray,
    b_hi: CodeArray,
    a_weights: CountArray,
    b_weights: CountArray,
) -> tuple[CountArray, CountArray, CountArray, CountArray]:
    """Add up for every box ``[lo, hi)`` the weights of the boxes of the other set that overlap it.

    Returns the sums of the first set and of the second, and how many boxes overlap each of the
    first and of the second. Boxes that cover a whole region are added at once, so that the cost
    hardly depends on the number of pairs.

    Examples
    --------
    >>> a = np.array([[0, 0], [4, 1]], np.int32)
    >>> b = np.array([[0, 0], [0, 1]], np.int32), np.array([[5, 5], [2, 2]], np.int32)
    >>> found = sum_overlaps(a, a + np.int32(1), *b, np.array([2, 3]), np.array([5, 7]))
    >>> [sums.tolist() for sums in found]
    [[5, 5], [5, 0], [1, 1], [2, 0]]
    """
    a_sums, a_met = np.zeros((2, len(a_lo)), np.int64)
    b_sums, b_met = np.zeros((2, len(b_lo)), np.int64)
    a = BoxSet(a_lo, a_hi, a_weights, a_sums, a_met, _NOBODY)
    b = BoxSet(b_lo, b_hi, b_weights, b_sums, b_met, _NOBODY)
    _walk(a, b, _Lists(False, False, _NOTHING, _NOBODY))
    return a_sums, b_sums, a_met, b_met


def fill_overlaps(
    a_lo: CodeArray,
    a_hi: CodeArray,
    b_lo: CodeArray,
    b_hi: CodeArray,
    a_names: CodeArray,
    b_names: CodeArray,
    free: CountArray,
    out: CodeArray,
    *,
    by_second: bool = False,
) -> None:
    """Write for every box of the first set the names of those of the second that overlap it.

    They are written to ``out`` from ``free[name]`` on, which is advanced. With ``by_second`` the
    roles are exchanged: for every box of the second set those of the first are written.

    Examples
    --------
    >>> a = np.array([[0], [4]], np.int32)
    >>> names, free, out = np.arange(2, dtype=np.int32), np.array([0, 1]), np.zeros(2, np.int32)
    >>> fill_overlaps(a, a + np.int32(1), a - np.int32(1), a + np.int32(2), names, names, free, out)
    >>> out.tolist(), free.tolist()
    ([0, 1], [1, 2])
    """
    a = BoxSet(a_lo, a_hi, _NOTHING, _NOTHING, _NOTHING, a_names)
    b = BoxSet(b_lo, b_hi, _NOTHING, _NOTHING, _NOTHING, b_names)
    _walk(a, b, _Lists(True, by_second, free, out))


@njit(cache=True, nogil=True)
def _walk(a: BoxSet, b: BoxSet, lists: _Lists) -> None:
    """Divide both sets until few pairs are left, and count those that overlap.

    A part is a row of ``parts``: where its boxes begin and end in the two lists of boxes, and how
    far the lists are in use below it. Lists above are free: parts are taken from the top.
    """
    n_a, d = a.lo.shape
    n_b = b.lo.shape[0]
    if n_a == 0 or n_b == 0:
        return
    a_list, b_list = np.empty(4 * n_a + 64, np.int32), np.empty(4 * n_b + 64, np.int32)
    for i in range(n_a):
        a_list[i] = i
    for i in range(n_b):
        b_list[i] = i
    parts = np.empty((64, 6), np.int64)
    cells = np.empty((64, 2, d), np.int32)
    parts[0] = np.array([0, n_a, 0, n_b, n_a, n_b])
    for j in range(d):
        cells[0, 0, j], cells[0, 1, j] = _extent(a.lo, a.hi, j)
    n_parts = 1
    cell = np.empty((2, d), np.int32)
    while n_parts:
        n_parts -= 1
        a_from, a_to, b_from, b_to, a_top, b_top = parts[n_parts]
        for j in range(d):
            cell[0, j], cell[1, j] = cells[n_parts, 0, j], cells[n_parts, 1, j]
        part = PairedBoxes(a_list, a_from, a_to, b_list, b_from, b_to)
        b_to = _settle(a, b, part, cell, lists)
        if b_to == b_from or a_to == a_from:
            continue
        part = PairedBoxes(a_list, a_from, a_to, b_list, b_from, b_to)
        column, cut = -1, 0
        if (a_to - a_from) * (b_to - b_from) > _FEW:
            column, cut = choose_cut(a, b, part, cell)
        if column < 0:
            _compare(a, b, part, lists)
            continue
        a_list, b_list = _room(a_list, a_top, a_to - a_from), _room(b_list, b_top, b_to - b_from)
        part = PairedBoxes(a_list, a_from, a_to, b_list, b_from, b_to)
        if n_parts + 3 > parts.shape[0]:
            parts, cells = _more_parts(parts, cells)
        n_parts = _divide(parts, cells, n_parts, a, b, part, a_top, b_top, column, cut, cell)


@njit(cache=True, nogil=True)
def _divide(
    parts: CountArray,
    cells: CodeArray,
    n_parts: int,
    a: BoxSet,
    b: BoxSet,
    part: PairedBoxes,
    a_top: int,
    b_top: int,
    column: int,
    cut: int,
    cell: CodeArray,
) -> int:
    """Push both sides of a cut on the stack, and if necessary what goes across it."""
    a_lo, a_hi, b_lo, b_hi = a.lo[:, column], a.hi[:, column], b.lo[:, column], b.hi[:, column]
    a_list, a_from, a_to, b_list, b_from, b_to = part
    a_across, b_across = 0, 0
    for k in a_list[a_from:a_to]:
        if a_lo[k] < cut < a_hi[k]:
            a_across += 1
    for k in b_list[b_from:b_to]:
        if b_lo[k] < cut < b_hi[k]:
            b_across += 1
    # Boxes of the second set may be copied to both sides only if no box of the first set is: a pair
    # that is on both sides would be counted twice.
    copies = a_across == 0 and 5 * b_across <= 2 * (b_to - b_from)
    # Otherwise boxes of the second set that go across the cut are compared with all of the first
    # set in a part of their own, and the other boxes lie on exactly one side.
    if b_across > 0 and not copies:
        start = b_top
        for k in b_list[b_from:b_to]:
            if b_lo[k] < cut < b_hi[k]:
                b_list[b_top] = k
                b_top += 1
        _put(parts, cells, n_parts, a_from, a_to, start, b_top, a_top, b_top, cell)
        n_parts += 1
    for side in range(2):
        a_start, b_start = a_top, b_top
        for k in a_list[a_from:a_to]:
            if (a_lo[k] < cut) if side == 0 else (a_hi[k] > cut):
                a_list[a_top] = k
                a_top += 1
        for k in b_list[b_from:b_to]:
            if side == 0:
                belongs = b_lo[k] < cut if copies else b_hi[k] <= cut
            else:
                belongs = b_hi[k] > cut if copies else b_lo[k] >= cut
            if belongs:
                b_list[b_top] = k
                b_top += 1
        if a_top > a_start and b_top > b_start:
            _put(parts, cells, n_parts, a_start, a_top, b_start, b_top, a_top, b_top, cell)
            cells[n_parts, 1 - side, column] = cut
            n_parts += 1
        else:
            # A side without one of the two sets has no pairs, so its lists are given back.
            a_top, b_top = a_start, b_start
    return n_parts


@njit(cache=True, nogil=True)
def _put(
    parts: CountArray,
    cells: CodeArray,
    n_parts: int,
    a_from: int,
    a_to: int,
    b_from: int,
    b_to: int,
    a_top: int,
    b_top: int,
    cell: CodeArray,
) -> None:
    parts[n_parts, 0], parts[n_parts, 1] = a_from, a_to
    parts[n_parts, 2], parts[n_parts, 3] = b_from, b_to
    parts[n_parts, 4], parts[n_parts, 5] = a_top, b_top
    for j in range(cell.shape[1]):
        cells[n_parts, 0, j], cells[n_parts, 1, j] = cell[0, j], cell[1, j]


@njit(cache=True, nogil=True)
def _settle(a: BoxSet, b: BoxSet, part: PairedBoxes, cell: CodeArray, lists: _Lists) -> int:
    """Let boxes that cover the cell meet all of the first set, and keep the others that reach it.

    Returns where the boxes that are left end.
    """
    own = part.a_list[part.a_from : part.a_to]
    kept, n_covers, weight, own_weight = part.b_from, 0, 0, 0
    if not lists.fills:
        for i in own:
            own_weight += a.weights[i]
    for k in part.b_list[part.b_from : part.b_to]:
        covers, reaches = True, True
        for j in range(cell.shape[1]):
            if b.lo[k, j] > cell[0, j] or b.hi[k, j] < cell[1, j]:
                covers = False
                if b.lo[k, j] >= cell[1, j] or b.hi[k, j] <= cell[0, j]:
                    reaches = False
                    break
        if covers and lists.fills:
            for i in own:
                _write(a.names[i], b.names[k], lists)
        elif covers:
            # A box that covers the cell overlaps every box of the part, so their weights are added
            # at once.
            n_covers += 1
            weight += b.weights[k]
            b.sums[k] += own_weight
            b.n_met[k] += own.size
        elif reaches:
            part.b_list[kept] = k
            kept += 1
    if n_covers:
        for i in own:
            a.sums[i] += weight
            a.n_met[i] += n_covers
    return kept


@njit(cache=True, nogil=True)
def _compare(a: BoxSet, b: BoxSet, part: PairedBoxes, lists: _Lists) -> None:
    """Compare every pair."""
    for k in part.b_list[part.b_from : part.b_to]:
        for i in part.a_list[part.a_from : part.a_to]:
            meets = True
            for j in range(a.lo.shape[1]):
                if a.lo[i, j] >= b.hi[k, j] or b.lo[k, j] >= a.hi[i, j]:
                    meets = False
                    break
            if not meets:
                continue
            if lists.fills:
                _write(a.names[i], b.names[k], lists)
            else:
                a.sums[i] += b.weights[k]
                b.sums[k] += a.weights[i]
                a.n_met[i] += 1
                b.n_met[k] += 1


@njit(cache=True, nogil=True)
def _write(first: int, second: int, lists: _Lists) -> None:
    at, name = (second, first) if lists.by_second else (first, second)
    lists.out[lists.free[at]] = name
    lists.free[at] += 1


@njit(cache=True, nogil=True)
def _extent(lo: CodeArray, hi: CodeArray, column: int) -> tuple[int, int]:
    least, most = lo[0, column], hi[0, column]
    for i in range(lo.shape[0]):
        least, most = min(least, lo[i, column]), max(most, hi[i, column])
    return least, most


@njit(cache=True, nogil=True)
def _room(items: CodeArray, top: int, n: int) -> CodeArray:
    """Make room for three times ``n`` more items above ``top``."""
    if top + 3 * n <= items.size:
        return items
    grown = np.empty(max(2 * items.size, top + 3 * n), np.int32)
    for i in range(top):
        grown[i] = items[i]
    return grown


@njit(cache=True, nogil=True)
def _more_parts(parts: CountArray, cells: CodeArray) -> tuple[CountArray, CodeArray]:
    n = parts.shape[0]
    more, wider = np.empty((2 * n, 6), np.int64), np.empty((2 * n, 2, cells.shape[2]), np.int32)
    for i in range(n):
        for k in range(6):
            more[i, k] = parts[i, k]
        for j in range(cells.shape[2]):
            wider[i, 0, j], wider[i, 1, j] = cells[i, 0, j], cells[i, 1, j]
    return more, wider


_SAMPLE = 32
"""A cut is judged from this many boxes of each set."""

_MANY = 1 << 24
"""From this many pairs on, the sample is eight times as large."""

_WORTH = 32
"""A cut must save at least one pair in this many."""


@njit(cache=True, nogil=True)
def choose_cut(a: BoxSet, b: BoxSet, part: PairedBoxes, cell: CodeArray) -> tuple[int, int]:
    """Find the cut that saves most pairs, judging from a sample of each set.

    Cuts are tried at the quartiles of the ends of boxes. The column is -1 if no cut is worth it.
    """
    n_all_a, n_all_b = part.a_to - part.a_from, part.b_to - part.b_from
    most = _SAMPLE if n_all_a * n_all_b < _MANY else 8 * _SAMPLE
    n_a, n_b = min(most, n_all_a), min(most, n_all_b)
    ends = np.empty(2 * n_b, np.int32)
    found, cut, best = -1, 0, (n_a * n_b) // _WORTH
    for j in range(a.lo.shape[1]):
        n_ends = 0
        for i in range(n_b):
            k = part.b_list[part.b_from + i * n_all_b // n_b]
            # Only ends strictly inside the cell can leave boxes on both sides.
            if b.lo[k, j] > cell[0, j]:
                ends[n_ends] = b.lo[k, j]
                n_ends += 1
            if b.hi[k, j] < cell[1, j]:
                ends[n_ends] = b.hi[k, j]
                n_ends += 1
        if n_ends == 0:
            continue
        tried = np.sort(ends[:n_ends])
        before = -1
        for quarter in range(1, 4):
            code = tried[quarter * (n_ends - 1) // 4]
            if code == before:
                continue
            before = code
            a_left, a_right, b_left, b_right = 0, 0, 0, 0
            for i in range(n_a):
                k = part.a_list[part.a_from + i * n_all_a // n_a]
                # Boxes on different sides of the cut do not intersect: none of these pairs is
                # compared again. Boxes that the cut runs through go to both sides and save nothing.
                a_left += a.hi[k, j] <= code
                a_right += a.lo[k, j] >= code
            for i in range(n_b):
                k = part.b_list[part.b_from + i * n_all_b // n_b]
                b_left += b.hi[k, j] <= code
                b_right += b.lo[k, j] >= code
            spared = a_left * b_right + a_right * b_left
            if spared > best:
                found, cut, best = j, code, spared
    return found, cut
