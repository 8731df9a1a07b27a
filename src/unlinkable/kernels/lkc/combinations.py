"""Combinations: rows are examined on every combination of a few columns, without forming them all.

Cells are cut smaller one column at a time, depth first: the rows of a cell lie side by side, and a
further column sorts them into its parts. Before a cell is cut, its rows are grouped by all columns
that could still be used. If none of these smallest sets is of interest, no part of the cell is: a
part is a union of them, so it has at least as many people as any of them, and the share of a value
in it is a mean of the shares in them.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.kernels.lkc.cells import (
    BETTER,
    SMALL,
    TELLING,
    Rows,
    Scratch,
    is_odd,
    is_worth,
    scratch_for,
    split,
    weigh,
)
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["look_from"]

Bounds = tuple[int, int, int, int, int, bool]
Stack = tuple[CodeArray, CountArray, NDArray[np.uint8], CountArray]

_START, _END, _COLUMN, _PART, _PARTS, _FLAGS = range(6)
"""The state of an open cell: its rows, the column that cuts it, the next of its parts and their
number, and the depth at which its rows were flagged."""

_TRIES, _GAIN = 32, 16
"""After this many tries, smallest sets are formed only where one in so many tries saved a cell."""


@njit(cache=True, nogil=True)
def look_from(
    first: int,
    codes: CodeArray,
    rests: CodeArray,
    n_codes: CountArray,
    rows: Rows,
    bounds: Bounds,
    good: BoolArray,
    found: CountArray,
    places: CountArray,
    tries: CountArray,
) -> None:
    """Examine all combinations of columns whose first one is ``first``.

    Parameters
    ----------
    first
        A column.
    codes, rests, n_codes
        By column and row: the code, and a number for the codes on this and all later columns. By
        column: a bound on its codes.
    rows
        The sizes and values of the rows.
    bounds
        ``length``: columns in a combination; ``least``: cells on so many columns are combinations,
        too; ``k``, ``p``, ``q``: people that a cell needs, and the largest share p/q of a value;
        ``stops``: whether to stop at the first cell that breaks these.
    good
        By row: cleared in combinations that break the bounds.
    found
        The fewest people, and a row with them; the largest share as two counts, and a row of it:
        set where a cell is worse than what is there. Then whether a cell broke the bounds, and the
        number of cells that were counted, both added to.
    places
        The columns on which the two were found, filled up with -1.
    tries
        By depth and column: how often smallest sets were formed, and how often that saved a cell.
    """
    n_columns, n = codes.shape
    length, least, _, _, _, stops = bounds
    widest = n
    for j in range(n_columns):
        widest = max(widest, n_codes[j])
    scratch = scratch_for(rows, widest)
    # One row more than there are depths, for sets that are formed temporarily.
    order, cuts = np.empty((length + 2, n), np.int32), np.empty((length + 2, n + 1), np.int64)
    flags, frames = np.zeros((length + 1, n), np.uint8), np.zeros((length + 1, 6), np.int64)
    stack = order, cuts, flags, frames
    for i in range(n):
        order[0, i] = i
    # Numba would compile all that follows once more for a literal argument.
    at, lo, hi = frames[0, _FLAGS], frames[0, _START], n
    while at >= 0:
        following = frames[at - 1, _COLUMN] + 1 if at > 0 else first
        # A cell of one row is the same on all further columns.
        is_last = at == length or following == n_columns or hi - lo == 1
        weigh(order[at, lo:hi], rows, scratch)
        _note(at, lo, hi, is_last or at >= least, stack, scratch, bounds, good, found, places)
        if stops and found[5]:
            return
        depth = at - 1
        if not is_last and _is_open(
            at, lo, hi, following, rests, rows, stack, scratch, bounds, good, found, places, tries
        ):
            frames[at, _START], frames[at, _END] = lo, hi
            frames[at, _COLUMN], frames[at, _PART], frames[at, _PARTS] = following - 1, 0, 0
            depth = at
        at, lo, hi = _next(depth, first, codes, n_codes, rows, stack, scratch, bounds, good, found)


@njit(cache=True, nogil=True)
def _is_open(
    at: int,
    lo: int,
    hi: int,
    following: int,
    rests: CodeArray,
    rows: Rows,
    stack: Stack,
    scratch: Scratch,
    bounds: Bounds,
    good: BoolArray,
    found: CountArray,
    places: CountArray,
    tries: CountArray,
) -> bool:
    """Whether the parts of a cell are worth examining, by the smallest sets that it consists of."""
    order, cuts, flags, frames = stack
    cell, tried = order[at, lo:hi], tries[at, following]
    # Where smallest sets rarely save a cell, the flags of the cell above are used: they are right
    # but weaker.
    if at > 0 and tried[0] >= _TRIES and tried[1] * _GAIN <= tried[0]:
        frames[at, _FLAGS] = frames[at - 1, _FLAGS]
        return True
    frames[at, _FLAGS] = at
    n_sets = split(cell, rests[following], scratch, order[-1], cuts[-1])
    _flag(n_sets, order[-1], cuts[-1], rows, scratch, bounds, found, flags[at])
    # All rows agree on all columns to come, so the cell is its own only part.
    if n_sets == 1:
        _note(at, lo, hi, n_sets == 1, stack, scratch, bounds, good, found, places)
    is_open = n_sets > 1 and is_worth(cell, flags[at], good)
    tried[0] += 1
    tried[1] += not is_open
    return is_open


@njit(cache=True, nogil=True)
def _next(
    depth: int,
    first: int,
    codes: CodeArray,
    n_codes: CountArray,
    rows: Rows,
    stack: Stack,
    scratch: Scratch,
    bounds: Bounds,
    good: BoolArray,
    found: CountArray,
) -> tuple[int, int, int]:
    """Find the next cell that is worth examining: its depth and rows; -1 if there is none."""
    order, cuts, flags, frames = stack
    length, least, k, p, q, _ = bounds
    while depth >= 0:
        frame = frames[depth]
        cell = order[depth, frame[_START] : frame[_END]]
        if frame[_PART] == frame[_PARTS]:
            # So many columns must be left that the combination still reaches the least length.
            last = min(len(codes) - least + depth, len(codes) - 1) if depth > 0 else first
            if frame[_COLUMN] >= last:
                depth -= 1
                continue
            frame[_COLUMN] += 1
            frame[_PART], frame[_PARTS] = 0, 0
            j = frame[_COLUMN]
            fewest, most = (found[0], k), (found[2], found[3], p, q)
            # At the last column one pass counts all parts; splitting is only needed if one of them
            # is odd.
            if depth == length - 1 and not is_odd(
                cell, codes[j], n_codes[j], rows, scratch, fewest, most
            ):
                continue
            frame[_PARTS] = split(cell, codes[j], scratch, order[depth + 1], cuts[depth + 1])
        lo, hi = cuts[depth + 1, frame[_PART]], cuts[depth + 1, frame[_PART] + 1]
        frame[_PART] += 1
        if is_worth(order[depth + 1, lo:hi], flags[frame[_FLAGS]], good):
            return depth + 1, lo, hi
    return -1, 0, 0


@njit(cache=True, nogil=True)
def _note(
    at: int,
    lo: int,
    hi: int,
    is_whole: bool,
    stack: Stack,
    scratch: Scratch,
    bounds: Bounds,
    good: BoolArray,
    found: CountArray,
    places: CountArray,
) -> None:
    """Record what the counted cell breaks, and whether it is the worst so far."""
    order, _, _, frames = stack
    people, records, peak = scratch[4][0], scratch[4][1], scratch[4][2]
    _, _, k, p, q, _ = bounds
    found[6] += 1
    if people < found[0]:
        found[0], found[1] = people, order[at, lo]
        _remember(places[0], frames, at)
    if peak * found[3] > found[2] * records:
        found[2], found[3], found[4] = peak, records, order[at, lo]
        _remember(places[1], frames, at)
    is_small, is_telling = people < k, peak * q > p * records
    found[5] |= is_small or is_telling
    # A part of a cell with too few people has too few as well. A part of a cell with too large a
    # share need not have one, so its rows are marked only if it is a whole combination.
    if is_small or (is_telling and is_whole):
        for row in order[at, lo:hi]:
            good[row] = False


@njit(cache=True, nogil=True)
def _remember(place: CountArray, frames: CountArray, depth: int) -> None:
    for i in range(place.size):
        place[i] = frames[i, _COLUMN] if i < depth else -1


@njit(cache=True, nogil=True)
def _flag(
    n_sets: int,
    members: CodeArray,
    cuts: CountArray,
    rows: Rows,
    scratch: Scratch,
    bounds: Bounds,
    found: CountArray,
    flags: NDArray[np.uint8],
) -> None:
    """Tell for all rows of these sets why their set is of interest."""
    _, _, k, p, q, _ = bounds
    for s in range(n_sets):
        members_here = members[cuts[s] : cuts[s + 1]]
        weigh(members_here, rows, scratch)
        people, records, peak = scratch[4][0], scratch[4][1], scratch[4][2]
        flag = 0
        if people < found[0] or peak * found[3] > found[2] * records:
            flag |= BETTER
        if people < k:
            flag |= SMALL
        if peak * q > p * records:
            flag |= TELLING
        for row in members_here:
            flags[row] = flag
