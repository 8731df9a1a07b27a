"""Channels: what earlier releases tell, and which next releases open a channel to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.errors import InfeasibleError
from unlinkable.kernels.flows import intersection_of_pairs
from unlinkable.kernels.splitting import KindCounts, count_broken
from unlinkable.tables.attacks.series import (
    Difference,
    Intersection,
    Overlap,
    RecordTracing,
    Sheet,
    histogram_of,
    is_exposed,
    trace,
)
from unlinkable.tables.data import number_together
from unlinkable.tables.engines import count
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.regions import Cuts
from unlinkable.tables.models import is_within, largest_below
from unlinkable.tables.series.incremental.history_table import HistoryTable, read_table
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["ATTACKS", "MONOTONE", "Channels", "ColumnChannels"]

MONOTONE = (RecordTracing.name, Difference.name)
"""The attacks that expose somebody in every finer partition if they do so in a coarser one."""

ATTACKS = (Intersection.name, *MONOTONE)
"""The attacks that a search is checked against.

The intersection attack is not monotone: the values that two groups have in common may be more
evenly distributed than those of their unions.
"""


@define(eq=False, frozen=True, slots=False)
class Channels:
    """The earlier releases, and the records that are to be published after them.

    Attributes
    ----------
    request, past
        What is to be published, and what was.
    bounds
        For each sensitive column how many people must be left to an adversary who holds all
        releases, and how confident of a value they may be.
    """

    request: Request
    past: Past
    bounds: Mapping[str, tuple[int, Fraction]]

    def is_safe(self, parts: CodeArray, attacks: Iterable[str] = ATTACKS) -> bool:
        """Whether these attacks expose nobody if distinct records are grouped so.

        Parameters
        ----------
        parts
            The group of each distinct record, -1 if it is left out.
        attacks
            Some of `ATTACKS`.
        """
        labels = parts[self._finest]
        return not any(self.exposes(attack, labels) for attack in attacks)

    def exposes(self, attack: str, labels: CodeArray) -> bool:
        """Whether an attack exposes somebody if records are grouped so, -1 for those left out."""
        return any(column.exposes(attack, labels) for column in self._columns.values())

    def allow(self, cuts: Cuts) -> BoolArray:
        """Tell which cuts of regions part no people so that few or too similar ones are left.

        People who were in the same groups of all earlier releases may be parted if both parts keep
        the bounds, and so may the newcomers.
        """
        allowed = np.ones(len(cuts), bool)
        at = cuts.starts[cuts.item] + cuts.below
        order = cuts.layout.rows.order
        for name, (k, c) in self.bounds.items():
            share = largest_below(c, max(self._finest.size, 1))
            bound = share.numerator, share.denominator
            kinds = self._kind_counts[name]
            allowed &= count_broken(cuts.rows, cuts.starts, order, kinds, k, bound)[at] == 0
        return allowed

    def require_whole(self) -> None:
        """Refuse records of which not even one single group can be published.

        Raises
        ------
        InfeasibleError
            If an attack exposes somebody even then.
        """
        whole = np.zeros(len(self.request.table), np.int32)
        for name, column in self._columns.items():
            for attack in ATTACKS:
                if column.exposes(attack, whole):
                    about = attack if len(self._columns) == 1 else f"{attack} of {name}"
                    raise InfeasibleError(
                        "nothing of these records can be published: even if all of them show the "
                        f"same, {about} finds somebody by means of the earlier releases. Wait "
                        "until more people have come, and publish them together"
                    )

    @cached_property
    def _finest(self) -> CodeArray:
        """The distinct record that each record is."""
        return count(self.request.table).labels

    @cached_property
    def _columns(self) -> Mapping[str, ColumnChannels]:
        """Everything about each sensitive column; of earlier releases, only what was stored."""
        people, found = self.request.people, {}
        for name, (k, c) in self.bounds.items():
            table = read_table(self.past, name)
            (values,), own = number_together([self.request.table.frame], name)
            texts = tuple(dict.fromkeys((*own, *table.groups.texts)))
            now = Sheet(people, np.zeros_like(values), values, 1, len(texts))
            found[name] = ColumnChannels(k, c, table.with_texts(texts), now)
        return found

    @cached_property
    def _kind_counts(self) -> Mapping[str, KindCounts]:
        """For each sensitive column, the kinds and values of every distinct record."""
        first = next(iter(self._columns.values()))
        groups = first.table.groups.groups_of(self.request.people)
        kinds = number_rows(np.stack(groups, axis=1) + np.int32(1))[0]
        return {
            name: _count_kinds(self._finest, kinds, column.records)
            for name, column in self._columns.items()
        }


@define(eq=False, frozen=True)
class ColumnChannels:
    """What is known about one sensitive column, and the bounds that it is held to.

    Attributes
    ----------
    k, c
        How many people must be left, and the largest share of a value.
    table
        The history table.
    records
        The records to be published; their groups do not matter.
    """

    k: int
    c: Fraction
    table: HistoryTable
    records: Sheet

    def exposes(self, attack: str, labels: CodeArray) -> bool:
        """Whether an attack exposes somebody if the records are grouped so, -1 if left out."""
        kept = np.flatnonzero(labels >= 0)
        used, groups = np.unique(labels[kept], return_inverse=True)
        people, values = self.records.people[kept], self.records.values[kept]
        new = Sheet(people, groups.astype(np.int32), values, used.size, self.records.n_values)
        if attack == Difference.name:
            return self._exposes_by_difference(new)
        if attack == RecordTracing.name:
            return self._exposes_by_tracing(new)
        return self._exposes_by_intersection(new)

    def _exposes_by_difference(self, new: Sheet) -> bool:
        n_people = int(max(new.people.max(initial=-1) + 1, self.table.groups.n_people))
        return any(
            Overlap.of(*pair, n_people).opens_channel(self.k, self.c)
            for old in self.table.groups.sheets
            for pair in ((old, new), (new, old))
        )

    def _exposes_by_tracing(self, new: Sheet) -> bool:
        traced = trace([*self.table.groups.sheets, new], earlier=self.table.groups.traces)
        return any(
            is_exposed(hidden.counts, traced.candidates(i), self.k, self.c).any()
            for i, hidden in enumerate(traced.hidden)
        )

    def _exposes_by_intersection(self, new: Sheet) -> bool:
        known, hidden = self.table.inferences, histogram_of(new)
        sets = known.known_of(new.people)
        was_there = sets >= 0
        pairs = np.stack([sets[was_there], new.groups[was_there]], axis=1)
        first, second = np.ascontiguousarray(pairs[number_rows(pairs)[1]].T)
        n = self.records.n_values
        left, peak, _ = intersection_of_pairs(
            known.starts, known.values, known.counts,
            hidden.indptr, hidden.values, hidden.counts,
            first, second,
            np.arange(n, dtype=np.int32)[None], np.zeros((1, n), np.int64),
        )  # fmt: skip
        return not bool(is_within(peak, self.c, left).all())


def _count_kinds(finest: CodeArray, kinds: CodeArray, table: Sheet) -> KindCounts:
    """Count the kinds and values of every distinct record."""
    n_values = table.n_values
    cells, cell = np.unique(kinds.astype(np.int64) * n_values + table.values, return_inverse=True)
    pairs, counts = np.unique(finest.astype(np.int64) * cells.size + cell, return_counts=True)
    item, cell = np.divmod(pairs, max(cells.size, 1))
    kind = (cells // n_values).astype(np.int32)
    n_items, n_kinds = int(finest.max(initial=-1)) + 1, int(kinds.max(initial=-1)) + 1
    return KindCounts(
        np.searchsorted(item, np.arange(n_items + 1)),
        cell.astype(np.int32),
        counts,
        kind,
        np.searchsorted(kind, np.arange(n_kinds + 1)),
    )
