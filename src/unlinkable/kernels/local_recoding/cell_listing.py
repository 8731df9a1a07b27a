"""Cell listing: the cells of a lattice for which enough records would bid nearly what they cost.

A cell is a set of rows that look alike at a node of the lattice. Columns are taken one after the
other: rows are sorted by the next one, and every node of its taxonomy that still covers enough of
them is followed. The cost of a cell only grows on the way, so rows that bid far less are dropped
early, and with them most of the lattice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.clusters import Prices
from unlinkable.kernels.local_recoding.lattice_sweep import Levels
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Cells", "list_cells"]


class Cells(NamedTuple):
    """Cells, and the rows that bid for them.

    ``costs[c]`` is what cell ``c`` costs each record in it; its rows are those from
    ``rows[starts[c]]`` to ``rows[starts[c + 1] - 1]``.
    """

    costs: FloatArray
    starts: CountArray
    rows: CodeArray


class _Path(NamedTuple):
    """Branches still to follow: depth, level on the last column, range of rows, and cost."""

    depth: CodeArray
    level: CodeArray
    first: CountArray
    last: CountArray
    cost: FloatArray


@njit(cache=True, nogil=True)
def list_cells(
    columns: CodeArray,
    sizes: CountArray,
    bids: FloatArray,
    order: CountArray,
    levels: Levels,
    prices: Prices,
    least: int,
    slack: float,
    most: float,
    room: int,
    looks: int,
) -> tuple[Cells, int]:
    """List cells of at least so many records whose bids lack at most ``most`` of their cost.

    ``columns[j]`` are the codes of all rows on column ``j``, which are taken in the given
    ``order``. Of the rows in a cell those are listed that bid at least its cost less ``slack``.
    What a cell lacks is the sum of its cost less the bid over the records that bid more, and over
    the next best until they are ``least``. Of several cells with the same rows only the tightest is
    listed. Also returns the number of visits to a row; a negative one says that there was no
    ``room`` for all rows of all cells, or that they took more visits than ``looks``.
    """
    d, n = columns.shape
    # A branch is replaced by at most one for each node of the next column. A taxonomy whose nodes
    # all branch has fewer than twice as many nodes as codes.
    path = _new_path(2 * int(levels.n_codes.sum()) + 1, n)
    lanes, level = np.empty((d + 1, n), np.int32), np.zeros(d + 1, np.int32)
    most_codes, kept = int(levels.n_codes.max()), np.empty(n, np.int32)
    counts, runs = np.zeros(most_codes + 1, np.int64), np.empty((3, most_codes + 1), np.int64)
    cells = Cells(np.empty(room), np.zeros(room + 1, np.int64),
                  np.empty(room, np.int32))  # fmt: skip
    for row in range(n):
        lanes[0, row] = row
    n_cells, n_ways, n_looks = 0, 1, 0
    while n_ways > 0:
        n_ways -= 1
        depth, cost = path.depth[n_ways], path.cost[n_ways]
        if depth > 0:
            level[depth - 1] = path.level[n_ways]
        way = lanes[depth, path.first[n_ways] : path.last[n_ways]]
        n_looks += way.size
        if n_looks > looks:
            return _cut(cells, n_cells), -n_looks
        m, is_hopeful = _interested(way, sizes, bids, cost, slack, least, most, kept)
        rows = kept[:m]
        # A cell that is not tight has the same rows as one with a lower level, which is followed as
        # well.
        if not is_hopeful or not _is_tight(rows, columns, order, level, depth, levels):
            continue
        if depth < d:
            j = order[depth]
            _sort_by_code(rows, columns[j], levels.n_codes[j], counts, lanes[depth + 1])
            n_runs = _find_runs(lanes[depth + 1, :m], columns[j], sizes, runs)
            n_ways = _go_on(runs, n_runs, j, depth, cost, levels, prices, least, path, n_ways)
            continue
        # The rows that are left may have a smaller box than the nodes of the path.
        cost = _tight_cost(rows, columns, prices)
        if _lack(rows, sizes, bids, cost, least, most) <= most:
            if not _add(cells, n_cells, rows, cost):
                return _cut(cells, n_cells), -n_looks
            n_cells += 1
    return _cut(cells, n_cells), n_looks


@njit(cache=True, nogil=True)
def _new_path(length: int, n: int) -> _Path:
    """Allocate memory for branches, the first of which has all rows."""
    path = _Path(
        np.zeros(length, np.int32),
        np.zeros(length, np.int32),
        np.zeros(length, np.int64),
        np.zeros(length, np.int64),
        np.zeros(length),
    )
    path.last[0] = n
    return path


@njit(cache=True, nogil=True)
def _add(cells: Cells, n: int, rows: CodeArray, cost: float) -> bool:
    """Append a cell after n others, if there is room for its rows."""
    start, end = cells.starts[n], cells.starts[n] + rows.size
    if n >= cells.costs.size or end > cells.rows.size:
        return False
    cells.rows[start:end] = rows
    cells.costs[n], cells.starts[n + 1] = cost, end
    return True


@njit(cache=True, nogil=True)
def _cut(cells: Cells, n: int) -> Cells:
    """Keep the first n cells."""
    end = cells.starts[n]
    return Cells(cells.costs[:n].copy(), cells.starts[: n + 1].copy(), cells.rows[:end].copy())


@njit(cache=True, nogil=True)
def _interested(
    way: CodeArray,
    sizes: CountArray,
    bids: FloatArray,
    cost: float,
    slack: float,
    least: int,
    most: float,
    kept: CodeArray,
) -> tuple[int, bool]:
    """Collect the rows that bid nearly enough; return how many, and if they can become a cell."""
    m, n_near, n_above, gain, next_best = 0, 0, 0, 0.0, cost - slack
    for i in range(way.size):
        row = way[i]
        bid, size = bids[row], sizes[row]
        if bid >= cost - slack:
            kept[m] = row
            m += 1
            n_near += size
            if bid > cost:
                n_above += size
                gain += size * (bid - cost)
            elif bid > next_best:
                next_best = bid
    # An optimistic estimate: all missing records are taken to bid as much as the best of those
    # below the cost. If even that lacks too much, no cell of this branch can be listed.
    lack = (least - n_above) * (cost - next_best) - gain
    return m, n_near >= least and (n_above >= least or lack <= most)


@njit(cache=True, nogil=True)
def _is_tight(
    rows: CodeArray,
    columns: CodeArray,
    order: CountArray,
    level: CodeArray,
    depth: int,
    levels: Levels,
) -> bool:
    """Whether no column could have stayed at a lower level."""
    for i in range(depth):
        if level[i] == 0:
            continue
        j = order[i]
        at, codes = levels.starts[j] + (level[i] - 1) * levels.n_codes[j], columns[j]
        node, is_alike = levels.blocks[at + codes[rows[0]]], True
        for row in rows:
            if levels.blocks[at + codes[row]] != node:
                is_alike = False
                break
        if is_alike:
            return False
    return True


@njit(cache=True, nogil=True)
def _sort_by_code(
    rows: CodeArray, codes: CodeArray, n_codes: int, counts: CountArray, to: CodeArray
) -> None:
    """Sort rows by code: by counting, or by insertion where codes far outnumber rows."""
    if rows.size * rows.size < n_codes:
        for i in range(rows.size):
            at = i
            while at > 0 and codes[to[at - 1]] > codes[rows[i]]:
                to[at] = to[at - 1]
                at -= 1
            to[at] = rows[i]
        return
    counts[: n_codes + 1] = 0
    for row in rows:
        counts[codes[row] + 1] += 1
    for code in range(n_codes):
        counts[code + 1] += counts[code]
    for row in rows:
        to[counts[codes[row]]] = row
        counts[codes[row]] += 1


@njit(cache=True, nogil=True)
def _find_runs(rows: CodeArray, codes: CodeArray, sizes: CountArray, runs: CountArray) -> int:
    """Find where each code begins among sorted rows, and its records; count the codes."""
    n_runs, last = 0, -1
    for i in range(rows.size):
        code = codes[rows[i]]
        if code != last:
            runs[0, n_runs], runs[1, n_runs], runs[2, n_runs] = i, code, 0
            n_runs, last = n_runs + 1, code
        runs[2, n_runs - 1] += sizes[rows[i]]
    runs[0, n_runs] = rows.size
    return n_runs


@njit(cache=True, nogil=True)
def _go_on(
    runs: CountArray,
    n_runs: int,
    column: int,
    depth: int,
    cost: float,
    levels: Levels,
    prices: Prices,
    least: int,
    path: _Path,
    n_ways: int,
) -> int:
    """Add a branch for every node of a column that covers enough of the rows; count the branches.

    A node whose rows all lie under one of its children is skipped.
    """
    n_codes, blocks, codes = levels.n_codes[column], levels.blocks, runs[1]
    for level in range(levels.heights[column]):
        at = levels.starts[column] + level * n_codes
        below = at - n_codes if level > 0 else at
        first = 0
        while first < n_runs:
            node, child = blocks[at + codes[first]], blocks[below + codes[first]]
            size, last, is_new = 0, first, level == 0
            # Codes of a node are contiguous, so its runs follow each other.
            while last < n_runs and blocks[at + codes[last]] == node:
                is_new |= blocks[below + codes[last]] != child
                size += runs[2, last]
                last += 1
            if is_new and size >= least:
                range_ = codes[first] * n_codes + codes[last - 1]
                path.depth[n_ways], path.level[n_ways] = depth + 1, level
                path.first[n_ways], path.last[n_ways] = runs[0, first], runs[0, last]
                path.cost[n_ways] = cost + prices.prices[prices.starts[column] + range_]
                n_ways += 1
            first = last
    return n_ways


@njit(cache=True, nogil=True)
def _tight_cost(rows: CodeArray, columns: CodeArray, prices: Prices) -> float:
    """Compute the cost of the box around rows."""
    total = 0.0
    for j in range(columns.shape[0]):
        first = last = columns[j, rows[0]]
        for row in rows:
            first, last = min(first, columns[j, row]), max(last, columns[j, row])
        total += prices.prices[prices.starts[j] + first * prices.n_codes[j] + last]
    return total


@njit(cache=True, nogil=True)
def _lack(
    rows: CodeArray, sizes: CountArray, bids: FloatArray, cost: float, least: int, most: float
) -> float:
    """Compute what a cell lacks, or some number above ``most`` if it is more than that."""
    lack, missing, n_below = 0.0, least, 0
    below, records = np.empty(rows.size), np.empty(rows.size, np.int64)
    for row in rows:
        if bids[row] > cost:
            lack -= sizes[row] * (bids[row] - cost)
            missing -= sizes[row]
        else:
            below[n_below], records[n_below] = cost - bids[row], sizes[row]
            n_below += 1
    for i in np.argsort(below[:n_below]):
        if missing <= 0 or lack > most:
            break
        lack += min(missing, records[i]) * below[i]
        missing -= records[i]
    return lack if missing <= 0 or lack > most else most + 1.0
