"""Memory: the groups of the lattice nodes that were used last."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from unlinkable.kernels.counting import cheapest_below
from unlinkable.tables.groups import Histogram
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.typing import Columns, CountArray, FloatArray

__all__ = ["Memory", "NodeGroups"]

_MOST_NODES = 512
"""Searching the cheapest among more nodes than this would cost more than it saves."""

_FORGOTTEN = np.iinfo(np.int64).max
"""The number of groups of a place that is free: more than any node has."""


@define(eq=False, frozen=True)
class NodeGroups:
    """The groups of a lattice node.

    Attributes
    ----------
    node
        The level of every attribute.
    keys
        What each group shows: for every attribute a node of its level, packed.
    sizes
        Number of records in each group.
    weights
        Sum of their weights; None if all records weigh 1.
    histograms
        The sensitive values of each group, once they were needed.
    """

    node: Node
    keys: NDArray[np.uint64]
    sizes: CountArray
    weights: FloatArray | None
    histograms: dict[Columns, Histogram] = field(factory=dict)

    def __len__(self) -> int:
        return self.sizes.size


class Memory:
    """Remembers the groups of nodes, up to a total number of groups, and the bottom for ever."""

    def __init__(self, bottom: NodeGroups, room: int) -> None:
        self._bottom = bottom
        self._room = room
        self._known: OrderedDict[Node, tuple[int, NodeGroups]] = OrderedDict()
        self._free: list[int] = []
        self._levels = np.zeros((0, len(bottom.node)), np.int32)
        self._counts = np.zeros(0, np.int64)
        self._nodes: list[Node] = []

    def find(self, node: Node) -> NodeGroups | None:
        """Give the groups of a node if they are known."""
        if node == self._bottom.node:
            return self._bottom
        if node not in self._known:
            return None
        self._known.move_to_end(node)
        return self._known[node][1]

    def add(self, groups: NodeGroups) -> NodeGroups:
        """Remember a node, and drop the nodes that were not used for the longest time."""
        self._room -= len(groups)
        while self._known and (self._room < 0 or len(self._known) >= _MOST_NODES):
            _, (place, forgotten) = self._known.popitem(last=False)
            self._counts[place] = _FORGOTTEN
            self._free.append(place)
            self._room += len(forgotten)
        place = self._free.pop() if self._free else self._new_place()
        self._levels[place] = groups.node
        self._counts[place] = len(groups)
        self._nodes[place] = groups.node
        self._known[groups.node] = place, groups
        return groups

    def cheapest_below(self, node: Node) -> NodeGroups:
        """Find the node below another, and not the same, that has the fewest groups."""
        levels = np.array(node, np.int32)
        at = cheapest_below(self._levels, self._counts, levels)
        # A free place has the highest cost of all, so it is found only if no node below is known.
        if at < 0 or self._counts[at] == _FORGOTTEN:
            return self._bottom
        return self._known[self._nodes[at]][1]

    def _new_place(self) -> int:
        place = len(self._nodes)
        if place == self._counts.size:
            more = max(64, place)
            self._levels = np.concatenate(
                [self._levels, np.zeros((more, self._levels.shape[1]), np.int32)]
            )
            self._counts = np.concatenate([self._counts, np.full(more, _FORGOTTEN)])
        self._nodes.append(())
        return place
