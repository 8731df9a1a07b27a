"""Claims: people compete for records, where no record belongs to two people.

What one person's claim to a record is worth depends on the claims of others to it, and theirs on
the other records that they match. Messages go back and forth until nothing changes (belief
propagation). Where the graph of claims has no cycle this is exact.

Greedy assignment gives published records to people, the likeliest pair first.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["assign_greedily", "settle_claims"]

_LARGEST = 1e12
"""Larger odds are as good as certain, and sums of them would lose small terms."""


_CALM = 10
"""From this round on, messages are damped."""


@njit(cache=True, nogil=True)
def settle_claims(
    indptr: CountArray,
    looks: CodeArray,
    ratios: FloatArray,
    absent: float,
    people: FloatArray,
    sizes: CountArray,
    most_rounds: int,
    least: float,
) -> tuple[FloatArray, int]:
    """Compute for every pair the probability that a record of this look is a given person's.

    ``ratios[e]`` is how much likelier the pair is than that the person has no record, times the
    probability ``absent`` of that. Every look has ``sizes[look]`` records, every kind
    ``people[kind]`` people. Ends when no probability changes by more than ``least``; the ratios are
    used up. O(rounds pairs).
    """
    n, n_pairs = indptr.size - 1, looks.size
    none = np.empty(n, np.float64)
    for row in range(n):
        largest = 0.0
        for e in range(indptr[row], indptr[row + 1]):
            largest = max(largest, ratios[e])
        # Only the ratios of a row among themselves matter, so scaling all of them changes nothing.
        scale = max(largest / _LARGEST, 1.0)
        none[row] = absent / scale
        for e in range(indptr[row], indptr[row + 1]):
            ratios[e] /= scale
    free = np.ones(n_pairs, np.float32)
    odds = np.zeros(n_pairs, np.float64)
    belief = np.zeros(n_pairs, np.float64)
    claims = np.zeros(sizes.size, np.float64)
    rounds = 0
    while rounds < most_rounds:
        rounds += 1
        claims[:] = 0.0
        for row in range(n):
            total = none[row]
            for e in range(indptr[row], indptr[row + 1]):
                total += sizes[looks[e]] * ratios[e] * free[e]
            for e in range(indptr[row], indptr[row + 1]):
                # A message to one record leaves out what came from that record. All other records
                # of the look stay in the sum, so one share is subtracted and not all of them.
                others = max(total - ratios[e] * free[e], none[row])
                odds[e] = min(ratios[e] / max(others, 1e-300), _LARGEST)
                claims[looks[e]] += people[row] * odds[e]
        change = 0.0
        for e in range(n_pairs):
            # Likewise the claim of this one person is left out, and the others of the same kind
            # stay.
            told = 1.0 / (1.0 + max(claims[looks[e]] - odds[e], 0.0))
            # Averaging with the last message keeps cycles of claims from oscillating.
            free[e] = told if rounds < _CALM else (told + free[e]) / 2
            held = odds[e] * free[e]
            chance = held / (1.0 + held)
            change = max(change, abs(chance - belief[e]))
            belief[e] = chance
        if change <= least:
            break
    return belief, rounds


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
