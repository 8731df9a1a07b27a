"""Cheapest cells: the cheapest cell of a lattice around a row that covers enough of some rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.local_recoding.lattice_sweep import Levels
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Descent", "blank_descent", "cheapest_cell"]

_GAIN = 1e-9


class Descent(NamedTuple):
    """Scratch memory for a depth-first search that fixes one column after the other.

    ``rows[depth]`` are the first ``counts[depth]`` rows that are equal on the columns fixed so far,
    which cost ``costs[depth]``; ``levels[depth]`` is tried next, and ``before[depth]`` rows were
    left by the level before. ``found`` are the rows of the best cell so far.
    """

    rows: CodeArray
    counts: CountArray
    costs: FloatArray
    levels: CountArray
    before: CountArray
    found: CodeArray


def blank_descent(n_rows: int, n_columns: int) -> Descent:
    """Make room for a search among so many rows."""
    return Descent(
        np.empty((n_columns + 1, n_rows), np.int32),
        np.empty(n_columns + 1, np.int64),
        np.empty(n_columns + 1, np.float64),
        np.empty(n_columns + 1, np.int64),
        np.empty(n_columns + 1, np.int64),
        np.empty(n_rows, np.int32),
    )


@njit(cache=True, nogil=True)
def cheapest_cell(
    seed: int,
    rows: CodeArray,
    keys: CodeArray,
    sizes: CountArray,
    levels: Levels,
    losses: FloatArray,
    order: CountArray,
    stress: FloatArray,
    least: int,
    most: float,
    descent: Descent,
) -> tuple[int, int]:
    """Find the cheapest cell that contains a row and at least so many records of some rows.

    Parameters
    ----------
    seed
        The row that must be in the cell; one of ``rows``.
    levels, losses
        The levels of all columns, and by the places of ``levels.blocks`` what a code costs there;
        higher levels cost no less.
    order, stress
        The columns in the order in which they are fixed, and the factor by which the losses of each
        are multiplied.
    least, most
        Records that the cell must contain, and what it must cost less than.

    Returns
    -------
    tuple of int
        Number of rows in the cell, listed in ``descent.found``, 0 if there is none; and of rows
        looked at. Branches are cut off where they hold too few records or cost too much.
    """
    n_found, n_looks, depth, d = 0, 0, 0, order.size
    descent.rows[0, : rows.size] = rows
    descent.counts[0], descent.costs[0] = rows.size, 0.0
    descent.levels[0], descent.before[0] = 0, -1
    while depth >= 0:
        column, level, n = order[depth], descent.levels[depth], descent.counts[depth]
        cost = most
        if level < levels.heights[column]:
            at = levels.starts[column] + level * levels.n_codes[column]
            cost = descent.costs[depth] + losses[at + keys[seed, column]] * stress[column]
        # Higher levels cost no less, and neither do deeper cells, so nothing below this branch can
        # beat the best cell. The margin keeps rounding from replacing a cell by an equal one.
        if cost >= most - _GAIN:
            depth -= 1
            continue
        descent.levels[depth] += 1
        n_like, records = _alike(seed, column, at, depth, keys, sizes, levels, descent)
        n_looks += n
        # Too few records stay too few on further columns. A level that covers the same rows as a
        # lower one leads to the same cells at no lower cost.
        if records < least or n_like == descent.before[depth]:
            continue
        descent.before[depth] = n_like
        depth += 1
        descent.counts[depth], descent.costs[depth] = n_like, cost
        if depth == d:
            # From now on only cheaper cells count: the bound falls with every cell that is found.
            most, n_found = cost, n_like
            descent.found[:n_found] = descent.rows[d, :n_found]
            depth -= 1
        else:
            descent.levels[depth], descent.before[depth] = 0, -1
    return n_found, n_looks


@njit(cache=True, nogil=True)
def _alike(
    seed: int,
    column: int,
    at: int,
    depth: int,
    keys: CodeArray,
    sizes: CountArray,
    levels: Levels,
    descent: Descent,
) -> tuple[int, int]:
    """List for the next depth the rows that look like the seed at a level; also count records."""
    block, n_like, records = levels.blocks[at + keys[seed, column]], 0, 0
    for i in range(descent.counts[depth]):
        row = descent.rows[depth, i]
        if levels.blocks[at + keys[row, column]] == block:
            descent.rows[depth + 1, n_like] = row
            n_like += 1
            records += sizes[row]
    return n_like, records
