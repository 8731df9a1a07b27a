"""TEA index: taxonomy-encoded anonymity, the groups as generalized so far and what can be next.

As published [1]_ it is a tree with a level for every column, in which the nodes to be joined are
linked. Here the same is in arrays: the groups that hold a node are chained, so that a
generalization looks at these alone, and groups that become equal are found by hashing.

References
----------
.. [1] K. Wang, P. S. Yu, S. Chakraborty. "Bottom-up generalization: a data mining solution to
   privacy protection." ICDM 2004.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.counting import sum_by_label
from unlinkable.kernels.taxonomy_cuts import tea
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Generalization", "TeaIndex"]


@define(eq=False, frozen=True)
class Generalization:
    """What would become of the groups if the children of a node were replaced by it.

    Attributes
    ----------
    node
        Which node, in one numbering of the nodes of all columns.
    column
        Of which column.
    rows
        The groups that hold a child.
    labels
        For each of these which of the new groups it would be part of.
    first
        For every new group the first of its parts.
    sizes
        Number of records in each of the new groups.
    """

    node: int
    column: int
    rows: CodeArray
    labels: CodeArray
    first: CodeArray
    sizes: CountArray


class TeaIndex:
    """The groups of a table, generalized step by step.

    Attributes
    ----------
    trees
        The taxonomies.
    starts
        Where the nodes of each column begin in one numbering of all; and their number.
    nodes
        ``nodes[g, j]`` is what group g shows on column j. The root of column j is ``starts[j]``.
    sizes
        Number of records in each group; -1 if it has become part of another one.
    is_open
        Which generalizations are possible: those nodes none of whose records show something below
        their children, nor the node itself.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "clerk", "cook"], "sex": ["f", "f", "m"]},
    ...     quasi=["job", "sex"])
    >>> index = TeaIndex(count(staff).finest, staff.attributes)
    >>> np.flatnonzero(index.is_open).tolist()  # both roots
    [0, 3]
    >>> any_sex = index.look(3)
    >>> any_sex.sizes.tolist()
    [2, 1]
    >>> index.apply(any_sex)
    >>> index.partition().sizes.tolist()
    [2, 1]
    """

    def __init__(self, finest: Groups, attributes: Sequence[Attribute]) -> None:
        self.finest = finest
        self.trees = tuple(Tree.of(a.taxonomy) for a in attributes)
        self.starts = np.append(0, np.cumsum([len(tree) for tree in self.trees])).astype(np.int32)
        leaves = [
            first + tree.leaf_of[finest.keys[:, j]]
            for j, (tree, first) in enumerate(zip(self.trees, self.starts[:-1], strict=True))
        ]
        n, d = finest.keys.shape
        self.nodes = np.column_stack([np.zeros((n, 0), np.int32), *leaves]).astype(np.int32)
        self.sizes = finest.sizes.copy()
        self._salts = _salts(int(self.starts[-1]))
        self._hashes: NDArray[np.uint64] = self._salts[self.nodes].sum(axis=1, dtype=np.uint64)
        self._into = np.arange(n, dtype=np.int32)
        self._head = np.empty(int(self.starts[-1]), np.int32)
        self._n_held = np.empty_like(self._head)
        self._after, self._before = np.empty((d, n), np.int32), np.empty((d, n), np.int32)
        tea.chain(self.nodes, self._head, self._after, self._before, self._n_held)
        self._parent = np.concatenate(
            [
                np.zeros(0, np.int32),
                *(
                    np.where(tree.parent < 0, -1, tree.parent + first)
                    for tree, first in zip(self.trees, self.starts[:-1], strict=True)
                ),
            ]
        ).astype(np.int32)
        self._n_below = self._count_children(self._n_held > 0)
        self._waits_for = self._n_below.copy()
        self._n_made = 0
        self.is_open = np.zeros(self._head.size, bool)
        self._open_above(np.flatnonzero(self._n_held > 0).astype(np.int32))

    @property
    def lives(self) -> BoolArray:
        """Which groups have not become part of others."""
        lives: BoolArray = self._into == np.arange(self._into.size)
        return lives

    @property
    def n_left(self) -> int:
        """How many generalizations there are from here to the top."""
        return int(np.count_nonzero(self._n_below)) - self._n_made

    def above(self, groups: CodeArray) -> CodeArray:
        """List the possible generalizations that concern some groups."""
        above = np.unique(self._parent[self.nodes[groups]])
        found: CodeArray = above[(above >= 0) & self.is_open[above]]
        return found

    def children(self, node: int) -> tuple[int, CodeArray]:
        """Give the column of a node, and the nodes under it."""
        column = int(np.searchsorted(self.starts, node, side="right")) - 1
        first = self.starts[column]
        return column, self.trees[column].children(node - int(first)) + first

    def look(self, node: int) -> Generalization:
        """See what a generalization would do. O(groups that it concerns * columns)."""
        column, children = self.children(node)
        rows = tea.gather(children, column, self._head, self._after, self._n_held)
        labels, first = tea.match(rows, column, self.nodes, self._hashes, self._salts)
        sizes = sum_by_label(self.sizes[rows], labels, first.size)
        return Generalization(node, column, rows, labels, first, sizes)

    def apply(self, step: Generalization) -> None:
        """Generalize. O(groups that it concerns * columns)."""
        _, children = self.children(step.node)
        tea.join(
            step.rows,
            step.labels,
            step.first,
            children,
            step.column,
            step.node,
            self.nodes,
            self._hashes,
            self._salts,
            self.sizes,
            self._into,
            self._head,
            self._after,
            self._before,
            self._n_held,
        )
        self._n_made += 1
        self.is_open[step.node] = False
        self._open_above(np.array([step.node], np.int32))

    def partition(self) -> Partition:
        """Publish the living groups as they are, in their order."""
        return self._publish(self._into, self.nodes)

    def partition_after(self, step: Generalization) -> Partition:
        """Publish the groups as they would be after a generalization."""
        into, nodes = self._into.copy(), self.nodes.copy()
        into[step.rows] = step.first[step.labels]
        nodes[step.first, step.column] = step.node
        return self._publish(into, nodes)

    def _publish(self, into: CodeArray, nodes: CodeArray) -> Partition:
        lives = into == np.arange(into.size)
        while not np.array_equal(into, into[into]):
            into = into[into]
        labels = (np.cumsum(lives, dtype=np.int32) - np.int32(1))[into]
        shown = nodes[lives]
        lo, hi = np.empty_like(shown), np.empty_like(shown)
        for j, tree in enumerate(self.trees):
            lo[:, j] = tree.lo[shown[:, j] - self.starts[j]]
            hi[:, j] = tree.hi[shown[:, j] - self.starts[j]]
        return Partition(self.finest, labels, lo, hi)

    def _count_children(self, is_shown: BoolArray) -> CountArray:
        """Count for every node the children that hold records, shown now or some day."""
        occurs, frontier = is_shown.copy(), np.flatnonzero(is_shown).astype(np.int32)
        while frontier.size:
            above = np.unique(self._parent[frontier])
            frontier = above[above >= 0]
            frontier = frontier[~occurs[frontier]]
            occurs[frontier] = True
        above = self._parent[occurs]
        return np.bincount(above[above >= 0], minlength=occurs.size)

    def _open_above(self, shown: CodeArray) -> None:
        """Note that nodes are shown now; their parents wait for them no more."""
        above = self._parent[shown]
        above = above[above >= 0]
        np.subtract.at(self._waits_for, above, 1)
        self.is_open[above[self._waits_for[above] == 0]] = True


def _salts(n: int) -> NDArray[np.uint64]:
    """Give every node a number of its own that looks random (splitmix64)."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    salts: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return salts
