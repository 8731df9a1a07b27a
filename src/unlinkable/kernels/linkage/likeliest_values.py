"""Likeliest values: the most probable value of people who match several records."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["likeliest"]


@njit(cache=True, nogil=True)
def likeliest(
    indptr: CountArray,
    looks: CodeArray,
    mass_indptr: CountArray,
    values: CodeArray,
    masses: FloatArray,
    n_values: int,
) -> tuple[CodeArray, FloatArray, FloatArray]:
    """Add up the masses of the looks that match each person, and find the heaviest value.

    Person ``i`` matches ``looks[indptr[i]:indptr[i + 1]]``, and look ``l`` hides
    ``values[mass_indptr[l]:mass_indptr[l + 1]]`` with the masses beside them. Returns the value
    (the lowest of those with the same mass, -1 if there is none), its mass, and the mass of all
    values. O(s) for s entries that are added.
    """
    n = indptr.size - 1
    best, peak, total = np.full(n, -1, np.int32), np.zeros(n), np.zeros(n)
    added, met = np.zeros(n_values), np.empty(n_values, np.int32)
    for i in range(n):
        n_met = 0
        for at in range(indptr[i], indptr[i + 1]):
            look = looks[at]
            for j in range(mass_indptr[look], mass_indptr[look + 1]):
                value = values[j]
                # The values met are listed, so that clearing ``added`` costs no pass over all
                # values.
                if added[value] == 0.0:
                    met[n_met] = value
                    n_met += 1
                added[value] += masses[j]
                total[i] += masses[j]
        for m in range(n_met):
            value = met[m]
            is_more = added[value] > peak[i]
            if is_more or (added[value] == peak[i] and value < best[i]):
                best[i], peak[i] = value, added[value]
            added[value] = 0.0
    return best, peak, total
