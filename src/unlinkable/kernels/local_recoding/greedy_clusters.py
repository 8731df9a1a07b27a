"""Gathering: clusters of rows are merged where that costs least, and divided where they differ.

A cluster is published as the smallest box around its rows. The price of a box is the sum over its
columns of a price for the range ``[lo, hi]`` of codes, both ends included: nothing for a single
code, and else ``table[first + n * bin(lo) + bin(hi)]``. Columns come as rows of ``plan``: where the
bins of their codes begin, where their prices begin, and the number n of bins. Prices never fall as
ranges grow.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["gather", "part", "price_boxes", "price_of"]

_ROUNDS = 3
"""How often the row that is farthest from the last one is searched."""


@njit(cache=True, nogil=True)
def price_of(
    lo: int, hi: int, j: int, bins: CodeArray, table: FloatArray, plan: CountArray
) -> float:
    """Give the price of a range of codes on a column."""
    if lo == hi:
        return 0.0
    first = plan[j, 0]
    price: float = table[plan[j, 1] + plan[j, 2] * bins[first + lo] + bins[first + hi]]
    return price


@njit(cache=True, nogil=True)
def price_boxes(
    lo: CodeArray, hi: CodeArray, bins: CodeArray, table: FloatArray, plan: CountArray
) -> FloatArray:
    """Give the price of every box. O(n d)."""
    out = np.zeros(lo.shape[0])
    for g in range(lo.shape[0]):
        for j in range(lo.shape[1]):
            out[g] += price_of(lo[g, j], hi[g, j], j, bins, table, plan)
    return out


@njit(cache=True, nogil=True)
def gather(
    lo: CodeArray,
    hi: CodeArray,
    weights: FloatArray,
    prices: FloatArray,
    is_open: BoolArray,
    reach: int,
    bins: CodeArray,
    table: FloatArray,
    plan: CountArray,
) -> tuple[CountArray, int]:
    """Merge every open cluster with the one with which it costs least, in one pass.

    The cost is the rise of weight times price, summed over both. Only the ``reach`` clusters before
    it and those after it are compared, the nearest first; of equal ones the first is taken. A
    cluster that others joined in this pass joins no other. Boxes, weights and prices are updated in
    place.

    O(n r d) for n clusters and reach r. Returns where each cluster went, itself if nowhere, and how
    many pairs were compared.
    """
    n, d = lo.shape
    target = np.arange(n)
    is_taken = np.zeros(n, np.bool_)
    n_compared = 0
    for c in range(n):
        if not is_open[c] or is_taken[c]:
            continue
        best, other = np.inf, -1
        for step in range(2, 2 * min(reach, n) + 2):
            # Even steps look before the cluster and odd ones after it, so the distance grows by one
            # each two.
            g = c + step // 2 if step % 2 else c - step // 2
            if g < 0 or g >= n or target[g] != g:
                continue
            n_compared += 1
            weight = weights[c] + weights[g]
            before = weights[c] * prices[c] + weights[g] * prices[g]
            total = 0.0
            for j in range(d):
                total += price_of(
                    min(lo[c, j], lo[g, j]), max(hi[c, j], hi[g, j]), j, bins, table, plan
                )
                # Prices are not negative, so the rise can only grow: this pair is worse than the
                # best already.
                if weight * total - before > best:
                    break
            rise = weight * total - before
            if rise < best or (rise == best and g < other):
                best, other = rise, g
        if other < 0:
            continue
        target[c] = other
        is_taken[other] = True
        weights[other] += weights[c]
        prices[other] = 0.0
        for j in range(d):
            lo[other, j] = min(lo[c, j], lo[other, j])
            hi[other, j] = max(hi[c, j], hi[other, j])
            prices[other] += price_of(lo[other, j], hi[other, j], j, bins, table, plan)
    return target, n_compared


@njit(cache=True, nogil=True)
def part(
    keys: CodeArray,
    weights: FloatArray,
    order: CountArray,
    start: CountArray,
    end: CountArray,
    bins: CodeArray,
    table: FloatArray,
    plan: CountArray,
) -> CountArray:
    """Divide every cluster in two around two of its rows that are far from each other.

    Cluster ``g`` has the rows ``order[start[g]:end[g]]``. From its first row the farthest is found,
    from that the farthest again, and so on; the last two are the seeds. All others go, in their
    order, to the half whose weight times price then rises less, and in a tie to that of the last
    seed found.

    O(n d). Moves the rows of the first half before those of the other, and returns where the other
    begins; -1 if there is only one row.
    """
    middle = np.full(start.size, -1, np.int64)
    for g in range(start.size):
        if end[g] - start[g] < 2:
            continue
        # The rows are copied, because both halves are written back into the same slice.
        rows = order[start[g] : end[g]].copy()
        one, other = _far_apart(keys, rows, bins, table, plan)
        is_upper = _assign(keys, weights, rows, one, other, bins, table, plan)
        at = start[g]
        for i in range(rows.size):
            if not is_upper[i]:
                order[at] = rows[i]
                at += 1
        middle[g] = at
        for i in range(rows.size):
            if is_upper[i]:
                order[at] = rows[i]
                at += 1
    return middle


@njit(cache=True, nogil=True)
def _far_apart(
    keys: CodeArray, rows: CountArray, bins: CodeArray, table: FloatArray, plan: CountArray
) -> tuple[int, int]:
    one, other = rows[0], rows[0]
    for _ in range(_ROUNDS):
        one, other = other, one
        farthest = -1.0
        for row in rows:
            if row == one:
                continue
            far = 0.0
            for j in range(keys.shape[1]):
                low, high = min(keys[one, j], keys[row, j]), max(keys[one, j], keys[row, j])
                far += price_of(low, high, j, bins, table, plan)
            if far > farthest:
                farthest, other = far, row
    return other, one


@njit(cache=True, nogil=True)
def _assign(
    keys: CodeArray,
    weights: FloatArray,
    rows: CountArray,
    one: int,
    other: int,
    bins: CodeArray,
    table: FloatArray,
    plan: CountArray,
) -> BoolArray:
    d = keys.shape[1]
    is_upper = np.zeros(rows.size, np.bool_)
    lo, hi = np.empty((2, d), np.int32), np.empty((2, d), np.int32)
    lo[0], hi[0], lo[1], hi[1] = keys[one], keys[one], keys[other], keys[other]
    weight, price = np.empty(2), np.zeros(2)
    weight[0], weight[1] = weights[one], weights[other]
    for i in range(rows.size):
        row = rows[i]
        if row in (one, other):
            is_upper[i] = row == other
            continue
        lower, upper = 0.0, 0.0
        for j in range(d):
            code = keys[row, j]
            low, high = min(lo[0, j], code), max(hi[0, j], code)
            lower += price_of(low, high, j, bins, table, plan)
            low, high = min(lo[1, j], code), max(hi[1, j], code)
            upper += price_of(low, high, j, bins, table, plan)
        lower_rise = (weight[0] + weights[row]) * lower - weight[0] * price[0]
        upper_rise = (weight[1] + weights[row]) * upper - weight[1] * price[1]
        half = 1 if upper_rise < lower_rise else 0
        is_upper[i] = half == 1
        weight[half] += weights[row]
        price[half] = upper if half == 1 else lower
        for j in range(d):
            lo[half, j] = min(lo[half, j], keys[row, j])
            hi[half, j] = max(hi[half, j], keys[row, j])
    return is_upper
