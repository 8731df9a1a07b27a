"""Trying a change of several parts: it is made, weighed, and taken back if it costs more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from unlinkable.kernels.homes import Homes, Prices, cheapest_home, drop, shift
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Trial", "begin", "blank_trial", "settle", "take"]

_GAIN = 1e-9


class Trial(NamedTuple):
    """What a change has touched.

    ``rows`` moved from the parts ``olds``; the ``parts`` concerned, and what each cost ``before``.
    ``marks[p]`` is the number of the trial that touched part ``p`` last. ``counts`` holds the
    number of this trial, of moves and of parts.
    """

    rows: CodeArray
    olds: CodeArray
    parts: CodeArray
    before: FloatArray
    marks: CountArray
    counts: CountArray


def blank_trial(n_rows: int, n_parts: int) -> Trial:
    """Make room for the changes of a table. A row moves at most twice."""
    return Trial(
        np.empty(2 * n_rows, np.int32),
        np.empty(2 * n_rows, np.int32),
        np.empty(n_parts, np.int32),
        np.empty(n_parts, np.float64),
        np.zeros(n_parts, np.int64),
        np.zeros(3, np.int64),
    )


@njit(cache=True, nogil=True)
def begin(trial: Trial) -> None:
    """Start a new change."""
    trial.counts[0] += 1
    trial.counts[1] = trial.counts[2] = 0


@njit(cache=True, nogil=True)
def take(trial: Trial, homes: Homes, prices: Prices, row: int, to: int) -> None:
    """Move a row, and remember where it was."""
    own = homes.part[row]
    _touch(trial, homes, own)
    _touch(trial, homes, to)
    trial.rows[trial.counts[1]], trial.olds[trial.counts[1]] = row, own
    trial.counts[1] += 1
    shift(homes, prices, row, to)


@njit(cache=True, nogil=True)
def settle(trial: Trial, homes: Homes, prices: Prices, least: int, n_parts: int) -> bool:
    """Find homes for rows of parts that became too small; keep the change if it makes all cheaper.

    Whether it was kept. If not, everything is as it was before the change began.
    """
    is_fine = True
    for i in range(trial.counts[2]):
        part = trial.parts[i]
        while is_fine and 0 < homes.records[part] < least:
            row = homes.head[part]
            to, _ = cheapest_home(homes, prices, row, least, np.inf, n_parts)
            # Each row may move on once; where that is not enough, the change is no good.
            if to < 0 or trial.counts[1] == trial.rows.size:
                is_fine = False
            else:
                take(trial, homes, prices, row, to)
    change = 0.0
    for i in range(trial.counts[2]):
        part = trial.parts[i]
        drop(homes, prices, part)
        change += homes.cost[part] * homes.weight[part] - trial.before[i]
        is_fine = is_fine and not 0 < homes.records[part] < least
    if is_fine and change < -_GAIN:
        return True
    for i in range(trial.counts[1] - 1, -1, -1):
        shift(homes, prices, trial.rows[i], trial.olds[i])
    for i in range(trial.counts[2]):
        drop(homes, prices, trial.parts[i])
    return False


@njit(cache=True, nogil=True)
def _touch(trial: Trial, homes: Homes, part: int) -> None:
    if trial.marks[part] != trial.counts[0]:
        trial.marks[part] = trial.counts[0]
        trial.parts[trial.counts[2]] = part
        trial.before[trial.counts[2]] = homes.cost[part] * homes.weight[part]
        trial.counts[2] += 1
