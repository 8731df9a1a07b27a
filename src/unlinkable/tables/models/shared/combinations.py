"""Combinations: groups as they look to an adversary who knows any few of their columns.

All combinations of a few columns are examined, and hardly one is formed: in many groups by bits
(`unlinkable.tables.models.shared.bitwise`), in few, or where columns have very many values, by
lists of rows (`unlinkable.kernels.lkc.combinations`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.lkc import look_from
from unlinkable.tables.groups import Groups, Histogram, number_rows
from unlinkable.tables.models.shared.bitwise import Bitwise, Bounds, Worst
from unlinkable.tables.models.shared.exact_ratios import largest_below
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Examination", "examine", "stays_within"]

_NOWHERE = 1 << 62
"""No cell has this many people."""

_MANY = 1 << 11
"""From this many groups on, bits are faster than lists."""

_UNKNOWN = Worst(0, 0, (), Fraction(1), 0, (), 0)
"""What is worst if nobody asked for it."""


@define(eq=False, frozen=True)
class Examination:
    """What was found on all combinations of columns.

    Attributes
    ----------
    is_kept
        Whether no combination breaks the bounds.
    good
        By group: whether it is part of no combination that breaks them. All or none if the search
        stopped.
    fewest, few_at, few_on
        The fewest people that agree on a combination, one of their groups, and the columns.
    share, share_at, share_on
        The largest share of a value, where it is, and on which columns.
    n_weighed
        How many sets of records were weighed.
    """

    is_kept: bool
    good: BoolArray
    fewest: int
    few_at: int
    few_on: Columns
    share: Fraction
    share_at: int
    share_on: Columns
    n_weighed: int

    @classmethod
    def of(cls, worst: Worst, columns: Columns, good: BoolArray, *, is_kept: bool) -> Self:
        """Name the columns of the worst cells."""
        return cls(
            is_kept=is_kept,
            good=good,
            fewest=worst.fewest,
            few_at=worst.few_at,
            few_on=tuple(columns[j] for j in worst.few_on),
            share=worst.share,
            share_at=worst.share_at,
            share_on=tuple(columns[j] for j in worst.share_on),
            n_weighed=worst.n_cells,
        )


@define(eq=False, frozen=True)
class _Rows:
    """Groups, taken apart by the values that are bounded: see `unlinkable.kernels.lkc.cells`."""

    group: CodeArray
    sizes: CountArray
    values: CodeArray
    owner_ends: CountArray
    owners: CodeArray


def examine(
    groups: Groups,
    at_most: int,
    k: int,
    most: Fraction = Fraction(1),
    hidden: Histogram | None = None,
    is_bounded: BoolArray | None = None,
    *,
    for_worst: bool = False,
    stops: bool = False,
) -> Examination:
    """Examine the groups on every combination of at most this many columns.

    Parameters
    ----------
    groups
        At least one group.
    at_most
        Columns that are known at once. Combinations of fewer are unions of these.
    k
        The fewest people that a combination may have.
    most
        The largest share that a value may have.
    hidden, is_bounded
        How often each value occurs in each group, and which codes are bounded.
    for_worst
        Whether to find the fewest people and the largest share, and not only what breaks the
        bounds.
    stops
        Whether to stop at the first combination that breaks them.
    """
    many = None
    if len(groups) >= _MANY:
        bounds = None if for_worst else (k, most)
        everyone = np.arange(len(groups))
        many = Bitwise.of(groups, everyone, at_most, hidden, is_bounded, bounds)
    if many is None:
        return _examine_by_lists(
            groups, at_most, (k, most), hidden, is_bounded, for_worst=for_worst, stops=stops
        )
    worst = many.worst() if for_worst else _UNKNOWN
    is_kept = worst.is_within((k, most)) if for_worst else many.is_within((k, most))
    good = np.full(len(groups), is_kept) if is_kept or stops else many.good((k, most))
    return Examination.of(worst, groups.columns, good, is_kept=is_kept)


def _examine_by_lists(
    groups: Groups,
    at_most: int,
    bounds: Bounds,
    hidden: Histogram | None,
    is_bounded: BoolArray | None,
    *,
    for_worst: bool,
    stops: bool,
) -> Examination:
    """Examine cells as lists of rows."""
    wide = min(at_most, len(groups.columns))
    varying = _varying(groups.keys)
    # With a column of one value, a combination is no finer than without it.
    length = min(wide, varying.size)
    least = max(wide - (len(groups.columns) - varying.size), 0)
    rows = _rows(groups, hidden, is_bounded)
    codes, rests = _codes(groups.keys, varying, rows.group)
    n_codes = codes.max(axis=1, initial=0).astype(np.int64) + 1
    p, q = largest_below(bounds[1], int(groups.sizes.sum())).as_integer_ratio()
    good = np.ones(rows.group.size, bool)
    found = np.array([_NOWHERE, 0, 0, 1, 0, 0, 0] if for_worst else [0, 0, 1, 1, 0, 0, 0])
    places = np.full((2, length), -1, np.int64)
    tries = np.zeros((length + 1, varying.size + 1, 2), np.int64)
    weights = rows.sizes, rows.values, rows.owner_ends, rows.owners
    limits = length, least, bounds[0], p, q, stops
    for first in range(max(min(varying.size - least + 1, varying.size), 1)):
        look_from(first, codes, rests, n_codes, weights, limits, good, found, places, tries)
        if stops and found[5]:
            break
    by_group = np.ones(len(groups), bool)
    by_group[rows.group[~good]] = False
    fewest, few_at, peak, records, share_at, is_broken, n_weighed = found.tolist()
    few_on, share_on = (varying[place[place >= 0]].tolist() for place in places)
    worst = Worst(
        fewest=fewest,
        few_at=int(rows.group[few_at]),
        few_on=tuple(sorted(few_on)),
        share=Fraction(peak, records),
        share_at=int(rows.group[share_at]),
        share_on=tuple(sorted(share_on)),
        n_cells=n_weighed,
    )
    return Examination.of(worst, groups.columns, by_group, is_kept=not is_broken)


def _varying(keys: CodeArray) -> CountArray:
    """Give the columns that have several values, those with many values first.

    What is left for later columns is then coarse, and whole branches need no look.
    """
    n_distinct = np.array([number_rows(keys[:, [j]])[1].size for j in range(keys.shape[1])])
    order = np.argsort(-n_distinct, kind="stable")
    return order[n_distinct[order] > 1]


def _rows(groups: Groups, hidden: Histogram | None, is_bounded: BoolArray | None) -> _Rows:
    group, values, counts = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64)
    if hidden is not None:
        marked = np.ones(hidden.n_values, bool) if is_bounded is None else is_bounded
        entries = np.flatnonzero(marked[hidden.values])
        number = np.cumsum(marked, dtype=np.int32)
        group, values = hidden.row[entries], number[hidden.values[entries]]
        counts = hidden.counts[entries]
    others = groups.sizes - np.bincount(group, counts, len(groups)).astype(np.int64)
    rest = np.flatnonzero(others).astype(np.int32)
    group = np.concatenate([group, rest])
    order = np.argsort(group, kind="stable")
    group = group[order]
    owner_ends = np.zeros(group.size + 1, np.int64)
    owners = np.empty(0, np.int32)
    if groups.owner is not None:
        people = groups.histograms[groups.owner,]
        is_first = np.diff(group, prepend=-1) > 0
        owner_ends[1:] = np.cumsum(np.where(is_first, people.distinct[group], 0))
        owners = people.values
    return _Rows(
        group=group,
        sizes=np.concatenate([counts, others[rest]])[order],
        values=np.concatenate([values, np.zeros(rest.size, np.int32)])[order],
        owner_ends=owner_ends,
        owners=owners,
    )


def _codes(keys: CodeArray, columns: CountArray, group: CodeArray) -> tuple[CodeArray, CodeArray]:
    """Give the codes of every row by column, and number what is left from each column on."""
    codes = np.ascontiguousarray(keys[:, columns].T)
    rests = np.zeros_like(codes)
    rest = np.zeros(len(keys), np.int32)
    for j in range(len(columns) - 1, -1, -1):
        rest, _ = number_rows(np.column_stack([codes[j], rest]))
        rests[j] = rest
    return np.ascontiguousarray(codes[:, group]), np.ascontiguousarray(rests[:, group])


def stays_within(
    groups: Groups,
    parts: BoolArray,
    column: str,
    at_most: int,
    bounds: Bounds,
    hidden: Columns | None = None,
    is_bounded: BoolArray | None = None,
) -> bool:
    """Whether groups that were split on a column are within bounds, given that they were before.

    Only an adversary who knows that column sees something new: the records with one of its new
    values, on combinations of one column less. The rarest value is examined first. Groups that were
    not split are not examined.

    Parameters
    ----------
    groups, parts, column
        All groups, those that came out of the split, and the column on which they differ. Several
        groups may have the same key.
    at_most
        Columns that are known at once.
    bounds
        The fewest people, and the largest share of a value, that a combination may have.
    hidden, is_bounded
        The column whose values are bounded, and which of its codes are.
    """
    for members in _by_value(groups, np.flatnonzero(parts), groups.columns.index(column)):
        counted = None if hidden is None else groups.histograms[hidden]
        new = Bitwise.of(groups, members, at_most - 1, counted, is_bounded, bounds)
        if new is not None:
            is_kept = new.is_within(bounds)
        else:
            others = [j for j, name in enumerate(groups.columns) if name != column]
            seen = _some(groups, members, others)
            counted = None if hidden is None else seen.histograms[hidden]
            is_kept = examine(seen, at_most - 1, *bounds, counted, is_bounded, stops=True).is_kept
        if not is_kept:
            return False
    return True


def _by_value(groups: Groups, split: CountArray, column: int) -> Iterator[CountArray]:
    """Sort groups by their value on a column, and give those of each value, the rarest first."""
    value, first = number_rows(groups.keys[split, column][:, None])
    # Short numbers are sorted fastest.
    order = np.argsort(value.astype(np.min_scalar_type(first.size)), kind="stable")
    ends = np.cumsum(np.bincount(value, minlength=first.size))
    records = np.bincount(value, groups.sizes[split], first.size)
    for v in np.argsort(records, kind="stable").tolist():
        yield split[order[ends[v - 1] if v else 0 : ends[v]]]


def _some(groups: Groups, members: CountArray, columns: list[int]) -> Groups:
    """Take some of the groups, on some of their columns."""
    is_member = np.zeros(len(groups), bool)
    is_member[members] = True
    there = groups.select(is_member)
    names = tuple(groups.columns[j] for j in columns)
    return evolve(there, columns=names, keys=there.keys[:, columns])
