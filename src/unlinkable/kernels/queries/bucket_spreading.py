"""Spreading: sensitive values of groups are spread over the cells that their records may lie in.

The values of groups come as CSR rows: ``values[rows[g]:rows[g + 1]]`` are the codes in group ``g``,
rising, and ``counts`` how often each occurs. The codes ``wanted[starts[c]:starts[c + 1]]``, rising,
are those whose number in cell ``c`` is to be estimated. There is one estimate for every entry of
``wanted``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["spread_over_members"]


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
    """Give every cell its share of the sensitive values of groups.

    ``groups[indptr[c]:indptr[c + 1]]`` are the groups with records in cell ``c``, and ``shares``
    the share of their records that lies there. O(sum of min(v, w) log max(v, w)) over all pairs of
    a cell and a group, for v codes of the group and w wanted codes of the cell.
    """
    out = np.zeros(wanted.size, np.float64)
    for c in range(starts.size - 1):
        for e in range(indptr[c], indptr[c + 1]):
            g = groups[e]
            row, cell = (rows[g], rows[g + 1]), (starts[c], starts[c + 1])
            _add(shares[e], values, counts, row, wanted, cell, out)
    return out


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

    The shorter of the two lists is scanned, and its codes are looked up in the longer.
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
