"""Rebuilding: a few neighbouring parts are taken apart and put together again in another way.

Rows in some order ask for the cheapest cell with enough of the rows that are still free. Each such
cell becomes a part, and rows that get into none join the part where that costs the least, a new one
or another. The change is kept if it makes all of them cheaper. Random numbers decide the order of
rows and columns, how expensive each column is taken to be, and whether a part takes all rows of its
cell or only as many as it needs.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.cheapest_cells import cheapest_cell
from unlinkable.kernels.local_recoding.clusters import Clusters, Prices, box_price, joint_price
from unlinkable.kernels.local_recoding.lattice_sweep import Levels
from unlinkable.kernels.local_recoding.sites import MOST_PARTS, Site, join, move_in, place_rest
from unlinkable.kernels.perturbation.random_numbers import State, draw, shuffle
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["rebuild"]

_GAIN = 1e-9
_SLACK = 1.5
"""A cell may cost this many times as much as a row costs now."""
_STRESS = 0.6
"""The cost of a column is raised or lowered at random by at most this share."""


@njit(cache=True, nogil=True)
def rebuild(
    rows: CodeArray,
    most_parts: int,
    clusters: Clusters,
    prices: Prices,
    levels: Levels,
    losses: FloatArray,
    site: Site,
    least: int,
    state: State,
) -> tuple[int, int]:
    """Rebuild the surroundings of each of some rows, with up to so many neighbouring parts.

    Parts have at least ``least`` records before and after. Returns the number of visits to a row or
    a part, and of changes that were kept.
    """
    d, n_looks, n_made = clusters.keys.shape[1], 0, 0
    stress = np.empty(d)
    for i in range(rows.size):
        # A part that costs nothing cannot be improved.
        if clusters.cost[clusters.part[rows[i]]] == 0.0:
            continue
        reach = 1 + int(draw(state) * most_parts)
        n_parts = _choose(rows[i], reach, clusters, prices, site, state)
        n_parts, n_rows, before = _take_apart(n_parts, clusters, site)
        n_looks += clusters.near.shape[1] + 8 * n_rows
        shuffle(site.rows, n_rows, state)
        order = _whims(levels, losses, stress, state)
        is_whole = draw(state) < 0.5
        n_new, cost, looks = _build(
            n_rows, before - _GAIN, is_whole, clusters, prices, levels, losses, order, stress, site,
            least,
        )  # fmt: skip
        n_looks += looks
        # The change must be cheaper, and there must be numbers left for the new parts.
        is_better = 0 < n_new <= site.spare[0] and cost < before - _GAIN
        if is_better and place_rest(
            n_rows, n_new, n_parts, cost, before - _GAIN, clusters, prices, site
        ):
            move_in(n_rows, n_new, n_parts, clusters, prices, site)
            n_made += 1
        # Rows that were involved are released again, whether the change was kept or not.
        for j in range(n_rows):
            site.goes[site.rows[j]] = -2
    return n_looks, n_made


@njit(cache=True, nogil=True)
def _whims(levels: Levels, losses: FloatArray, stress: FloatArray, state: State) -> CountArray:
    """Scale columns at random, and order them, mostly the expensive ones first."""
    dearness = np.empty(stress.size)
    for j in range(stress.size):
        stress[j] = 1.0 + _STRESS * (2.0 * draw(state) - 1.0)
        top = levels.starts[j] + (levels.heights[j] - 1) * levels.n_codes[j]
        dearness[j] = losses[top] * (0.5 + draw(state))
    return np.argsort(-dearness)


@njit(cache=True, nogil=True)
def _choose(
    row: int, reach: int, clusters: Clusters, prices: Prices, site: Site, state: State
) -> int:
    """List the part of a row, and some others in which it would cost little."""
    n, own, n_near, room = 1, clusters.part[row], clusters.near.shape[1], clusters.head.size
    site.parts[0], site.marks[own] = own, row
    for i in range(min(n_near, room)):
        part = clusters.part[clusters.near[row, i]] if n_near < room else i
        if site.marks[part] != row and clusters.records[part] > 0:
            site.marks[part] = row
            price = joint_price(prices, clusters.keys[row], clusters.lo[part], clusters.hi[part])
            # Random scores make the search try other neighbours of the same row the next time.
            site.scores[n] = price * (1.0 + 0.5 * draw(state))
            site.parts[n] = part
            n += 1
    site.marks[own] = -1
    for i in range(1, n):
        site.marks[site.parts[i]] = -1
    n_chosen = min(n, reach + 1)
    # The few best are moved to the front; the others need no order.
    for i in range(1, n_chosen):
        least = i + np.argmin(site.scores[i:n])
        site.scores[least], part = site.scores[i], site.parts[least]
        site.parts[least], site.parts[i] = site.parts[i], part
    return n_chosen


@njit(cache=True, nogil=True)
def _take_apart(n_parts: int, clusters: Clusters, site: Site) -> tuple[int, int, float]:
    """List the rows of the chosen parts, as many as fit; also return their cost."""
    n_rows, cost = 0, 0.0
    for i in range(n_parts):
        part, first = site.parts[i], n_rows
        row = clusters.head[part]
        while row >= 0 and n_rows < site.rows.size:
            site.rows[n_rows], site.goes[row] = row, -1
            n_rows, row = n_rows + 1, clusters.after[row]
        # A part that does not fit entirely stays untouched, as do those after it.
        if row >= 0:
            for j in range(first, n_rows):
                site.goes[site.rows[j]] = -2
            return i, first, cost
        cost += clusters.cost[part] * clusters.weight[part]
    return n_parts, n_rows, cost


@njit(cache=True, nogil=True)
def _build(
    n_rows: int,
    most: float,
    is_whole: bool,
    clusters: Clusters,
    prices: Prices,
    levels: Levels,
    losses: FloatArray,
    order: CountArray,
    stress: FloatArray,
    site: Site,
    least: int,
) -> tuple[int, float, int]:
    """Let rows ask for cells until they cost too much; return parts, their cost, and visits."""
    n_new, cost, n_looks, n_free = 0, 0.0, 0, n_rows
    site.free[:n_rows] = site.rows[:n_rows]
    for i in range(n_rows):
        row = site.rows[i]
        if site.goes[row] != -1:
            continue
        n_found, looks = cheapest_cell(
            row, site.free[:n_free], clusters.keys, clusters.sizes, levels, losses, order, stress,
            least, _SLACK * clusters.cost[clusters.part[row]], site.descent,
        )  # fmt: skip
        n_looks += looks
        if n_found == 0:
            continue
        _found(row, n_found, n_new, is_whole, clusters, prices, site, least)
        cost += site.cost[n_new] * site.weight[n_new]
        n_new += 1
        if cost >= most or n_new == MOST_PARTS:
            break
        n_left = 0
        for j in range(n_free):
            if site.goes[site.free[j]] == -1:
                site.free[n_left] = site.free[j]
                n_left += 1
        n_free = n_left
    return n_new, cost, n_looks


@njit(cache=True, nogil=True)
def _found(
    row: int,
    n_found: int,
    part: int,
    is_whole: bool,
    clusters: Clusters,
    prices: Prices,
    site: Site,
    least: int,
) -> None:
    """Make a new part of a row and others of its cell, all or just enough of them."""
    site.records[part], site.weight[part] = 0, 0.0
    site.lo[part] = site.hi[part] = clusters.keys[row]
    join(row, part, clusters, site)
    for i in range(n_found):
        if site.records[part] >= least and not is_whole:
            break
        if site.goes[site.descent.found[i]] == -1:
            join(site.descent.found[i], part, clusters, site)
    site.cost[part] = box_price(prices, site.lo[part], site.hi[part])
