"""Robust places: people are put into buckets in which nobody is much likelier to have a value.

``values`` is the protected value of everybody, -1 if it is not protected; row ``kinds[i]`` of
``odds`` has the logarithms of the prior odds of person i to have the values ``about``. A bucket
must have every protected value once, and as many people as `least_size` asks for.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from unlinkable.kernels.buckets.robust_buckets import least_size
from unlinkable.kernels.perturbation.random_numbers import State, draw
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["place_apart"]

_BLOCKS = 64
"""At most this many blocks are searched for a place."""

_CHAIN = 48
"""At most this often a person gives up their place for another, and searches a new one."""

_STEPS, _LOOKS, _DRAWS = 1600, 20_000, 80_000
"""Steps, blocks, and people that are tried for all who are left together; a few for each."""


@njit(cache=True, nogil=True)
def place_apart(
    left: CountArray,
    buckets: CodeArray,
    home: CodeArray,
    first: CountArray,
    values: CodeArray,
    kinds: CodeArray,
    odds: FloatArray,
    about: CodeArray,
    r: float,
    trials: int,
    state: State,
) -> int:
    """Put people into the nearest buckets that keep within the bound; count those who fit none.

    ``left`` are these people; ``home`` the block of everybody; ``first[b]:first[b + 1]`` the
    buckets of block b, in an order in which neighbouring blocks are similar. At most ``trials``
    buckets of each block are tried. A person who finds no place founds a bucket with others who can
    be spared where they are; or takes the place of another, who then searches, and so on for a
    while. Changes ``buckets``; new ones come last. O(t s^2) for each of them, with s people in a
    bucket.
    """
    n_buckets = first[first.size - 1]
    for g in buckets:
        n_buckets = max(n_buckets, g + 1)
    room = n_buckets + left.size
    head, sizes = np.full(room, -1, np.int64), np.zeros(room, np.int64)
    next_one = np.full(buckets.size, -1, np.int64)
    for i in range(buckets.size):
        if buckets[i] >= 0:
            _add(head, next_one, sizes, buckets, buckets[i], i)
    # The effort is shared: with many people left, each gets fewer steps, blocks and draws.
    n_steps = min(max(_STEPS // max(left.size, 1), 1), _CHAIN)
    n_blocks = min(max(_LOOKS // max(left.size * n_steps, 1), 2), _BLOCKS)
    n_draws = min(max(_DRAWS // max(left.size * n_steps, 1), 4), _CHAIN)
    for i in left:
        if buckets[i] >= 0:
            continue
        who, found = i, -1
        for _ in range(n_steps):
            found = _nearest(
                who,
                home,
                first,
                head,
                next_one,
                sizes,
                values,
                kinds,
                odds,
                about,
                r,
                trials,
                n_blocks,
                state,
            )
            if found >= 0:
                break
            with_him = _company(
                who, left, buckets, n_buckets, head, next_one, sizes, values, kinds, odds, about, r,
                n_draws, state,
            )  # fmt: skip
            if with_him.size > 0:
                found, n_buckets = n_buckets, n_buckets + 1
                for m in with_him:
                    if buckets[m] >= 0:
                        _remove(head, next_one, sizes, buckets, m)
                    _add(head, next_one, sizes, buckets, found, m)
                break
            if n_buckets == 0:
                break
            # An augmenting chain: a random member makes way if the bucket stays good, and searches
            # on.
            g = int(draw(state) * n_buckets)
            out = _member(head[g], next_one, int(draw(state) * sizes[g]))
            if out >= 0 and _fits(
                who, g, out, head, next_one, sizes, values, kinds, odds, about, r
            ):
                _remove(head, next_one, sizes, buckets, out)
                _add(head, next_one, sizes, buckets, g, who)
                who = out
        if found >= 0:
            _add(head, next_one, sizes, buckets, found, who)
    n_unplaced = 0
    for g in buckets:
        n_unplaced += 1 if g < 0 else 0
    return n_unplaced


@njit(cache=True, nogil=True)
def _nearest(
    i: int,
    home: CodeArray,
    first: CountArray,
    head: CountArray,
    next_one: CountArray,
    sizes: CountArray,
    values: CodeArray,
    kinds: CodeArray,
    odds: FloatArray,
    about: CodeArray,
    r: float,
    trials: int,
    n_blocks: int,
    state: State,
) -> int:
    """Find a bucket that a person may join, in the nearest block that has one; -1 if none has."""
    n_seen = 0
    for step in range(2 * first.size):
        # Steps 0, 1, 2, ... look at the own block, then one before, one after, two before, and so
        # on.
        away = (step + 1) // 2
        b = home[i] - away if step % 2 else home[i] + away
        if b < 0 or b >= first.size - 1 or first[b] == first[b + 1]:
            continue
        n_here = first[b + 1] - first[b]
        begin = int(draw(state) * n_here)
        for t in range(min(trials, n_here)):
            g = first[b] + (begin + t) % n_here
            if _fits(i, g, -1, head, next_one, sizes, values, kinds, odds, about, r):
                return int(g)
        n_seen += 1
        if n_seen == n_blocks:
            break
    return -1


@njit(cache=True, nogil=True)
def _company(
    i: int,
    left: CountArray,
    buckets: CodeArray,
    n_buckets: int,
    head: CountArray,
    next_one: CountArray,
    sizes: CountArray,
    values: CodeArray,
    kinds: CodeArray,
    odds: FloatArray,
    about: CodeArray,
    r: float,
    n_draws: int,
    state: State,
) -> CountArray:
    """Find people who make a bucket with a person, and have none, or one that can spare them.

    At most one of each bucket. Nobody if not enough of them are met.
    """
    people, n = np.empty(_CHAIN + 1, np.int64), 1
    from_where = np.empty(_CHAIN, np.int64)
    people[0] = i
    for _ in range(n_draws):
        g, m = -1, left[int(draw(state) * left.size)]
        if buckets[m] >= 0 or draw(state) < 0.5:
            g = int(draw(state) * n_buckets)
            m = _member(head[g], next_one, int(draw(state) * sizes[g])) if n_buckets > 0 else -1
        # Two members of one bucket could each be spared, but not both.
        if m < 0 or _is_among(m, people, n) or (g >= 0 and _is_among(g, from_where, n - 1)):
            continue
        if _shares_value(m, people, n, values):
            continue
        if g >= 0 and not _fits(-1, g, m, head, next_one, sizes, values, kinds, odds, about, r):
            continue
        from_where[n - 1] = g
        people[n] = m
        n += 1
        if _is_bucket(people, n, values, kinds, odds, about, r):
            return people[1:n]
    return people[:0]


@njit(cache=True, nogil=True)
def _is_among(g: int, numbers: CountArray, n: int) -> bool:
    found = False
    for k in range(n):
        found = found or numbers[k] == g
    return found


@njit(cache=True, nogil=True)
def _shares_value(m: int, people: CountArray, n: int, values: CodeArray) -> bool:
    """Tell whether one of n people has the protected value of another one."""
    if values[m] < 0:
        return False
    found = False
    for k in range(n):
        found = found or values[people[k]] == values[m]
    return found


@njit(cache=True, nogil=True)
def _is_bucket(
    people: CountArray,
    n: int,
    values: CodeArray,
    kinds: CodeArray,
    odds: FloatArray,
    about: CodeArray,
    r: float,
) -> bool:
    """Tell whether n people, no two with the same protected value, are enough, or none at all."""
    if 0 < n < math.ceil(r):
        return False
    for k in range(n):
        for q in range(about.size):
            if about[q] == values[people[k]]:
                low, high = np.inf, -np.inf
                for m in people[:n]:
                    low, high = min(low, odds[kinds[m], q]), max(high, odds[kinds[m], q])
                if n < least_size(low, high, r):
                    return False
    return True


@njit(cache=True, nogil=True)
def _fits(
    i: int,
    g: int,
    out: int,
    head: CountArray,
    next_one: CountArray,
    sizes: CountArray,
    values: CodeArray,
    kinds: CodeArray,
    odds: FloatArray,
    about: CodeArray,
    r: float,
) -> bool:
    """Tell whether a bucket is good with one person more, or without one; -1 is nobody."""
    size = sizes[g] + (1 if i >= 0 else 0) - (1 if out >= 0 else 0)
    people, n = np.empty(size, np.int64), 0
    j = head[g]
    while j >= 0:
        if j != out:
            people[n] = j
            n += 1
        j = next_one[j]
    if i >= 0:
        if _shares_value(i, people, n, values):
            return False
        people[n] = i
        n += 1
    return _is_bucket(people, n, values, kinds, odds, about, r)


@njit(cache=True, nogil=True)
def _member(j: int, next_one: CountArray, at: int) -> int:
    """Find the member of a list at a position; -1 if it is shorter."""
    while j >= 0 and at > 0:
        j = next_one[j]
        at -= 1
    return j


@njit(cache=True, nogil=True)
def _add(
    head: CountArray, next_one: CountArray, sizes: CountArray, buckets: CodeArray, g: int, i: int
) -> None:
    next_one[i], head[g] = head[g], i
    sizes[g] += 1
    buckets[i] = g


@njit(cache=True, nogil=True)
def _remove(
    head: CountArray, next_one: CountArray, sizes: CountArray, buckets: CodeArray, i: int
) -> None:
    g = buckets[i]
    if head[g] == i:
        head[g] = next_one[i]
    else:
        j = head[g]
        while next_one[j] != i:
            j = next_one[j]
        next_one[j] = next_one[i]
    next_one[i] = -1
    sizes[g] -= 1
    buckets[i] = -1
