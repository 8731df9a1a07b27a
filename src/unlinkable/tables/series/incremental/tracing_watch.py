"""Watch for the record-tracing attack: groups are split while every record keeps its candidates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from unlinkable.kernels.flows import ALLOWED, FULL, begin, try_split, undo_split
from unlinkable.tables.attacks.series import Sheet, Traces, is_exposed, trace
from unlinkable.tables.models import largest_below
from unlinkable.tables.series.incremental.linked_people import link_people, room_for
from unlinkable.typing import CodeArray, CountArray

__all__ = ["TracingWatch"]

_ANYTHING = (0, 1, 0)
"""Bounds that every record keeps."""


class TracingWatch:
    """Guards a partition against the record-tracing attack.

    It says exactly what the attack would find, without looking at more than what a split changes:
    who can change places with whom (`kernels.linked_groups`). People must have kept their values;
    who has left since, or was made up, is taken into account.

    Splitting only ever takes candidates away. If some record has too few, that remains so.

    Parameters
    ----------
    sheets
        The earlier releases, and at the end the records that are to be published. The groups of
        these do not matter.
    k, limit
        How many candidates every record must have, and how many of them may have the value.
    earlier
        What following the records of the earlier releases tells, if that is known.

    Cost
    ----
    Memory O((g + h) s) for g groups of all earlier releases, h new groups for each of these, and s
    values. A split of n records takes O(n m s) for m earlier releases and s values, and more where
    components fall apart.

    Raises
    ------
    UnsupportedError
        If somebody's value is not what it was, or there are too many values.

    Examples
    --------
    >>> first = Sheet.of([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 0, 1])
    >>> watch = TracingWatch([first, Sheet.of([0, 1, 2, 3], [0] * 4, [0, 1, 0, 1])], 2, 1)
    >>> watch.allows(0, np.array([2, 3])), watch.allows(0, np.array([3]))
    (True, False)
    """

    def __init__(
        self,
        sheets: Sequence[Sheet],
        k: int,
        limit: Fraction | int,
        *,
        earlier: Traces | None = None,
    ) -> None:
        *past, self._table = sheets
        self._earlier, self._k, self._limit = tuple(past), k, Fraction(limit)
        self._traces = trace(self._earlier) if earlier is None else earlier
        self._links, self._can = link_people(self._table, self._earlier, self._traces)
        bound = largest_below(self._limit, max(self._links.values.size, 1))
        self._bounds = k, bound.numerator, bound.denominator
        self._numbers = {0: 0}
        self._pending: tuple[int, CountArray] | None = None
        self._room = room_for(self._links)
        self._is_fine = bool(begin(self._links, self._room, self._can, self._bounds))

    def allows(self, group: int, right: CountArray) -> bool:
        self._take_back()
        if not self._is_fine:
            return False
        if self._try(group, right, self._bounds) == ALLOWED:
            self._pending = group, right.copy()
            return True
        self._undo(group)
        return False

    def split(self, group: int, right: CountArray, new: int) -> None:
        pending = self._pending
        if pending is None or pending[0] != group or not np.array_equal(pending[1], right):
            self._take_back()
            if self._try(group, right, self._bounds) != ALLOWED:
                self._is_fine = False
                self._undo(group)
                self._try(group, right, _ANYTHING)
        self._pending = None
        self._room.used[0] = 0
        self._numbers[new] = len(self._numbers)

    def is_safe(self, labels: CodeArray) -> bool:
        kept = np.flatnonzero(labels >= 0)
        used, groups = np.unique(labels[kept], return_inverse=True)
        table = self._table
        new = Sheet(
            table.people[kept],
            groups.astype(np.int32),
            table.values[kept],
            used.size,
            table.n_values,
        )
        traced = trace([*self._earlier, new], earlier=self._traces)
        return not any(
            is_exposed(hidden.counts, traced.candidates(i), self._k, self._limit).any()
            for i, hidden in enumerate(traced.hidden)
        )

    def _try(self, group: int, right: CountArray, bounds: tuple[int, int, int]) -> int:
        new = len(self._numbers)
        if new == len(self._can.new):
            self._grow()
        at = self._numbers[group]
        while True:
            found = try_split(self._links, self._room, self._can, bounds, at, new, right)
            if found != FULL:
                return int(found)
            self._undo(group)
            self._room = room_for(self._links, 2 * self._room.log.size)

    def _undo(self, group: int) -> None:
        undo_split(self._links, self._room, self._can, self._numbers[group], len(self._numbers))

    def _take_back(self) -> None:
        """Undo a split that was allowed and not made."""
        if self._pending is not None:
            self._undo(self._pending[0])
            self._pending = None

    def _grow(self) -> None:
        """Make room for twice as many groups."""
        links, can, n_groups = self._links, self._can, len(self._can.new)
        more = np.full((len(links.ways), n_groups * links.outside.size, 3), -1, np.int32)
        zeros = np.zeros_like(can.new)
        self._links = links._replace(
            ways=np.concatenate([links.ways, more], axis=1),
            parts=np.concatenate([links.parts, np.zeros((n_groups, 2), np.int64)]),
        )
        self._can = can._replace(
            new=np.concatenate([can.new, zeros]), has_new=np.concatenate([can.has_new, zeros])
        )
        self._room = room_for(self._links, self._room.log.size)
