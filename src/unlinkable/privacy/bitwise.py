"""Bitwise: what is worst in many groups on combinations of a few columns, found by bits.

Where groups are many and columns have few values, a cell is found faster by the bits that its
values have in common than by its list of groups: see `unlinkable.kernels.few_columns`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
from attrs import define

from unlinkable.groups import Groups, Histogram
from unlinkable.kernels import tallies
from unlinkable.kernels.bitmaps import make_sheet
from unlinkable.kernels.few_columns import find_worst
from unlinkable.kernels.narrow_codes import narrow, rows_by_value
from unlinkable.kernels.worst_cells import People
from unlinkable.privacy.ratios import largest_below
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Bounds", "Worst", "worst_of"]

_ROOM = 1 << 23
"""Tables of two columns may have so many entries."""

Bounds: TypeAlias = tuple[int, Fraction]
"""The fewest people, and the largest share of a value, that a cell may have."""


@define(eq=False, frozen=True)
class Worst:
    """The worst cells of combinations.

    Attributes
    ----------
    is_worse
        Whether a cell is worse than the bounds, if some were given.
    fewest, few_at, few_on
        The fewest people, a group of theirs, and the columns by their position in the groups.
    share, share_at, share_on
        The same of the largest share of a value.
    n_cells
        How many cells were looked at.
    """

    is_worse: bool
    fewest: int
    few_at: int
    few_on: tuple[int, ...]
    share: Fraction
    share_at: int
    share_on: tuple[int, ...]
    n_cells: int


def worst_of(
    groups: Groups,
    members: CountArray,
    length: int,
    hidden: Histogram | None = None,
    is_bounded: BoolArray | None = None,
    bounds: Bounds | None = None,
) -> Worst | None:
    """Find the worst cells of some groups on every combination of so many columns.

    None if columns have too many values for it. Columns on which all these groups agree count as
    known: they are not among the combinations.

    Parameters
    ----------
    groups, members
        At least one of the groups, by their numbers.
    length
        Columns that are known at once.
    hidden, is_bounded
        How often each value occurs in each group, and which codes are bounded.
    bounds
        If given, the search stops at the first cell that is worse.
    """
    n_records = int(groups.sizes[members].sum())
    columns, n_codes, codes = narrow(groups.keys, members)
    number, n_hidden = _numbered(members, hidden, is_bounded, bounds)
    length = min(length, columns.size)
    is_wide = length > 1 and int(n_codes.sum()) ** 2 * n_hidden > _ROOM
    if is_wide or codes.shape[0] < members.size:
        return None
    entries = (
        (np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64))
        if n_hidden == 1 or hidden is None
        else (hidden.indptr, hidden.values, hidden.counts)
    )
    rows = rows_by_value(members, groups.sizes, entries, number)
    sheet = make_sheet(rows, n_hidden, codes, n_codes, max(length - 1, 1))
    k, most = bounds if bounds is not None else (n_records + 1, Fraction(0))
    most = largest_below(most, n_records)
    worst = np.array([k, 0, most.numerator, most.denominator, 0, 0, 0])
    places = np.full((2, length), -1, np.int64)
    people = _people(groups, members)
    find_worst(length, sheet, people, worst, places, bounds is not None)
    fewest, few_at, peak, records, share_at, n_worse, n_cells = worst.tolist()
    few_on, share_on = (tuple(sorted(columns[p[p >= 0]].tolist())) for p in places)
    return Worst(
        is_worse=n_worse > 0,
        fewest=fewest,
        few_at=int(members[few_at]),
        few_on=few_on,
        share=Fraction(peak, records),
        share_at=int(members[share_at]),
        share_on=share_on,
        n_cells=n_cells,
    )


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
        k, most = bounds
        matters &= total > int(most * k)
    return np.where(matters, np.cumsum(matters), 0).astype(np.int32), int(matters.sum()) + 1


def _totals(members: CountArray, hidden: Histogram) -> CountArray:
    """Count each hidden value in all members."""
    entries = _entries(members, hidden)
    return tallies.sum_by_label(hidden.counts[entries], hidden.values[entries], hidden.n_values)


def _entries(members: CountArray, hidden: Histogram) -> CountArray:
    """Find the entries of the members, one member after the other."""
    starts, lengths = hidden.indptr[members], hidden.distinct[members]
    ends = np.cumsum(lengths)
    return np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])


def _people(groups: Groups, members: CountArray) -> People:
    """Tell whose the records are, if some people have several."""
    nobody = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1
    if groups.owner is None:
        return nobody
    owned = groups.histograms[groups.owner,]
    entries = _entries(members, owned)
    owners = owned.values[entries]
    most = int(_totals(members, owned).max(initial=1))
    if most == 1:
        return nobody
    ends = np.concatenate([[0], np.cumsum(owned.distinct[members])])
    return ends, owners, np.zeros(owned.n_values + 1, np.int64), most
