"""Opening cells: rows change cells until they cost little together, by chance that gets stricter.

A cell that is opened takes all rows for which it is cheaper; if they are too few, it also takes
others, those that lose the least or all that a cell has in it. Cells which are left with too few
are filled up again with rows that can be spared elsewhere, or closed, whichever is cheaper. A cell
may also be closed without need. What comes of it is kept if it costs less than before, or not so
much more that chance refuses it; in the end, the cheapest state on the way is the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.choices import Choices
from unlinkable.kernels.closed_cells import Cells
from unlinkable.kernels.drawing import State, draw
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Diary", "blank_diary", "open_cells"]

_GAIN = 1e-9
_HOT, _COLD = 0.15, 0.01
"""How much dearer each of the records that a cell needs may get, at the beginning and the end."""
_ROWS_ALONE, _KEEP_OPEN, _SINGLE_ROWS = 0.2, 0.5, 0.5
"""How often a single row looks for a better cell, an open cell is not closed, and a cell is filled
up with single rows."""
_WHIM = 0.2
_TRIES = 8


class Diary(NamedTuple):
    """What is remembered: row ``rows[i]`` came from cell ``origins[i]``; ``best`` are the homes of
    rows when they cost the least. ``hungry`` lists cells that have too few records, ``found`` rows
    and ``keys`` what they are ordered by, and ``useful`` cells that can be opened.
    """

    rows: CodeArray
    origins: CodeArray
    best: CodeArray
    hungry: CodeArray
    found: CodeArray
    keys: FloatArray
    useful: CodeArray


def blank_diary(n_rows: int, most: int) -> Diary:
    """Make room to remember the moves of n rows between so many cells."""
    return Diary(
        np.empty(6 * n_rows, np.int32),
        np.empty(6 * n_rows, np.int32),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.int32),
        np.empty(n_rows, np.float64),
        np.empty(most, np.int32),
    )


@njit(cache=True, nogil=True)
def open_cells(
    n_rows: int,
    n_cells: int,
    least: int,
    trials: int,
    cells: Cells,
    choices: Choices,
    diary: Diary,
    state: State,
) -> tuple[float, int]:
    """Open and close cells, so many times for each that is useful.

    Returns by how much the best state is cheaper than the first, and the number of trials.
    """
    n_useful = 0
    for c in range(n_cells):
        if choices.is_useful[c]:
            diary.useful[n_useful] = c
            n_useful += 1
    saved, most_saved, n_trials = 0.0, 0.0, trials * n_useful
    diary.best[:n_rows] = choices.home[:n_rows]
    for t in range(n_trials):
        heat = (_COLD + (_HOT - _COLD) * (1.0 - t / n_trials) ** 2) * least
        if draw(state) < _ROWS_ALONE:
            saved += _step_down(int(draw(state) * n_rows), least, cells, choices)
            continue
        c = diary.useful[int(draw(state) * n_useful)]
        is_open = choices.filled[c] > 0
        if is_open and draw(state) < _KEEP_OPEN:
            continue
        limit = heat * draw(state)
        n, more = 0, 0.0
        if not is_open:
            n, more = _open(c, least, cells, choices, diary, state)
        n, more = _mend(c, is_open, n, more, limit, least, cells, choices, diary)
        if more > limit:
            _undo(n, choices, diary)
            continue
        saved -= more
        if saved > most_saved + _GAIN:
            most_saved = saved
            diary.best[:n_rows] = choices.home[:n_rows]
    return most_saved, n_trials


@njit(cache=True, nogil=True)
def _step_down(i: int, least: int, cells: Cells, choices: Choices) -> float:
    """Move a row that can be spared to the cheapest open cell; gives what that saves."""
    home = choices.home[i]
    if choices.filled[home] - choices.sizes[i] >= least:
        for at in range(choices.starts[i], choices.starts[i + 1]):
            c = choices.cells[at]
            if c == home:
                break
            if choices.filled[c] > 0:
                return -_move(i, c, cells, choices)
    return 0.0


@njit(cache=True, nogil=True)
def _move(i: int, to: int, cells: Cells, choices: Choices) -> float:
    """Move a row to a cell; gives by how much it costs more there."""
    home = choices.home[i]
    choices.filled[home] -= choices.sizes[i]
    choices.filled[to] += choices.sizes[i]
    choices.home[i] = to
    more: float = choices.weights[i] * (cells.cost[to] - cells.cost[home])
    return more


@njit(cache=True, nogil=True)
def _note(i: int, to: int, n: int, cells: Cells, choices: Choices, diary: Diary) -> float:
    """Move a row to a cell, and write down as the n-th move where it came from."""
    diary.rows[n], diary.origins[n] = i, choices.home[i]
    return _move(i, to, cells, choices)


@njit(cache=True, nogil=True)
def _undo(n: int, choices: Choices, diary: Diary) -> None:
    """Take back the moves that were written down."""
    for m in range(n - 1, -1, -1):
        i = diary.rows[m]
        choices.filled[choices.home[i]] -= choices.sizes[i]
        choices.home[i] = diary.origins[m]
        choices.filled[choices.home[i]] += choices.sizes[i]


@njit(cache=True, nogil=True)
def _open(
    c: int, least: int, cells: Cells, choices: Choices, diary: Diary, state: State
) -> tuple[int, float]:
    """Fill an empty cell; gives the number of moves and what they cost."""
    n, more, start, end = 0, 0.0, cells.starts[c], cells.starts[c + 1]
    rows, cost, homes = cells.rows, cells.cost, choices.home
    for place in range(start, end):
        i = rows[place]
        if cost[homes[i]] > cost[c]:
            more += _note(i, c, n, cells, choices, diary)
            n += 1
    if choices.filled[c] >= least:
        return n, more
    if draw(state) < _SINGLE_ROWS:
        n_found = 0
        for place in range(start, end):
            i = rows[place]
            if homes[i] != c:
                diary.found[n_found] = i
                diary.keys[n_found] = -cost[homes[i]] * (1.0 + _WHIM * draw(state))
                n_found += 1
        n, more = _fill(c, n_found, n, more, True, least, cells, choices, diary)
        return _fill(c, n_found, n, more, False, least, cells, choices, diary)
    for _ in range(_TRIES):
        home = homes[rows[start + int(draw(state) * (end - start))]]
        if home == c:
            continue
        for place in range(start, end):
            i = rows[place]
            if homes[i] == home:
                more += _note(i, c, n, cells, choices, diary)
                n += 1
        if choices.filled[c] >= least:
            break
    return n, more


@njit(cache=True, nogil=True)
def _fill(
    c: int,
    n_found: int,
    n: int,
    more: float,
    if_spared: bool,
    least: int,
    cells: Cells,
    choices: Choices,
    diary: Diary,
) -> tuple[int, float]:
    """Take the rows that were found until there are enough, those first that cost the most."""
    if choices.filled[c] < least:
        for f in np.argsort(diary.keys[:n_found]):
            i = diary.found[f]
            home = choices.home[i]
            if n == diary.rows.size:
                break
            if home == c or (if_spared and choices.filled[home] - choices.sizes[i] < least):
                continue
            more += _note(i, c, n, cells, choices, diary)
            n += 1
            if choices.filled[c] >= least:
                break
    return n, more


@njit(cache=True, nogil=True)
def _mend(
    c: int,
    closes: bool,
    n: int,
    more: float,
    limit: float,
    least: int,
    cells: Cells,
    choices: Choices,
    diary: Diary,
) -> tuple[int, float]:
    """Fill up or close cells that are left with too few, and one that is to close in any case.

    Gives the moves so far and what they cost, which is more than the limit if it cannot be done.
    """
    if closes:
        return _close(c, n, more, limit, least, cells, choices, diary)
    if choices.filled[c] < least:
        return n, np.inf
    n_hungry, seen = 0, n
    for m in range(seen):
        home = diary.origins[m]
        if 0 < choices.filled[home] < least:
            diary.hungry[n_hungry] = home
            n_hungry += 1
    for h in range(n_hungry):
        home = diary.hungry[h]
        if choices.filled[home] == 0 or choices.filled[home] >= least:
            continue
        n_full, full = _feed(home, n, more, least, cells, choices, diary)
        is_full = choices.filled[home] >= least
        for m in range(n_full - 1, n - 1, -1):
            _move(diary.rows[m], diary.origins[m], cells, choices)
        best = min(full, limit) if is_full else limit
        n_shut, shut = _close(home, n, more, best, least, cells, choices, diary)
        if shut <= best:
            n, more = n_shut, shut
        elif is_full and full <= limit:
            n, more = _feed(home, n, more, least, cells, choices, diary)
        else:
            return n_shut, np.inf
    return n, more


@njit(cache=True, nogil=True)
def _feed(
    c: int, n: int, more: float, least: int, cells: Cells, choices: Choices, diary: Diary
) -> tuple[int, float]:
    """Fill a cell up with rows that can be spared elsewhere."""
    n_found, found, keys = 0, diary.found, diary.keys
    rows, homes, filled, sizes = cells.rows, choices.home, choices.filled, choices.sizes
    for place in range(cells.starts[c], cells.starts[c + 1]):
        i = rows[place]
        home = homes[i]
        if home != c and filled[home] - sizes[i] >= least:
            found[n_found], keys[n_found] = i, -cells.cost[home]
            n_found += 1
    return _fill(c, n_found, n, more, True, least, cells, choices, diary)


@njit(cache=True, nogil=True)
def _close(
    c: int,
    n: int,
    more: float,
    limit: float,
    least: int,
    cells: Cells,
    choices: Choices,
    diary: Diary,
) -> tuple[int, float]:
    """Move all rows of a cell to the cheapest cells that have enough, unless that costs too much.

    Nothing is moved if it does; what it would cost is then given as infinite.
    """
    first, rows, homes = n, cells.rows, choices.home
    starts, listed, filled = choices.starts, choices.cells, choices.filled
    for place in range(cells.starts[c], cells.starts[c + 1]):
        i, to = rows[place], -1
        if homes[i] != c:
            continue
        for at in range(starts[i], starts[i + 1]):
            if listed[at] != c and filled[listed[at]] >= least:
                to = listed[at]
                break
        if to < 0 or n == diary.rows.size:
            more = np.inf
            break
        more += _note(i, to, n, cells, choices, diary)
        n += 1
        if more > limit:
            break
    if more <= limit:
        return n, more
    for m in range(n - 1, first - 1, -1):
        _move(diary.rows[m], diary.origins[m], cells, choices)
    return first, np.inf
