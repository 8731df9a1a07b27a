"""Trees: the nodes of a taxonomy, numbered, for searches that choose a cut through it."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Tree"]


@define(eq=False, frozen=True, slots=False)
class Tree:
    """The distinct nodes of a taxonomy.

    A node and its only child cover the same values and are published alike: they are one node.
    Nodes are numbered from the root on, every node before those under it, and siblings in the order
    of their codes.

    Attributes
    ----------
    lo, hi
        Node ``i`` covers the codes ``[lo[i], hi[i])``. The root is node 0.
    parent
        The node above each; -1 above the root.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree as Jobs
    >>> jobs = Jobs({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer"]})
    >>> tree = Tree.of(jobs.build(observe("job", ["Dancer"])))
    >>> tree.lo.tolist(), tree.hi.tolist(), tree.parent.tolist()
    ([0, 0, 2, 0, 1], [3, 2, 3, 1, 2], [-1, 0, 0, 1, 1])
    >>> tree.children(1).tolist(), tree.children(2).tolist()
    ([3, 4], [])
    """

    lo: CodeArray
    hi: CodeArray
    parent: CodeArray

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> Self:
        """Number the nodes of a taxonomy, level by level from the root."""
        lo, hi = [np.zeros(1, np.int32)], [np.full(1, taxonomy.n, np.int32)]
        parent = [np.full(1, -1, np.int32)]
        # For every code the node that was numbered last on its way down.
        current, n_nodes = np.zeros(taxonomy.n, np.int32), 1
        for level in reversed(taxonomy.levels[:-1]):
            starts, ends = level.starts[:-1], level.starts[1:]
            above = current[starts]
            is_new = (ends - starts) < (np.concatenate(hi) - np.concatenate(lo))[above]
            lo.append(starts[is_new])
            hi.append(ends[is_new])
            parent.append(above[is_new])
            number = np.where(is_new, n_nodes + np.cumsum(is_new) - 1, above).astype(np.int32)
            current = number[level.blocks]
            n_nodes += int(is_new.sum())
        return cls(np.concatenate(lo), np.concatenate(hi), np.concatenate(parent))

    def __len__(self) -> int:
        return self.lo.size

    @property
    def width(self) -> CodeArray:
        """Number of codes under each node."""
        return self.hi - self.lo

    @property
    def is_leaf(self) -> BoolArray:
        """Which nodes have none under them."""
        is_leaf: BoolArray = np.diff(self.starts) == 0
        return is_leaf

    @cached_property
    def below(self) -> CodeArray:
        """All nodes but the root, those of each parent together and in order."""
        return np.argsort(self.parent[1:], kind="stable").astype(np.int32) + np.int32(1)

    @cached_property
    def starts(self) -> CountArray:
        """Where in `below` the children of each node begin; and the end."""
        counts = np.bincount(self.parent[1:], minlength=len(self))
        return np.append(0, np.cumsum(counts))

    def children(self, node: int) -> CodeArray:
        """Give the nodes right under a node, in the order of their codes."""
        return self.below[self.starts[node] : self.starts[node + 1]]

    @cached_property
    def leaf_of(self) -> CodeArray:
        """For every code the node that is this code alone."""
        leaves = np.flatnonzero(self.is_leaf).astype(np.int32)
        found = np.empty(leaves.size, np.int32)
        found[self.lo[leaves]] = leaves
        return found
