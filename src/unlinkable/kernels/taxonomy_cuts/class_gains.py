"""Class gains: how much the values of a column reveal about the class of records.

The gain of a refinement depends only on the records that have the value, and so only on the codes
of one column. The classes of the records with each code come as CSR rows:
``counts[indptr[v]:indptr[v + 1]]`` are the numbers of records with code ``v`` of the classes
``values``.

Bits are added up as ``n log2(p / q)`` for ``n`` records, where ``p`` is the share of their class in
the part and ``q`` that in the whole. Equal shares have a quotient of exactly 1: a part with the
shares of the whole reveals exactly 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["best_split", "gain_of_parts", "gains_of_disclosures"]

_MARGIN = 1e-9
"""A gain must exceed another by this share to count as greater: less may be rounding."""


@njit(cache=True, nogil=True)
def _add(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    lo: int,
    hi: int,
    out: CountArray,
) -> int:
    """Add the classes of the codes ``[lo, hi)`` to the class counts; return their sum."""
    n = 0
    for k in range(indptr[lo], indptr[hi]):
        out[values[k]] += counts[k]
        n += counts[k]
    return n


@njit(cache=True, nogil=True)
def _bits(part: CountArray, n: int, whole: CountArray, total: int) -> float:
    told = 0.0
    for c in range(part.size):
        if part[c] > 0:
            told += part[c] * np.log2((part[c] / n) / (whole[c] / total))
    return told


@njit(cache=True, nogil=True)
def _several(whole: CountArray) -> bool:
    n = 0
    for c in range(whole.size):
        if whole[c] > 0:
            n += 1
    return n > 1


@njit(cache=True, nogil=True)
def gain_of_parts(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_classes: int,
    bounds: CodeArray,
) -> tuple[float, bool]:
    """Compute the gain of cutting ``[bounds[0], bounds[-1])`` at all bounds, in bits per record.

    Also tells whether the records have several classes. O(s + p c) for s entries, p parts, c
    classes.
    """
    whole = np.zeros(n_classes, np.int64)
    total = _add(indptr, values, counts, bounds[0], bounds[-1], whole)
    if total == 0:
        return 0.0, False
    part = np.empty(n_classes, np.int64)
    told = 0.0
    for p in range(bounds.size - 1):
        for c in range(n_classes):
            part[c] = 0
        n = _add(indptr, values, counts, bounds[p], bounds[p + 1], part)
        told += _bits(part, n, whole, total)
    return max(told, 0.0) / total, _several(whole)


@njit(cache=True, nogil=True)
def best_split(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_classes: int,
    lo: int,
    hi: int,
    places: CodeArray,
) -> tuple[int, float, bool]:
    """Find the first of the places at which cutting ``[lo, hi)`` in two gains most.

    ``places`` rise and are not empty. Also returns the gain, and whether the records have several
    classes. O(s + p c) for s entries, p places and c classes.
    """
    whole = np.zeros(n_classes, np.int64)
    total = _add(indptr, values, counts, lo, hi, whole)
    left = np.zeros(n_classes, np.int64)
    right = whole.copy()
    best, most, below, n = places[0], -1.0, lo, 0
    for place in places:
        # Places rise, so the left part only grows and every entry is added once.
        n += _add(indptr, values, counts, below, place, left)
        below = place
        for c in range(n_classes):
            right[c] = whole[c] - left[c]
        gain = 0.0
        if total > 0:
            told = _bits(left, n, whole, total) + _bits(right, total - n, whole, total)
            gain = max(told, 0.0) / total
        if most < 0.0 or gain > most * (1.0 + _MARGIN):
            best, most = place, gain
    return best, most, _several(whole)


@njit(cache=True, nogil=True)
def gains_of_disclosures(
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_classes: int,
    is_hidden: BoolArray,
) -> tuple[FloatArray, bool]:
    """Compute for every hidden code the gain of disclosing it alone, in bits per record.

    Also tells whether the records with hidden codes have several classes. O(s + v c) for s entries,
    v codes and c classes.
    """
    gains = np.zeros(is_hidden.size, np.float64)
    whole = np.zeros(n_classes, np.int64)
    total = 0
    for v in range(is_hidden.size):
        if is_hidden[v]:
            total += _add(indptr, values, counts, v, v + 1, whole)
    if total == 0:
        return gains, False
    one = np.empty(n_classes, np.int64)
    rest = np.empty(n_classes, np.int64)
    for v in range(is_hidden.size):
        if not is_hidden[v]:
            continue
        for c in range(n_classes):
            one[c] = 0
        n = _add(indptr, values, counts, v, v + 1, one)
        # Disclosing one code splits the hidden records in two: those who have it, and the rest.
        for c in range(n_classes):
            rest[c] = whole[c] - one[c]
        told = _bits(one, n, whole, total) + _bits(rest, total - n, whole, total)
        gains[v] = max(told, 0.0) / total
    return gains, _several(whole)
