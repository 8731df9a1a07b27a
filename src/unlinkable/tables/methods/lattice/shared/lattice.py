"""The lattice of full-domain generalizations.

A node gives every attribute one level of its taxonomy; a step up raises one attribute by one level.
The bottom is the original table, the top has all attributes at their roots. A node with some
attributes at their roots stands for the table without these attributes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Self

from attrs import frozen

from unlinkable.tables.taxonomies import Attribute

__all__ = ["Lattice", "Node", "is_below"]

Node = tuple[int, ...]
"""The level of every attribute."""

_MOST_TOLD = 10**9
"""Fewer nodes than this are identified by their number."""


def is_below(fine: Node, coarse: Node) -> bool:
    """Whether no attribute of the first node is at a higher level than in the second."""
    return all(a <= b for a, b in zip(fine, coarse, strict=True))


@frozen
class Lattice:
    """All ways to give every attribute a level.

    Attributes
    ----------
    heights
        The level of the root of every attribute's taxonomy.

    Examples
    --------
    >>> lattice = Lattice((3, 3))
    >>> lattice.n_nodes, lattice.widths
    (16, [1, 2, 3, 4, 3, 2, 1])
    >>> list(lattice.generalizations((3, 1))), list(lattice.specializations((3, 1)))
    ([(3, 2)], [(2, 1), (3, 0)])
    """

    heights: tuple[int, ...]

    @classmethod
    def of(cls, attributes: Sequence[Attribute]) -> Self:
        """Take the taxonomies of these attributes."""
        return cls(tuple(a.taxonomy.height for a in attributes))

    @property
    def bottom(self) -> Node:
        """The table as it is."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """Every attribute at its root."""
        return self.heights

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return math.prod(h + 1 for h in self.heights)

    @property
    def n_nodes_in_words(self) -> str:
        """Number of nodes, of very many only the order of magnitude.

        Examples
        --------
        >>> Lattice((3, 3)).n_nodes_in_words, Lattice((3,) * 60).n_nodes_in_words
        ('16', 'about 10^36')
        """
        n = self.n_nodes
        return f"{n:,}" if n < _MOST_TOLD else f"about 10^{len(str(n)) - 1}"

    @property
    def widths(self) -> list[int]:
        """Number of nodes at every height, from 0 to the sum of all heights."""
        widths = [1]
        for h in self.heights:
            # Adding an attribute sums a sliding window of h + 1 widths, one for each of its levels.
            padded = [0] * h + widths + [0] * h
            widths = [sum(padded[i : i + h + 1]) for i in range(len(widths) + h)]
        return widths

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, in lexicographic order."""
        return product(*(range(h + 1) for h in self.heights))

    def at_height(self, height: int) -> Iterator[Node]:
        """Yield the nodes whose levels add up to this, in lexicographic order."""
        return _compositions(self.heights, height)

    def between(self, low: Node, high: Node, height: int) -> Iterator[Node]:
        """Yield the nodes between two that are so many steps above the lower one."""
        spans = tuple(b - a for a, b in zip(low, high, strict=True))
        for steps in _compositions(spans, height):
            yield tuple(a + step for a, step in zip(low, steps, strict=True))

    def generalizations(self, node: Node) -> Iterator[Node]:
        """Yield the nodes one step up."""
        for j, level in enumerate(node):
            if level < self.heights[j]:
                yield (*node[:j], level + 1, *node[j + 1 :])

    def specializations(self, node: Node) -> Iterator[Node]:
        """Yield the nodes one step down."""
        for j, level in enumerate(node):
            if level > 0:
                yield (*node[:j], level - 1, *node[j + 1 :])


def _compositions(heights: tuple[int, ...], total: int) -> Iterator[Node]:
    if not heights:
        if total == 0:
            yield ()
        return
    rest = heights[1:]
    # The level must leave a total that the remaining attributes can reach.
    for level in range(max(0, total - sum(rest)), min(heights[0], total) + 1):
        for tail in _compositions(rest, total - level):
            yield (level, *tail)
