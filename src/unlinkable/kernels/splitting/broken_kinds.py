"""Broken kinds: cuts that leave too few people of a kind, or too many with the same value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["KindCounts", "count_broken"]


class KindCounts(NamedTuple):
    """How many records of every kind and value there are in each item.

    Attributes
    ----------
    indptr, cells, counts
        For each item its cells, rising, and how many records are in them, as a CSR matrix. A cell
        is a kind together with a value.
    kind
        The kind of each cell.
    starts
        Where the cells of each kind begin, and where the last ones end.
    """

    indptr: CountArray
    cells: CodeArray
    counts: CountArray
    kind: CodeArray
    starts: CountArray


@njit(cache=True, nogil=True)
def count_broken(
    rows: CodeArray,
    starts: CountArray,
    order: CodeArray,
    kinds: KindCounts,
    k: int,
    bound: tuple[int, int],
) -> CountArray:
    """Count for every position in lists of rows the kinds that a cut there would break.

    A kind is broken if it is on both sides, and on one of them with fewer than k records, or with a
    value above its share.

    Parameters
    ----------
    rows, starts
        Lists of rows one after the other, and where they start; the end of the last list at the
        end.
    order
        The item that every row stands for.
    kinds
        The records of items.
    k, bound
        How many records a part must have, and numerator and denominator of the largest share that a
        value may have in it. No product of a share and a number of records may exceed 64 bits.

    Returns
    -------
    CountArray
        For each row the number of kinds that are broken if the list is cut before it.

    Notes
    -----
    O(n s) for n entries of items in all lists, and s values of a kind.
    """
    broken = np.zeros(rows.size, np.int64)
    below, above = np.zeros((2, kinds.kind.size), np.int64)
    n_below, n_above = np.zeros((2, kinds.starts.size - 1), np.int64)
    is_broken = np.zeros(n_below.size, np.bool_)
    for i in range(starts.size - 1):
        # Before the first row, all records of the list are above the cut.
        for at in range(starts[i], starts[i + 1]):
            item = order[rows[at]]
            for j in range(kinds.indptr[item], kinds.indptr[item + 1]):
                above[kinds.cells[j]] += kinds.counts[j]
                n_above[kinds.kind[kinds.cells[j]]] += kinds.counts[j]
        n_broken = 0
        for at in range(starts[i], starts[i + 1]):
            broken[at] = n_broken
            item = order[rows[at]]
            first, last = kinds.indptr[item], kinds.indptr[item + 1]
            for j in range(first, last):
                cell, n = kinds.cells[j], kinds.counts[j]
                below[cell] += n
                above[cell] -= n
                n_below[kinds.kind[cell]] += n
                n_above[kinds.kind[cell]] -= n
            # Only kinds with records in the row can have changed. Their cells follow each other, so
            # each kind is looked at once, at its last cell.
            for j in range(first, last):
                kind = kinds.kind[kinds.cells[j]]
                if j + 1 < last and kinds.kind[kinds.cells[j + 1]] == kind:
                    continue
                now = False
                if n_below[kind] > 0 and n_above[kind] > 0:
                    now = not (
                        _is_good(kind, n_below[kind], below, kinds, k, bound)
                        and _is_good(kind, n_above[kind], above, kinds, k, bound)
                    )
                n_broken += now - is_broken[kind]
                is_broken[kind] = now
        # At the end all records are below, and only these counts are to be cleared.
        for at in range(starts[i], starts[i + 1]):
            item = order[rows[at]]
            for j in range(kinds.indptr[item], kinds.indptr[item + 1]):
                below[kinds.cells[j]] = 0
                n_below[kinds.kind[kinds.cells[j]]] = 0
    return broken


@njit(cache=True, nogil=True)
def _is_good(
    kind: int, n: int, counts: CountArray, kinds: KindCounts, k: int, bound: tuple[int, int]
) -> bool:
    """Whether a part of a kind has enough records, and no value above its share."""
    if n < k:
        return False
    for cell in range(kinds.starts[kind], kinds.starts[kind + 1]):
        if counts[cell] * bound[1] > n * bound[0]:
            return False
    return True
