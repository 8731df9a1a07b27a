"""Next classes: what the next release would show, and how many records hide each value."""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.series.continuous.range_index import Starts
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Counts", "NextClasses", "counted"]


@define(eq=False, frozen=True)
class NextClasses:
    """Classes that the next release would have.

    Attributes
    ----------
    order, start, end
        The distinct records of class ``q`` are ``order[start[q]:end[q]]``.
    shown
        For every column and each code that occurs, the least such code that is shown alike.
    """

    order: CodeArray
    start: CountArray
    end: CountArray
    shown: Starts

    def take(self, which: BoolArray) -> NextClasses:
        """Keep some classes."""
        return NextClasses(self.order, self.start[which], self.end[which], self.shown)


@define(eq=False, frozen=True)
class Counts:
    """How many records some classes have of each value.

    Attributes
    ----------
    codes
        What a record of each class has on every column.
    is_judged
        Which classes are to be judged; others are in the same blocks.
    indptr, values, row
        The values of each class, as a CSR matrix, and the class of each entry.
    newer
        For each entry the records of people who came with a release or later, by release.
    """

    codes: CodeArray
    is_judged: BoolArray
    indptr: CountArray
    values: CodeArray
    row: CodeArray
    newer: CountArray


def counted(
    codes: CodeArray,
    is_judged: BoolArray,
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_times: int,
) -> Counts:
    """Add up what was counted by value and time."""
    row = np.repeat(np.arange(len(codes), dtype=np.int32), np.diff(indptr))
    value, since = np.divmod(values, np.int32(n_times))
    is_first = np.ones(row.size, bool)
    is_first[1:] = (row[1:] != row[:-1]) | (value[1:] != value[:-1])
    entry = np.cumsum(is_first) - 1
    came = np.zeros((int(is_first.sum()), n_times), np.int64)
    came[entry, since] = counts
    newer = np.cumsum(came[:, ::-1], axis=1)[:, ::-1]
    n_each = np.bincount(row[is_first], minlength=len(codes))
    ends = np.append(0, np.cumsum(n_each)).astype(np.int64)
    # Kernels take the columns of it, which are to lie in one piece.
    return Counts(codes, is_judged, ends, value[is_first], row[is_first], np.asfortranarray(newer))
