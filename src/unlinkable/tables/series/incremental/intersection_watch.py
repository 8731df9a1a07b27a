"""Watch for the intersection attack, by what is known of people from earlier releases."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.kernels.flows import KnownValues, are_safe, is_safe, part
from unlinkable.tables.models import largest_below
from unlinkable.tables.series.incremental.inferable import Inferable
from unlinkable.typing import CodeArray, CountArray

__all__ = ["IntersectionWatch"]


class IntersectionWatch:
    """Guards a partition against the intersection attack.

    What somebody may have by all earlier releases is in the history table, and the groups of the
    new release are intersected with that. Safety is lost and won by splitting as well as by
    merging, so that it is kept count of the groups that are not safe.

    Parameters
    ----------
    past
        What is known of people from earlier releases.
    people, values
        Whose the records are, and what they hide, in the numbers of ``past``.
    limit
        How sure anybody may be of a value.

    Cost
    ----
    O(n s) for a split of n records of whose owners s values are known.

    Examples
    --------
    The first four have been published in two groups. Together they may be split as before only.

    >>> from unlinkable.tables.attacks.series.series import Sheet
    >>> past = Inferable.start(Sheet.of([0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 0, 1]))
    >>> watch = IntersectionWatch(past, np.arange(4), np.array([0, 1, 0, 1]), Fraction(1, 2))
    >>> watch.allows(0, np.array([2, 3])), watch.allows(0, np.array([1, 3]))
    (True, False)
    """

    def __init__(
        self, past: Inferable, people: CountArray, values: CodeArray, limit: Fraction
    ) -> None:
        n = values.size
        bound = largest_below(limit, max(n, int(past.counts.sum()), 1))
        self._bound = bound.numerator, bound.denominator
        self._n_values = max(past.n_values, int(values.max(initial=-1)) + 1)
        self._known = KnownValues(
            values.astype(np.int32), past.known_of(people), past.starts, past.values, past.counts
        )
        self._order = np.arange(n)
        self._parts = {0: (0, n)}
        self._counted = np.zeros(self._n_values, np.int64)
        self._seen = np.zeros(past.starts.size, np.int64)
        self._moved = np.zeros(n, np.int64)
        self._unsafe = set() if self._is_fine(self._order) else {0}

    def allows(self, group: int, right: CountArray) -> bool:
        first, middle, last = self._cut(group, right)
        if self._unsafe - {group}:
            return False
        return self._is_fine(self._order[middle:last]) and self._is_fine(self._order[first:middle])

    def split(self, group: int, right: CountArray, new: int) -> None:
        first, middle, last = self._cut(group, right)
        self._parts[group], self._parts[new] = (first, middle), (middle, last)
        self._unsafe.discard(group)
        for part_of in (group, new):
            start, end = self._parts[part_of]
            if not self._is_fine(self._order[start:end]):
                self._unsafe.add(part_of)

    def is_safe(self, labels: CodeArray) -> bool:
        order = np.argsort(labels, kind="stable")
        counts = np.bincount(labels + 1)
        out = int(counts[0]) if counts.size else 0
        ends = np.cumsum(counts[1:])
        return bool(are_safe(order[out:], ends, self._known, self._bound, self._n_values))

    def _cut(self, group: int, right: CountArray) -> tuple[int, int, int]:
        first, last = self._parts[group]
        return first, int(part(self._order, first, last, right, self._moved)), last

    def _is_fine(self, people: CountArray) -> bool:
        return bool(is_safe(people, self._known, self._bound, self._counted, self._seen))
