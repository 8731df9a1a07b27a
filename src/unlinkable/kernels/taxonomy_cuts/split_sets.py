"""Split sets: the least cost of each split of values, if it is made or if it is ruled out.

Rows are the groups of the finest table that a search can still reach, and every row belongs to a
group of the coarsest one, its head. A split separates values on one column: values from ``at`` on
from those before, or, if ``first`` is not negative, the parts of the range ``[lo, hi)`` from each
other and from everything outside of it.
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
    """Compute a lower bound of the loss if each of some splits is made.

    Parameters
    ----------
    splits
        The splits to try.
    rules
        For all splits: their column, ``at``, ``lo``, ``hi``, ``first``; and from ``first`` on the
        part of every code of the range.
    codes, sizes
        ``codes[j, r]`` is the code of row r on column j; how many records it has.
    costs
        The least cost of every row if it is kept, and its cost if it is suppressed.
    heads
        The rows, those of each head together; where each head begins, and the end; which heads are
        suppressed in any case.
    least
        Groups of fewer records than this are suppressed.
    floors
        By split the least cost of all rows; on entry their least cost without it.
    found
        By split how many more records are suppressed, how many are in heads that are split, and
        whether for every head that is split at most one part is kept and suppressing the others
        costs more than the head does, if a suppressed record costs as much as there are records in
        all (1 if so for all heads).

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
        # Each head is judged by itself: no coarser table than the coarsest can merge rows of two
        # heads.
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
                    # A part with fewer than ``least`` records stays too small however it is split
                    # further.
                    r = order[x]
                    if sums[parts[r]] < least:
                        floors[i] += gone[r] - kept[r]
                        n_lost += sizes[r]
                    else:
                        most = sums[parts[r]]
                found[0, i] += n_lost
                # With one part of ``most`` records kept, the head costs in_all^2 - most^2 more than
                # that part, which is n_lost (n_lost + 2 most); suppressing the rest costs n_lost
                # times ``total``.
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
    """Compute a lower bound of the cost if the codes of each of some ranges stay together.

    A row of s records costs ``s * max(s, least)``. Rows of the same line differ on one column only,
    whose codes are given; ``order`` sorts them by line, and then by code. The increase that joining
    the rows of a line causes is added to the floors, unless they are suppressed. O(n) for n rows
    and each range.
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
            # Codes rise within a line, so the rows of the range follow each other.
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
    """Compute a lower bound of the cost if the codes of each of some ranges stay together.

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
                # The joined row agrees with one class only; the rows agreed with the majority of
                # each.
                floors[i] += share * (peaks - peak)
            x = y
