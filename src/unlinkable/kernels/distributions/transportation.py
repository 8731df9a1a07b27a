"""Transport problem: the work of turning values into others, for any distances between values.

Arguments are those of `unlinkable.kernels.distributions.emd`. ``ranks`` maps a value to its row of
``costs``, the distances between values: symmetric, and with the triangle inequality. ``endless`` is
greater than any sum of twice as many distances as there are values.

A problem is solved for every group, exactly where costs are integers. The values that the group has
too much of are moved to those that it lacks. At first, every place on the longer side of the two is
served from the nearest place on the shorter side, whether that has enough or not. Then the excess
load of places is shifted to others, each time on the cheapest path over places that are served:
successive shortest paths, among the few places of the shorter side. The cost stays the least for
the present loads all the time, and the loop ends when all loads fit.
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

    O(r a (a + b)) per group, for a values on the shorter side, b on the longer and r rounds, of
    which there are about as many as values. At most n * N times the greatest cost.
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
    # Costs are symmetric, so it does not matter which side is moved to which.
    few, many = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
    if few.size > many.size:
        few, many = many, few
    far = np.zeros((many.size, few.size), costs.dtype)
    moved = np.zeros((few.size, many.size), excess.dtype)
    load = np.zeros(few.size, excess.dtype)
    for i in range(few.size):
        # A load is what a place serves beyond its supply: negative as long as it has some left.
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
    """Start all paths at places with too much load; tell whether there are any."""
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
    """Find the cheapest path from places with too much load to one with too little.

    To shift load from one place to another, a place of the longer side changes its server. The path
    to place i comes over place ``over[i]``, which stops serving ``by[i]``; -1 where it begins.
    Prices make the reduced cost of every such exchange nonnegative, and zero on the path.
    """
    is_open = np.ones(load.size, np.bool_)
    over[:] = -1
    while True:
        at = -1
        # Dijkstra's method on reduced costs: the nearest open place is final.
        for i in range(load.size):
            if is_open[i] and (at < 0 or way[i] < way[at]):
                at = i
        is_open[at] = False
        # The first place with supply left that becomes final is the end of a cheapest path.
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
        # Distances up to the end become part of the prices, which keeps reduced costs nonnegative.
        price[i] += min(way[i], way[at])
    return at


@register_jitable
def _shift(moved: Amounts, load: Amounts, over: CountArray, by: CountArray, end: int) -> None:
    """Shift load along a path: at most what its end lacks, its places serve, and its start has."""
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
