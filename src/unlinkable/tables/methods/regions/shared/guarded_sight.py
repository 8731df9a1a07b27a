"""Sight: groups as recipients see them, some sensitive values generalized, and as they are judged.

Each guard of a group is looked at once: who guards what, not who of them has what.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol, runtime_checkable

import numpy as np
from attrs import define, evolve

from unlinkable.tables.groups import Groups, Histogram, number_rows
from unlinkable.tables.methods.cuts.shared.trees import Tree
from unlinkable.tables.methods.regions.shared.guarded_moves import Moves, Shown
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Guards", "Sight"]

_ENTRIES = 1 << 21
"""So many entries of histograms are made at a time, or those of one group."""


@runtime_checkable
class Guards(Protocol):
    """A promise about what people want guarded of a sensitive column."""

    @property
    def guarded(self) -> Columns:
        """The sensitive column, and the column with what people want guarded."""

    def excess(self, groups: Groups) -> FloatArray:
        """Add up for each group how far all that is guarded lies above the bound."""


@define(eq=False, frozen=True)
class Sight:
    """What recipients are told of a sensitive column, and the promises about it.

    Attributes
    ----------
    promises, judged
        What every group must keep.
    columns
        The sensitive column, and the column with what people want guarded.
    tree, codes
        The nodes of its taxonomy, and the code of each as a published value.
    taxonomy
        The taxonomy in which nodes are values.
    effort
        What it took so far.
    """

    promises: tuple[Guards, ...]
    judged: All
    columns: Columns
    tree: Tree
    codes: CodeArray
    taxonomy: Taxonomy
    effort: Counter[str]

    def once(self, groups: Groups) -> Groups:
        """Keep of each guard in a group one entry: who guards what, not who of them has what."""
        counted = groups.histograms[self.columns]
        (_, values), (guards, wanted) = counted.parts
        _, first = number_rows(np.column_stack([counted.row, wanted[counted.values]]))
        row = counted.row[first]
        once = Histogram(
            np.searchsorted(row, np.arange(len(groups) + 1)),
            counted.values[first],
            counted.counts[first],
            counted.n_values,
            None,
            ((self.taxonomy, self.codes[self.tree.leaf_of[values]]), (guards, wanted)),
        )
        return evolve(groups, histograms={self.columns: once})

    def judge(
        self, groups: Groups, shown: Shown, moves: Moves, rows: CountArray | None = None
    ) -> tuple[BoolArray, FloatArray]:
        """Judge the groups of moves as they would be after each; or groups as they are."""
        row = shown.row[moves.entry].astype(np.int64) if rows is None else rows
        good, excess = np.empty(row.size, bool), np.empty(row.size)
        starts = np.searchsorted(shown.row, np.arange(len(groups) + 1))
        guards = groups.histograms[self.columns].distinct
        for part in portions((np.diff(starts) + guards)[row], _ENTRIES):
            some = moves if rows is not None else moves.some(part)
            told = self._told(groups, shown, starts, row[part], some)
            good[part] = self.judged.judge(told)
            excess[part] = sum(promise.excess(told) for promise in self.promises)
            self.effort["groups_judged"] += len(told)
        return good, excess

    def _told(
        self, groups: Groups, shown: Shown, starts: CountArray, row: CountArray, moves: Moves
    ) -> Groups:
        """Give groups as a recipient sees them, each after one move if there are any."""
        owner, entry = _stretches(starts, row)
        node = shown.node[entry]
        if moves.entry.size:
            is_moved = entry == moves.entry[owner]
            node[is_moved] = moves.node[owner[is_moved]]
        n_codes = self.taxonomy.n
        key = owner * n_codes + self.codes[node]
        found, inverse = np.unique(key, return_inverse=True)
        counts = np.bincount(inverse, shown.count[entry], found.size).astype(np.int64)
        hidden = Histogram(
            np.searchsorted(found, np.arange(row.size + 1) * n_codes),
            (found % n_codes).astype(np.int32),
            counts,
            n_codes,
            self.taxonomy,
        )
        once = groups.histograms[self.columns]
        guarded = evolve(
            once,
            indptr=np.append(0, np.cumsum(once.distinct[row])),
            values=once.values[_stretches(once.indptr, row)[1]],
            counts=once.counts[_stretches(once.indptr, row)[1]],
        )
        sizes = groups.sizes[row]
        histograms = {self.columns: guarded, self.columns[:1]: hidden}
        nothing = np.empty((row.size, 0), np.int32)
        return Groups(sizes, groups.weights[row], histograms, groups.whole, (), nothing)


def _stretches(starts: CountArray, row: CountArray) -> tuple[CountArray, CountArray]:
    """List the entries of rows one after the other, with the place of the row in the list."""
    length = (starts[1:] - starts[:-1])[row]
    owner = np.repeat(np.arange(row.size), length)
    offset = np.arange(owner.size) - np.repeat(np.cumsum(length) - length, length)
    return owner, starts[row][owner] + offset
