"""Interning: equal lists are kept once, and called by a number."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.attacks.series import rows_of
from unlinkable.tables.groups import Histogram, RowNumbers
from unlinkable.typing import CodeArray, CountArray

__all__ = ["intern_lists", "intern_multisets"]


def intern_lists(
    indptr: CountArray, *columns: CodeArray | CountArray
) -> tuple[CodeArray, CountArray]:
    """Number equal lists, and tell where each number appears first.

    Parameters
    ----------
    indptr
        Where each list begins in the columns, and where the last one ends.
    columns
        What is in the lists, none negative. Lists are equal if they are as long, and equal on all
        columns place by place.

    Cost
    ----
    O(s) for s entries, in as many steps as the longest list has entries.

    Examples
    --------
    >>> lists, counts = np.array([4, 5, 4, 5, 4]), np.array([1, 1, 1, 1, 2])
    >>> labels, first = intern_lists(np.array([0, 2, 4, 5, 5]), lists, counts)
    >>> labels.tolist(), first.tolist()
    ([0, 0, 1, 2], [0, 2, 3])
    """
    lengths = np.diff(indptr)
    n = lengths.size
    numbers = np.zeros(n, np.int32)
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        rows = RowNumbers(longer.size)
        rows.add(numbers[longer], int(numbers.max(initial=0)) + 1)
        for column, size in zip(columns, sizes, strict=True):
            rows.add(column[indptr[longer] + place].astype(np.int32), size)
        numbers[longer] = rows.finish()[0]
    both = RowNumbers(n)
    both.add(numbers, int(numbers.max(initial=0)) + 1)
    both.add(lengths.astype(np.int32), int(lengths.max(initial=0)) + 1)
    return both.finish()


def intern_multisets(
    sets: list[Histogram], known: CodeArray
) -> tuple[tuple[CountArray, CodeArray, CountArray], CodeArray]:
    """Keep those multisets that somebody has, and equal ones once.

    Parameters
    ----------
    sets
        The multisets, one list after the other.
    known
        The number of everybody's multiset among all of these; -1 for who has none.
    """
    used, of_people = np.unique(known[known >= 0], return_inverse=True)
    indptr, values, counts = rows_of(sets, used)
    labels, first = intern_lists(indptr, values, counts)
    found = known.copy()
    found[known >= 0] = labels[of_people]
    return rows_of(sets, used[first]), found
