"""Clashes: records are exchanged between buckets, so that fewer in a bucket share a value."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.perturbation.random_numbers import State, draw
from unlinkable.typing import CodeArray, CountArray

__all__ = ["n_clashes", "part_clashing"]


@njit(cache=True, nogil=True)
def part_clashing(
    labels: CodeArray,
    members: CountArray,
    first: CountArray,
    lead: CodeArray,
    by_value: CountArray,
    starts: CountArray,
    hidden: CodeArray,
    passes: int,
    trials: int,
    state: State,
) -> CodeArray:
    """Exchange records that clash with others of the same leading value, and return the buckets.

    ``members[first[g]:first[g + 1]]`` are the records of bucket g, ``by_value[starts[v]:starts[v +
    1]]`` those of leading value v, ``hidden`` the values on which records of a bucket may clash.
    Every record that clashes is tried against ``trials`` random others, in each of ``passes``
    rounds; an exchange is made if it leaves fewer clashing pairs. O(n t s c) for each round at
    worst, with s records in a bucket and c columns.
    """
    out, at = labels.copy(), np.empty(labels.size, np.int64)
    place = members.copy()
    for j in range(place.size):
        at[place[j]] = j
    for _ in range(passes):
        n_changed, n_open = 0, 0
        for j in range(place.size):
            i = place[j]
            here = n_clashes(hidden, place, first, out[i], i, i)
            if here == 0:
                continue
            n_open += 1
            v = lead[i]
            n_same = starts[v + 1] - starts[v]
            for _trial in range(trials):
                # The partner has the same leading value, so the exchange does not change the
                # distribution of that value in either bucket.
                other = by_value[starts[v] + int(draw(state) * n_same)]
                if out[other] == out[i]:
                    continue
                there = n_clashes(hidden, place, first, out[other], other, other)
                after = n_clashes(hidden, place, first, out[i], i, other)
                after += n_clashes(hidden, place, first, out[other], other, i)
                # The number of clashes falls with every exchange, so the rounds cannot cycle.
                if after < here + there:
                    at[i], at[other] = at[other], at[i]
                    place[at[i]], place[at[other]] = i, other
                    out[i], out[other] = out[other], out[i]
                    n_changed += 1
                    break
        # A round without an exchange or without clashes ends the search.
        if n_changed == 0 or n_open == 0:
            break
    return out


@njit(cache=True, nogil=True)
def n_clashes(
    hidden: CodeArray, members: CountArray, first: CountArray, g: int, gone: int, new: int
) -> int:
    """Count the values that record ``new`` shares with a bucket, without ``gone``. O(s c)."""
    n = 0
    for j in range(first[g], first[g + 1]):
        i = members[j]
        if i != gone:
            for c in range(hidden.shape[1]):
                if hidden[i, c] == hidden[new, c]:
                    n += 1
    return n
