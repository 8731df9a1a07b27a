"""Intersection check: what the groups of people have in common with all earlier ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["KnownValues", "are_safe", "is_safe", "part"]


class KnownValues(NamedTuple):
    """What is known of people already.

    Attributes
    ----------
    values, kinds
        The sensitive value of each person, and their kind: people of whom the same is known; -1 if
        nothing is known.
    starts, left, counts
        For each kind the values that such a person may have, as a CSR matrix.
    """

    values: CodeArray
    kinds: CodeArray
    starts: CountArray
    left: CodeArray
    counts: CountArray


@njit(cache=True, nogil=True)
def is_safe(
    people: CountArray,
    known: KnownValues,
    bound: tuple[int, int],
    counted: CountArray,
    seen: CountArray,
) -> bool:
    """Tell whether a group keeps the belief in every value of its people low enough.

    Parameters
    ----------
    people
        The people of the group.
    known
        What is known of them.
    bound
        Numerator and denominator of the largest share that a value may have.
    counted, seen
        Scratch memory, all zero before and after: one entry for each value, and for each kind.

    Notes
    -----
    O(n s) for n people of whom s values are known.
    """
    p, q = bound
    for person in people:
        counted[known.values[person]] += 1
    is_fine = True
    for person in people:
        kind = known.kinds[person]
        # People of one kind are left with the same values, so one of them decides for all.
        if kind < 0 or seen[kind] or not is_fine:
            continue
        seen[kind] = 1
        peak, total = 0, 0
        for i in range(known.starts[kind], known.starts[kind + 1]):
            # After all releases a person has a value no more often than the least count of it in
            # any of their groups: the multisets are intersected.
            n = min(known.counts[i], counted[known.left[i]])
            total += n
            peak = max(peak, n)
        is_fine = peak * q <= total * p
    # Only the entries that were used are cleared, so a small group costs little.
    for person in people:
        counted[known.values[person]] = 0
        if known.kinds[person] >= 0:
            seen[known.kinds[person]] = 0
    return is_fine


@njit(cache=True, nogil=True)
def are_safe(
    order: CountArray, ends: CountArray, known: KnownValues, bound: tuple[int, int], n_values: int
) -> bool:
    """Tell whether `is_safe` holds for every slice of ``order``."""
    counted, seen = np.zeros(n_values, np.int64), np.zeros(known.starts.size, np.int64)
    first = 0
    for end in ends:
        if not is_safe(order[first:end], known, bound, counted, seen):
            return False
        first = end
    return True


@njit(cache=True, nogil=True)
def part(order: CountArray, first: int, last: int, right: CountArray, seen: CountArray) -> int:
    """Move those of a slice who are to leave behind the others; return where they begin.

    ``seen`` is scratch memory with an entry for each person, all zero before and after.
    """
    for person in right:
        seen[person] = 1
    while first < last:
        person = order[first]
        if seen[person]:
            last -= 1
            order[first], order[last] = order[last], person
        else:
            first += 1
    for person in right:
        seen[person] = 0
    return first
