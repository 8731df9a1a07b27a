"""Posterior: how sure one can be of the most likely value of somebody, in each group."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.maxent.cells import Cells
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Posterior"]

_CLOSE = 1e-7
"""Where the solver was needed, a probability that is this little above a bound meets it."""


@define(eq=False, frozen=True)
class Posterior:
    """The largest probability of a guarded value, by group.

    Attributes
    ----------
    level
        The probability.
    value
        The code of the value, -1 if the group has none that is guarded.
    is_exact
        Whether no statement is about the group: then the probability is ``peaks / sizes``.
    peaks, sizes
        How many records have the most frequent guarded value, out of how many.
    """

    level: FloatArray
    value: CountArray
    is_exact: BoolArray
    peaks: CountArray
    sizes: CountArray

    @classmethod
    def of(cls, cells: Cells, x: FloatArray, hidden: Histogram, guarded: BoolArray) -> Self:
        """Look up the most likely of the guarded values in each group.

        A value has its share of what people have of its kind.
        """
        counts = np.where(guarded[hidden.values], hidden.counts, 0)
        sizes = hidden.reduce(np.add, hidden.counts)
        peaks, value = _peaks(hidden.row, counts, hidden.values, hidden.n_groups)
        level = peaks / np.maximum(sizes, 1)
        at = np.full(hidden.n_groups, -1)
        at[cells.groups] = np.arange(cells.groups.size)
        if cells.groups.size:
            own = np.flatnonzero(at[hidden.row] >= 0)
            column = _columns(cells, at[hidden.row[own]], cells.kind[hidden.values[own]])
            most, code = _peaks(column, counts[own], hidden.values[own], cells.records.size)
            sure = x / cells.people[cells.row] * (most / cells.records)[cells.column]
            starts = cells.row_cell[cells.row_start]
            level[cells.groups] = np.maximum.reduceat(sure, starts[:-1])
            cell = np.flatnonzero(sure == np.repeat(level[cells.groups], np.diff(starts)))
            group = np.searchsorted(starts, cell, side="right") - 1
            value[cells.groups[group]] = code[cells.column[cell]]
        return cls(level, value, at < 0, peaks, sizes)

    def is_within(self, p: Fraction) -> BoolArray:
        """State in which groups the probability is at most p."""
        # The share of a value is the mean of its probabilities, so it must be within p anyway.
        shares = is_within(self.peaks, p, self.sizes)
        return shares & (self.is_exact | (self.level <= float(p) + _CLOSE))


def _peaks(
    places: CodeArray | CountArray, counts: CountArray, values: CodeArray, n_places: int
) -> tuple[CountArray, CountArray]:
    """Find the largest count of each place, and a value that has it; -1 if there is none."""
    peaks = np.zeros(n_places, np.int64)
    np.maximum.at(peaks, places, counts)
    top = np.flatnonzero((counts == peaks[places]) & (counts > 0))[::-1]
    value = np.full(n_places, -1)
    value[places[top]] = values[top]
    return peaks, value


def _columns(cells: Cells, groups: CountArray, kinds: CodeArray) -> CountArray:
    """Find the columns of some groups that hold values of some kinds."""
    n_kinds = int(cells.kind.max(initial=0)) + 1
    group_of_column = np.repeat(np.arange(cells.groups.size), np.diff(cells.column_start))
    keys = group_of_column * n_kinds + cells.column_kind
    return np.searchsorted(keys, groups * n_kinds + kinds)
