"""Trying splits of values: what every one of them would cost, whether it is made or given up.

Rows are the groups of the finest table that a search can still reach, and every row belongs to a
group of the coarsest one, its head. A split tells values apart on one column: values from ``at`` on
from those before, or, if ``first`` is not negative, the parts of the range ``[lo, hi)`` from each
other and from all that is outside of it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["join_classes", "join_sizes", "try_splits"]


@njit(cache=True, nogil=True)
def try_splits(
    splits: CodeArray,
    rules: tuple[CodeArray, CodeArray, CodeArray, CodeArray, CountArray, CodeArray],
    codes: CodeArray,
    sizes: CountArray,
    costs: tuple[FloatArray, FloatArray],
    heads: tuple[CountArray, CountArray, BoolArray],
    least: int,
    floors: FloatArray,
    found: CountArray,
) -> None:
    """Find what is lost at least if each of some splits is made.

    Parameters
    ----------
    splits
        Which to try.
    rules
        For all splits: their column, ``at``, ``lo``, ``hi``, ``first``; and from ``first`` on the
        part of every code of the range.
    codes, sizes
        ``codes[j, r]`` is the code of row r on column j; how many records it has.
    costs
        What every row costs at least if it is kept, and what it costs if it is left out.
    heads
        The rows, those of each head together; where each head begins, and the end; which heads are
        left out in any case.
    least
        Groups of fewer records than this are left out.
    floors
        By split what all rows cost at least; on entry what they cost without it.
    found
        By split how many more records are left out, how many are in heads that are split, and
        whether each head that is split has at most one part that is not left out, and whether
        leaving out the others costs more than the head, if a record that is left out costs as much
        as there are records in all (1 if so for all heads).

    O(n) for n rows and each split.
    """
    column, at, lo, hi, first, part = rules
    kept, gone = costs
    order, starts, is_lost = heads
    n_parts = 2
    for v in splits:
        if first[v] >= 0:
            for c in range(lo[v], hi[v]):
                n_parts = max(n_parts, part[first[v] + c - lo[v]] + 2)
    sums = np.zeros(n_parts, np.int64)
    parts = np.empty(sizes.size, np.int32)
    total = 0
    for r in range(sizes.size):
        total += sizes[r]
    for i in range(splits.size):
        v = splits[i]
        found[0, i], found[1, i], found[2, i] = 0, 0, 1
        for g in range(starts.size - 1):
            if is_lost[g]:
                continue
            is_split, in_all = False, 0
            for x in range(starts[g], starts[g + 1]):
                r = order[x]
                c = codes[column[v], r]
                if first[v] < 0:
                    p = 1 if c >= at[v] else 0
                elif lo[v] <= c < hi[v]:
                    p = part[first[v] + c - lo[v]] + 1
                else:
                    p = 0
                parts[r] = p
                sums[p] += sizes[r]
                in_all += sizes[r]
                if p != parts[order[starts[g]]]:
                    is_split = True
            if is_split:
                found[1, i] += in_all
                n_lost, most = 0, 0
                for x in range(starts[g], starts[g + 1]):
                    r = order[x]
                    if sums[parts[r]] < least:
                        floors[i] += gone[r] - kept[r]
                        n_lost += sizes[r]
                    else:
                        most = sums[parts[r]]
                found[0, i] += n_lost
                if n_lost == 0 or n_lost + most < in_all or n_lost + 2 * most > total:
                    found[2, i] = 0
            for x in range(starts[g], starts[g + 1]):
                sums[parts[order[x]]] = 0


@njit(cache=True, nogil=True)
def join_sizes(
    spans: tuple[CodeArray, CodeArray],
    codes: CodeArray,
    lines: CodeArray,
    order: CodeArray,
    sizes: CountArray,
    is_lost: BoolArray,
    least: int,
    floors: FloatArray,
) -> None:
    """Find what rows cost at least if the codes of each of some ranges are not told apart.

    A row of s records costs ``s * max(s, least)``. Rows of the same line differ on one column only,
    whose codes are given; ``order`` puts them line by line, and by code. What joining the rows of a
    line adds is added to the floors, unless they are left out. O(n) for n rows and each range.
    """
    lo, hi = spans
    for i in range(lo.size):
        x = 0
        while x < order.size:
            r = order[x]
            if codes[r] < lo[i] or codes[r] >= hi[i]:
                x += 1
                continue
            joined, before, y = 0, 0.0, x
            while y < order.size and lines[order[y]] == lines[r] and codes[order[y]] < hi[i]:
                s = sizes[order[y]]
                joined += s
                before += np.float64(s) * max(s, least)
                y += 1
            if y > x + 1 and not is_lost[r]:
                floors[i] += np.float64(joined) * max(joined, least) - before
            x = y


@njit(cache=True, nogil=True)
def join_classes(
    spans: tuple[CodeArray, CodeArray],
    codes: CodeArray,
    lines: CodeArray,
    order: CodeArray,
    classes: NDArray[np.int64],
    is_lost: BoolArray,
    share: float,
    floors: FloatArray,
) -> None:
    """Find what rows cost at least if the codes of each of some ranges are not told apart.

    As `join_sizes`, but every record costs ``share`` that has another class than most of its row;
    ``classes[r, c]`` counts the records of class c in row r. O(n m) for m classes and each range.
    """
    lo, hi = spans
    joined = np.zeros(classes.shape[1], np.int64)
    for i in range(lo.size):
        x = 0
        while x < order.size:
            r = order[x]
            if codes[r] < lo[i] or codes[r] >= hi[i]:
                x += 1
                continue
            for c in range(joined.size):
                joined[c] = 0
            peaks, y = 0, x
            while y < order.size and lines[order[y]] == lines[r] and codes[order[y]] < hi[i]:
                peak = 0
                for c in range(joined.size):
                    joined[c] += classes[order[y], c]
                    peak = max(peak, classes[order[y], c])
                peaks += peak
                y += 1
            if y > x + 1 and not is_lost[r]:
                peak = 0
                for c in range(joined.size):
                    peak = max(peak, joined[c])
                floors[i] += share * (peaks - peak)
            x = y
