"""Spreading what groups hide over the cells that their records may lie in.

What groups hide comes as CSR rows: ``values[rows[g]:rows[g + 1]]`` are the codes in group ``g``,
rising, and ``counts`` how often. What is asked for comes in the same way: the codes
``wanted[starts[c]:starts[c + 1]]``, rising, are those whose number in cell ``c`` is to be
estimated. Each kernel gives one estimate for every entry of ``wanted``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.stabbing import boxes_around, build_tree
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["spread_over_boxes", "spread_over_members"]


@njit(cache=True, nogil=True)
def spread_over_members(
    indptr: CountArray,
    groups: CodeArray,
    shares: FloatArray,
    rows: CountArray,
    values: CodeArray,
    counts: CountArray,
    starts: CountArray,
    wanted: CodeArray,
) -> FloatArray:
    """Give every cell its share of what groups hide.

    ``groups[indptr[c]:indptr[c + 1]]`` are the groups with records in cell ``c``, and ``shares``
    which share of their records that is. O(sum of min(v, w) log max(v, w)) over all pairs of a cell
    and a group, for v codes of the group and w wanted ones of the cell.
    """
    out = np.zeros(wanted.size, np.float64)
    for c in range(starts.size - 1):
        for e in range(indptr[c], indptr[c + 1]):
            g = groups[e]
            row, cell = (rows[g], rows[g + 1]), (starts[c], starts[c + 1])
            _add(shares[e], values, counts, row, wanted, cell, out)
    return out


@njit(cache=True, nogil=True)
def spread_over_boxes(
    points: CodeArray,
    lo: CodeArray,
    hi: CodeArray,
    rows: CountArray,
    values: CodeArray,
    counts: CountArray,
    starts: CountArray,
    wanted: CodeArray,
    turn: CountArray,
    most: int,
) -> tuple[FloatArray, int]:
    """Spread what boxes ``[lo, hi)`` hide evenly over all cells in them, and look at the cells.

    Cell ``c`` has the codes ``points[c]``. Boxes may overlap. Cells take their ``turn``, until more
    than ``most`` boxes were looked at; also tells how many cells had it. O(n d log n) to sort n
    boxes of d columns; then as for `spread_over_members`, beside O(log n) to find the boxes of a
    cell where they hardly overlap.
    """
    order, node_lo, node_hi = build_tree(lo, hi)
    stack, found = np.empty(192, np.int64), np.empty(lo.shape[0], np.int64)
    shares = np.ones(lo.shape[0], np.float64)
    for j in range(lo.shape[1]):
        shares /= hi[:, j] - lo[:, j]
    out = np.zeros(wanted.size, np.float64)
    n_seen = 0
    for i in range(turn.size):
        if n_seen > most:
            return out, i
        c = turn[i]
        n_found, n_more = boxes_around(points[c], lo, hi, order, node_lo, node_hi, stack, found)
        n_seen += n_found + n_more
        for k in range(n_found):
            g = found[k]
            row, cell = (rows[g], rows[g + 1]), (starts[c], starts[c + 1])
            _add(shares[g], values, counts, row, wanted, cell, out)
    return out, turn.size


@njit(cache=True, nogil=True)
def _add(
    share: float,
    values: CodeArray,
    counts: CountArray,
    row: tuple[int, int],
    wanted: CodeArray,
    cell: tuple[int, int],
    out: FloatArray,
) -> None:
    """Add a share of the counts of a group to the wanted codes of a cell.

    The shorter of the two lists is walked, and its codes are looked up in the longer.
    """
    if row[1] - row[0] < cell[1] - cell[0]:
        for j in range(row[0], row[1]):
            k = _find(wanted, cell, values[j])
            if k >= 0:
                out[k] += share * counts[j]
    else:
        for k in range(cell[0], cell[1]):
            j = _find(values, row, wanted[k])
            if j >= 0:
                out[k] += share * counts[j]


@njit(cache=True, nogil=True)
def _find(codes: CodeArray, stretch: tuple[int, int], code: int) -> int:
    """Find a code in a rising stretch; -1 if it is not there."""
    first, end = stretch
    while first < end:
        middle = (first + end) // 2
        if codes[middle] < code:
            first = middle + 1
        else:
            end = middle
    return first if first < stretch[1] and codes[first] == code else -1
