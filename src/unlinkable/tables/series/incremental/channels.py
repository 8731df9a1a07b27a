"""Channels: what earlier releases tell, against which the next one is watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series import Sheet
from unlinkable.tables.data import number_together
from unlinkable.tables.engines import count
from unlinkable.tables.series.incremental.difference_watch import DifferenceWatch
from unlinkable.tables.series.incremental.guard import Guard
from unlinkable.tables.series.incremental.intersection_watch import IntersectionWatch
from unlinkable.tables.series.incremental.recalling import Recalled, recalled
from unlinkable.tables.series.incremental.tracing_watch import TracingWatch
from unlinkable.tables.series.incremental.watch import Watch
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import CodeArray

__all__ = ["Channels"]


@define(eq=False, frozen=True)
class Channels:
    """The earlier releases, and the records that are to be published after them.

    Attributes
    ----------
    request, past
        What is to be published, and what was.
    bounds
        For each sensitive column how many people must be left to whoever holds all releases, and
        how sure of a value he may be.
    """

    request: Request
    past: Past
    bounds: Mapping[str, tuple[int, Fraction]]

    def guard(self) -> Guard:
        """Set up watches over a partition that has all records in one group.

        Of the earlier releases only what was written down with the last one is read.
        """
        tables = {column: recalled(self.past, column) for column in self.bounds}
        old = next(iter(tables.values())).followed.groups_of(self.request.people)
        return Guard(self._watches(tables, old), count(self.request.table).labels, old[-1])

    def _watches(
        self, tables: Mapping[str, Recalled], old: Sequence[CodeArray]
    ) -> Mapping[str, Watch]:
        """Watch over every sensitive column; the quickest to ask come first."""
        found: dict[str, Watch] = {}
        people, is_one = self.request.people, len(self.bounds) == 1
        for column, (k, c) in self.bounds.items():
            (values,), own = number_together([self.request.table.frame], column)
            texts = tuple(dict.fromkeys((*own, *tables[column].followed.texts)))
            known = tables[column].known.told_in(texts)
            followed = tables[column].followed.told_in(texts)
            table = Sheet(people, np.zeros_like(values), values, 1, len(texts))
            about = "" if is_one else f" of {column}"
            found[f"intersection{about}"] = IntersectionWatch(known, people, values, c)
            found[f"record-tracing{about}"] = TracingWatch(
                [*followed.sheets, table], k, c, earlier=followed.traces
            )
            found[f"difference{about}"] = DifferenceWatch(old, values, k, c)
        return found
