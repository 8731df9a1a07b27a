"""Worlds: posterior belief in one value against all others, if only its count is published.

Groups come as two CSR matrices. ``rows[indptr[g]:indptr[g + 1]]`` are the kinds of people in group
``g``, ``counts`` how many there are of each. ``columns[at[g]:at[g + 1]]`` are the values in it,
``times`` how many people have each; a value that is not asked about is -1. ``shares[row, column]``
is the prior belief that people of a kind have a value, ``others`` that they have another one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["chance_among", "extremes", "greatest_chances"]

_FEW = 1 << 12
"""People times those who have the value, up to which ways are counted one person at a time."""

_TINY = 1e-200
"""Fewer ways than this have lost digits."""

_FADED = 60.0
"""A term weaker than exp(-60) is negligible."""


@njit(cache=True, nogil=True)
def extremes(
    indptr: CountArray, rows: CodeArray, at: CountArray, columns: CodeArray, shares: FloatArray
) -> tuple[CodeArray, CodeArray]:
    """Find who most likely and who least likely has each value of each group; -1 if not asked.

    O(u v) for a group of u kinds of people and v values.
    """
    most = np.full(columns.size, -1, np.int32)
    least = np.full(columns.size, -1, np.int32)
    for g in range(at.size - 1):
        for e in range(at[g], at[g + 1]):
            x = columns[e]
            if x < 0:
                continue
            most[e] = least[e] = rows[indptr[g]]
            for j in range(indptr[g], indptr[g + 1]):
                if shares[rows[j], x] > shares[most[e], x]:
                    most[e] = rows[j]
                if shares[rows[j], x] < shares[least[e], x]:
                    least[e] = rows[j]
    return most, least


@njit(cache=True, nogil=True)
def greatest_chances(
    indptr: CountArray,
    rows: CodeArray,
    counts: CountArray,
    at: CountArray,
    columns: CodeArray,
    times: CountArray,
    shares: FloatArray,
    others: FloatArray,
    most: CodeArray,
    least: CodeArray,
) -> FloatArray:
    """Compute the highest posterior belief of any person of each group in each of its values.

    A world says which f of n people have the value. Its weight is the product of ``shares`` of
    those and ``others`` of the rest. The person with the highest prior belief also has the highest
    posterior belief, so it is enough to look at ``most``: with A_k the weight of all worlds in
    which k of the other people have the value, it is p A_(f-1) / (p A_(f-1) + (1 - p) A_f). NaN
    where no world has any weight; f / n where all people are equally likely. O(n f) for small
    groups, O(u) for u kinds of people in large ones.
    """
    out = np.zeros(columns.size, np.float64)
    odds, sizes = np.empty(rows.size, np.float64), np.empty(rows.size, np.int64)
    ways = np.empty(_FEW + 2, np.float64)
    for g in range(at.size - 1):
        people = slice(indptr[g], indptr[g + 1])
        for e in range(at[g], at[g + 1]):
            x, f, top = columns[e], times[e], most[e]
            if x < 0:
                continue
            if shares[top, x] == shares[least[e], x]:
                out[e] = f / counts[people].sum()
                continue
            u, n_certain, n_open = _sort_out(
                rows[people], counts[people], shares, others, top, x, odds, sizes
            )
            out[e] = chance_among(odds[:u], sizes[:u], n_certain, n_open, f, ways)
    return out


@njit(cache=True, nogil=True)
def _sort_out(
    rows: CodeArray,
    counts: CountArray,
    shares: FloatArray,
    others: FloatArray,
    top: int,
    x: int,
    odds: FloatArray,
    sizes: CountArray,
) -> tuple[int, int, int]:
    """List the odds of those who may have a value, relative to those of ``top``, and their number.

    One person of ``top`` is left out of the number. Returns how many kinds of people these are, how
    many people are certain to have the value, and for how many it is open.
    """
    u, n_certain, n_open = 0, 0, 0
    for j in range(rows.size):
        share, other = shares[rows[j], x], others[rows[j], x]
        if other == 0:
            n_certain += counts[j]
        elif share > 0:
            n_open += counts[j]
            # With odds relative to ``top``, the person in question has odds of 1.
            odds[u] = share / other / (shares[top, x] / max(others[top, x], _TINY))
            sizes[u] = counts[j] - (rows[j] == top)
            u += 1
    return u, n_certain, n_open


@njit(cache=True, nogil=True)
def chance_among(
    odds: FloatArray, sizes: CountArray, n_certain: int, n: int, f: int, ways: FloatArray
) -> float:
    """Compute the probability that one person is among the f who have the value.

    It is open for n people, for this person with odds of 1 and for the others with ``odds``. If
    some people are certain to have it, this person is one of them.
    """
    if n_certain > f or n_certain + n < f:
        return np.nan
    if n_certain > 0 or n == f:
        return 1.0
    if n * f <= _FEW:
        ways[0] = 1.0
        for k in range(1, f + 1):
            ways[k] = 0.0
        for i in range(odds.size):
            for _ in range(sizes[i]):
                # ``ways[k]`` is the weight of all choices of k people so far. Going down, each
                # person is taken at most once.
                for k in range(f, 0, -1):
                    ways[k] += odds[i] * ways[k - 1]
        if ways[f - 1] > _TINY and ways[f - 1] + ways[f] < np.inf:
            return float(ways[f - 1] / (ways[f - 1] + ways[f]))
    return _chance_by_waves(odds, sizes, n, f)


@njit(cache=True, nogil=True)
def _chance_by_waves(odds: FloatArray, sizes: CountArray, n: int, f: int) -> float:
    """Compute the same from the characteristic function of how many have the value.

    Odds are first multiplied by a common factor, which changes nothing, so that f is the expected
    number. Then the coefficients of interest are near the peak, and a sum over m frequencies gives
    them up to an error from counts further than m from f; terms of high frequency are negligible.
    """
    tilted, own = _tilt(odds, sizes, n, f)
    spread = 0.0
    for i in range(odds.size):
        spread += sizes[i] * tilted[i] * (1 - tilted[i])
    # The number of people with the value rarely leaves a few standard deviations around f.
    m = min(n + 1, int(20 + np.sqrt(400 + 120 * (spread + 1))))
    inside, outside = 0.0, 0.0
    for k in range(m // 2 + 1):
        angle = 2 * np.pi * k / m
        bend = 2 * np.sin(angle / 2) ** 2
        # The modulus of a term is at most about exp(-spread * bend), and falls from here on.
        if spread * bend > _FADED:
            break
        fade, phase = 0.0, -f * angle
        for i in range(odds.size):
            if sizes[i] > 0:
                t = tilted[i]
                left = max(1 - 2 * t * (1 - t) * bend, 1e-300)
                fade += sizes[i] * np.log(left) / 2
                phase += sizes[i] * np.arctan2(t * np.sin(angle), 1 - t * bend)
        # Frequencies k and m - k are conjugate, so one of them is computed and counted twice.
        height = np.exp(fade) * (1 if k == 0 or 2 * k == m else 2)
        inside += height * own * np.cos(phase + angle)
        outside += height * (1 - own) * np.cos(phase)
    return float(inside / (inside + outside))


@njit(cache=True, nogil=True)
def _tilt(odds: FloatArray, sizes: CountArray, n: int, f: int) -> tuple[FloatArray, float]:
    """Find probabilities with these odds, up to a common factor, under which f people are expected.

    By bisection: the factor is at least f / (n - f) divided by the greatest of all odds, and at
    most that divided by the least of them.
    """
    even = np.log(f / (n - f))
    low, high = even, even
    for o in odds:
        low = min(low, even - np.log(o))
        high = max(high, even - np.log(o))
    tilted = np.empty(odds.size, np.float64)
    own = 0.5
    for _ in range(100):
        middle = (low + high) / 2
        own = 1 / (1 + np.exp(-middle))
        expected = own
        for i in range(odds.size):
            tilted[i] = 1 / (1 + np.exp(-middle - np.log(odds[i])))
            expected += sizes[i] * tilted[i]
        # A rough factor is enough: it only moves the peak and does not change the result.
        if abs(expected - f) < 1e-3 or high - low < 1e-9:
            break
        if expected < f:
            low = middle
        else:
            high = middle
    return tilted, own
