"""Cutting a list of rows into groups that are as small as may be."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["chunks"]


@njit(cache=True, nogil=True)
def chunks(order: CodeArray, sizes: CountArray, least: int) -> tuple[CodeArray, int]:
    """Put rows together in their order, and begin a new group whenever there are enough records.

    Rows that are enough by themselves stay alone. What is left at the end joins the last group.
    Returns the group of every row, and the number of groups.

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
    if current >= 0 and last >= 0:
        for i in range(labels.size):
            if labels[i] == current:
                labels[i] = last
        n_groups -= 1
    return labels, n_groups
