"""Roll-up: the groups of a lattice node as sums of the groups of a node below it.

The records are never counted again. A node is rolled up from the known node below it with the
fewest groups. On a long way up some nodes in between are computed and remembered, because many
others are above them, too.

The keys of groups are packed into fields of bits in 64-bit words. Every attribute has a field that
is wide enough for its values, and so for the nodes of each of its levels.

Margins are how often each node of each level of each attribute occurs: sums over one attribute at a
time. Much is known of a lattice node from them without merging its groups: the mean loss of its
cells, and how many values an attribute has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from unlinkable.kernels.counting import (
    append_code,
    find_keys,
    merge_equal,
    recode_field,
    sum_by_label,
    sum_floats_by_label,
)
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.node_groups import Memory, NodeGroups
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Field", "Margins", "Packing", "RollUp", "Scratch"]

_WORD = 64
"""Bits in a word."""

Keys = NDArray[np.uint64]
"""``keys[w, g]`` is word w of what group g shows."""


@frozen
class Field:
    """The position of an attribute: which word, how far from its end, and how wide."""

    word: int
    shift: int
    mask: int


class Scratch:
    """Scratch memory for merging up to ``n`` keys: reused memory is faster than new memory."""

    def __init__(self, n: int) -> None:
        self._labels = np.empty(n, np.int32)
        self._distinct = np.empty(n, np.uint64)
        self._sums = np.empty(n, np.int64)
        self._slots = np.empty(1 << max(10, (4 * n).bit_length()), np.int32)

    def merge(
        self, keys: NDArray[np.uint64], sizes: CountArray
    ) -> tuple[CodeArray, NDArray[np.uint64], CountArray]:
        """Number the distinct keys and add up their sizes; valid until the next call."""
        labels = self._labels[: keys.size]
        n = merge_equal(keys, sizes, labels, self._distinct, self._sums, self._slots)
        return labels, self._distinct[:n], self._sums[:n]


@define(eq=False, frozen=True)
class Packing:
    """The fields of all attributes.

    Examples
    --------
    >>> packing = Packing.of([2, 100, 1 << 60])
    >>> packing.fields
    (Field(word=0, shift=7, mask=1), Field(word=0, shift=0, mask=127), Field(word=1, ...))
    >>> keys = packing.pack(np.array([[1, 99, 5], [1, 99, 5]], np.int32))
    >>> packing.merge(keys, np.array([3, 4]), Scratch(2))[2].tolist()
    [7]
    """

    fields: tuple[Field, ...]
    n_words: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Self:
        """Make room for attributes with so many values."""
        bits = [max(size - 1, 0).bit_length() for size in sizes]
        words: list[list[int]] = [[]]
        for j, b in enumerate(bits):
            if sum(bits[i] for i in words[-1]) + b > _WORD:
                words.append([])
            words[-1].append(j)
        fields = []
        for w, inside in enumerate(words):
            shift = sum(bits[j] for j in inside)
            for j in inside:
                shift -= bits[j]
                fields.append(Field(w, shift, (1 << bits[j]) - 1))
        return cls(tuple(fields), len(words))

    def pack(self, rows: CodeArray) -> Keys:
        """Put every row of codes into its words."""
        keys = np.zeros((self.n_words, len(rows)), np.uint64)
        for j, field in enumerate(self.fields):
            append_code(keys[field.word], np.ascontiguousarray(rows[:, j]), field.mask + 1)
        return keys

    def codes(self, keys: Keys, column: int) -> CodeArray:
        """Take one attribute out of the words."""
        field = self.fields[column]
        word = keys[field.word] >> np.uint64(field.shift)
        codes: CodeArray = (word & np.uint64(field.mask)).astype(np.int32)
        return codes

    def merge(
        self, keys: Keys, sizes: CountArray, scratch: Scratch
    ) -> tuple[CodeArray, Keys, CountArray]:
        """Number the distinct keys as they appear, and add up their sizes.

        The numbers are in the scratch space, good until it is used again.
        """
        if self.n_words == 1:
            labels, distinct, sums = scratch.merge(keys[0], sizes)
            return labels, distinct[np.newaxis].copy(), sums.copy()
        joined = np.zeros(keys.shape[1], np.uint64)
        for word in keys:
            # Words are replaced by their numbers, of which there are fewer than 2^31, so the
            # product of two numbers fits into 64 bits however many words there are.
            inside, distinct, _ = scratch.merge(word, sizes)
            joined *= np.uint64(distinct.size)
            joined += inside.astype(np.uint64)
            labels, distinct, sums = scratch.merge(joined, sizes)
            joined = labels.astype(np.uint64)
        # Writing from the last to the first leaves the first position of every number.
        first = np.empty(distinct.size, np.int64)
        first[labels[::-1]] = np.arange(labels.size)[::-1]
        return labels, np.ascontiguousarray(keys[:, first]), sums.copy()

    def find(self, distinct: Keys, keys: Keys) -> CodeArray:
        """Tell where every key is among distinct ones, all of which occur."""
        if self.n_words == 1:
            labels: CodeArray = find_keys(distinct[0], keys[0])
            return labels
        # With several words the known keys come first, so their numbers are their positions.
        both = np.concatenate([distinct, keys], axis=1)
        n = both.shape[1]
        labels, _, _ = self.merge(both, np.zeros(n, np.int64), Scratch(n))
        return labels[distinct.shape[1] :]


@define(eq=False, frozen=True)
class Margins:
    """The counts and weights of the nodes of every level.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    counts, weights
        ``counts[j][l][v]`` is the number of records that show node v of level l on attribute j, and
        ``weights`` the sum of their weights.
    """

    attributes: tuple[Attribute, ...]
    counts: tuple[tuple[CountArray, ...], ...]
    weights: tuple[tuple[FloatArray, ...], ...]

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute], *, is_weighted: bool) -> Self:
        """Count the finest groups."""
        counts, weights = [], []
        for j, attribute in enumerate(attributes):
            codes = np.ascontiguousarray(finest.keys[:, j])
            levels = attribute.taxonomy.levels
            values = sum_by_label(finest.sizes, codes, attribute.taxonomy.n)
            counts.append(tuple(sum_by_label(values, v.blocks, v.n_nodes) for v in levels))
            if is_weighted:
                heavy = sum_floats_by_label(finest.weights, codes, attribute.taxonomy.n)
                nodes = [sum_floats_by_label(heavy, v.blocks, v.n_nodes) for v in levels]
            else:
                nodes = [count.astype(np.float64) for count in counts[-1]]
            weights.append(tuple(nodes))
        return cls(tuple(attributes), tuple(counts), tuple(weights))

    @property
    def distinct(self) -> list[list[int]]:
        """How many nodes of every level of every attribute occur."""
        return [[int(np.count_nonzero(v)) for v in levels] for levels in self.counts]

    def blur(self) -> list[list[float]]:
        """Compute how many nats of entropy are lost at every level of every attribute."""
        kept = [[_entropy(v) for v in levels] for levels in self.counts]
        return [[row[0] - level for level in row] for row in kept]

    def losses(self, metric: CellMetric, column: int) -> list[FloatArray]:
        """Measure the loss of cells that show the nodes of every level of an attribute."""
        taxonomy = self.attributes[column].taxonomy
        return [metric.cells(taxonomy, v.starts[:-1], v.starts[1:]) for v in taxonomy.levels]


def _entropy(counts: CountArray) -> float:
    share = counts[counts > 0] / max(int(counts.sum()), 1)
    return float(-(share @ np.log(share)))


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
