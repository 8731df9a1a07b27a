"""The transport problem: the work of turning values into others, however far apart they are.

Arguments are those of `unlinkable.kernels.emd`, but ``ranks`` leads from a value to its row of
``costs``, the distances between values: symmetric, and no way over a third value is shorter.
``endless`` is greater than any sum of twice as many distances as there are values.

A problem of every group is solved by itself, exactly where costs are integers. What the group has
too much of goes to what it has too little of. To begin with, every place on the longer side of the
two is served from the nearest place on the shorter side, whether that has enough or not. Then the
excess load of places is shifted to others, each time on the cheapest way over places that are
served: successive shortest paths, among the few places of the shorter side. This never loses
sight of the least cost, and ends when all loads fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["transport", "transport_of_any_size"]

Amounts = NDArray[Any]


def transport_of_any_size(
    indptr: CountArray,
    values: CodeArray,
    counts: Amounts,
    sizes: Amounts,
    ranks: CountArray,
    whole: Amounts,
    totals: Amounts,
    which: CodeArray,
    costs: Amounts,
    endless: Any,
) -> Amounts:
    """Add up the work of every group.

    O(r a (a + b)) a group, for a values on the shorter side, b on the longer and r rounds, of which
    there are about as many as values; at most n * N times the greatest cost.
    """
    out = np.zeros(sizes.size, costs.dtype)
    excess = np.zeros(whole.shape[1], counts.dtype)
    for g in range(sizes.size):
        there, total, n = whole[which[g]], totals[which[g]], sizes[g]
        for v in range(excess.size):
            excess[v] = -there[v] * n
        for j in range(indptr[g], indptr[g + 1]):
            excess[ranks[values[j]]] += counts[j] * total
        out[g] = _least_work(excess, costs, endless)
    return out


@register_jitable
def _least_work(excess: Amounts, costs: Amounts, endless: Any) -> Any:
    few, many = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
    if few.size > many.size:
        few, many = many, few
    far = np.zeros((many.size, few.size), costs.dtype)
    moved = np.zeros((few.size, many.size), excess.dtype)
    load = np.zeros(few.size, excess.dtype)
    for i in range(few.size):
        load[i] = -abs(excess[few[i]])
    for j in range(many.size):
        nearest = 0
        for i in range(few.size):
            far[j, i] = costs[many[j], few[i]]
            if far[j, i] < far[j, nearest]:
                nearest = i
        moved[nearest, j] = abs(excess[many[j]])
        load[nearest] += moved[nearest, j]
    price, way = np.zeros(few.size, costs.dtype), np.zeros(few.size, costs.dtype)
    over, by = np.zeros(few.size, np.int64), np.zeros(few.size, np.int64)
    while _begin(load, way, endless):
        end = _find_way(far, moved, load, price, way, over, by)
        _shift(moved, load, over, by, end)
    work = costs[0, 0] * 0
    for i in range(few.size):
        for j in range(many.size):
            work += moved[i, j] * far[j, i]
    return work


@register_jitable
def _begin(load: Amounts, way: Amounts, endless: Any) -> bool:
    """Begin all ways at places with too much load; tell whether there are any."""
    is_any = False
    for i in range(load.size):
        way[i] = endless
        if load[i] > 0:
            way[i] = 0
            is_any = True
    return is_any


@register_jitable
def _find_way(
    far: Amounts,
    moved: Amounts,
    load: Amounts,
    price: Amounts,
    way: Amounts,
    over: CountArray,
    by: CountArray,
) -> int:
    """Find the cheapest way from places with too much load to one with too little.

    To shift load from a place to another, what serves a place of the longer side is exchanged. The
    way to place i comes over place ``over[i]``, which gives up serving ``by[i]``; -1 where it
    begins. Prices make all such exchanges cost nothing or more, and those on the way nothing.
    """
    is_open = np.ones(load.size, np.bool_)
    over[:] = -1
    while True:
        at = -1
        for i in range(load.size):
            if is_open[i] and (at < 0 or way[i] < way[at]):
                at = i
        is_open[at] = False
        if load[at] < 0:
            break
        for j in range(far.shape[0]):
            if moved[at, j] > 0:
                so_far = way[at] - far[j, at] + price[at]
                for i in range(load.size):
                    length = so_far + far[j, i] - price[i]
                    if length < way[i] and is_open[i]:
                        way[i], over[i], by[i] = length, at, j
    for i in range(load.size):
        price[i] += min(way[i], way[at])
    return at


@register_jitable
def _shift(moved: Amounts, load: Amounts, over: CountArray, by: CountArray, end: int) -> None:
    """Shift load along a way: what its end lacks, its places serve, and its start can spare."""
    amount, i = -load[end], end
    while over[i] >= 0:
        amount, i = min(amount, moved[over[i], by[i]]), over[i]
    amount = min(amount, load[i])
    load[i] -= amount
    load[end] += amount
    i = end
    while over[i] >= 0:
        moved[i, by[i]] += amount
        moved[over[i], by[i]] -= amount
        i = over[i]


transport = njit(cache=True, nogil=True)(transport_of_any_size)
"""`transport_of_any_size`, compiled for amounts that are 64-bit integers and any costs."""
