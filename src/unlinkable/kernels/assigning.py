"""Giving records to people, the surest pair first."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["assign_greedily"]


@njit(cache=True, nogil=True)
def assign_greedily(
    order: CountArray,
    kinds: CodeArray,
    looks: CodeArray,
    people: CountArray,
    records: CountArray,
) -> CountArray:
    """Give records to people pair by pair, as many as are left of both. O(n).

    ``people`` and ``records`` say how many there are of each kind and look, and are used up.
    Returns how many records went to each pair.
    """
    given = np.zeros(order.size, np.int64)
    for e in order:
        n = min(people[kinds[e]], records[looks[e]])
        given[e] = n
        people[kinds[e]] -= n
        records[looks[e]] -= n
    return given
