"""Assignments: posterior belief in all values of a group together, if only counts are published.

A world assigns the values of a group to its people. Its weight is the product of the prior beliefs
that each person has their value. Adding up all worlds is computing a permanent. It is done over the
counts of what is assigned so far, so that people of the same kind, and equal values, cost no more.

Groups come as in `unlinkable.kernels.worlds.value_worlds`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.worlds.swap_bounds import bound_chances
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["count_worlds", "is_one_kind", "joint_chances", "look_up"]

_ROUNDS = 50
"""Most rounds of balancing; how well it is balanced only decides how many digits are left."""

_TINY = 1e-200
"""Less weight than this has lost digits."""


@njit(cache=True, nogil=True)
def joint_chances(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    at: CountArray,
    columns: CodeArray,
    times: CountArray,
    shares: FloatArray,
    most_states: int,
) -> tuple[FloatArray, CodeArray, BoolArray, BoolArray]:
    """Compute the highest posterior belief of any person of each group in each of its values.

    Also returns which kind of person that is, and for every group whether all people are equally
    likely, and whether it was counted exactly. A group with more than ``most_states`` states is
    not: its beliefs are upper bounds. NaN where no world has any weight. O(s v) for s states and v
    values, where s is the product of all counts of values plus one, or of all counts of kinds of
    people plus one, whichever is less.
    """
    out, who = np.zeros(columns.size, np.float64), np.zeros(columns.size, np.int32)
    is_even, is_counted = np.ones(at.size - 1, np.bool_), np.ones(at.size - 1, np.bool_)
    onward, back = np.empty(most_states, np.float64), np.empty(most_states, np.float64)
    for g in range(at.size - 1):
        n_each, room = counts[indptr[g] : indptr[g + 1]], times[at[g] : at[g + 1]]
        weights = look_up(shares, rows[indptr[g] : indptr[g + 1]], columns[at[g] : at[g + 1]])
        found = np.full(weights.shape, np.nan)
        is_even[g] = is_one_kind(weights)
        if not is_even[g]:
            is_counted[g] = count_worlds(weights, n_each, room, onward, back, found)
        elif weights.size and weights[0].min() > 0:
            found[:] = room / room.sum()
        if not is_counted[g]:
            bound_chances(weights, n_each, room, found)
        for x in range(room.size):
            best = 0
            for i in range(1, n_each.size):
                if found[i, x] > found[best, x]:
                    best = i
            out[at[g] + x], who[at[g] + x] = found[best, x], rows[indptr[g] + best]
    return out, who, is_even, is_counted


@njit(cache=True, nogil=True)
def look_up(shares: FloatArray, rows: CodeArray, columns: CodeArray) -> FloatArray:
    """Look up the prior belief that people of each kind have each of the values of their group."""
    out = np.empty((rows.size, columns.size), np.float64)
    for i in range(rows.size):
        for x in range(columns.size):
            out[i, x] = shares[rows[i], columns[x]]
    return out


@njit(cache=True, nogil=True)
def count_worlds(
    weights: FloatArray,
    n_each: CountArray,
    room: CountArray,
    onward: FloatArray,
    back: FloatArray,
    found: FloatArray,
) -> bool:
    """Compute the belief of each kind of person in each value; False if states are too many."""
    by_value, by_person = _n_states(room, onward.size), _n_states(n_each, onward.size)
    if min(by_value, by_person) > onward.size:
        return False
    if by_value <= by_person:
        is_counted = _expect(weights, n_each, room, onward, back, found)
    else:
        # Assigning values to people and people to values are the same worlds: the fewer states
        # decide.
        turned = np.full((room.size, n_each.size), np.nan)
        is_counted = _expect(weights.T.copy(), room, n_each, onward, back, turned)
        found[:] = turned.T
    # The expected number of people of a kind with a value, divided by their number, is the belief.
    for i in range(n_each.size):
        found[i] /= n_each[i]
    return is_counted


@njit(cache=True, nogil=True)
def is_one_kind(weights: FloatArray) -> bool:
    """Whether all kinds of people are equally likely to have each value."""
    for i in range(1, weights.shape[0]):
        for x in range(weights.shape[1]):
            if weights[i, x] != weights[0, x]:
                return False
    return True


@njit(cache=True, nogil=True)
def _n_states(room: CountArray, most: int) -> int:
    """Count the ways to fill the room partly, up to one more than ``most``."""
    n = 1
    for r in room:
        n *= r + 1
        if n > most:
            return most + 1
    return n


@njit(cache=True, nogil=True)
def _expect(
    weights: FloatArray,
    n_each: CountArray,
    room: CountArray,
    onward: FloatArray,
    back: FloatArray,
    found: FloatArray,
) -> bool:
    """Compute how many of each kind are expected in each place; NaN if there is no world.

    A state is how full the places are, as a number in mixed radix: filling a place makes it
    greater, so all states that lead to one come before it. False if there are worlds, but their
    weight is too small for floats.
    """
    kind = np.repeat(np.arange(n_each.size), n_each)
    step = np.ones(room.size, np.int64)
    for d in range(1, room.size):
        step[d] = step[d - 1] * (room[d - 1] + 1)
    last = step[-1] * (room[-1] + 1) - 1
    # With weights of 0 and 1 no weight can vanish by rounding: this decides whether a world exists.
    support = (weights > 0).astype(np.float64)
    _go_on(support, kind, room, step, last, 1.0, onward)
    if onward[last] == 0:
        return True
    balanced = _balance(weights, n_each, room)
    _go_on(balanced, kind, room, step, last, np.inf, onward)
    if onward[last] < _TINY:
        return False
    _go_back(balanced, kind, room, step, onward[: last + 1], back, found)
    return True


@njit(cache=True, nogil=True)
def _go_on(
    weights: FloatArray,
    kind: CountArray,
    room: CountArray,
    step: CountArray,
    last: int,
    cap: float,
    onward: FloatArray,
) -> None:
    """Add up the weights of all ways to each state, none counted above ``cap``."""
    onward[: last + 1] = 0.0
    onward[0] = 1.0
    full, n = np.zeros(room.size, np.int64), 0
    for state in range(last):
        here = min(onward[state], cap)
        if here > 0:
            for d in range(room.size):
                if full[d] < room[d]:
                    # People are assigned in a fixed order, so the number of filled places says
                    # whose turn it is.
                    onward[state + step[d]] += here * weights[kind[n], d]
        # The next state is the mixed-radix number plus one, with carries.
        for d in range(room.size):
            full[d] += 1
            n += 1
            if full[d] <= room[d]:
                break
            n -= full[d]
            full[d] = 0


@njit(cache=True, nogil=True)
def _go_back(
    weights: FloatArray,
    kind: CountArray,
    room: CountArray,
    step: CountArray,
    onward: FloatArray,
    back: FloatArray,
    found: FloatArray,
) -> None:
    """Add up the weights of all ways from each state, and from these the expected numbers."""
    last = onward.size - 1
    found[:] = 0.0
    full, left = room.copy(), 0
    back[last] = 1.0
    for state in range(last - 1, -1, -1):
        for d in range(room.size):
            left += 1
            full[d] -= 1
            if full[d] >= 0:
                break
            left -= room[d] + 1
            full[d] = room[d]
        k, total = kind[kind.size - left], 0.0
        for d in range(room.size):
            if full[d] < room[d]:
                weight = weights[k, d] * back[state + step[d]]
                total += weight
                # All ways to the state, times this assignment, times all ways on from there.
                found[k, d] += onward[state] * weight
        back[state] = total
    found /= onward[last]


@njit(cache=True, nogil=True)
def _balance(weights: FloatArray, n_each: CountArray, room: CountArray) -> FloatArray:
    """Scale rows and columns until the expected number in each place is about its room.

    Scaling multiplies all worlds by the same factor. It changes no probability, and keeps the
    weight of all worlds together from vanishing.
    """
    out = weights.copy()
    for _ in range(_ROUNDS):
        off = 0.0
        for k in range(out.shape[0]):
            out[k] /= out[k].sum()
        for d in range(out.shape[1]):
            expected = (n_each * out[:, d]).sum()
            off = max(off, abs(expected - room[d]))
            out[:, d] *= room[d] / expected
        if off < 0.1:
            break
    for k in range(out.shape[0]):
        out[k] /= out[k].sum()
    return out
