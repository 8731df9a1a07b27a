"""Text similarity: how alike misspelt texts are, by Jaro and Winkler.

Texts are slices of one array of characters: text ``i`` is ``letters[ends[i - 1]:ends[i]]``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["jaro_winkler", "similar_pairs"]

_PREFIX = 4
"""Number of letters at the beginning that count more."""

_BONUS = 0.1
"""Each of them reduces the distance from 1 by this share."""


@njit(cache=True, nogil=True)
def jaro_winkler(a: CodeArray, b: CodeArray) -> float:
    """Compute the similarity of two texts, from 0 to 1.

    Transpositions are counted as defined, in halves; rapidfuzz rounds them down.

    With c letters in common, none further apart than half the longer text, and t of them in another
    order, Jaro's similarity is the mean of c/|a|, c/|b| and (c - t/2)/c. Winkler adds a tenth of
    the distance from 1 for each of the first four letters that agree. O(|a| |b|).
    """
    n, m = a.size, b.size
    if n == 0 or m == 0:
        return 1.0 if n == m else 0.0
    reach = max(max(n, m) // 2 - 1, 0)
    is_taken, is_met = np.zeros(m, np.bool_), np.zeros(n, np.bool_)
    common = 0
    for i in range(n):
        # Each letter is matched with the first free equal one within reach, as Jaro defines it.
        for j in range(max(i - reach, 0), min(i + reach + 1, m)):
            if not is_taken[j] and a[i] == b[j]:
                is_taken[j] = is_met[i] = True
                common += 1
                break
    if common == 0:
        return 0.0
    jaro = (common / n + common / m + 1 - _out_of_order(a, b, is_met, is_taken) / 2 / common) / 3
    same = 0
    while same < min(_PREFIX, n, m) and a[same] == b[same]:
        same += 1
    return jaro + same * _BONUS * (1 - jaro)


@njit(cache=True, nogil=True)
def _out_of_order(a: CodeArray, b: CodeArray, is_met: BoolArray, is_taken: BoolArray) -> int:
    """Count the common letters that stand in another place among the common ones."""
    j, moved = 0, 0
    for i in range(a.size):
        if is_met[i]:
            while not is_taken[j]:
                j += 1
            moved += a[i] != b[j]
            j += 1
    return moved


@njit(cache=True, nogil=True)
def similar_pairs(
    letters: CodeArray, ends: CountArray, first: CodeArray, second: CodeArray, least: float
) -> tuple[CodeArray, CodeArray, FloatArray]:
    """List the pairs of different texts, one of each list, whose similarity is at least ``least``.

    O(|first| |second|) comparisons; pairs whose lengths rule it out are skipped.
    """
    size = 1024
    left, right = np.empty(size, np.int32), np.empty(size, np.int32)
    alike = np.empty(size, np.float64)
    found = 0
    for i in first:
        a = letters[ends[i - 1] if i else 0 : ends[i]]
        for k in second:
            b = letters[ends[k - 1] if k else 0 : ends[k]]
            # No pair of these lengths can be more alike: all letters of the shorter text are in
            # common, in the same order, and the first four agree.
            best = (2 + min(a.size, b.size) / max(a.size, b.size, 1)) / 3
            if i == k or best + _PREFIX * _BONUS * (1 - best) < least:
                continue
            value = jaro_winkler(a, b)
            if value < least:
                continue
            if found == size:
                size *= 2
                wider, wide = np.empty(size, np.int32), np.empty(size, np.int32)
                more = np.empty(size, np.float64)
                for e in range(found):
                    wider[e], wide[e], more[e] = left[e], right[e], alike[e]
                left, right, alike = wider, wide, more
            left[found], right[found], alike[found] = i, k, value
            found += 1
    return left[:found], right[:found], alike[:found]
