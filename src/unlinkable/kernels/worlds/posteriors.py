"""Posteriors: what the adversary believes of everybody in a group after it was published.

`unlinkable.kernels.worlds.value_worlds` and `unlinkable.kernels.worlds.assignments` compute the
highest posterior belief in a value. Here it is computed for all people. Groups come as there. The
result is a table for every group, with one row for each kind of people and one column for each
value; all tables stand one after the other, row by row. ``start[j]`` is where the row of kind ``j``
begins.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.worlds.assignments import count_worlds, is_one_kind, look_up
from unlinkable.kernels.worlds.swap_bounds import bound_chances
from unlinkable.kernels.worlds.value_worlds import chance_among
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["joint_posteriors", "row_starts", "rule_out", "value_posteriors"]

_FEW = 1 << 12
"""`chance_among` needs scratch memory for this many ways and two more if it counts by person."""


@njit(cache=True, nogil=True)
def row_starts(indptr: CountArray, at: CountArray) -> CountArray:
    """Find where the row of every kind of people begins, and where the last one ends."""
    start = np.zeros(indptr[-1] + 1, np.int64)
    for g in range(at.size - 1):
        for j in range(indptr[g], indptr[g + 1]):
            start[j + 1] = start[j] + at[g + 1] - at[g]
    return start


@njit(cache=True, nogil=True)
def joint_posteriors(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    at: CountArray,
    columns: CodeArray,
    times: CountArray,
    shares: FloatArray,
    most_states: int,
) -> tuple[FloatArray, BoolArray]:
    """Compute the posterior belief in each value of everybody's group, all values jointly.

    Also says which groups were counted exactly. A group with more than ``most_states`` states is
    not: its beliefs are upper bounds. NaN where no world has any weight. The cost is that of
    `unlinkable.kernels.worlds.assignments.joint_chances`.
    """
    start = row_starts(indptr, at)
    out, is_counted = np.empty(start[-1], np.float64), np.ones(at.size - 1, np.bool_)
    onward, back = np.empty(most_states, np.float64), np.empty(most_states, np.float64)
    for g in range(at.size - 1):
        n_each, room = counts[indptr[g] : indptr[g + 1]], times[at[g] : at[g + 1]]
        weights = look_up(shares, rows[indptr[g] : indptr[g + 1]], columns[at[g] : at[g + 1]])
        found = np.full(weights.shape, np.nan)
        if not is_one_kind(weights):
            is_counted[g] = count_worlds(weights, n_each, room, onward, back, found)
        # People of one kind are interchangeable, so each has the frequencies of the group.
        elif weights.size and weights[0].min() > 0:
            found[:] = room / room.sum()
        if not is_counted[g]:
            bound_chances(weights, n_each, room, found)
        out[start[indptr[g]] : start[indptr[g + 1]]] = found.ravel()
    return out, is_counted


@njit(cache=True, nogil=True)
def value_posteriors(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    at: CountArray,
    columns: CodeArray,
    times: CountArray,
    shares: FloatArray,
    others: FloatArray,
) -> FloatArray:
    """Compute the posterior belief in each value of everybody's group, one value against the rest.

    0 for a value that is not asked about, NaN where no world has any weight. People who are certain
    to have the value have it; the remaining ones are distributed among all others. O(u n f) for u
    kinds among n people, f of whom have the value, in small groups, and O(u^2) in large ones.
    """
    start = row_starts(indptr, at)
    out = np.zeros(start[-1], np.float64)
    odds, sizes = np.empty(rows.size, np.float64), np.empty(rows.size, np.int64)
    ways = np.empty(_FEW + 2, np.float64)
    for g in range(at.size - 1):
        for e in range(at[g], at[g + 1]):
            x = columns[e]
            if x < 0:
                continue
            stock = _take_stock(indptr, rows, counts, g, x, shares, others)
            total, n_certain, n_open, is_even = stock
            # The certain ones must all have the value, and nobody else than the open ones can have
            # the rest.
            is_possible = n_certain <= times[e] <= n_certain + n_open
            for j in range(indptr[g], indptr[g + 1]):
                cell = start[j] + e - at[g]
                if is_even:
                    out[cell] = times[e] / total
                elif not is_possible:
                    out[cell] = np.nan
                elif others[rows[j], x] == 0 or shares[rows[j], x] == 0:
                    out[cell] = 1.0 if others[rows[j], x] == 0 else 0.0
                elif times[e] > n_certain:
                    u = _against(indptr, rows, counts, g, j, x, shares, others, odds, sizes)
                    # The certain ones use up part of the records with the value; the open ones
                    # share what is left.
                    f = times[e] - n_certain
                    out[cell] = chance_among(odds[:u], sizes[:u], 0, n_open, f, ways)
    return out


@njit(cache=True, nogil=True)
def rule_out(start: CountArray, chances: FloatArray, l: int) -> FloatArray:  # noqa: E741
    """Compute the belief that remains beside each value when the l likeliest others are ruled out.

    O(v^2 log v) for every row of v values.
    """
    out = np.empty(chances.size, np.float64)
    for j in range(start.size - 1):
        for c in range(start[j], start[j + 1]):
            rest = np.sort(np.append(chances[start[j] : c], chances[c + 1 : start[j + 1]]))
            out[c] = rest[: max(rest.size - l, 0)].sum()
    return out


@njit(cache=True, nogil=True)
def _take_stock(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    g: int,
    x: int,
    shares: FloatArray,
    others: FloatArray,
) -> tuple[int, int, int, bool]:
    """Count the people of a group, those certain to have a value, and those for whom it is open.

    Also says whether all are equally likely to have it.
    """
    total, n_certain, n_open, is_even = 0, 0, 0, True
    for j in range(indptr[g], indptr[g + 1]):
        total += counts[j]
        if others[rows[j], x] == 0:
            n_certain += counts[j]
        elif shares[rows[j], x] > 0:
            n_open += counts[j]
        is_even &= shares[rows[j], x] == shares[rows[indptr[g]], x]
    return total, n_certain, n_open, is_even


@njit(cache=True, nogil=True)
def _against(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    g: int,
    j: int,
    x: int,
    shares: FloatArray,
    others: FloatArray,
    odds: FloatArray,
    sizes: CountArray,
) -> int:
    """List the odds of the people for whom a value is open, relative to those of kind j."""
    own, u = shares[rows[j], x] / others[rows[j], x], 0
    for i in range(indptr[g], indptr[g + 1]):
        share, other = shares[rows[i], x], others[rows[i], x]
        if share > 0 and other > 0:
            odds[u] = share / other / own
            # The person in question is no rival of their own.
            sizes[u] = counts[i] - (i == j)
            u += 1
    return u
