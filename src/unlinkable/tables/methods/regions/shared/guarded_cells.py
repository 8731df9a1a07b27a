"""Guarded cells: sensitive values generalized in each group, until what people guard is safe.

In a group that breaks the promise, the values of some records are told less precisely. Whose does
not matter to an adversary, who cannot tell the records of a group apart; so all records that have
the same value are treated alike, but for those whose own guard covers it: they may be generalized
while others with that value, who do not mind, are not.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared.trees import Tree
from unlinkable.tables.methods.regions.shared.guarded_moves import (
    NOWHERE,
    Moves,
    Shown,
    downward,
    first_of_each,
    upward,
)
from unlinkable.tables.methods.regions.shared.guarded_sight import Guards, Sight
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Taxonomy, read_range, write_ranges
from unlinkable.tables.taxonomies.builders import with_nodes
from unlinkable.typing import BoolArray, CodeArray, Columns, FloatArray

__all__ = ["GuardedCells"]

_TINY = 1e-12
"""Differences of losses and probabilities below this are none."""


@define(eq=False, frozen=True)
class GuardedCells:
    """A sensitive column, the promises about it, and what its nodes lose.

    Attributes
    ----------
    sight
        What recipients are told of it, and the promises.
    losses
        What a record loses that shows a node.
    kinds
        For each code that value and guard were counted by, the kind of these records.
    """

    sight: Sight
    losses: FloatArray
    kinds: CodeArray

    @property
    def columns(self) -> Columns:
        """The sensitive column, and the column with what people want guarded."""
        return self.sight.columns

    @property
    def tree(self) -> Tree:
        """The nodes of the taxonomy of the sensitive column."""
        return self.sight.tree

    @property
    def effort(self) -> Counter[str]:
        """What it took so far."""
        return self.sight.effort

    @classmethod
    def of(
        cls, finest: Groups, judged: All, metric: CellMetric, weight: float, effort: Counter[str]
    ) -> Self:
        """Set up what is guarded in a table."""
        promises = tuple(m for m in judged.models if isinstance(m, Guards))
        columns = promises[0].guarded
        (taxonomy, values), (guards, wanted) = finest.histograms[columns].parts
        tree = Tree.of(taxonomy)
        told = with_nodes(taxonomy)
        texts = write_ranges(taxonomy, tree.lo, tree.hi)
        codes = [told.domain.missing if t is None else told.domain.code_of(t) for t in texts]
        minds = _covers_own(taxonomy, guards, values, wanted)
        sight = Sight(promises, judged, columns, tree, np.array(codes, np.int32), told, effort)
        losses = weight * metric.cells(taxonomy, tree.lo, tree.hi)
        return cls(sight, losses, (2 * values + ~minds).astype(np.int32))

    def show(self, groups: Groups) -> Shown:
        """Generalize sensitive values in each group until it keeps the promise.

        As long as a group does not, some of its records go up: if a step will do, the one that
        loses least, else the one that takes the most from what is too likely against what it loses.
        In the end, whatever went up in vain comes down again.
        """
        shown, groups = self._as_they_are(groups), self.sight.once(groups)
        good, _ = self.sight.judge(groups, shown, NOWHERE, np.arange(len(groups)))
        shown, is_bad = evolve(shown, is_good=good), ~good
        if not is_bad.any():
            return shown
        is_stuck = np.zeros(is_bad.size, bool)
        while (is_open := ~shown.is_good & ~is_stuck).any():
            moves = upward(self.tree, shown, is_open)
            shown, moved = self._step(groups, shown, moves)
            is_stuck |= is_open & ~moved
        is_open = is_bad & shown.is_good
        while is_open.any():
            moves = downward(self.tree, shown, is_open)
            shown, is_open = self._back(groups, shown, moves)
        return shown

    def lost(self, groups: Groups, shown: Shown) -> FloatArray:
        """Add up what the records of each group lose on the sensitive column, by their weights."""
        lost = np.bincount(shown.row, shown.count * self.losses[shown.node], len(groups))
        each: FloatArray = groups.weights / np.maximum(groups.sizes, 1)
        return lost * each

    def _as_they_are(self, groups: Groups) -> Shown:
        guarded = groups.histograms[self.columns]
        key = (
            guarded.row.astype(np.int64) * (2 * self.tree.leaf_of.size) + self.kinds[guarded.values]
        )
        found, inverse = np.unique(key, return_inverse=True)
        row, kind = np.divmod(found, 2 * self.tree.leaf_of.size)
        count = np.bincount(inverse, guarded.counts, found.size).astype(np.int64)
        node = self.tree.leaf_of[kind // 2]
        not_yet = np.zeros(len(groups), bool)
        return Shown(row.astype(np.int32), kind.astype(np.int32), count, node, not_yet)

    def _step(self, groups: Groups, shown: Shown, moves: Moves) -> tuple[Shown, BoolArray]:
        """Make in each group the best of its moves upward; tell which groups had any."""
        row = shown.row[moves.entry]
        good, excess = self.sight.judge(groups, shown, moves)
        _, before = self.sight.judge(groups, shown, NOWHERE, np.unique(row))
        drop = before[np.searchsorted(np.unique(row), row)] - excess
        more = np.maximum(self._rise(shown, moves), _TINY)
        helps = drop > _TINY
        rank = np.where(good, 0, np.where(helps, 1, 2))
        score = np.where(good, more, np.where(helps, -drop / more, excess))
        first = first_of_each(row, rank, score, more)
        moved = np.zeros(len(groups), bool)
        moved[row[first]] = True
        return self._moved(shown, moves.some(first), good[first]), moved

    def _back(self, groups: Groups, shown: Shown, moves: Moves) -> tuple[Shown, BoolArray]:
        """Make in each group the move downward that saves most and keeps it good, if any."""
        good, _ = self.sight.judge(groups, shown, moves)
        saves = good & (self._rise(shown, moves) < -_TINY)
        moves = moves.some(np.flatnonzero(saves))
        row = shown.row[moves.entry]
        first = first_of_each(row, self._rise(shown, moves))
        moved = np.zeros(len(groups), bool)
        moved[row[first]] = True
        return self._moved(shown, moves.some(first), np.ones(first.size, bool)), moved

    def _rise(self, shown: Shown, moves: Moves) -> FloatArray:
        """Tell how much more the records of each move lose."""
        rise = self.losses[moves.node] - self.losses[shown.node[moves.entry]]
        lost: FloatArray = shown.count[moves.entry] * rise
        return lost

    def _moved(self, shown: Shown, moves: Moves, good: BoolArray) -> Shown:
        node, is_good = shown.node.copy(), shown.is_good.copy()
        node[moves.entry] = moves.node
        is_good[shown.row[moves.entry]] = good
        return evolve(shown, node=node, is_good=is_good)


def _covers_own(
    taxonomy: Taxonomy, guards: Taxonomy, values: CodeArray, wanted: CodeArray
) -> BoolArray:
    """Tell for values and guards that were counted together whether the guard covers the value."""
    lo, hi = np.zeros((2, guards.n), np.int32)
    for code in np.unique(wanted).tolist():
        # What is no node at all, the promise refuses without telling whose wish it was.
        with suppress(DataError):
            if text := guards.domain.text(code):
                lo[code], hi[code] = read_range(taxonomy, text)
    covers: BoolArray = (lo[wanted] <= values) & (values < hi[wanted])
    return covers
