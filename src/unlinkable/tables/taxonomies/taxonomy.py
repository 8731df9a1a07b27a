"""Taxonomy: which values an attribute has, and how they may be generalized.

Codes are numbered so that every node covers a contiguous range of them. A generalized value is
then an interval ``[lo, hi)`` of codes, whatever the attribute, and covering, overlap, the least
common node and full-domain levels are arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.taxonomies.domain import Domain
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["ANY", "Attribute", "Edges", "Level", "Taxonomy"]

ANY = "*"
"""How the root of every taxonomy, and a suppressed value, is published."""


@define(eq=False, frozen=True)
class Edges:
    """Where the nodes of a level begin and end, if a rule says so and not the values that occur.

    Attributes
    ----------
    lower, upper
        Node ``i`` holds the numbers or dates in ``[lower[i], upper[i])``. The missing value's node
        has no edges.
    open_below, open_above
        Whether the first node has no lower end, and the last node no upper end.
    """

    lower: NDArray[Any]
    upper: NDArray[Any]
    open_below: bool = False
    open_above: bool = False


@define(eq=False, frozen=True, slots=False)
class Level:
    """One full-domain level: the nodes at the same distance from the leaves.

    Attributes
    ----------
    blocks
        For every code its node. Nodes are numbered from 0 in the order of the codes.
    labels
        What each node is called; none for level 0, whose labels are the values themselves, and
        for nodes that are called by their range.
    edges
        Where each node begins and ends, if that does not depend on the values that occur.
    """

    blocks: CodeArray
    labels: Sequence[str] | None = None
    edges: Edges | None = None

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.blocks[-1]) + 1 if self.blocks.size else 0

    @cached_property
    def starts(self) -> CodeArray:
        """First code of every node, and the number of codes at the end."""
        first = np.flatnonzero(np.diff(self.blocks, prepend=-1))
        return np.append(first, self.blocks.size).astype(np.int32)

    @property
    def lo(self) -> CodeArray:
        """For every code the first code of its node."""
        return self.starts[self.blocks]

    @property
    def hi(self) -> CodeArray:
        """For every code the end of its node."""
        return self.starts[self.blocks + 1]


@define(eq=False, frozen=True, slots=False)
class Taxonomy:
    """A tree over a domain, given by its full-domain levels from the values to the root.

    Attributes
    ----------
    domain
        The leaves.
    levels
        ``levels[0]`` is the values themselves, ``levels[-1]`` the root alone. Every level
        is at least as coarse as the one before.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> taxonomy = jobs.build(observe("job", ["Dancer", "Lawyer"]))
    >>> taxonomy.height, [level.n_nodes for level in taxonomy.levels]
    (2, [4, 2, 1])
    >>> lo, hi = taxonomy.widen(np.array([0]), np.array([2]))  # Engineer to Lawyer
    >>> int(lo[0]), int(hi[0])
    (0, 2)
    """

    domain: Domain
    levels: tuple[Level, ...]

    @property
    def n(self) -> int:
        """Number of leaves, a missing value among them."""
        return self.domain.n

    @property
    def height(self) -> int:
        """Number of steps from a leaf to the root."""
        return len(self.levels) - 1

    @property
    def root(self) -> str:
        """What the root is called."""
        labels = self.levels[-1].labels
        return labels[0] if labels else ANY

    @cached_property
    def named(self) -> dict[str, tuple[int, int]]:
        """Where each label below the root stands: the lowest level that has it, and the node."""
        found: dict[str, tuple[int, int]] = {}
        for i in range(1, self.height):
            labels = self.levels[i].labels or ()
            for node, label in enumerate(labels[:-1] if self.domain.has_missing else labels):
                found.setdefault(label, (i, node))
        return found

    def cover(self, lo: CodeArray, hi: CodeArray) -> CodeArray:
        """Find the lowest level with a node that covers each interval of codes."""
        level = np.full(len(lo), self.height, np.int32)
        for i in range(self.height - 1, -1, -1):
            blocks = self.levels[i].blocks
            level[blocks[lo] == blocks[hi - 1]] = i
        return level

    def widen(self, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Give the range of the least node that covers each interval of codes."""
        level = self.cover(lo, hi)
        wide_lo, wide_hi = lo.copy(), hi.copy()
        for i, nodes in enumerate(self.levels):
            at = level == i
            block = nodes.blocks[lo[at]]
            wide_lo[at], wide_hi[at] = nodes.starts[block], nodes.starts[block + 1]
        return wide_lo, wide_hi

    def mixes_missing(self, lo: CodeArray, hi: CodeArray) -> BoolArray:
        """Find which intervals hold the missing value beside others: they can only show ``*``."""
        if not self.domain.has_missing:
            return np.zeros(len(lo), bool)
        mixed: BoolArray = (hi == self.n) & (hi - lo > 1)
        return mixed


@define(eq=False, frozen=True)
class Attribute:
    """A quasi-identifying column as a search sees it.

    Attributes
    ----------
    name
        The column.
    taxonomy
        Its values and their generalizations.
    importance
        How much a loss on it weighs against the others.
    """

    name: str
    taxonomy: Taxonomy
    importance: float = 1.0
