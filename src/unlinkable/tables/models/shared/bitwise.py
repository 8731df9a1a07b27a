"""Bitwise: many groups on combinations of a few columns, examined by bits.

Where groups are many and columns have few values, a cell is found faster by the bits that its
values have in common than by the list of its groups: see `unlinkable.kernels.lkc.few_columns`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Self, TypeAlias

import numpy as np
from attrs import define

from unlinkable.kernels.counting import tallies
from unlinkable.kernels.lkc import (
    LONGEST,
    People,
    Sheet,
    find_worst,
    make_sheet,
    narrow,
    read_columns,
    read_rows,
    rows_by_value,
)
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.shared.exact_ratios import largest_below
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Bitwise", "Bounds", "Worst"]

_ROOM = 1 << 23
"""The greatest number of entries in a table of two columns."""

Bounds: TypeAlias = tuple[int, Fraction]
"""The fewest people, and the largest share of a value, that a cell may have."""


@define(eq=False, frozen=True)
class Worst:
    """The worst cells of combinations.

    Attributes
    ----------
    fewest, few_at, few_on
        The fewest people, a group of theirs, and the columns by their position in the groups.
    share, share_at, share_on
        The same of the largest share of a value.
    n_cells
        How many cells were examined.
    """

    fewest: int
    few_at: int
    few_on: tuple[int, ...]
    share: Fraction
    share_at: int
    share_on: tuple[int, ...]
    n_cells: int

    def is_within(self, bounds: Bounds) -> bool:
        """Whether no cell breaks the bounds."""
        return self.fewest >= bounds[0] and self.share <= bounds[1]


@define(eq=False, frozen=True)
class Bitwise:
    """Some groups as bits, ready to be examined on every combination of this many columns.

    Attributes
    ----------
    members, n_records
        The groups by their numbers, and how many records they have.
    columns
        The columns on which they differ, by their position in the groups.
    length, least
        How many of these columns are known at once, and how many at least.
    sheet, people
        The rows as bits, and whose the records are.
    """

    members: CountArray
    n_records: int
    columns: CountArray
    length: int
    least: int
    sheet: Sheet
    people: People

    @classmethod
    def of(
        cls,
        groups: Groups,
        members: CountArray,
        at_most: int,
        hidden: Histogram | None = None,
        is_bounded: BoolArray | None = None,
        bounds: Bounds | None = None,
    ) -> Self | None:
        """Lay out some of the groups; None if their columns have too many values.

        Takes O(members x columns) time, and no more than that for other groups.

        Parameters
        ----------
        groups, members
            At least one of the groups, by their numbers.
        at_most
            Columns that are known at once.
        hidden, is_bounded
            How often each value occurs in each group, and which codes are bounded.
        bounds
            If nothing but these matter: values that cannot break them are not told apart.
        """
        is_by_row = groups.keys.strides[0] >= groups.keys.strides[1]
        read = (
            read_rows(groups.keys, members) if is_by_row else read_columns(groups.keys.T, members)
        )
        if read[1] > LONGEST:
            return None
        columns, n_codes, codes = narrow(*read, members.size)
        wide = min(at_most, len(groups.columns))
        length = min(wide, columns.size)
        number, n_hidden = _numbered(members, hidden, is_bounded, bounds)
        is_wide = length > 1 and int(n_codes.sum()) ** 2 * n_hidden > _ROOM
        if is_wide or len(codes) < members.size:
            return None
        entries = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64)
        if hidden is not None and n_hidden > 1:
            entries = hidden.indptr, hidden.values, hidden.counts
        rows = rows_by_value(members, groups.sizes, entries, number)
        return cls(
            members=members,
            n_records=int(groups.sizes[members].sum()),
            columns=columns,
            length=length,
            least=max(wide - (len(groups.columns) - columns.size), 0),
            sheet=make_sheet(rows, n_hidden, codes, n_codes, max(length - 1, 1)),
            people=_people(groups, members),
        )

    def worst(self) -> Worst:
        """Find the worst cells."""
        found, places = self._find((self.n_records + 1, Fraction(0)), np.empty(0, bool))
        fewest, few_at, peak, records, share_at, _, n_cells = found.tolist()
        few_on, share_on = (tuple(sorted(self.columns[p[p >= 0]].tolist())) for p in places)
        return Worst(
            fewest=fewest,
            few_at=int(self.members[few_at]),
            few_on=few_on,
            share=Fraction(peak, records),
            share_at=int(self.members[share_at]),
            share_on=share_on,
            n_cells=n_cells,
        )

    def is_within(self, bounds: Bounds) -> bool:
        """Whether no cell breaks the bounds; stops at the first that does."""
        found, _ = self._find(bounds, np.empty(0, bool), stops=True)
        return not found[5]

    def good(self, bounds: Bounds) -> BoolArray:
        """Give for each member whether it is in no cell that breaks the bounds."""
        good = np.ones(self.members.size, bool)
        self._find(bounds, good)
        return good

    def _find(
        self, known: Bounds, good: BoolArray, *, stops: bool = False
    ) -> tuple[CountArray, CountArray]:
        """Search for cells that are worse than what is known."""
        p, q = largest_below(known[1], self.n_records).as_integer_ratio()
        # No cell has more people than there are records.
        found = np.array([min(known[0], self.n_records + 1), 0, p, q, 0, 0, 0])
        places = np.full((2, self.length), -1, np.int64)
        find_worst(self.length, self.least, self.sheet, self.people, found, places, good, stops)
        return found, places


def _numbered(
    members: CountArray,
    hidden: Histogram | None,
    is_bounded: BoolArray | None,
    bounds: Bounds | None,
) -> tuple[CodeArray, int]:
    """Number the values that matter from 1 on: 0 for others. Also give a bound on the numbers.

    If cells have at least k people, a value that few of all records have is within its share
    everywhere.
    """
    if hidden is None or (bounds is not None and bounds[1] >= 1):
        return np.zeros(0, np.int32), 1
    total = _totals(members, hidden)
    matters = total > 0
    if is_bounded is not None:
        matters &= is_bounded
    if bounds is not None:
        matters &= total > int(bounds[0] * bounds[1])
    return np.where(matters, np.cumsum(matters), 0).astype(np.int32), int(matters.sum()) + 1


def _people(groups: Groups, members: CountArray) -> People:
    """Tell whose the records are, if some people have several."""
    nobody = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1
    if groups.owner is None:
        return nobody
    owned = groups.histograms[groups.owner,]
    most = int(_totals(members, owned).max(initial=1))
    if most == 1:
        return nobody
    ends = np.concatenate([[0], np.cumsum(owned.distinct[members])])
    met = np.zeros(owned.n_values + 1, np.int64)
    return ends, owned.values[_entries(members, owned)], met, most


def _totals(members: CountArray, hidden: Histogram) -> CountArray:
    """Count each hidden value in all members."""
    entries = _entries(members, hidden)
    return tallies.sum_by_label(hidden.counts[entries], hidden.values[entries], hidden.n_values)


def _entries(members: CountArray, hidden: Histogram) -> CountArray:
    """Find the entries of the members, one member after the other."""
    starts = hidden.indptr[members]
    lengths = hidden.indptr[members + 1] - starts
    ends = np.cumsum(lengths)
    return np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])
