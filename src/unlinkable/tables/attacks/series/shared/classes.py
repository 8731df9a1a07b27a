"""Classes: releases of a growing table as whoever follows records through them sees them.

A class has the records of a release that show the same. Which of its records are whose nobody can
say, but what a record hides stays the same in all releases, and so does all else that is published
as it is: together that is the *value* of a record here, and the records of a class with the same
value are a group [1]_.

Two classes are *comparable* if the same person can be in both: see
`unlinkable.tables.attacks.series.shared.blocks`.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Section 10.2 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing."
   2010.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label, tally
from unlinkable.kernels.flows import common_of_pairs
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Classes", "Numbers"]


@define(eq=False, frozen=True)
class Classes:
    """The classes of a release, or what is left of those that several releases have in common.

    Attributes
    ----------
    lo, hi
        ``[lo[q, j], hi[q, j])`` is what class ``q`` shows on column ``j``.
    indptr, values, counts
        How many of its records have each value, as a CSR matrix.
    labels
        The class of every record; empty if these are no records of one release.
    """

    lo: CodeArray
    hi: CodeArray
    indptr: CountArray
    values: CodeArray
    counts: CountArray
    labels: CodeArray

    def __len__(self) -> int:
        return len(self.lo)

    @property
    def row(self) -> CodeArray:
        """For every entry the class that it belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.indptr))

    @property
    def sizes(self) -> CountArray:
        """Number of records of each class."""
        return sum_by_label(self.counts, self.row, len(self))

    def common(self, other: Classes, first: CodeArray, second: CodeArray) -> Classes:
        """Take for every pair of classes what both show, and the lesser count of each value."""
        left = common_of_pairs(
            self.indptr,
            self.values,
            self.counts,
            other.indptr,
            other.values,
            other.counts,
            first,
            second,
        )
        lo = np.maximum(self.lo[first], other.lo[second])
        hi = np.minimum(self.hi[first], other.hi[second])
        return Classes(lo, hi, *left, np.empty(0, np.int32))


@define(eq=False, frozen=True)
class Numbers:
    """A series of releases in numbers.

    Attributes
    ----------
    classes
        The classes of every release.
    columns
        The columns that are published as they are, by which records are recognized.
    about
        Those of them that are to stay hidden.
    values
        For each of the former its value behind each value of the classes.
    told
        The same for each of the latter.
    n_values
        How many values there are.
    of_records
        The value of every record, in each release.
    """

    classes: tuple[Classes, ...]
    columns: Columns
    about: Columns
    values: CodeArray
    told: CodeArray
    n_values: int
    of_records: tuple[CodeArray, ...]

    @classmethod
    def of(cls, series: Series, asked: str | None = None) -> Numbers:
        """Read the releases.

        Raises
        ------
        SchemaError
            If the column that is asked for is not among the sensitive ones of all releases.
        DataError
            If a text means nothing.
        """
        about = series.columns_about(asked) if asked or series.sensitive else ()
        columns = recognized_by(series)
        told = [np.concatenate(series.values(name)) for name in columns]
        n_records = [len(groups) for groups in series.groups]
        rows = np.column_stack(told) if told else np.zeros((sum(n_records), 1), np.int32)
        values, first = number_rows(np.ascontiguousarray(rows, np.int32))
        parts = np.split(values, np.cumsum(n_records)[:-1])
        boxes = zip(series.groups, series.boxes, parts, strict=True)
        classes = tuple(_classes(*box, first.size) for box in boxes)
        at = [columns.index(name) for name in about]
        behind = np.ascontiguousarray(rows[first].T[: len(columns)])
        return cls(classes, columns, about, behind, behind[at], first.size, tuple(parts))

    def of_people(self, series: Series) -> CodeArray:
        """Give the class of every person in each release; -1 where he is not."""
        found = np.full((series.n_people, len(series)), -1, np.int32)
        for i, (edition, classes) in enumerate(zip(series.editions, self.classes, strict=True)):
            found[edition.people, i] = classes.labels
        return found

    @property
    def seen(self) -> CountArray:
        """Zeros to count with, see `unlinkable.kernels.flows.histogram_intersection`."""
        return np.zeros((len(self.about), int(self.told.max(initial=-1)) + 1), np.int64)


def recognized_by(series: Series) -> Columns:
    """Name the columns that all releases publish as they are."""
    first, *rest = [edition.target for edition in series.editions]
    known = {name for e in series.editions for name in (*e.target.quasi, e.target.bucket)}
    return tuple(
        name
        for name in first.frame.columns
        if name not in known and all(name in other.frame.columns for other in rest)
    )


def _classes(
    groups: CodeArray, box: tuple[CodeArray, CodeArray], values: CodeArray, n_values: int
) -> Classes:
    """Take the records that show the same ranges, in whichever words, for a class."""
    lo, hi = box
    of_group, first = number_rows(np.hstack([lo, hi]))
    labels = of_group[groups]
    return Classes(lo[first], hi[first], *tally(labels, values, first.size, n_values), labels)
