"""A partition that is split, and the flows which prove that earlier releases do not open it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.kernels.flows import (
    Earlier,
    Flows,
    Lists,
    Pieces,
    Scratch,
    divide,
    rejoin,
    scratch_for,
    settle,
    withstands,
)
from unlinkable.tables.attacks.series import Sheet
from unlinkable.tables.models import largest_below
from unlinkable.typing import CodeArray, CountArray

__all__ = ["SplitState"]

_WIDEST = 1 << 62
"""No sum of products of records and shares may reach this."""


@define(eq=False, frozen=True)
class SplitState:
    """What is known of a partition while it is split; all of it changes.

    Attributes
    ----------
    pieces, past, flows, notes
        The new groups, the earlier ones, the flows between them, and notes of searches.
    gains
        By value, what each earlier group gains if it is taken away.
    k, bound
        How many people must be left; the numerator and denominator of a value's share.
    """

    pieces: Pieces
    past: Earlier
    flows: Flows
    notes: Scratch
    gains: CountArray
    k: int
    bound: tuple[int, int]

    @classmethod
    def of(
        cls, sheets: Sequence[Sheet], values: CodeArray, slots: CodeArray, k: int, c: Fraction
    ) -> Self:
        """Lay records over earlier releases.

        Parameters
        ----------
        sheets
            The earlier releases; people have the numbers of records.
        values
            What records hide.
        slots
            Their groups, numbered from 0 without gaps; -1 for records that are left out.
        k, c
            How many people must be left, and which share a value may have among them.
        """
        n_records = values.size + sum(len(sheet) for sheet in sheets) + 1
        bound = largest_below(c, _WIDEST // n_records).as_integer_ratio()
        past, sizes = _lay_out(sheets, slots)
        watched = _watched(sheets, values, k, c)
        capacity = int(slots.max(initial=-1)) + 2 + values.size // k
        pieces = _pieces(past, values, slots, watched, capacity)
        gains = _gains(sheets, watched, bound)
        widest = int(np.diff(past.offset).max(initial=0))
        notes = scratch_for(capacity + widest, values.size + max(capacity, widest))
        return cls(pieces, past, _flows(pieces, past, sizes, gains, bound), notes, gains, k, bound)

    def settle(self) -> bool:
        """Find the flows to begin with; False if a value is too frequent in a difference."""
        n_groups = int(self.pieces.group.max(initial=-1)) + 1
        state = self.pieces, self.past, self.flows, self.notes
        return bool(settle(self.gains, n_groups, self.bound, *state))

    def divide(self, slot: int, new: int, moved: CountArray) -> bool:
        """Move records to a new group, if no difference opens a channel then.

        Raises
        ------
        ParameterError
            If there cannot be as many groups of k records.
        """
        if new >= self.pieces.lists.start.size:
            raise ParameterError(f"{new + 1:,} groups of {self.k} records each cannot be: too many")
        state = self.pieces, self.past, self.flows
        divide(slot, new, moved, *state)
        if withstands(slot, new, self.k, self.bound, *state, self.notes):
            return True
        rejoin(slot, new, *state)
        return False

    def rejoin(self, slot: int, new: int) -> None:
        """Take back that a group was divided."""
        rejoin(slot, new, self.pieces, self.past, self.flows)


def _lay_out(sheets: Sequence[Sheet], slots: CodeArray) -> tuple[Earlier, CountArray]:
    """List the groups of all earlier releases one after the other, and their sizes."""
    shape = len(sheets), slots.size
    groups, edges = np.full(shape, -1, np.int32), np.zeros(shape, np.int64)
    offset = np.cumsum([0, *(sheet.n_groups for sheet in sheets)])
    start, end = np.zeros(offset[-1], np.int64), np.zeros(offset[-1], np.int64)
    sizes = np.zeros(offset[-1], np.int64)
    for r, sheet in enumerate(sheets):
        known = sheet.people >= 0
        groups[r, sheet.people[known]] = sheet.groups[known]
        lists = _lists(np.where(slots >= 0, groups[r], np.int32(-1)), sheet.n_groups)
        part = slice(offset[r], offset[r + 1])
        start[part], end[part], edges[r, : lists.edges.size] = lists
        sizes[part] = np.bincount(sheet.groups, minlength=sheet.n_groups)
    return Earlier(groups, offset, start, end, edges, end - start == sizes), sizes


def _lists(groups: CodeArray, n_groups: int) -> Lists:
    """List the records of every group, -1 for records in none."""
    kept = np.flatnonzero(groups >= 0)
    counts = np.bincount(groups[kept], minlength=n_groups)
    end = np.cumsum(counts)
    return Lists(end - counts, end, kept[np.argsort(groups[kept], kind="stable")])


def _watched(sheets: Sequence[Sheet], values: CodeArray, k: int, c: Fraction) -> CountArray:
    """List the values that occur often enough to exceed their share in a difference.

    No difference has fewer than k records, unless a group of an earlier release does.
    """
    if c >= 1:
        return np.zeros(0, np.int64)
    n_values = max([int(values.max(initial=-1)) + 1, *(sheet.n_values for sheet in sheets)])
    often, least = np.bincount(values, minlength=n_values), k
    for sheet in sheets:
        often = np.maximum(often, np.bincount(sheet.values, minlength=n_values))
        least = min(least, int(np.bincount(sheet.groups).min(initial=k)))
    return np.flatnonzero(often > floor(c * least))


def _pieces(
    past: Earlier, values: CodeArray, slots: CodeArray, watched: CountArray, capacity: int
) -> Pieces:
    """Count what the groups to begin with hide, and how many of their records are new."""
    codes = np.full(max([int(values.max(initial=-1)), *watched.tolist()]) + 1, -1, np.int32)
    codes[watched] = np.arange(watched.size, dtype=np.int32)
    own = codes[values]
    counts = np.zeros((watched.size, capacity), np.int64)
    at = np.flatnonzero((slots >= 0) & (own >= 0))
    np.add.at(counts, (own[at], slots[at]), 1)
    strangers = np.zeros((len(past.groups), capacity), np.int64)
    for old, row in zip(past.groups, strangers, strict=True):
        row += np.bincount(slots[(slots >= 0) & (old < 0)], minlength=capacity)
    return Pieces(slots.copy(), _lists(slots, capacity), own, counts, strangers)


def _gains(sheets: Sequence[Sheet], watched: CountArray, bound: tuple[int, int]) -> CountArray:
    """Give by value what each earlier group gains if it is taken away: p size - q count."""
    p, q = bound
    rows = [
        p * np.bincount(s.groups, minlength=s.n_groups)
        - q * np.bincount(s.groups[s.values == value], minlength=s.n_groups)
        for value in watched.tolist()
        for s in sheets
    ]
    n_groups = sum(sheet.n_groups for sheet in sheets)
    return np.array(np.concatenate([[], *rows]), np.int64).reshape(watched.size, n_groups)


def _flows(
    pieces: Pieces, past: Earlier, sizes: CountArray, gains: CountArray, bound: tuple[int, int]
) -> Flows:
    """Set up edges and room, with no flow of values yet."""
    (n_releases, n), capacity = past.groups.shape, pieces.lists.start.size
    on, back = np.zeros((n_releases, n), np.int64), np.zeros((n_releases, n), np.int64)
    on_free, back_free = np.zeros((n_releases, capacity), np.int64), sizes.copy()
    is_kept = pieces.group >= 0
    for r, old in enumerate(past.groups):
        there = np.where(old >= 0, past.offset[r] + old, -1)
        on[r] = is_kept & (old >= 0) & np.append(past.may_go, False)[there]
        on_free[r] += np.bincount(pieces.group[is_kept & (on[r] == 0)], minlength=capacity)
        back[r] = is_kept & (pieces.strangers[r, pieces.group] == 0)
        back_free -= np.bincount(there[back[r] > 0], minlength=sizes.size)
    own = bound[0] * (pieces.lists.end - pieces.lists.start) - bound[1] * pieces.counts
    rooms = np.repeat(np.maximum(own, 0)[np.newaxis], n_releases, axis=0)
    small = bound[0] * max(n, int(sizes.max(initial=0))) < 1 << 31
    no_flow = np.zeros((n_releases, n, gains.shape[0]), np.int32 if small else np.int64)
    stay = on, on_free, back, back_free
    changing = on.copy(), on_free.copy(), back.copy(), back_free.copy()
    return Flows(*stay, *changing, no_flow, rooms, no_flow.copy(), np.maximum(gains, 0))
