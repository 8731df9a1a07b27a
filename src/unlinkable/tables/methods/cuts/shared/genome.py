"""Genome: all cuts through the taxonomies of a table, as strings of bits.

A gene is a node that covers different values of the table. Its bit states whether its children are
distinguished. A node can be split only if the node above it is, so the bits of a column describe
exactly one cut. Where splitting a node separates no records, it is split whenever it can be: its
records stay together and are published more precisely. So different bits give different groups.
Numbers can also be cut between any two of them; then a gene is a place to cut.

Rows are the distinct records, which one choice of cuts after the other puts together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import group_recoded, sum_by_label, sum_floats_by_label
from unlinkable.kernels.taxonomy_cuts import BitArray
from unlinkable.tables.groups import Groups, Partition, RowNumbers
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.taxonomies import Attribute, Kind, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["ALWAYS", "NEVER", "Column", "Cut", "Genome", "Grouped", "Rows", "is_ordered"]

ALWAYS, NEVER = -1, -2
"""In place of a gene: a node that is split whenever the others are, and one that never is."""

_MEMORY = 4096
"""Cuts of a column that are remembered: a new chromosome differs from others in few columns."""


@define(eq=False, frozen=True)
class Cut:
    """The published values of a column.

    Attributes
    ----------
    starts
        The first code of every block of values that are published as one; and the number of codes.
    blocks
        For every code its block.
    """

    starts: CodeArray
    blocks: CodeArray

    @property
    def n_blocks(self) -> int:
        """Number of different published values."""
        return self.starts.size - 1


class Column:
    """The genes of a column.

    Attributes
    ----------
    parent
        For every gene the one above it, which comes first; -1 if there is none.
    gene_of
        For every code the gene that separates it from the code before; `ALWAYS` or `NEVER` if none
        does.
    """

    def __init__(self, parent: CodeArray, gene_of: CodeArray) -> None:
        self.parent = parent
        self.gene_of = gene_of
        self.cut = lru_cache(_MEMORY)(self._cut)
        """Return the cut that closed bits, as bytes, describe."""

    @classmethod
    def of_tree(cls, taxonomy: Taxonomy, occurs: BoolArray) -> Self:
        """Cut a taxonomy: genes are the nodes of which at least two children have records.

        They are in preorder, so that crossover passes on the genes of a subtree together.
        """
        tree = Tree.of(taxonomy)
        before = np.append(0, np.cumsum(occurs))
        has_records = before[tree.hi] > before[tree.lo]
        n_below = np.bincount(tree.parent[1:][has_records[1:]], minlength=len(tree))
        genes = np.flatnonzero(n_below > 1)
        genes = genes[np.lexsort((-tree.hi[genes], tree.lo[genes]))]
        # A node with one child that occurs is no gene. It is split with the node above it, because
        # that separates no records and makes the published value narrower.
        split_by = np.full(len(tree), NEVER, np.int32)
        split_by[genes] = np.arange(genes.size)
        passed_on = n_below == 1
        split_by[0] = ALWAYS if passed_on[0] else split_by[0]
        passed_on[0] = False
        for _ in range(taxonomy.height):
            split_by[passed_on] = split_by[tree.parent[passed_on]]
        above = tree.parent[genes]
        parent = np.where(above < 0, ALWAYS, split_by[above]).astype(np.int32)
        gene_of = np.full(taxonomy.n, ALWAYS, np.int32)
        later = np.flatnonzero(tree.lo[1:] != tree.lo[tree.parent[1:]]) + 1
        gene_of[tree.lo[later]] = split_by[tree.parent[later]]
        return cls(parent, gene_of)

    @classmethod
    def of_order(cls, taxonomy: Taxonomy, occurs: BoolArray) -> Self:
        """Cut between any two values that occur.

        Values that do not occur stay alone. An interval with missing and other values has no name
        but that of the whole column: so all other cuts need the cut before the missing value.
        """
        met = np.flatnonzero(occurs)
        with_missing = taxonomy.domain.has_missing and bool(occurs[-1:].all()) and met.size > 1
        n_genes = max(met.size - 1, 0)
        # Genes by place; the last one, before what is missing, comes first.
        numbers = np.arange(n_genes, dtype=np.int32)
        parent = np.full(n_genes, ALWAYS, np.int32)
        edge = ALWAYS
        if with_missing:
            numbers = np.roll(numbers, -1)
            parent[1:] = edge = 0
        place = np.searchsorted(met, np.arange(taxonomy.n))
        inside = (place > 0) & (place < met.size)
        gene_of = np.full(taxonomy.n, edge, np.int32)
        gene_of[inside] = numbers[place[inside] - 1]
        gene_of[:1] = ALWAYS
        return cls(parent, gene_of)

    def _cut(self, bits: bytes) -> Cut:
        # The two bytes at the end are read by the indices `NEVER` (-2) and `ALWAYS` (-1).
        starts = np.frombuffer(bits + b"\0\1", np.uint8)[self.gene_of]
        blocks = np.cumsum(starts, dtype=np.int32) - np.int32(1)
        ends = np.append(np.flatnonzero(starts), starts.size)
        return Cut(ends.astype(np.int32), blocks)


class Genome:
    """The genes of all columns, one after the other.

    Attributes
    ----------
    parent
        For every gene the one above it; -1 if there is none.
    starts
        Where the genes of each column begin that has any; and their number.
    column_of
        For every gene its column.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Artist": ["Dancer", "Writer"], "Office": ["Clerk", "Lawyer"]})
    >>> people = as_table({"job": ["Clerk", "Lawyer", "Dancer"]}, quasi="job",
    ...     taxonomies={"job": jobs})
    >>> genome = Genome.of(count(people).finest, people.attributes, free_numbers=False)
    >>> genome.parent.tolist()  # the root, and Office; all artists are dancers
    [-1, 0]
    >>> genome.cuts(np.array([1, 0], np.uint8))[0].starts.tolist()
    [0, 1, 2, 4]
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        counts = [column.parent.size for column in columns]
        self._ends = np.append(0, np.cumsum(counts)).tolist()
        below = [
            np.where(c.parent < 0, -1, c.parent + first).astype(np.int32)
            for c, first in zip(columns, self._ends[:-1], strict=True)
        ]
        self.parent = np.concatenate([np.zeros(0, np.int32), *below])
        self.starts = np.unique(self._ends)
        self.column_of = np.repeat(np.arange(len(counts)), counts)

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute], *, free_numbers: bool) -> Self:
        """Take every column of a table; numbers and dates without their taxonomies if free."""
        columns = []
        for j, attribute in enumerate(attributes):
            taxonomy = attribute.taxonomy
            occurs = np.zeros(taxonomy.n, bool)
            occurs[finest.keys[:, j]] = True
            in_order = free_numbers and is_ordered(taxonomy)
            of = Column.of_order if in_order else Column.of_tree
            columns.append(of(taxonomy, occurs))
        return cls(columns)

    @property
    def size(self) -> int:
        """Number of genes."""
        return self.parent.size

    def top(self) -> BitArray:
        """Return the chromosome of the roots, which splits nothing."""
        return np.zeros(self.size, np.uint8)

    def cuts(self, bits: BitArray) -> tuple[Cut, ...]:
        """Read the cut of every column."""
        text = bits.tobytes()
        ends = self._ends
        return tuple(c.cut(text[ends[j] : ends[j + 1]]) for j, c in enumerate(self.columns))


def is_ordered(taxonomy: Taxonomy) -> bool:
    """Whether values are numbers or dates, so that intervals of them have a name."""
    return taxonomy.domain.kind is not Kind.CATEGORY


_WIDEST = 1 << 63
"""What a row shows as a single number must stay below this."""


@define(eq=False, frozen=True)
class Grouped:
    """Which rows look alike; good until rows are grouped again.

    Attributes
    ----------
    labels
        The group of every row.
    first
        The first row of every group.
    sizes
        Number of records in every group.
    """

    labels: CodeArray
    first: CodeArray
    sizes: CountArray

    def __len__(self) -> int:
        return self.sizes.size


class Rows:
    """The distinct records of a table, or sums of them that no chromosome at hand parts.

    Attributes
    ----------
    counted
        What each row stands for.
    codes
        ``codes[i, j]`` is ``firsts[j]`` more than the code of row i on column j.
    firsts
        Where the codes of each column begin in one numbering of all codes; and their number.
    """

    def __init__(self, counted: Groups, sizes: Sequence[int]) -> None:
        self.counted = counted
        self.firsts = np.append(0, np.cumsum(sizes)).astype(np.int32)
        self.codes = np.ascontiguousarray(counted.keys + self.firsts[:-1])
        n = len(counted)
        self._worth = np.zeros(int(self.firsts[-1]), np.uint64)
        self._labels, self._first = np.empty(n, np.int32), np.empty(n, np.int32)
        self._sums, self._keys = np.empty(n, np.int64), np.empty(n, np.uint64)
        self._slots = np.empty(1 << max(10, (2 * n).bit_length()), np.int32)

    def __len__(self) -> int:
        return len(self.counted)

    def group(self, cuts: Sequence[Cut]) -> Grouped:
        """Put the rows together that show the same on all columns."""
        space = 1
        for j, cut in enumerate(cuts):
            if space * cut.n_blocks >= _WIDEST:
                return self._group_wide(cuts)
            worth = self._worth[self.firsts[j] : self.firsts[j + 1]]
            np.multiply(cut.blocks, np.uint64(space), out=worth, casting="unsafe")
            space *= cut.n_blocks
        n = group_recoded(
            self.codes,
            self._worth,
            space,
            self.counted.sizes,
            self._labels,
            self._first,
            self._sums,
            self._keys,
            self._slots,
        )
        return Grouped(self._labels, self._first[:n], self._sums[:n])

    def groups(self, grouped: Grouped, cuts: Sequence[Cut], needs: frozenset[Columns]) -> Groups:
        """Give groups as a promise judges them, with what it needs and no more."""
        n, counted = len(grouped), self.counted
        rows = counted.keys[grouped.first]
        keys = np.empty_like(rows)
        for j, cut in enumerate(cuts):
            keys[:, j] = cut.blocks[rows[:, j]]
        owner = frozenset() if counted.owner is None else frozenset({(counted.owner,)})
        hidden = (needs | owner) & counted.histograms.keys()
        return Groups(
            sizes=grouped.sizes,
            weights=self.weights(grouped),
            histograms={c: counted.histograms[c].merge(grouped.labels, n) for c in hidden},
            whole=counted.whole,
            columns=counted.columns,
            keys=keys,
            owner=counted.owner,
        )

    def partition(self, grouped: Grouped, cuts: Sequence[Cut], keep: BoolArray) -> Partition:
        """Publish what the cuts show, and leave out what is not kept."""
        rows = self.counted.keys[grouped.first]
        lo, hi = np.empty_like(rows), np.empty_like(rows)
        for j, cut in enumerate(cuts):
            blocks = cut.blocks[rows[:, j]]
            lo[:, j], hi[:, j] = cut.starts[blocks], cut.starts[blocks + 1]
        return Partition(self.counted, grouped.labels.copy(), lo, hi).suppress(~keep)

    def weights(self, grouped: Grouped) -> FloatArray:
        """Add up the weights of every group."""
        return sum_floats_by_label(self.counted.weights, grouped.labels, len(grouped))

    def _group_wide(self, cuts: Sequence[Cut]) -> Grouped:
        numbers = RowNumbers(len(self))
        for j, cut in enumerate(cuts):
            codes = np.ascontiguousarray(self.counted.keys[:, j])
            numbers.add_digits(codes, cut.blocks, cut.n_blocks)
        labels, first = numbers.finish()
        sizes = sum_by_label(self.counted.sizes, labels, first.size)
        return Grouped(labels, first.astype(np.int32), sizes)
