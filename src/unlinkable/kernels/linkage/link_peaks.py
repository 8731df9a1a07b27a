"""Link peaks: the likeliest sensitive value among the records that match each kind of person."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["peaks"]


@njit(cache=True, nogil=True)
def peaks(
    indptr: CountArray,
    looks: CodeArray,
    starts: CountArray,
    values: CodeArray,
    amounts: FloatArray,
    n_values: int,
) -> tuple[CodeArray, FloatArray]:
    """Add up the histograms of the members of every row, and find the largest entry of each.

    ``looks[indptr[row]:indptr[row + 1]]`` are the members of a row, and
    ``values[starts[look]:starts[look + 1]]`` the sensitive values of a member. Of equal entries the
    lowest value is taken; -1 stands for a row without members. O(n_values) memory, and O(1) for
    each entry of each member.
    """
    n = indptr.size - 1
    best = np.empty(n, np.int32)
    highest = np.zeros(n, np.float64)
    sums = np.zeros(n_values, np.float64)
    for row in range(n):
        code, most = -1, 0.0
        for k in range(indptr[row], indptr[row + 1]):
            for e in range(starts[looks[k]], starts[looks[k] + 1]):
                sums[values[e]] += amounts[e]
        # The same entries are visited again to read and clear their sums. A value met twice is 0
        # the second time, so ``sums`` is all zero for the next row without a pass over all values.
        for k in range(indptr[row], indptr[row + 1]):
            for e in range(starts[looks[k]], starts[looks[k] + 1]):
                value = values[e]
                amount = sums[value]
                sums[value] = 0.0
                if amount > most or (amount == most and amount > 0 and value < code):
                    code, most = value, amount
        best[row], highest[row] = code, most
    return best, highest
