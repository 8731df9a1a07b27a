"""Kinds: people who are in the same groups of all releases, whom no release tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.kernels.counting import count, expand_stretches, keep_common, tally
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Kinds", "histogram_of", "kinds_of", "rows_of"]


@define(eq=False, frozen=True, slots=False)
class Kinds:
    """The owners of the records of a series, by the groups that these are in.

    A record that was made up has an owner of its own, who is in that release only. Owners below
    ``n_people`` are people.

    Attributes
    ----------
    owners
        For each release whose every record is.
    kind
        The kind of each owner; -1 for numbers of people who are in no release.
    where
        For each kind the group that holds it in each release, -1 if it is not there.
    first
        An owner of each kind.
    n_people
        How many numbers of people there are.
    """

    owners: tuple[CountArray, ...]
    kind: CodeArray
    where: CodeArray
    first: CountArray
    n_people: int

    def __len__(self) -> int:
        return len(self.where)

    @cached_property
    def sizes(self) -> CountArray:
        """How many owners there are of each kind."""
        return count(self.kind, len(self))

    @cached_property
    def returns(self) -> BoolArray:
        """Whether a kind is in several releases."""
        return np.asarray((self.where >= 0).sum(axis=1) > 1)

    def common(self, hidden: Sequence[Histogram]) -> Histogram:
        """Intersect, as multisets, what the groups hide that hold a kind.

        Parameters
        ----------
        hidden
            For each release what its groups hide.
        """
        start = np.argmax(self.where >= 0, axis=1)
        offsets = np.append(0, np.cumsum([h.n_groups for h in hidden]))
        rows = offsets[start] + self.where[np.arange(len(self)), start]
        found = rows_of(hidden, rows)
        for i, those in enumerate(hidden):
            groups = np.where(start == i, -1, self.where[:, i]).astype(np.int32)
            found = keep_common(*found, groups, those.indptr, those.values, those.counts)
        return Histogram(*found, hidden[0].n_values)


def histogram_of(sheet: Sheet) -> Histogram:
    """Count what every group of a release hides."""
    counted = tally(sheet.groups, sheet.values, sheet.n_groups, sheet.n_values)
    return Histogram(*counted, sheet.n_values)


def kinds_of(sheets: Sequence[Sheet]) -> Kinds:
    """Sort the owners of records by the groups that they are in.

    Examples
    --------
    >>> first = Sheet.of([0, 1, 2], [0, 0, 1], [0, 1, 1])
    >>> then = Sheet.of([0, 1, -1], [0, 0, 0], [0, 1, 1])
    >>> kinds = kinds_of([first, then])
    >>> kinds.where.tolist(), kinds.sizes.tolist()
    ([[0, 0], [1, -1], [-1, 0]], [2, 1, 1])
    """
    n_people = max((int(sheet.people.max(initial=-1)) + 1 for sheet in sheets), default=0)
    owners, n = [], n_people
    for sheet in sheets:
        made_up = sheet.people < 0
        whose = sheet.people.copy()
        whose[made_up] = n + np.arange(made_up.sum())
        n += int(made_up.sum())
        owners.append(whose)
    groups = np.full((n, len(sheets)), -1, np.int32)
    for i, (sheet, whose) in enumerate(zip(sheets, owners, strict=True)):
        groups[whose, i] = sheet.groups
    there = np.flatnonzero((groups >= 0).any(axis=1))
    labels, first = number_rows(groups[there] + np.int32(1))
    kind = np.full(n, -1, np.int32)
    kind[there] = labels
    return Kinds(tuple(owners), kind, groups[there[first]], there[first], n_people)


def rows_of(
    hidden: Sequence[Histogram], rows: CodeArray | CountArray
) -> tuple[CountArray, CodeArray, CountArray]:
    """Take these rows of all histograms, one below the other."""
    widths = np.concatenate([h.distinct for h in hidden])
    starts = np.append(0, np.cumsum(widths))
    indptr = np.append(0, np.cumsum(widths[rows])).astype(np.int64)
    _, at = expand_stretches(starts[rows], widths[rows])
    values, counts = (np.concatenate([getattr(h, n) for h in hidden]) for n in ("values", "counts"))
    return indptr, values[at], counts[at]
