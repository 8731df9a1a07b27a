"""Specializing: one node after the other replaced by its children, where that loses least in all.

Groups become smaller with every step, and what they show of quasi-identifiers more precise; what
they must blur of a sensitive column grows. What splitting a group on a column would bring is worked
out once, when the group comes into being.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.base.search import Step
from unlinkable.tables.methods.cuts.shared.trees import Tree
from unlinkable.tables.methods.regions.shared.guarded_cells import GuardedCells
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Specializing"]

_TINY = 1e-9
"""A step that lowers the mean loss of a record by less is none."""

Candidate = tuple[int, int, float]
"""A column, a node of it, and by how much the loss rises if it is replaced by its children."""


class Specializing:
    """A cut through the taxonomy of every quasi-identifier, and the groups that it makes.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    is_feasible
        Whether all records in one group keep the promise about what is guarded.
    """

    def __init__(
        self,
        finest: Groups,
        attributes: Sequence[Attribute],
        metric: CellMetric,
        cells: GuardedCells,
        others: All,
    ) -> None:
        self._finest, self.attributes = finest, attributes
        self._cells, self._others = cells, others
        self._trees = [Tree.of(a.taxonomy) for a in attributes]
        self._prices = [
            a.importance * metric.cells(a.taxonomy, tree.lo, tree.hi)
            for a, tree in zip(attributes, self._trees, strict=True)
        ]
        n, d = len(finest), len(attributes)
        self._nodes = np.zeros((n, d), np.int32)
        self._labels = np.zeros(n, np.int32)
        self._is_dead = [np.zeros(len(tree), bool) for tree in self._trees]
        lost, good = self._fit(self._labels, 1)
        self.is_feasible = bool(good.all())
        self._lost = lost
        self._rises, self._can = self._look_ahead(np.ones(1, bool))

    @property
    def n_parts(self) -> int:
        """Number of groups."""
        return self._lost.size

    def partition(self) -> Partition:
        """Give the groups that hold records, with the nodes that they show."""
        first = np.unique(self._labels, return_index=True)[1]
        lo, hi = (
            np.column_stack([ends[self._nodes[first, j]] for j, ends in enumerate(side)])
            for side in ([t.lo for t in self._trees], [t.hi for t in self._trees])
        )
        return Partition(self._finest, self._labels, lo, hi).inhabited()

    def best(self, is_over: Callable[[], bool]) -> Candidate | None:
        """Find the step that lowers the loss most and keeps all promises; None if none does.

        None is looked for once the time is over.
        """
        for j, node, rise in sorted(self._candidates(), key=lambda found: round(found[2], 9)):
            if is_over():
                break
            self._cells.effort["tried"] += 1
            if self._keeps(j, node):
                return j, node, rise
            if self._others.merging is not Merging.UNSAFE:
                self._is_dead[j][node] = True
        return None

    def make(self, candidate: Candidate) -> Step:
        """Replace a node by its children, for all records that show it."""
        j, node, rise = candidate
        labels, is_new, first = self._split(j, node)
        tree = self._trees[j]
        rows = self._nodes[:, j] == node
        self._nodes[rows, j] = self._children(j)[rows]
        old = self._labels[first]
        self._labels = labels
        self._lost, self._rises, self._can = self._lost[old], self._rises[old], self._can[old]
        lost, _ = self._fit(*_only(labels, is_new))
        self._lost[is_new] = lost
        self._rises[is_new], self._can[is_new] = self._look_ahead(is_new)
        below = tree.children(node)
        return Step(
            self.attributes[j].name,
            int(tree.lo[node]),
            int(tree.hi[node]),
            tuple(tree.lo[below].tolist()),
            -rise,
        )

    def _candidates(self) -> list[Candidate]:
        """List the steps that lower the loss and after which guards can be respected."""
        first = np.unique(self._labels, return_index=True)[1]
        whole = float(self._finest.weights.sum()) or 1.0
        found = []
        for j, tree in enumerate(self._trees):
            node = self._nodes[first, j]
            rise = np.bincount(node, self._rises[:, j], len(tree)) / whole
            is_there = np.bincount(node, minlength=len(tree)) > 0
            cannot = np.bincount(node, ~self._can[:, j], len(tree)) > 0
            may = is_there & ~cannot & ~self._is_dead[j] & ~tree.is_leaf & (rise < -_TINY)
            found += [(j, v, float(rise[v])) for v in np.flatnonzero(may).tolist()]
        return found

    def _keeps(self, j: int, node: int) -> bool:
        """Whether the other promises, which hold now, still do after a step."""
        if not self._others.models:
            return True
        labels, is_new, first = self._split(j, node)
        keys = self._nodes[first]
        keys[is_new, j] = self._children(j)[first[is_new]]
        columns = self._finest.columns
        groups = self._finest.merge(labels, is_new.size, columns, keys)
        return self._others.survives(groups, is_new, columns[j])

    def _split(self, j: int, node: int) -> tuple[CodeArray, BoolArray, CountArray]:
        """Number groups after a step; tell which are new, and a row of each."""
        rows: BoolArray = self._nodes[:, j] == node
        child = np.where(rows, self._children(j), 0)
        labels, first = number_rows(np.column_stack([self._labels, child]))
        return labels, rows[first], first

    def _children(self, j: int) -> CodeArray:
        """For every row the child of its node that it would show; the node itself if a value."""
        tree, node = self._trees[j], self._nodes[:, j]
        child = tree.leaf_of[self._finest.keys[:, j]]
        while (up := (child != node) & (tree.parent[child] != node)).any():
            child = np.where(up, tree.parent[child], child)
        return child

    def _look_ahead(self, parts: BoolArray) -> tuple[FloatArray, BoolArray]:
        """Work out how the loss of groups rises if each is split on each column, and if it can."""
        rows = np.flatnonzero(parts[self._labels])
        number = (np.cumsum(parts) - 1).astype(np.int32)
        own = number[self._labels[rows]]
        n, d = int(parts.sum()), len(self._trees)
        rises, can = np.zeros((n, d)), np.ones((n, d), bool)
        weights = self._finest.weights[rows]
        for j in range(d):
            child = self._children(j)[rows]
            price = self._prices[j][child] - self._prices[j][self._nodes[rows, j]]
            halves, first = number_rows(np.column_stack([own, child]))
            labels = np.full(self._labels.size, -1, np.int32)
            labels[rows] = halves
            lost, good = self._fit(labels, first.size)
            parent = own[first]
            rises[:, j] = np.bincount(own, weights * price, n)
            rises[:, j] += np.bincount(parent, lost, n) - self._lost[parts]
            can[:, j] = np.bincount(parent, ~good, n) == 0
        return rises, can

    def _fit(self, labels: CodeArray, n: int) -> tuple[FloatArray, BoolArray]:
        """Tell what groups lose on the sensitive column, and whether guards can be respected."""
        groups = self._finest.merge(labels, n, (), np.empty((n, 0), np.int32))
        shown = self._cells.show(groups)
        self._cells.effort["groups_fitted"] += n
        return self._cells.lost(groups, shown), shown.is_good


def _only(labels: CodeArray, parts: BoolArray) -> tuple[CodeArray, int]:
    """Number the marked parts alone; rows of others belong to none."""
    number = np.where(parts, np.cumsum(parts) - 1, -1).astype(np.int32)
    return number[labels], int(parts.sum())
