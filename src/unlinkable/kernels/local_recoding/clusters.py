"""Clusters: the parts that rows belong to while they are moved, and what their boxes cost.

The range of codes from ``a`` to ``b``, both included, costs
``prices[starts[j] + a * n_codes[j] + b]`` on column ``j``. A box costs the sum over columns for
each record in it, by weight. The rows of a part are a linked list: ``head`` is the first, ``after``
and ``before`` are its neighbours, and -1 ends it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "Clusters",
    "Prices",
    "box_price",
    "box_prices",
    "cheapest_cluster",
    "drop",
    "joint_price",
    "link_all",
    "shift",
]


class Prices(NamedTuple):
    """The costs of ranges; ``n_codes`` and ``starts`` by column."""

    prices: FloatArray
    starts: CountArray
    n_codes: CountArray


class Clusters(NamedTuple):
    """Rows and their parts.

    ``keys``, ``sizes`` and ``weights`` by row; ``near[i]`` are rows similar to row ``i``, and
    ``part[i]`` is its part. By part: the box ``lo`` to ``hi``, both included, the number of
    ``records``, their ``weight``, and the ``cost`` of the box. Parts without records are unused.
    """

    keys: CodeArray
    sizes: CountArray
    weights: FloatArray
    near: CodeArray
    part: CodeArray
    after: CodeArray
    before: CodeArray
    head: CodeArray
    lo: CodeArray
    hi: CodeArray
    records: CountArray
    weight: FloatArray
    cost: FloatArray


@njit(cache=True, nogil=True)
def _price(prices: Prices, column: int, first: int, last: int) -> float:
    """Look up what a range costs."""
    at: float = prices.prices[prices.starts[column] + first * prices.n_codes[column] + last]
    return at


@njit(cache=True, nogil=True)
def box_price(prices: Prices, lo: CodeArray, hi: CodeArray) -> float:
    """Compute the cost of a box."""
    total = 0.0
    for j in range(lo.size):
        total += _price(prices, j, lo[j], hi[j])
    return total


@njit(cache=True, nogil=True)
def joint_price(prices: Prices, codes: CodeArray, lo: CodeArray, hi: CodeArray) -> float:
    """Compute the cost of a box that is extended by a row."""
    total = 0.0
    for j in range(lo.size):
        total += _price(prices, j, min(codes[j], lo[j]), max(codes[j], hi[j]))
    return total


@njit(cache=True, nogil=True)
def box_prices(prices: Prices, lo: CodeArray, hi: CodeArray, n: int) -> FloatArray:
    """Compute the costs of the first n boxes; the others are unused."""
    costs = np.zeros(len(lo))
    for i in range(n):
        costs[i] = box_price(prices, lo[i], hi[i])
    return costs


@njit(cache=True, nogil=True)
def link_all(part: CodeArray, after: CodeArray, before: CodeArray, head: CodeArray) -> None:
    """Link the rows of every part, where nothing is linked yet."""
    for row in range(part.size):
        first = head[part[row]]
        after[row], head[part[row]] = first, row
        if first >= 0:
            before[first] = row


@njit(cache=True, nogil=True)
def shift(clusters: Clusters, prices: Prices, row: int, part: int) -> None:
    """Move a row to another part, whose box grows; that of the old part is left as it is."""
    old = clusters.part[row]
    _unlink(clusters, row, old)
    clusters.records[old] -= clusters.sizes[row]
    clusters.weight[old] -= clusters.weights[row]
    _link(clusters, row, part)
    # An unused part has no box yet: its first row sets both bounds.
    is_first = clusters.records[part] == 0
    clusters.records[part] += clusters.sizes[row]
    clusters.weight[part] += clusters.weights[row]
    clusters.part[row] = part
    for j in range(clusters.keys.shape[1]):
        code = clusters.keys[row, j]
        if is_first or code < clusters.lo[part, j]:
            clusters.lo[part, j] = code
        if is_first or code > clusters.hi[part, j]:
            clusters.hi[part, j] = code
    clusters.cost[part] = box_price(prices, clusters.lo[part], clusters.hi[part])


@njit(cache=True, nogil=True)
def drop(clusters: Clusters, prices: Prices, part: int) -> None:
    """Recompute the box of a part after rows have left it."""
    row = clusters.head[part]
    if row < 0:
        clusters.records[part], clusters.weight[part], clusters.cost[part] = 0, 0.0, 0.0
        return
    lo, hi = clusters.lo[part], clusters.hi[part]
    for j in range(lo.size):
        lo[j] = hi[j] = clusters.keys[row, j]
    while row >= 0:
        for j in range(lo.size):
            lo[j] = min(lo[j], clusters.keys[row, j])
            hi[j] = max(hi[j], clusters.keys[row, j])
        row = clusters.after[row]
    clusters.cost[part] = box_price(prices, lo, hi)


@njit(cache=True, nogil=True)
def _stretch(clusters: Clusters, prices: Prices, row: int, part: int, most: float) -> float:
    """Compute by how much a part costs more when a row joins it; ``most`` if that is no less."""
    weight, total = clusters.weight[part] + clusters.weights[row], 0.0
    if weight == 0.0:
        return min(most, 0.0)
    # The rise is total * weight minus the present cost, so it reaches ``most`` once ``total``
    # reaches this limit. Prices are not negative, so the sum can stop there.
    limit = (most + clusters.cost[part] * clusters.weight[part]) / weight
    for j in range(clusters.keys.shape[1]):
        code = clusters.keys[row, j]
        first, last = min(code, clusters.lo[part, j]), max(code, clusters.hi[part, j])
        total += _price(prices, j, first, last)
        if total >= limit:
            return most
    more: float = total * weight - clusters.cost[part] * clusters.weight[part]
    return more


@njit(cache=True, nogil=True)
def cheapest_cluster(
    clusters: Clusters, prices: Prices, row: int, least: int, most: float, n_parts: int
) -> tuple[int, float]:
    """Find the part of at least so many records that a row joins at the least cost; -1 if none.

    Only the parts of similar rows are tried, or all of them if there are no more of them than
    that. The present part of the row is not considered. The cost must be below ``most``.
    """
    found, own = -1, clusters.part[row]
    n_near = clusters.near.shape[1]
    for i in range(min(n_near, n_parts)):
        part = clusters.part[clusters.near[row, i]] if n_near < n_parts else i
        if part != own and part != found and clusters.records[part] >= least:
            cost = _stretch(clusters, prices, row, part, most)
            if cost < most:
                found, most = part, cost
    return found, most


@njit(cache=True, nogil=True)
def _unlink(clusters: Clusters, row: int, part: int) -> None:
    if clusters.before[row] >= 0:
        clusters.after[clusters.before[row]] = clusters.after[row]
    else:
        clusters.head[part] = clusters.after[row]
    if clusters.after[row] >= 0:
        clusters.before[clusters.after[row]] = clusters.before[row]


@njit(cache=True, nogil=True)
def _link(clusters: Clusters, row: int, part: int) -> None:
    clusters.after[row], clusters.before[row] = clusters.head[part], -1
    if clusters.head[part] >= 0:
        clusters.before[clusters.head[part]] = row
    clusters.head[part] = row
