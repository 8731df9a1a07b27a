"""Straddling groups: which cuts of sorted rows separate members of the same group."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["count_open"]


@njit(cache=True, nogil=True)
def count_open(
    rows: CodeArray,
    starts: CountArray,
    order: CodeArray,
    indptr: CountArray,
    groups: CodeArray,
    n_groups: int,
) -> CountArray:
    """Count for every position in lists of rows the groups with members before and after it.

    Parameters
    ----------
    rows, starts
        Lists of rows one after the other, and where they start; the end of the last list at the
        end.
    order
        The item that every row stands for.
    indptr, groups
        For each item the groups that have members in it, as lists one after the other.
    n_groups
        How many groups there are.

    Returns
    -------
    CountArray
        For each row the number of groups that have a member before it in its list, and another one
        at it or after it.

    Notes
    -----
    O(n) for n members of groups in all lists.
    """
    found = np.zeros(rows.size, np.int64)
    left = np.zeros(n_groups, np.int64)
    is_open = np.zeros(n_groups, np.bool_)
    for i in range(starts.size - 1):
        # First count the members of every group in this list, so that the second pass sees which is
        # last.
        for at in range(starts[i], starts[i + 1]):
            thing = order[rows[at]]
            for j in range(indptr[thing], indptr[thing + 1]):
                left[groups[j]] += 1
        n_open = 0
        for at in range(starts[i], starts[i + 1]):
            found[at] = n_open
            thing = order[rows[at]]
            for j in range(indptr[thing], indptr[thing + 1]):
                group = groups[j]
                left[group] -= 1
                # A group is open between its first and its last member. A group of one member was
                # never open, so the flag is subtracted and not 1.
                if left[group] == 0:
                    n_open -= is_open[group]
                    is_open[group] = False
                elif not is_open[group]:
                    is_open[group] = True
                    n_open += 1
    return found
