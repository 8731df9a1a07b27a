"""Sites: scratch memory in which parts are taken apart and rebuilt before rows really move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.cheapest_cells import Descent, blank_descent
from unlinkable.kernels.local_recoding.clusters import (
    Clusters,
    Prices,
    box_price,
    drop,
    joint_price,
    shift,
)
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["MOST_PARTS", "Site", "blank_site", "join", "move_in", "place_rest"]

MOST_PARTS = 64
"""Number of new parts that can be made at a time."""

_TAKEN = -2


class Site(NamedTuple):
    """Scratch memory to rebuild parts.

    ``parts`` are taken apart into ``rows``, of which ``free`` are not yet in a new part.
    ``goes[row]`` is the new part of a row, -1 if none yet, -2 if it is not involved; parts that
    stay as they are and get a row are numbered from `MOST_PARTS` on. New parts have a box ``lo`` to
    ``hi``, ``records``, ``weight`` and a ``cost``. ``spare`` lists numbers of parts that are not in
    use; how many comes first. ``marks`` and ``scores`` help to choose parts.
    """

    parts: CodeArray
    rows: CodeArray
    free: CodeArray
    goes: CodeArray
    lo: CodeArray
    hi: CodeArray
    records: CountArray
    weight: FloatArray
    cost: FloatArray
    spare: CodeArray
    marks: CountArray
    scores: FloatArray
    descent: Descent


def blank_site(clusters: Clusters, n_rows: int) -> Site:
    """Make room to rebuild parts of so many rows at a time."""
    room, d = clusters.head.size, clusters.keys.shape[1]
    unused = np.flatnonzero(clusters.records == 0)
    spare = np.zeros(room + 1, np.int32)
    spare[0], spare[1 : unused.size + 1] = unused.size, unused
    return Site(
        np.empty(room, np.int32),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.int32),
        np.full(len(clusters.keys), -2, np.int32),
        np.empty((MOST_PARTS, d), np.int32),
        np.empty((MOST_PARTS, d), np.int32),
        np.empty(MOST_PARTS, np.int64),
        np.empty(MOST_PARTS, np.float64),
        np.empty(MOST_PARTS, np.float64),
        spare,
        np.full(room, -1, np.int64),
        np.empty(room, np.float64),
        blank_descent(n_rows, d),
    )


@njit(cache=True, nogil=True)
def join(row: int, part: int, clusters: Clusters, site: Site) -> None:
    """Put a row into a new part, without updating what the part costs."""
    site.goes[row] = part
    site.records[part] += clusters.sizes[row]
    site.weight[part] += clusters.weights[row]
    for j in range(clusters.keys.shape[1]):
        site.lo[part, j] = min(site.lo[part, j], clusters.keys[row, j])
        site.hi[part, j] = max(site.hi[part, j], clusters.keys[row, j])


@njit(cache=True, nogil=True)
def place_rest(
    n_rows: int,
    n_new: int,
    n_parts: int,
    cost: float,
    most: float,
    clusters: Clusters,
    prices: Prices,
    site: Site,
) -> bool:
    """Put the remaining rows where that costs the least, unless it costs too much."""
    for i in range(n_parts):
        # Parts that are taken apart, or that have been given a row already, are no target for
        # others: their boxes are not what ``clusters`` says.
        site.marks[site.parts[i]] = _TAKEN
    is_placed = True
    for i in range(n_rows):
        row = site.rows[i]
        if site.goes[row] != -1:
            continue
        # Only a place that keeps the whole plan below ``most`` is accepted.
        to, extra = -1, most - cost
        for part in range(n_new):
            price = joint_price(prices, clusters.keys[row], site.lo[part], site.hi[part])
            weight = site.weight[part]
            more = price * (weight + clusters.weights[row]) - site.cost[part] * weight
            if more < extra:
                to, extra = part, more
        outside, extra = _outside(row, extra, clusters, prices, site)
        if outside >= 0:
            site.goes[row], site.marks[outside] = MOST_PARTS + outside, _TAKEN
        elif to >= 0:
            join(row, to, clusters, site)
            site.cost[to] = box_price(prices, site.lo[to], site.hi[to])
        else:
            is_placed = False
            break
        cost += extra
    _release_marks(n_rows, n_parts, site)
    return is_placed


@njit(cache=True, nogil=True)
def _outside(
    row: int, most: float, clusters: Clusters, prices: Prices, site: Site
) -> tuple[int, float]:
    """Find the untouched part that a row joins at the least cost."""
    found, n_near, room = -1, clusters.near.shape[1], clusters.head.size
    for i in range(min(n_near, room)):
        # With many parts, only those of the row's nearest neighbours are tried; with few, all of
        # them.
        part = clusters.part[clusters.near[row, i]] if n_near < room else i
        if part == found or site.marks[part] == _TAKEN or clusters.records[part] == 0:
            continue
        price = joint_price(prices, clusters.keys[row], clusters.lo[part], clusters.hi[part])
        weight = clusters.weight[part]
        more = price * (weight + clusters.weights[row]) - clusters.cost[part] * weight
        if more < most:
            found, most = part, more
    return found, most


@njit(cache=True, nogil=True)
def _release_marks(n_rows: int, n_parts: int, site: Site) -> None:
    """Unmark the parts that were touched."""
    for i in range(n_parts):
        site.marks[site.parts[i]] = -1
    for i in range(n_rows):
        if site.goes[site.rows[i]] >= MOST_PARTS:
            site.marks[site.goes[site.rows[i]] - MOST_PARTS] = -1


@njit(cache=True, nogil=True)
def move_in(
    n_rows: int, n_new: int, n_parts: int, clusters: Clusters, prices: Prices, site: Site
) -> None:
    """Move all rows to their new parts; the numbers of the old parts become spare."""
    n_spare = site.spare[0]
    for i in range(n_rows):
        to = site.goes[site.rows[i]]
        # New part number ``to`` takes its name from the end of the list of spare ones.
        part = to - MOST_PARTS if to >= MOST_PARTS else site.spare[n_spare - to]
        shift(clusters, prices, site.rows[i], part)
    n_spare -= n_new
    for i in range(n_parts):
        drop(clusters, prices, site.parts[i])
        n_spare += 1
        site.spare[n_spare] = site.parts[i]
    site.spare[0] = n_spare
