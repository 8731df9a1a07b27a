"""Rare combinations: values of few columns that too few records share, and what would help.

Rare values are suppressed, cell by cell, until no combination is rare.

A cell that is hidden is published as ``*``, which is a value of its own when published values are
counted: records that hide a value are indistinguishable from each other, and from no others. So
hiding a cell removes its record from its group, and the few that hide the same may be rare
themselves. What is hidden stays hidden, so this terminates: at the latest when all is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.base.search import Search, Step
from unlinkable.tables.methods.cuts.shared.head_judging import least_size
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray, Progress

__all__ = ["Combination", "HiddenCells", "RisingCut", "asked_combinations"]

Combination = tuple[int, ...]
"""Columns, by their positions."""

_TINY = 1e-12
"""What a step costs at least, so that one that costs nothing can be compared with others."""


def asked_combinations(
    method: Search, privacy: All, finest: Groups, size: int
) -> dict[Combination, int]:
    """List the combinations of columns that promises are about, and how many records each needs.

    Raises
    ------
    UnsupportedError
        If a promise is about more columns at once than ``size``.
    """
    columns = finest.columns
    found: dict[Combination, int] = {}
    for model in privacy.models:
        k = least_size([model], finest.n_records)
        for names in model.knows(columns).combinations():
            if len(names) > size:
                instead = f"promise lkc-privacy(l={size}, k={k}, c=1), which it keeps, " * (k > 1)
                raise UnsupportedError(
                    f"{method} looks at combinations of at most {size} columns, and {model} is "
                    f"about {len(names)} together: {instead}"
                    f"allow it to look at {len(names)}, or use mondrian"
                )
            at = tuple(columns.index(name) for name in names)
            found[at] = max(found.get(at, 1), k)
    return found


class RisingCut:
    """A cut through every taxonomy that goes up a node at a time.

    Attributes
    ----------
    trees
        The taxonomies.
    """

    def __init__(
        self,
        finest: Groups,
        attributes: Sequence[Attribute],
        combinations: Mapping[Combination, int],
        metric: CellMetric,
    ) -> None:
        self.trees = [Tree.of(a.taxonomy) for a in attributes]
        self._finest = finest
        self._combinations = combinations
        self._losses = [
            a.importance * metric.cells(a.taxonomy, tree.lo, tree.hi)
            for a, tree in zip(attributes, self.trees, strict=True)
        ]
        # By column the node that every code shows, and which nodes are shown.
        self._nodes = [tree.leaf_of.copy() for tree in self.trees]
        self._is_shown = [tree.is_leaf.copy() for tree in self.trees]
        self._relief: dict[Combination, list[FloatArray]] = {}

    def partition(self) -> Partition:
        """Put the records together that show the same nodes."""
        shown = self._shown()
        labels, first = number_rows(shown)
        lo = np.column_stack([t.lo[shown[first, j]] for j, t in enumerate(self.trees)])
        hi = np.column_stack([t.hi[shown[first, j]] for j, t in enumerate(self.trees)])
        return Partition(self._finest, labels, lo, hi)

    def best_step(self, is_bad: BoolArray) -> tuple[int, int, float] | None:
        """Find the node that helps most against what it costs: column, node and score.

        Going up to a node helps the records that are then no longer in a rare combination, counted
        for every combination. If nothing helps anybody, bad records are counted that are below it.
        None if every column shows its root.
        """
        relief = self._all_relief()
        if not any((gain > 0).any() for gain in relief):
            relief = [self._below(j, is_bad) for j in range(len(self.trees))]
        best: tuple[int, int, float] | None = None
        for j, gain in enumerate(relief):
            scores = np.where(self._open(j), gain / np.maximum(self._costs(j), _TINY), -1.0)
            node = int(scores.argmax())
            if scores[node] >= 0 and (best is None or scores[node] > best[2]):
                best = j, node, float(scores[node])
        return best

    def go_up(self, j: int, node: int) -> None:
        """Show a node in the place of its children."""
        tree = self.trees[j]
        self._nodes[j][tree.lo[node] : tree.hi[node]] = node
        self._is_shown[j][tree.children(node)] = False
        self._is_shown[j][node] = True
        self._relief = {c: gains for c, gains in self._relief.items() if j not in c}

    def go_down(self, j: int, node: int) -> None:
        """Show the children of a node in its place."""
        tree, children = self.trees[j], self.trees[j].children(node)
        self._nodes[j][tree.lo[node] : tree.hi[node]] = np.repeat(children, tree.width[children])
        self._is_shown[j][children] = True
        self._is_shown[j][node] = False
        self._relief = {c: gains for c, gains in self._relief.items() if j not in c}

    def cost_of(self, j: int, node: int) -> float:
        """Measure what showing a node costs, and not its children; -1 if it is not shown."""
        if not self._is_shown[j][node]:
            return -1.0
        self.go_down(j, node)
        cost = float(self._costs(j)[node])
        self.go_up(j, node)
        return cost

    def as_step(self, j: int, node: int, score: float) -> Step:
        """Write down that the cut went up to a node."""
        tree = self.trees[j]
        parts = tuple(tree.lo[tree.children(node)].tolist())
        lo, hi = int(tree.lo[node]), int(tree.hi[node])
        return Step(self._finest.columns[j], lo, hi, parts, score)

    def _shown(self) -> CodeArray:
        keys = self._finest.keys
        shown = np.empty(keys.shape, np.int32)
        for j, nodes in enumerate(self._nodes):
            shown[:, j] = nodes[keys[:, j]]
        return shown

    def _open(self, j: int) -> BoolArray:
        """Mark the nodes all of whose children are shown."""
        tree = self.trees[j]
        n_shown = np.bincount(tree.parent[1:], self._is_shown[j][1:], minlength=len(tree))
        is_open: BoolArray = (n_shown == np.diff(tree.starts)) & ~tree.is_leaf
        return is_open

    def _costs(self, j: int) -> FloatArray:
        """Measure what going up to each node of a column adds to the loss of the records below."""
        tree, losses = self.trees[j], self._losses[j]
        codes = self._finest.keys[:, j]
        weights = np.bincount(codes, self._finest.weights, minlength=tree.hi[0])
        now = losses[self._nodes[j]]
        heavy, cost = (np.append(0.0, np.cumsum(w)) for w in (weights, weights * now))
        added: FloatArray = losses * (heavy[tree.hi] - heavy[tree.lo])
        added -= cost[tree.hi] - cost[tree.lo]
        return added

    def _below(self, j: int, is_bad: BoolArray) -> FloatArray:
        """Count the bad records below every node of a column."""
        tree = self.trees[j]
        codes, sizes = self._finest.keys[:, j], np.where(is_bad, self._finest.sizes, 0)
        counts = np.append(0.0, np.cumsum(np.bincount(codes, sizes, minlength=tree.hi[0])))
        return np.asarray(counts[tree.hi] - counts[tree.lo], float)

    def _all_relief(self) -> list[FloatArray]:
        """Count by column and node the records that going up helps, over all combinations."""
        fresh = [c for c in self._combinations if c not in self._relief]
        if fresh:
            shown = self._shown()
            labels, first = number_rows(shown)
            rows, sizes = shown[first], sum_by_label(self._finest.sizes, labels, first.size)
            for at in fresh:
                self._relief[at] = self._relief_on(at, rows, sizes)
        total = [np.zeros(len(tree)) for tree in self.trees]
        for at, gains in self._relief.items():
            for j, gain in zip(at, gains, strict=True):
                total[j] += gain
        return total

    def _relief_on(self, at: Combination, rows: CodeArray, sizes: CountArray) -> list[FloatArray]:
        k = self._combinations[at]
        labels, first = number_rows(np.ascontiguousarray(rows[:, at]))
        cells, counts = rows[first][:, at], sum_by_label(sizes, labels, first.size)
        rare = np.where(counts < k, counts, 0)
        gains = []
        for place, j in enumerate(at):
            tree = self.trees[j]
            gain = np.zeros(len(tree))
            parent = tree.parent[cells[:, place]]
            # A root has -1 above it, which looks up the last entry.
            inside = np.append(self._open(j), False)[parent]
            if rare[inside].any():
                joined = cells[inside]
                joined[:, place] = parent[inside]
                together, at_first = number_rows(joined)
                before = sum_by_label(rare[inside], together, at_first.size)
                after = sum_by_label(counts[inside], together, at_first.size)
                helped = before - np.where(after < k, after, 0)
                gain += np.bincount(joined[at_first, place], helped, minlength=len(tree))
            gains.append(gain)
        return gains


_LEAST_COST = 1e-12
"""The least cost of hiding a cell, so that one that costs nothing can be compared with others."""


class HiddenCells:
    """The parts of a partition, with some of their cells hidden.

    Attributes
    ----------
    hidden
        ``hidden[g, j]``: whether part g shows ``*`` on column j.
    n_rounds
        How many times all combinations were counted.
    """

    def __init__(
        self,
        partition: Partition,
        attributes: Sequence[Attribute],
        metric: CellMetric,
        least: int,
    ) -> None:
        self.n_rounds = 0
        self._partition = partition
        self._n = np.array([a.taxonomy.n for a in attributes], np.int32)
        # A cell at the root is hidden from the start: it is published as ``*`` already.
        self.hidden: BoolArray = (partition.lo == 0) & (partition.hi == self._n)
        self._was_hidden = self.hidden.copy()
        self._least = least
        self._costs = np.empty(self.hidden.shape)
        for j, a in enumerate(attributes):
            told = metric.cells(a.taxonomy, partition.lo[:, j], partition.hi[:, j])
            whole = metric.cells(a.taxonomy, np.zeros(1, np.int32), self._n[j : j + 1])
            self._costs[:, j] = np.maximum(a.importance * (whole - told), _LEAST_COST)

    @property
    def n_hidden(self) -> int:
        """Number of cells of records that were hidden."""
        return int((self._partition.sizes[:, None] * (self.hidden & ~self._was_hidden)).sum())

    def shown(self) -> Partition:
        """Merge the parts that are published with the same values."""
        part = self._partition
        lo, hi = np.where(self.hidden, 0, part.lo), np.where(self.hidden, self._n, part.hi)
        return part.shown_as(lo.astype(np.int32), hi.astype(np.int32))

    def hide(self, privacy: All, progress: Progress) -> None:
        """Hide cells until the promise holds.

        In every part that is in a rare combination, the cell is hidden that is in the most of them
        against what hiding it costs. Where all cells of a rare combination are hidden already, more
        records have to hide the same: those that have the fewest other cells to hide.
        """
        while True:
            self.n_rounds += 1
            shown = self.shown()
            # For every part the merged part that contains it: all its finest groups are in the same
            # one.
            label = np.zeros(self.hidden.shape[0], np.int32)
            label[self._partition.labels] = shown.labels
            blame, lonely = self._blame(privacy, shown, label)
            n_bad = int(self._partition.sizes[blame.any(axis=1)].sum())
            progress(1.0, f"{self.n_hidden} cells hidden, {n_bad} records are in rare combinations")
            if not n_bad:
                return
            # This is the greedy rule of set cover: the most rare combinations resolved per unit of
            # cost.
            score = np.where(self.hidden, -1.0, blame / self._costs)
            column = score.argmax(axis=1)
            can = np.flatnonzero(np.take_along_axis(score, column[:, None], axis=1)[:, 0] > 0)
            self.hidden[can, column[can]] = True
            # All rare combinations consist of hidden cells only. They cannot be hidden further, so
            # other records must hide the same columns until there are enough of them.
            if not can.size:
                for columns, is_lonely in lonely:
                    self._accompany(columns, is_lonely)

    def _blame(
        self, privacy: All, shown: Partition, label: CodeArray
    ) -> tuple[CountArray, list[tuple[CountArray, BoolArray]]]:
        """Count for every cell the broken combinations that it is in, and list the hidden ones."""
        groups = shown.groups()
        blame = np.zeros(self.hidden.shape, np.int64)
        lonely = []
        for model in privacy.models:
            for seen, parent in model.seen(groups):
                is_bad = ~model.judge(seen)[parent][label]
                if is_bad.any():
                    columns = np.array([groups.columns.index(name) for name in seen.columns])
                    blame[np.ix_(np.flatnonzero(is_bad), columns)] += 1
                    alone = is_bad & self.hidden[:, columns].all(axis=1)
                    if alone.any():
                        lonely.append((columns, alone))
        return blame, lonely

    def _accompany(self, columns: CountArray, is_lonely: BoolArray) -> None:
        """Hide some columns in as many more records as it takes, and at least in one part more."""
        sizes = self._partition.sizes
        n = int(sizes[is_lonely].sum())
        missing = (~self.hidden[:, columns]).sum(axis=1)
        others = np.flatnonzero(missing)
        order = others[np.lexsort((sizes[others], missing[others]))]
        before = np.cumsum(sizes[order]) - sizes[order]
        joins = order[before < max(self._least - n, 1)]
        self.hidden[np.ix_(joins, columns)] = True
