"""What people's groups have in common with all earlier ones, while groups are split."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray

__all__ = ["Known", "are_safe", "is_safe", "part"]


class Known(NamedTuple):
    """What is known of people already.

    Attributes
    ----------
    values, kinds
        What each person has, and his kind: those of whom the same is known; -1 if nothing is.
    starts, left, counts
        For each kind the values that he may have, as a CSR matrix.
    """

    values: CodeArray
    kinds: CodeArray
    starts: CountArray
    left: CodeArray
    counts: CountArray


@njit(cache=True, nogil=True)
def is_safe(
    people: CountArray, known: Known, bound: tuple[int, int], counted: CountArray, seen: CountArray
) -> bool:
    """Tell whether a group leaves enough doubt about everybody in it of whom something is known.

    Parameters
    ----------
    people
        The people of the group.
    known
        What is known of them.
    bound
        Numerator and denominator of the largest share that a value may have.
    counted, seen
        Room, all zero: for each value, and for each kind. It is left all zero.

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
        if kind < 0 or seen[kind] or not is_fine:
            continue
        seen[kind] = 1
        peak, total = 0, 0
        for i in range(known.starts[kind], known.starts[kind + 1]):
            n = min(known.counts[i], counted[known.left[i]])
            total += n
            peak = max(peak, n)
        is_fine = peak * q <= total * p
    for person in people:
        counted[known.values[person]] = 0
        if known.kinds[person] >= 0:
            seen[known.kinds[person]] = 0
    return is_fine


@njit(cache=True, nogil=True)
def are_safe(
    order: CountArray, ends: CountArray, known: Known, bound: tuple[int, int], n_values: int
) -> bool:
    """Tell whether `is_safe` holds of every stretch of ``order``."""
    counted, seen = np.zeros(n_values, np.int64), np.zeros(known.starts.size, np.int64)
    first = 0
    for end in ends:
        if not is_safe(order[first:end], known, bound, counted, seen):
            return False
        first = end
    return True


@njit(cache=True, nogil=True)
def part(order: CountArray, first: int, last: int, right: CountArray, seen: CountArray) -> int:
    """Put those of a stretch who are to leave behind the others; give where they begin.

    ``seen`` is room for each person, all zero, and is left so.
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
