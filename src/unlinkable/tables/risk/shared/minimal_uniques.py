"""The search for minimal sample uniques: level by level of a tree of column sets."""

from __future__ import annotations

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.lkc import are_minimal, mark, single_out
from unlinkable.tables.groups import Groups
from unlinkable.tables.risk.shared.column_sets import Keys, n_sets
from unlinkable.typing import CodeArray, CountArray, Progress

__all__ = ["find_minimal_uniques"]

_WORD = 64


def find_minimal_uniques(
    groups: Groups, owners: CodeArray, largest: int, progress: Progress | None = None
) -> tuple[CodeArray, CountArray]:
    """Count the minimal unique sets of every group, and of every column.

    A set is minimal for a group that it singles out if no set with one column less does. Sets come
    after their subsets, for which a bit says whom they single out.

    Parameters
    ----------
    groups
        Records that look alike on all columns.
    owners
        Whose each of them is, -1 if it belongs to several people.
    largest
        The largest number of columns in a set.
    progress
        Progress callback.

    Returns
    -------
    tuple[CodeArray, CountArray]
        By group and size, the number of its minimal sets; by column and size, the number of minimal
        sets of all groups that have this column.
    """
    search = _Search(
        keys=Keys.of(groups.keys),
        largest=largest,
        bits=np.zeros(
            (n_sets(len(groups.columns), largest - 1) + 1, -(-len(groups) // _WORD)), np.uint64
        ),
        rows={(): 0},
        minimal=np.zeros((len(groups), largest), np.int32),
        by_column=np.zeros((len(groups.columns), largest), np.int64),
        progress=progress,
        n_all=n_sets(len(groups.columns), largest),
    )
    if (owners >= 0).any():
        everyone = np.arange(len(groups), dtype=np.int32)
        if (owners == owners[0]).all() and owners[0] >= 0:
            return search.minimal, search.by_column
        search.below((), everyone, owners, np.array([0, len(groups)]), len(groups.columns))
    return search.minimal, search.by_column


@define(eq=False)
class _Search:
    """What the search has found so far."""

    keys: Keys
    largest: int
    bits: NDArray[np.uint64]
    rows: dict[tuple[int, ...], int]
    minimal: CodeArray
    by_column: CountArray
    progress: Progress | None
    n_all: int
    n_done: int = 0

    def below(
        self,
        columns: tuple[int, ...],
        elements: CodeArray,
        owners: CodeArray,
        starts: CountArray,
        lowest: int,
    ) -> None:
        """Add one column before ``lowest`` after the other, and go on from there."""
        for j in range(lowest):
            more = (j, *columns)
            is_last = len(more) == self.largest
            kept, whose, ends, found = single_out(
                elements, owners, starts, self.keys.codes[j], self.keys.widths[j], is_last
            )
            self._take(more, columns, found)
            if not is_last:
                self.below(more, kept, whose, ends, j)

    def _take(self, more: tuple[int, ...], before: tuple[int, ...], found: CodeArray) -> None:
        """Take in whom a set singles out that its first subset did not."""
        size = len(more)
        if size < self.largest:
            row = self.rows[more] = len(self.rows)
            self.bits[row] = self.bits[self.rows[before]]
            mark(self.bits[row], found)
        others = [self.rows[(*more[:i], *more[i + 1 :])] for i in range(1, size)]
        new = found[are_minimal(found, self.bits, np.array(others, np.int64))]
        self.minimal[new, size - 1] += 1
        places = [self.keys.order[j] for j in more]
        self.by_column[places, size - 1] += new.size
        self.n_done += 1
        if self.progress is not None:
            self.progress(self.n_done / self.n_all, "looking for minimal unique sets")
