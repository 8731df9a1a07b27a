"""Bucketing: records are put into buckets of different sensitive values.

Records come in a random order and are taken in that order: with the same order, a kernel gives the
same buckets on every machine.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["fill_buckets", "order_by_label", "place_left_over", "take_largest"]


@njit(cache=True, nogil=True)
def order_by_label(
    order: CountArray, labels: CodeArray, n_labels: int
) -> tuple[CountArray, CountArray]:
    """Sort records by their label, those of one label in the order given; -1 is left out.

    Also returns where each label begins, and the end. A counting sort: O(n).
    """
    starts = np.zeros(n_labels + 1, np.int64)
    for i in order:
        if labels[i] >= 0:
            starts[labels[i] + 1] += 1
    for g in range(n_labels):
        starts[g + 1] += starts[g]
    free = starts.copy()
    out = np.empty(starts[n_labels], np.int64)
    for i in order:
        g = labels[i]
        if g >= 0:
            out[free[g]] = i
            free[g] += 1
    return out, starts


@njit(cache=True, nogil=True)
def take_largest(values: CodeArray, counts: CountArray, l: int) -> tuple[CodeArray, CountArray]:  # noqa: E741
    """Take one of each of the ``l`` most frequent values, repeatedly, while there are l.

    Values come with falling counts. Returns the values of each bucket, one bucket after the other,
    and how often each of the values is left. Of equally frequent values, those that come last are
    taken first: then the counts left still fall, and nothing has to be sorted. O(l + log m) for
    each bucket and m values.
    """
    left = counts.copy()
    n_there, total = 0, 0
    for count in left:
        n_there += 1 if count > 0 else 0
        total += count
    taken = np.empty(total // l * l, np.int32)
    n_taken = 0
    while n_there >= l:
        # All values before ``first`` are more frequent than the l-th and are taken. Among the ties
        # ``first:last`` any may be chosen; the last ones keep the order.
        least = left[l - 1]
        first = _first_at_most(left, n_there, least)
        last = _first_at_most(left, n_there, least - 1)
        n_ties = l - first
        for j in range(first):
            left[j] -= 1
            taken[n_taken + j] = values[j]
        for j in range(n_ties):
            left[last - n_ties + j] -= 1
            taken[n_taken + first + j] = values[last - n_ties + j]
        n_taken += l
        # The ties that were taken had a count of 1, so these values are used up.
        if least == 1:
            n_there -= n_ties
    return taken[:n_taken], left


@njit(cache=True, nogil=True)
def _first_at_most(falling: CountArray, n: int, bound: int) -> int:
    """Find the first of ``n`` falling numbers that is at most a bound; n if there is none."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if falling[middle] <= bound:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def fill_buckets(
    taken: CodeArray,
    l: int,  # noqa: E741
    by_value: CountArray,
    starts: CountArray,
    n_records: int,
) -> tuple[CodeArray, CountArray]:
    """Assign every record a bucket, -1 if none is left for it; count the used records of a value.

    ``taken`` are the values of the buckets, ``l`` each; the records of value ``v`` are
    ``by_value[starts[v]:starts[v + 1]]``. O(n).
    """
    labels = np.empty(n_records, np.int32)
    for i in range(n_records):
        labels[i] = -1
    used = np.zeros(starts.size - 1, np.int64)
    for j in range(taken.size):
        v = taken[j]
        labels[by_value[starts[v] + used[v]]] = j // l
        used[v] += 1
    return labels, used


@njit(cache=True, nogil=True)
def place_left_over(
    labels: CodeArray,
    by_value: CountArray,
    starts: CountArray,
    used: CountArray,
    n_buckets: int,
    begin: CountArray,
) -> int:
    """Put the left-over records into buckets without their value; count those that fit nowhere.

    The k-th of them searches from bucket ``begin[k]`` on, and prefers a bucket that no other
    left-over record has joined. Changes ``labels``. O(m + b) for each of them, with m records of
    its value and b buckets.
    """
    joined = np.zeros(n_buckets, np.bool_)
    n_homeless, k = 0, 0
    for v in range(used.size):
        if starts[v] + used[v] == starts[v + 1]:
            continue
        # A bucket must not get a value twice, so the buckets that have this value are marked first.
        has = np.zeros(n_buckets, np.bool_)
        for j in range(starts[v], starts[v] + used[v]):
            has[labels[by_value[j]]] = True
        for j in range(starts[v] + used[v], starts[v + 1]):
            best = -1
            for step in range(n_buckets):
                g = (begin[k] + step) % n_buckets
                if not has[g] and (best < 0 or not joined[g]):
                    best = g
                    if not joined[g]:
                        break
            k += 1
            if best < 0:
                n_homeless += 1
                continue
            labels[by_value[j]] = best
            has[best] = True
            joined[best] = True
    return n_homeless
