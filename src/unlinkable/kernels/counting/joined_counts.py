"""Joined counts: the groups of a join of two tables, counted without making its rows.

Records of a table that agree on some columns are a *part*. Parts lie under *nodes*: those of a node
agree on everything that decides which records of the other table they match. If two nodes match,
every record of the one matches every record of the other, and the join has as many rows for two
parts as the product of their sizes.

An adversary who joins the tables knows ``x`` of one and ``x`` of the other: rows of the join are
grouped by both, and the adversary counts how often each ``y`` occurs in a group.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = [
    "BAD",
    "GROUPS",
    "LEAST_KINDS",
    "LEAST_ROWS",
    "PART",
    "SHARPER",
    "WEAKER",
    "WHOLE",
    "Y1",
    "Y2",
    "X",
    "count_joined",
    "exceeds",
]

LEAST_ROWS, LEAST_KINDS, GROUPS, SHARPER, WEAKER, BAD, PART, WHOLE, X, Y1, Y2 = range(11)
"""The columns of the result of `count_joined`."""


@njit(cache=True, nogil=True)
def exceeds(n: int, d: int, p: int, q: int) -> bool:
    """Decide n/d > p/q for numbers from 0, d and q above 0, without a product.

    The whole parts are compared; where they are equal, the reciprocals of the remainders are
    compared next, as in Euclid's algorithm. O(log d).
    """
    while True:
        a, b = n // d, p // q
        if a != b:
            return a > b
        n -= a * d
        p -= b * q
        if p == 0:
            return n > 0
        if n == 0:
            return False
        # n/d > p/q between 0 and 1 means that q/p > d/n: reciprocals turn the order around.
        n, d, p, q = q, p, d, n


@njit(cache=True, nogil=True)
def count_joined(
    starts: CountArray,
    nodes: CodeArray,
    sizes: CountArray,
    hidden_starts: CountArray,
    hidden: CountArray,
    match_starts: CountArray,
    matches: CodeArray,
    part_starts: CountArray,
    parts: CountArray,
    pair_starts: CountArray,
    pairs: CountArray,
    of_pair: CodeArray,
    alone: CountArray,
    own: CountArray,
    is_asked_1: BoolArray,
    is_asked_2: BoolArray,
    most: tuple[int, int],
    k: int,
) -> tuple[CountArray, BoolArray]:
    """Count the groups of a join that have the same x of the second table.

    Parameters
    ----------
    starts, nodes, sizes
        Parts of the second table, those with the same x together: those of group g are
        ``starts[g]`` to ``starts[g + 1]``. Each has its node and its number of records.
    hidden_starts, hidden
        The values they hide: rows (y, node, count), by group and then by y.
    match_starts, matches
        The nodes of the first table that match each node of the second.
    part_starts, parts
        Parts of the first table by node: rows (x, size).
    pair_starts, pairs, of_pair
        The values they hide, by node: rows (pair, count), where a pair is an x with a y; and for
        each pair (x, y).
    alone, own
        For each x of the first and of the second table the least and the greatest group with it in
        a table by itself.
    is_asked_1, is_asked_2
        Which y of the first and of the second table are counted.
    most, k
        A group is bad if an asked y has more than the share ``most[0] / most[1]`` of its rows, or
        fewer than k different y occur.

    Returns
    -------
    tuple[CountArray, BoolArray]
        For each x of the second table the least rows and the fewest different y of its groups, how
        many groups there are, how many have fewer rows than either table by itself and how many
        have more than both, how many are bad; and of the greatest share the part, the whole, x and
        y of the first table, and y of the second. And which parts are in a bad group.

    O(s t) for the parts s of the second table that match, with what they hide, and the parts t of
    the first that each meets. Memory is one number for every x and every pair.
    """
    n_groups = starts.size - 1
    out = np.zeros((n_groups, 11), np.int64)
    falls = np.zeros(nodes.size, np.bool_)
    total, kinds = np.zeros(len(alone), np.int64), np.zeros(len(alone), np.int64)
    is_bad, touched = np.zeros(len(alone), np.bool_), np.empty(len(alone), np.int64)
    amount, met = np.zeros(len(of_pair), np.int64), np.empty(len(of_pair), np.int64)
    for g in range(n_groups):
        n_touched = 0
        for i in range(starts[g], starts[g + 1]):
            for m in range(match_starts[nodes[i]], match_starts[nodes[i] + 1]):
                for e in range(part_starts[matches[m]], part_starts[matches[m] + 1]):
                    x = parts[e, 0]
                    # The x that were met are listed, so that only these are cleared after the
                    # group.
                    if total[x] == 0:
                        touched[n_touched] = x
                        n_touched += 1
                    total[x] += parts[e, 1] * sizes[i]
        out[g, WHOLE], out[g, X] = 1, -1
        e, end = hidden_starts[g], hidden_starts[g + 1]
        # The rows of one y are consecutive, so counts for a single y at a time are enough.
        while e < end:
            y, n_met = hidden[e, 0], 0
            while e < end and hidden[e, 0] == y:
                node, n = hidden[e, 1], hidden[e, 2]
                for m in range(match_starts[node], match_starts[node + 1]):
                    for f in range(pair_starts[matches[m]], pair_starts[matches[m] + 1]):
                        pair = pairs[f, 0]
                        if amount[pair] == 0:
                            met[n_met] = pair
                            n_met += 1
                        amount[pair] += pairs[f, 1] * n
                e += 1
            for j in range(n_met):
                x, y1, part = of_pair[met[j], 0], of_pair[met[j], 1], amount[met[j]]
                amount[met[j]] = 0
                # Each pair of an x and a y of the first table is met once for every y of the
                # second, so this counts the distinct combinations of both.
                kinds[x] += 1
                if not (is_asked_1[y1] and is_asked_2[y]):
                    continue
                if exceeds(part, total[x], most[0], most[1]):
                    is_bad[x] = True
                if exceeds(part, total[x], out[g, PART], out[g, WHOLE]):
                    out[g, PART], out[g, WHOLE] = part, total[x]
                    out[g, X], out[g, Y1], out[g, Y2] = x, y1, y
        out[g, GROUPS] = n_touched
        for j in range(n_touched):
            x = touched[j]
            if j == 0 or total[x] < out[g, LEAST_ROWS]:
                out[g, LEAST_ROWS] = total[x]
            if j == 0 or kinds[x] < out[g, LEAST_KINDS]:
                out[g, LEAST_KINDS] = kinds[x]
            out[g, SHARPER] += total[x] < min(alone[x, 0], own[g, 0])
            out[g, WEAKER] += total[x] > max(alone[x, 1], own[g, 1])
            is_bad[x] |= kinds[x] < k
            out[g, BAD] += is_bad[x]
        if out[g, BAD] > 0:
            # A part of the second table is in a bad group if it meets any part of the first that
            # is.
            for i in range(starts[g], starts[g + 1]):
                falls[i] = _meets(i, nodes, match_starts, matches, part_starts, parts, is_bad)
        for j in range(n_touched):
            x = touched[j]
            total[x], kinds[x], is_bad[x] = 0, 0, False
    return out, falls


@njit(cache=True, nogil=True)
def _meets(
    i: int,
    nodes: CodeArray,
    match_starts: CountArray,
    matches: CodeArray,
    part_starts: CountArray,
    parts: CountArray,
    is_bad: BoolArray,
) -> bool:
    """Tell whether a part is in a bad group."""
    for m in range(match_starts[nodes[i]], match_starts[nodes[i] + 1]):
        for e in range(part_starts[matches[m]], part_starts[matches[m] + 1]):
            if is_bad[parts[e, 0]]:
                return True
    return False
