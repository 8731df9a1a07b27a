"""After a split: whether bounds on combinations of a few columns are still kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import evolve

from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.models.shared.bitwise import Bitwise, Bounds
from unlinkable.tables.models.shared.combinations import examine
from unlinkable.typing import BoolArray, Columns, CountArray

__all__ = ["stays_within"]


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
