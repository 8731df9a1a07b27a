"""Owner candidates: the people on a list who can own a record that is traced over releases."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unlinkable.typing import CodeArray, CountArray

__all__ = ["FittingGroups", "PossibleCells", "count_candidates", "keep_traceable"]


class FittingGroups(NamedTuple):
    """The groups of a release that fit each person: those that fit their kind, rising."""

    kind: CodeArray
    starts: CountArray
    groups: CodeArray


class PossibleCells(NamedTuple):
    """The cells of two releases that records with each value can be in.

    The cells of group ``a`` begin at ``starts[a]``, by rising ``b``; ``n_b`` stands for a record
    that has left. The values of cell ``c`` begin at ``entries[c]``.
    """

    starts: CountArray
    b: CodeArray
    entries: CountArray
    values: CodeArray
    is_open: NDArray[np.bool_]
    n_b: int


@njit(cache=True, nogil=True)
def keep_traceable(
    fits: FittingGroups,
    indptr: CountArray,
    values: CodeArray,
    later: FittingGroups,
    steps: PossibleCells,
    kept: NDArray[np.bool_],
) -> None:
    """Keep the people who fit, in a later release, a group that their record can be in.

    ``kept`` has an entry for every person, group that fits them, and entry of what it hides
    (``values[indptr[group]:indptr[group + 1]]``), in that order.
    """
    at = 0
    for person in range(fits.kind.size):
        kind = fits.kind[person]
        for i in range(fits.starts[kind], fits.starts[kind + 1]):
            group = fits.groups[i]
            for k in range(indptr[group], indptr[group + 1]):
                kept[at] = kept[at] and _is_found(person, group, values[k], later, steps)
                at += 1


@njit(cache=True, nogil=True)
def count_candidates(
    fits: FittingGroups, indptr: CountArray, kept: NDArray[np.bool_], n_entries: int
) -> CountArray:
    """Count for every entry of what groups hide the people who are still candidates."""
    out = np.zeros(n_entries, np.int64)
    at = 0
    for person in range(fits.kind.size):
        kind = fits.kind[person]
        for i in range(fits.starts[kind], fits.starts[kind + 1]):
            group = fits.groups[i]
            for k in range(indptr[group], indptr[group + 1]):
                out[k] += kept[at]
                at += 1
    return out


@njit(cache=True, nogil=True)
def _is_found(
    person: int, group: int, value: int, later: FittingGroups, steps: PossibleCells
) -> bool:
    """Tell whether a record can be in a group that fits a person, or have left."""
    first, last = steps.starts[group], steps.starts[group + 1]
    # A record that has left fits everybody. Its cell is the last one, because ``b`` rises.
    if last > first and steps.b[last - 1] == steps.n_b and _is_open(last - 1, value, steps):
        return True
    kind = later.kind[person]
    for i in range(later.starts[kind], later.starts[kind + 1]):
        b = later.groups[i]
        cell = first + np.searchsorted(steps.b[first:last], b)
        if cell < last and steps.b[cell] == b and _is_open(cell, value, steps):
            return True
    return False


@njit(cache=True, nogil=True)
def _is_open(cell: int, value: int, steps: PossibleCells) -> bool:
    for k in range(steps.entries[cell], steps.entries[cell + 1]):
        if steps.values[k] == value:
            return bool(steps.is_open[k])
    return False
