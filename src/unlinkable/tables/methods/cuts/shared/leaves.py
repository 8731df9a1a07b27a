"""Leaves: the taxonomy indexed partitions (TIPS) of a top-down search.

Every leaf partition has the records that look alike on some columns. A step splits the leaves that
show the value it refines, and no others: it reads the records that hold that value only once, and
all later questions are answered by counts.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define, field

from unlinkable.kernels.counting import sum_by_label
from unlinkable.kernels.taxonomy_cuts import (
    arrange,
    count_parts,
    follow,
    relink,
    settle,
    show_alone,
    show_parts,
)
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.methods.cuts.shared.column_refinement import ValueSplit
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Leaves", "Trial"]

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


@define(eq=False)
class Leaves:
    """Leaf partitions of a table by some of its columns.

    Attributes
    ----------
    columns
        The columns, by their places in the table.
    rows, keys
        The distinct rows: ``rows[i, j]`` and ``keys[j, i]`` are the code of row i on the j-th of
        these columns. The first is read where all columns count, the second where one does.
    sizes
        Number of records of each row.
    order
        The rows in the order of leaves, see `unlinkable.kernels.taxonomy_cuts.tips`.
    n
        Number of leaves.
    start, end, records
        The rows of each leaf and the number of its records; there is room for more leaves.
    head, following
        The links: leaves with the same value on a column are chained.
    shown
        ``shown[j, P]`` is what leaf P shows on the j-th column; empty if not needed.
    anonymity
        Number of records of the smallest leaf that has any.
    """

    columns: CodeArray
    rows: CodeArray
    keys: CodeArray
    sizes: CountArray
    order: CodeArray
    n: int
    start: CountArray
    end: CountArray
    records: CountArray
    head: CodeArray
    following: CodeArray
    shown: CodeArray
    anonymity: int
    _local: dict[int, int]
    _arranged: Trial | None = field(default=None, init=False)
    _grown: tuple[Trial, CodeArray] | None = field(default=None, init=False)
    _alone: CodeArray = field(factory=lambda: np.empty(0, np.int32), init=False)

    @classmethod
    def of(cls, groups: Groups, initial: CodeArray, n_values: int, *, is_shown: bool) -> Self:
        """Put all rows into one leaf, which shows the initial value of each column.

        ``is_shown`` states whether what leaves show will be needed.
        """
        return cls._of(
            np.arange(initial.size, dtype=np.int32),
            groups.keys,
            groups.sizes,
            initial,
            n_values,
            is_shown=is_shown,
        )

    @classmethod
    def on(cls, groups: Groups, columns: CodeArray, initial: CodeArray, n_values: int) -> Self:
        """Put all rows into one leaf, and look at some columns only."""
        keys = groups.keys[:, columns]
        labels, first = number_rows(keys)
        sizes = sum_by_label(groups.sizes, labels, first.size)
        return cls._of(columns, keys[first], sizes, initial, n_values, is_shown=False)

    @classmethod
    def _of(
        cls,
        columns: CodeArray,
        keys: CodeArray,
        sizes: CountArray,
        initial: CodeArray,
        n_values: int,
        *,
        is_shown: bool,
    ) -> Self:
        n, d = len(keys), columns.size
        head = np.full(n_values, -1, np.int32)
        head[initial[columns]] = 0
        return cls(
            columns=columns,
            rows=np.ascontiguousarray(keys),
            keys=np.ascontiguousarray(keys.T),
            sizes=sizes,
            order=np.arange(n, dtype=np.int32),
            n=1,
            start=np.zeros(1, np.int64),
            end=np.full(1, n, np.int64),
            records=sizes.sum(keepdims=True),
            head=head,
            following=np.full((d, 1), -1, np.int32),
            shown=initial[columns].reshape(d, 1).copy() if is_shown else np.empty((0, 1), np.int32),
            anonymity=int(sizes.sum()),
            local={j: at for at, j in enumerate(columns.tolist())},
        )

    def has(self, column: int) -> bool:
        """Whether leaves differ on a column of the table."""
        return column in self._local

    def attempt(self, column: int, split: ValueSplit) -> Trial:
        """Count what a step would make of the leaves. Nothing changes."""
        j = self._local[column]
        leaves = follow(self.head, split.value, self.following[j], self.start, self.end)
        ends, which, start, end, records = count_parts(
            self.order,
            self.keys[j],
            self.sizes,
            self.start,
            self.end,
            leaves,
            split.target,
            split.parts.size,
        )
        values = split.parts[which]
        return Trial(column, split, leaves, ends, values, start, end, records, which)

    def arrange(self, trial: Trial) -> None:
        """Put rows into the order of the parts. Leaves are what they were."""
        if self._arranged is trial:
            return
        self._arranged = trial
        j = self._local[trial.column]
        arrange(
            self.order,
            self.keys[j],
            self.start,
            self.end,
            trial.leaves,
            trial.split.target,
            trial.split.parts.size,
            trial.ends,
            trial.which,
            trial.start,
        )

    def grow(self, trial: Trial) -> CodeArray:
        """Make leaves of parts whose rows are in order, and tell which; links are as before."""
        if self._grown is not None and self._grown[0] is trial:
            return self._grown[1]
        self._show_alone(trial)
        self._make_room(trial.n_new)
        places = settle(
            self.start,
            self.end,
            self.records,
            self.n,
            trial.leaves,
            trial.ends,
            trial.start,
            trial.end,
            trial.records,
        )
        self.n += trial.n_new
        if len(self.shown):
            j = self._local[trial.column]
            show_parts(self.shown, j, trial.leaves, trial.ends, places, trial.values)
        self._grown = trial, places
        return places

    def shrink(self, trial: Trial) -> None:
        """Take back what `grow` did, if it did anything."""
        if self._grown is None or self._grown[0] is not trial:
            return
        self._grown = None
        first, last = trial.ends[:-1], trial.ends[1:] - 1
        self.n -= trial.n_new
        self.start[trial.leaves] = trial.start[first]
        self.end[trial.leaves] = trial.end[last]
        n_up_to = np.append(0, np.cumsum(trial.records))
        self.records[trial.leaves] = n_up_to[last + 1] - n_up_to[first]
        if len(self.shown):
            shown = self.shown[self._local[trial.column]]
            shown[trial.leaves] = shown[self._alone] = trial.split.value

    def link(self, trial: Trial, places: CodeArray) -> None:
        """Chain the new leaves: the step is made."""
        self.anonymity = min(self.anonymity, trial.smallest)
        self.head[trial.split.value] = -1
        j = self._local[trial.column]
        relink(self.following, self.head, j, trial.leaves, trial.ends, places, trial.values)

    def moved(self, trial: Trial, places: CodeArray) -> BoolArray:
        """Mark all leaves that have shown the value, if what leaves show is needed."""
        is_moved = np.zeros(self.n, bool)
        is_moved[places] = is_moved[self._alone] = True
        return is_moved

    def labels(self) -> CodeArray:
        """Tell the leaf of every row."""
        labels = np.empty(self.order.size, np.int32)
        by_start = np.argsort(self.start[: self.n], kind="stable").astype(np.int32)
        labels[self.order] = np.repeat(by_start, (self.end - self.start)[by_start])
        return labels

    def firsts(self) -> CodeArray:
        """Give one row of each leaf."""
        return self.order[self.start[: self.n]]

    def _show_alone(self, trial: Trial) -> None:
        """Tell what the leaves of one row show, which take no part in anything else."""
        if not len(self.shown):
            return
        j, split = self._local[trial.column], trial.split
        self._alone = show_alone(
            self.shown[j],
            self.n,
            self.order,
            self.keys[j],
            self.start,
            self.end,
            split.value,
            split.target,
            split.parts,
        )

    def _make_room(self, n_new: int) -> None:
        room = self.start.size
        if self.n + n_new <= room:
            return
        # Every leaf has a row of its own.
        more = max(self.n + n_new, min(2 * room, self.order.size)) - room
        self.start, self.end, self.records = (
            np.append(amounts, np.zeros(more, np.int64))
            for amounts in (self.start, self.end, self.records)
        )
        self.following, self.shown = (
            np.concatenate([table, np.full((len(table), more), -1, np.int32)], axis=1)
            for table in (self.following, self.shown)
        )
