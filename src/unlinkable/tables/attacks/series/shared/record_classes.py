"""Classes: releases of a growing table as an adversary who follows records through them sees them.

A class has the records of a release that show the same. Which of its records are whose nobody can
say, but what a record hides stays the same in all releases, and so does all else that is published
as it is: together that is the *value* of a record here, and the records of a class with the same
value are a group [1]_.

Two classes are *comparable* if the same person can be in both. If all records of a release are
recoded alike, what it shows on a column are ranges that have nothing in common; and if ranges of
different releases are nested or have nothing in common, then on every column the greatest ranges
part both releases into *blocks* within which all classes of the one are comparable to all of the
other, and to no others (lemma 10.3) [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Section 10.2 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing."
   2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count, expand_stretches, sum_by_label, tally
from unlinkable.kernels.flows import common_of_pairs
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["MOST_PAIRS", "Classes", "Numbers", "block_pairs", "blocks", "crossing", "new_since"]


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
        """Give the class of every person in each release; -1 where they are not."""
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


MOST_PAIRS = 4_000_000
"""So many pairs of classes are compared at most."""


def crossing(releases: Sequence[Classes], names: Columns) -> str | None:
    """Name a column on which ranges overlap and are not nested; None if there is none.

    Within a release they must be equal or have nothing in common.
    """
    for j, name in enumerate(names):
        cuts = [_cut(release, j) for release in releases]
        if any((lo[1:] < hi[:-1]).any() for lo, hi in cuts):
            return name
        for (lo, hi), (lo2, hi2) in combinations(cuts, 2):
            if _crosses(lo, hi, lo2, hi2) or _crosses(lo2, hi2, lo, hi):
                return name
    return None


def _cut(release: Classes, j: int) -> tuple[CodeArray, CodeArray]:
    """List the ranges that a release shows on a column, by where they begin."""
    pairs = np.unique(np.column_stack([release.lo[:, j], release.hi[:, j]]), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _crosses(lo: CodeArray, hi: CodeArray, lo2: CodeArray, hi2: CodeArray) -> bool:
    """Tell whether a range of the first cut begins within one of the second and ends beyond it."""
    at = np.searchsorted(lo2, lo, "right") - 1
    there = at >= 0
    at = at[there]
    is_inside = (lo2[at] < lo[there]) & (lo[there] < hi2[at])
    return bool((is_inside & (hi[there] > hi2[at])).any())


def blocks(a: Classes, b: Classes) -> tuple[CodeArray, CodeArray, int]:
    """Number the blocks that make classes of two releases comparable, and tell each class its own.

    On every column a class belongs to the greater of the two ranges that hold it.
    """
    keys = np.empty((len(a) + len(b), a.lo.shape[1]), np.int32)
    for j in range(keys.shape[1]):
        cuts = _cut(a, j), _cut(b, j)
        keys[: len(a), j] = _covered(a.lo[:, j], a.hi[:, j], *cuts[1])
        keys[len(a) :, j] = _covered(b.lo[:, j], b.hi[:, j], *cuts[0])
    labels, first = number_rows(keys)
    return labels[: len(a)], labels[len(a) :], first.size


def _covered(lo: CodeArray, hi: CodeArray, lo2: CodeArray, hi2: CodeArray) -> CodeArray:
    """Tell where the range begins that covers each, itself if none of the others does."""
    if not lo2.size:
        return lo
    at = np.searchsorted(lo2, lo, "right") - 1
    is_covered = (at >= 0) & (hi2[at] >= hi)
    return np.where(is_covered, lo2[at], lo)


def block_pairs(a: CodeArray, b: CodeArray, n: int) -> tuple[CodeArray, CodeArray]:
    """List all pairs of members of the same block.

    Raises
    ------
    UnsupportedError
        If there are too many.

    Examples
    --------
    >>> first, second = block_pairs(np.array([0, 1]), np.array([1, 0, 1]), 2)
    >>> first.tolist(), second.tolist()
    ([0, 1, 1], [1, 0, 2])
    """
    n_there = count(b, n)
    n_met = n_there[a]
    if int(n_met.sum()) > MOST_PAIRS:
        raise UnsupportedError(
            f"more than {MOST_PAIRS:,} kinds of people could be in these releases: look only at "
            "those who are, with targets=actual"
        )
    order = np.argsort(b, kind="stable").astype(np.int32)
    starts = np.cumsum(n_there) - n_there
    first, place = expand_stretches(starts[a], n_met)
    return first.astype(np.int32), order[place]


def new_since(earlier: Classes, later: Classes, n_values: int) -> CountArray:
    """Count for every group of a release the records of its block that are no earlier one's.

    Its own new records are at most so many.

    Raises
    ------
    UnsupportedError
        If the earlier release has more records of a block with some value than the later one:
        then records have gone, or changed.
    """
    then, now, _ = blocks(earlier, later)
    before = then[earlier.row].astype(np.int64) * n_values + earlier.values
    after = now[later.row].astype(np.int64) * n_values + later.values
    keys, place = np.unique(np.concatenate([before, after]), return_inverse=True)
    amounts = np.concatenate([-earlier.counts, later.counts])
    new = sum_by_label(amounts, place.astype(np.int32), keys.size)
    if (new[place[: before.size]] < 0).any():
        raise UnsupportedError(
            "some records of an earlier release have no record in a later one that they could be: "
            "people have left, or what is published of them has changed. It follows records in a "
            "table that only grows: use difference, intersection or critical-absence"
        )
    return new[place[before.size :]]
