"""Guard: asks all watches, and keeps them in step with a search that sees distinct records only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from unlinkable.errors import InfeasibleError
from unlinkable.tables.series.incremental.alignment import Alignment
from unlinkable.tables.series.incremental.watch import Watch
from unlinkable.typing import CodeArray, CountArray

__all__ = ["INTERSECTION", "Guard"]

INTERSECTION = "intersection"
"""The name of the attack of which coarser partitions are not safer."""


class Guard:
    """All watches of one search.

    A search sees the finest groups: the records that are equal. Watches see records, and groups by
    their numbers. The guard knows which records a finest group has, and which number a region has
    by its first row: a region is a stretch of rows.

    Parameters
    ----------
    watches
        The watches, by the attack that each is about. They are asked in this order.
    labels
        The finest group of each record.
    last
        The group of each record in the last release, -1 if it was not in it.
    """

    def __init__(self, watches: Mapping[str, Watch], labels: CodeArray, last: CodeArray) -> None:
        self.watches = watches
        self.labels = labels
        self.alignment = Alignment.of(labels, last)
        self._order = np.argsort(labels, kind="stable")
        n_finest = int(labels.max(initial=-1)) + 1
        self._counts = np.bincount(labels, minlength=n_finest)
        self._starts = np.cumsum(self._counts) - self._counts
        self._numbers = np.zeros(n_finest + 1, np.int64)
        self._n_groups = 1

    @property
    def monotone(self) -> tuple[str, ...]:
        """The attacks that find somebody in every finer partition if they do so in a coarser one.

        The intersection attack is not among them: values that two groups have in common may be more
        evenly spread than those of their unions.
        """
        return tuple(name for name in self.watches if not name.startswith(INTERSECTION))

    def require_whole(self) -> None:
        """Refuse records of which not even one single group can be published.

        Raises
        ------
        InfeasibleError
            If there is an attack that finds somebody even then.
        """
        whole = np.zeros(self.labels.size, np.int32)
        for name, watch in self.watches.items():
            if not watch.is_safe(whole):
                raise InfeasibleError(
                    "nothing of these records can be published: even if all of them show the same, "
                    f"{name} finds somebody by means of the earlier releases. Wait until more "
                    "people have come, and publish them together"
                )

    def part(self, start: int, middle: int, end: int, order: CodeArray) -> str | None:
        """Cut a region in two, if no attack finds anybody afterwards; else name one that does.

        Parameters
        ----------
        start, middle, end
            The rows of the region, and the first one of its upper half.
        order
            The finest group of every row.
        """
        group = int(self._numbers[start])
        is_upper = end - middle <= middle - start
        moved = self.records(order[middle:end] if is_upper else order[start:middle])
        for name, watch in self.watches.items():
            if not watch.allows(group, moved):
                return name
        new = self._n_groups
        for watch in self.watches.values():
            watch.split(group, moved, new)
        self._n_groups += 1
        self._numbers[start], self._numbers[middle] = (group, new) if is_upper else (new, group)
        return None

    def is_safe(self, parts: CodeArray, names: Iterable[str] | None = None) -> bool:
        """Whether attacks find nobody if the finest groups are put together so.

        Parameters
        ----------
        parts
            The part of each finest group, -1 if it is left out.
        names
            The attacks; all if not given.
        """
        labels = parts[self.labels]
        for name in self.watches if names is None else names:
            if not self.watches[name].is_safe(labels):
                return False
        return True

    def records(self, finest: CodeArray) -> CountArray:
        """List the records of some finest groups."""
        counts = self._counts[finest]
        ends = np.cumsum(counts)
        shift = np.repeat(self._starts[finest] - ends + counts, counts)
        found: CountArray = self._order[np.arange(shift.size) + shift]
        return found
