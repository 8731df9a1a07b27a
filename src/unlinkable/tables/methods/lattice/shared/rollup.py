"""Roll-up: the groups of a lattice node as sums of the groups of a node below it.

The records are never counted again. A node is rolled up from the known node below it with the
fewest groups. On a long way up some nodes in between are computed and remembered, because many
others are above them, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from unlinkable.kernels.counting import recode_field, sum_floats_by_label
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.margins import Margins
from unlinkable.tables.methods.lattice.shared.memory import Memory, NodeGroups
from unlinkable.tables.methods.lattice.shared.packing import Packing, Scratch
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, Columns

__all__ = ["RollUp"]

_SMALL = 256
"""A table with so few groups is rolled up in one step."""

_FAR = 8.0
"""A node is worth stopping at if its attributes have this many times fewer values together."""

_ALL = (1 << 64) - 1
"""All bits of a word."""

_ROOM = 1 << 20
"""This many groups are remembered in any case, and else four times the finest ones."""


class RollUp:
    """The groups of all lattice nodes that a search asks for."""

    def __init__(
        self, finest: Groups, attributes: Sequence[Attribute], needs: frozenset[Columns]
    ) -> None:
        self.finest = finest
        self.attributes = tuple(attributes)
        self.lattice = Lattice.of(attributes)
        self.is_weighted = not np.array_equal(finest.weights, finest.sizes)
        self.margins = Margins.of(finest, attributes, is_weighted=self.is_weighted)
        self.packing = Packing.of([a.taxonomy.n for a in attributes])
        self.n_records = finest.n_records
        self.n_added = 0
        """How many groups were added to others so far."""
        self._distinct = self.margins.distinct
        self._slopes: Sequence[Sequence[float]] = self._distinct
        bottom = NodeGroups(
            self.lattice.bottom,
            self.packing.pack(finest.keys),
            finest.sizes,
            finest.weights if self.is_weighted else None,
        )
        owner = {(finest.owner,)} if finest.owner is not None else set()
        self._needs = sorted({*needs, *owner} & set(finest.histograms))
        bottom.histograms.update({c: finest.histograms[c] for c in self._needs})
        self._ways: dict[tuple[int, int, int], CodeArray] = {}
        self._scratch = Scratch(len(finest))
        self._keys = np.empty_like(bottom.keys)
        self._bottom = bottom
        self._memory = Memory(bottom, max(_ROOM, 4 * len(finest)))

    def at(self, node: Node) -> NodeGroups:
        """Return the groups of a node."""
        found = self._memory.find(node)
        if found is not None:
            return found
        source = self._memory.cheapest_below(node)
        for between in self._stops(source.node, node):
            # A small table is rolled up so fast that stopping in between saves nothing.
            if len(source) <= _SMALL:
                break
            source = self._reach(source, between)
        return self._reach(source, node)

    def order_by(self, slopes: Sequence[Sequence[float]]) -> None:
        """Set how much is lost at each level of each attribute.

        A search for a small loss will ask next for nodes that differ in what loses most. So such
        attributes are raised last on a long way, and the nodes in between can be used again.
        """
        self._slopes = slopes

    def labels(self, fine: NodeGroups, coarse: NodeGroups) -> CodeArray:
        """Map every group of a node to the group of a node above it that contains it."""
        keys = self._recode(fine, coarse.node)
        return self.packing.find(coarse.keys, keys)

    def groups(self, groups: NodeGroups, *, keyed: bool, counted: bool) -> Groups:
        """Give groups as a promise judges them, with what it needs and no more."""
        n = len(groups)
        columns = range(len(self.attributes)) if keyed else ()
        keys = np.empty((n, len(columns)), np.int32)
        for j in columns:
            keys[:, j] = self.packing.codes(groups.keys, j)
        return Groups(
            sizes=groups.sizes,
            weights=groups.sizes.astype(float) if groups.weights is None else groups.weights,
            histograms=self._count(groups) if counted else {},
            whole=self.finest.whole,
            columns=self.finest.columns,
            keys=keys,
            owner=self.finest.owner,
        )

    def ranges(self, groups: NodeGroups) -> tuple[CodeArray, CodeArray]:
        """Return the range of codes that every group publishes on every attribute."""
        lo = np.empty((len(groups), len(self.attributes)), np.int32)
        hi = np.empty_like(lo)
        for j, (attribute, level) in enumerate(zip(self.attributes, groups.node, strict=True)):
            starts = attribute.taxonomy.levels[level].starts
            codes = self.packing.codes(groups.keys, j)
            lo[:, j], hi[:, j] = starts[codes], starts[codes + 1]
        return lo, hi

    def partition(self, groups: NodeGroups, keep: BoolArray) -> Partition:
        """Merge the finest groups as a node does, and suppress what is not kept."""
        lo, hi = self.ranges(groups)
        labels = self.labels(self._bottom, groups)
        return Partition(self.finest, labels, lo, hi).suppress(~keep)

    def _stops(self, low: Node, high: Node) -> Iterator[Node]:
        """Yield the nodes to stop at on the way up, each with far fewer values than the last."""
        slopes, distinct = self._slopes, self._distinct
        steps = [j for j, (a, b) in enumerate(zip(low, high, strict=True)) if a < b]
        steps.sort(key=lambda j: slopes[j][high[j]] - slopes[j][low[j]])
        levels, shrinks = list(low), 1.0
        # The last attribute is left out: raising it would reach the node itself.
        for j in steps[:-1]:
            levels[j] = high[j]
            shrinks *= distinct[j][low[j]] / distinct[j][high[j]]
            if shrinks >= _FAR:
                shrinks = 1.0
                yield tuple(levels)

    def _reach(self, source: NodeGroups, node: Node) -> NodeGroups:
        found = self._memory.find(node)
        if found is not None:
            return found
        self.n_added += len(source)
        keys = self._recode(source, node)
        labels, keys, sizes = self.packing.merge(keys, source.sizes, self._scratch)
        weights = source.weights
        if weights is not None:
            weights = sum_floats_by_label(weights, labels, sizes.size)
        return self._memory.add(NodeGroups(node, keys, sizes, weights))

    def _recode(self, source: NodeGroups, node: Node) -> NDArray[np.uint64]:
        """Recode the keys of a node to the levels of a node above it; valid until the next call."""
        keys = self._keys[:, : len(source)]
        stays = [_ALL] * self.packing.n_words
        tables = []
        for j, (low, high) in enumerate(zip(source.node, node, strict=True)):
            if low < high:
                field = self.packing.fields[j]
                # At the root all values are equal, so clearing the field is enough and needs no
                # table.
                if high == self.lattice.heights[j]:
                    stays[field.word] &= ~(field.mask << field.shift)
                else:
                    tables.append((field, self._above(j, low, high)))
        for word, mask in enumerate(stays):
            np.bitwise_and(source.keys[word], np.uint64(mask), out=keys[word])
        for field, table in tables:
            recode_field(keys[field.word], field.shift, field.mask, table)
        return keys

    def _above(self, column: int, low: int, high: int) -> CodeArray:
        """Tell for every node of a level which node of a higher level is above it."""
        found = self._ways.get((column, low, high))
        if found is None:
            levels = self.attributes[column].taxonomy.levels
            found = levels[high].blocks[levels[low].starts[:-1]]
            self._ways[column, low, high] = found
        return found

    def _count(self, groups: NodeGroups) -> Mapping[Columns, Histogram]:
        """Add up the hidden values of the groups of a node."""
        if not groups.histograms and self._needs:
            source = self._memory.cheapest_below(groups.node)
            hidden = self._count(source)
            labels = self.labels(source, groups)
            for columns in self._needs:
                groups.histograms[columns] = hidden[columns].merge(labels, len(groups))
        return groups.histograms
