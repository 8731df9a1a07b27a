"""Guarded cells: sensitive values generalized in each group, until what people guard is safe.

In a group that breaks the promise, the values of some records are generalized. Whose does
not matter to an adversary, who cannot tell the records of a group apart; so all records that have
the same value are treated alike, but for those whose own guard covers it: they may be generalized
while others with that value, who do not mind, are not.

Each guard of a group is judged once: who guards what, not who of them has what.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError
from unlinkable.tables.groups import Groups, Histogram, number_rows
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Taxonomy, read_range, write_ranges
from unlinkable.tables.taxonomies.builders import with_nodes
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = [
    "NOWHERE",
    "GuardedCells",
    "Guards",
    "Moves",
    "Shown",
    "Sight",
    "downward",
    "first_of_each",
    "upward",
]


@define(eq=False, frozen=True)
class Shown:
    """What the records of groups show on the sensitive column.

    Attributes
    ----------
    row, kind, count
        Entries: the group, the kind of records in it (twice the code of their value, and one more
        if no guard of their own covers it), and how many there are. Sorted by group and kind, so
        that of equal choices those who mind come first.
    node
        What they show, by the number of the node.
    is_good
        Whether each group then keeps the promise.
    """

    row: CodeArray
    kind: CodeArray
    count: CountArray
    node: CodeArray
    is_good: BoolArray


class Moves(NamedTuple):
    """Ways to tell some records of a group otherwise: an entry, and the node it would show."""

    entry: CountArray
    node: CodeArray

    def some(self, which: CountArray | slice) -> Moves:
        """Keep some of them."""
        return Moves(self.entry[which], self.node[which])


NOWHERE = Moves(np.empty(0, np.int64), np.empty(0, np.int32))
"""No move at all."""


def upward(tree: Tree, shown: Shown, is_open: BoolArray) -> Moves:
    """List all ways to tell some records of open groups less precisely."""
    entry = np.flatnonzero(is_open[shown.row])
    node = tree.parent[shown.node[entry]]
    entries, nodes = [], []
    while (up := node >= 0).any():
        entry, node = entry[up], node[up]
        entries.append(entry)
        nodes.append(node)
        node = tree.parent[node]
    return _joined(entries, nodes)


def downward(tree: Tree, shown: Shown, is_open: BoolArray) -> Moves:
    """List all ways to tell some records of open groups more precisely."""
    entry = np.flatnonzero(is_open[shown.row])
    node = tree.leaf_of[shown.kind[entry] // 2]
    entries, nodes = [], []
    while (down := node != shown.node[entry]).any():
        entry, node = entry[down], node[down]
        entries.append(entry)
        nodes.append(node)
        node = tree.parent[node]
    return _joined(entries, nodes)


def first_of_each(row: CodeArray, *scores: FloatArray | CountArray) -> CountArray:
    """Find for each row the place of its lowest score; of equal ones the lowest next score.

    Scores are compared to nine places, so that rounding does not decide among equals.
    """
    keys = [row.astype(float), *(np.round(score.astype(float), 9) for score in scores)]
    order = np.lexsort(keys[::-1])
    first: CountArray = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
    return first


def _joined(entries: list[CountArray], nodes: list[CodeArray]) -> Moves:
    return Moves(np.concatenate([NOWHERE.entry, *entries]), np.concatenate([NOWHERE.node, *nodes]))


_ENTRIES = 1 << 21
"""Entries of histograms that are made at a time, or those of one group."""


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
    """What recipients see of a sensitive column, and the promises about it.

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


_TINY = 1e-12
"""Differences of losses and probabilities below this are none."""


@define(eq=False, frozen=True)
class GuardedCells:
    """A sensitive column, the promises about it, and what its nodes lose.

    Attributes
    ----------
    sight
        What recipients see of it, and the promises.
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
