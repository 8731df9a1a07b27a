"""Trial: what a step would make of the leaves, before anything is done."""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.methods.cuts.shared.column_refinement import ValueSplit
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Trial"]

_VAST = 1 << 62
"""No leaf has so many records."""


@define(eq=False, frozen=True)
class Trial:
    """The parts that the leaves with some value have once it is refined.

    Attributes
    ----------
    column
        On which column.
    split
        What is done.
    leaves
        The leaves of several rows that show the value.
    ends
        The parts of leaf ``leaves[g]`` are ``ends[g]`` to ``ends[g + 1]``.
    values
        What each part shows on the column.
    start, end, records
        Its rows, and the number of its records.
    which
        To which target it goes.
    """

    column: int
    split: ValueSplit
    leaves: CodeArray
    ends: CountArray
    values: CodeArray
    start: CountArray
    end: CountArray
    records: CountArray
    which: CodeArray

    @property
    def n_rows(self) -> int:
        """How many rows the leaves have."""
        return int((self.end - self.start).sum())

    @property
    def n_new(self) -> int:
        """How many leaves there are more than before."""
        return int(self.values.size - self.leaves.size)

    @property
    def is_split(self) -> BoolArray:
        """Which of the leaves have several parts."""
        is_split: BoolArray = np.diff(self.ends) > 1
        return is_split

    @property
    def smallest(self) -> int:
        """Number of records of the smallest part that has any."""
        return int(np.min(self.records, where=self.records > 0, initial=_VAST))

    @property
    def is_moved(self) -> BoolArray:
        """Which of the leaves have a part that no longer shows the value."""
        stay = np.append(0, np.cumsum(self.values == self.split.value))
        moved: BoolArray = np.diff(stay[self.ends]) < np.diff(self.ends)
        return moved

    @property
    def is_part(self) -> BoolArray:
        """Which of the parts are not all that was there before."""
        return np.repeat(self.is_split, np.diff(self.ends))
