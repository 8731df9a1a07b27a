"""Whether a release that is being made opens a channel by differences with earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series import NOBODY, Overlap, Sheet
from unlinkable.tables.series.incremental.split_state import SplitState
from unlinkable.typing import CodeArray, CountArray

__all__ = ["DifferenceWatch"]


class DifferenceWatch:
    """Watches over a partition of records that is split, against the difference attack.

    A partition is allowed if `Difference` finds nobody in it with any of the earlier releases, both
    ways. That is exact if every group has k records, and no value a share above c in any, in the
    earlier releases and in the new one. A split whose halves do not keep that is not allowed
    either. If groups of earlier releases do not keep it, some splits may be refused that
    `Difference` finds nothing in.

    Only differences with one half of the group and without the other can be new, and whatever is
    open in a partition is open in every finer one. So a split is judged by looking at what is near
    to it. The flows that prove that no value is too frequent are kept from split to split.

    Parameters
    ----------
    old_groups
        For each earlier release the group of every record, -1 if it was not in it.
    values
        What each record hides. Values do not change.
    k, c
        How many people must be left, and which share a value may have among them.
    departed
        For each earlier release the groups and values of its other records: of people who are gone,
        or made up. None if there are none.
    labels
        The groups to begin with, -1 for records that are left out; one group if not given.

    Cost
    ----
    8 r v n bytes of memory for r releases, n records and v values that are frequent enough to
    matter. A split takes O(r v m) for a group of m records, and paths to groups nearby.

    Examples
    --------
    Two people were a group before, and three are new. Whoever knows who was there learns what the
    others have if they are two only.

    >>> old = [np.array([0, 0, -1, -1, -1])]
    >>> watch = DifferenceWatch(old, np.array([0, 1, 2, 0, 1]), k=2, c=Fraction(1, 2))
    >>> watch.allows(0, np.array([3, 4]))
    False
    >>> watch.allows(0, np.array([0, 1]))
    True
    >>> watch.split(0, np.array([0, 1]), 1)
    """

    def __init__(
        self,
        old_groups: Sequence[CodeArray],
        values: CodeArray,
        k: int,
        c: Fraction,
        *,
        departed: Sequence[tuple[CodeArray, CodeArray]] | None = None,
        labels: CodeArray | None = None,
    ) -> None:
        n = values.size
        nobody = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._k, self._c = k, c
        self._gone = departed or [nobody] * len(old_groups)
        self._values = values.astype(np.int32)
        seen = [self._values, *(gone_values for _, gone_values in self._gone)]
        self._n_values = max(int(part.max(initial=-1)) for part in seen) + 1
        self._sheets = tuple(
            self._sheet(old.astype(np.int32), *gone)
            for old, gone in zip(old_groups, self._gone, strict=True)
        )
        start = np.zeros(n, np.int32) if labels is None else labels.astype(np.int32)
        self._slots = {int(g): i for i, g in enumerate(np.unique(start[start >= 0]).tolist())}
        self._pending: tuple[int, CountArray] | None = None
        slots = np.searchsorted(np.array([*self._slots]), start).astype(np.int32)
        slots = np.where(start >= 0, slots, np.int32(-1))
        self._state = SplitState.of(self._sheets, self._values, slots, k, c)
        self._is_safe = self.is_safe(slots) and self._state.settle()

    def allows(self, group: int, right: CountArray) -> bool:
        """Whether no difference opens a channel once these records have left their group."""
        self._withdraw()
        if not self._is_safe:
            return False
        slot, new, moved = self._slot(group), len(self._slots), right.astype(np.int64)
        if self._state.divide(slot, new, moved):
            self._pending = group, moved
            return True
        return False

    def split(self, group: int, right: CountArray, new: int) -> None:
        """Move these records out of their group; they are the group ``new`` now."""
        pending = self._pending
        if pending is None or pending[0] != group or not np.array_equal(pending[1], right):
            # Once a partition is open, all finer ones are: there is nothing left to keep track of.
            self._is_safe = self.allows(group, right)
        self._pending = None
        self._slots[new] = len(self._slots)

    def is_safe(self, labels: CodeArray) -> bool:
        """Whether no difference opens a channel if the records are grouped so."""
        kept = np.flatnonzero(labels >= 0)
        groups = np.unique(labels[kept], return_inverse=True)[1].astype(np.int32)
        n_groups = int(groups.max(initial=-1)) + 1
        sheet = Sheet(kept, groups, self._values[kept], n_groups, self._n_values)
        return not any(
            Overlap.of(*pair, labels.size).opens_channel(self._k, self._c)
            for old in self._sheets
            for pair in ((old, sheet), (sheet, old))
        )

    def _slot(self, group: int) -> int:
        if group not in self._slots:
            raise ParameterError(f"no group {group}: there are {len(self._slots)}")
        return self._slots[group]

    def _withdraw(self) -> None:
        """Undo a split that was allowed and not made."""
        if self._pending is not None:
            self._state.rejoin(self._slots[self._pending[0]], len(self._slots))
            self._pending = None

    def _sheet(self, old: CodeArray, gone: CodeArray, gone_values: CodeArray) -> Sheet:
        """Give an earlier release: records that are there by their numbers, others as nobody's."""
        kept = np.flatnonzero(old >= 0)
        people = np.concatenate([kept, np.full(gone.size, NOBODY, np.int64)])
        groups = np.concatenate([old[kept], gone.astype(np.int32)])
        values = np.concatenate([self._values[kept], gone_values.astype(np.int32)])
        found, codes = np.unique(groups, return_inverse=True)
        return Sheet(people, codes.astype(np.int32), values, found.size, self._n_values)
