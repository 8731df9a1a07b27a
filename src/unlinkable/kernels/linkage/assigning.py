"""Greedy assignment: published records are given to people, the surest pair first."""

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
    """Assign records to people pair by pair, as many as are left of both. O(n).

    ``people`` and ``records`` count the people of each kind and the records of each look; both are
    used up. Returns how many records were assigned to each pair.
    """
    given = np.zeros(order.size, np.int64)
    for e in order:
        # No record is given to two people: both counts shrink, so a later pair gets only the rest.
        n = min(people[kinds[e]], records[looks[e]])
        given[e] = n
        people[kinds[e]] -= n
        records[looks[e]] -= n
    return given
