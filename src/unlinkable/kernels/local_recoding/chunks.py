"""Chunks: a list of rows is cut into groups that are as small as allowed."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["chunks"]


@njit(cache=True, nogil=True)
def chunks(order: CodeArray, sizes: CountArray, least: int) -> tuple[CodeArray, int]:
    """Put consecutive rows together, and begin a new group whenever there are enough records.

    Rows that are large enough by themselves stay alone. What is left at the end joins the last
    group. Returns the group of every row, and the number of groups.

    Examples
    --------
    >>> sizes = np.array([1, 5, 1, 1, 1, 1])
    >>> chunks(np.arange(6, dtype=np.int32), sizes, 2)
    (array([1, 0, 1, 2, 2, 2], dtype=int32), 3)
    """
    labels = np.empty(sizes.size, np.int32)
    n_groups, total, last = 0, 0, -1
    for i in range(order.size):
        if sizes[order[i]] >= least:
            labels[order[i]] = n_groups
            n_groups += 1
            # If no group of small rows is ever completed, what is left joins the first large row.
            last = labels[order[i]] if last < 0 else last
    current = -1
    for i in range(order.size):
        row = order[i]
        if sizes[row] >= least:
            continue
        if current < 0:
            current, total = n_groups, 0
            n_groups += 1
        labels[row] = current
        total += sizes[row]
        if total >= least:
            last, current = current, -1
    # The last group of small rows stayed too small. It has the highest number, so dropping it
    # leaves the numbers of all others consecutive.
    if current >= 0 and last >= 0:
        for i in range(labels.size):
            if labels[i] == current:
                labels[i] = last
        n_groups -= 1
    return labels, n_groups
