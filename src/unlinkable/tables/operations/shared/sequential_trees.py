"""Sequential trees: how each column depends on those before it, and which values it may show."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.kernels.perturbation import find_leaves, grow_tree
from unlinkable.tables.data import Table, numbers_of, rounded
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = ["MadeUpValues", "SequentialTrees", "silent"]


def silent(share: float, words: str) -> None:
    """Tell nobody how far it is."""


@define(eq=False, frozen=True)
class Tree:
    """Where records go by the columns before, and whose values may be taken over there.

    Attributes
    ----------
    predictor, cut, left
        The nodes, as in `unlinkable.kernels.perturbation.synthesis`.
    donors
        The original records in the order of the leaves.
    ends
        Where the donors of each node begin and end.
    """

    predictor: CodeArray
    cut: CodeArray
    left: CodeArray
    donors: CountArray
    ends: CountArray


@define(eq=False, frozen=True)
class SequentialTrees:
    """A tree for every column, in the order in which values are drawn.

    Attributes
    ----------
    columns
        The columns, those with the fewest values first.
    trees
        A tree for each of them; that of the first is a single leaf.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"sex": ["f", "m"] * 50, "age": [30, 40] * 50}, quasi=["sex", "age"])
    >>> model = SequentialTrees.grown(people, ("sex", "age"), common=2, leaf=5)
    >>> [column.name for column in model.columns], model.n_leaves
    (['sex', 'age'], 3)
    """

    columns: tuple[MadeUpValues, ...]
    trees: tuple[Tree, ...]

    @classmethod
    def grown(
        cls, table: Table, names: Columns, common: int, leaf: int, progress: Progress = silent
    ) -> Self:
        """Grow the trees, and tell before each how far it is: up to the half of all.

        Raises
        ------
        DataError
            If a column has no value that may be published.
        """
        learned = [MadeUpValues.of(table, name, common) for name in names]
        columns = tuple(sorted(learned, key=lambda column: column.n_distinct))
        bins = np.empty((len(columns), len(table)), np.uint8)
        trees = []
        for j, column in enumerate(columns):
            progress(j / len(columns) / 2, f"growing a tree for {column.name}")
            donors = np.flatnonzero(column.donors)
            trees.append(_tree(np.ascontiguousarray(bins[:j, donors]), column, donors, leaf))
            bins[j] = column.bins(column.values)
        return cls(columns, tuple(trees))

    @property
    def n_leaves(self) -> int:
        """Number of leaves of all trees."""
        return sum(int((tree.predictor < 0).sum()) for tree in self.trees)

    def draw(self, n: int, rng: np.random.Generator, progress: Progress = silent) -> FloatArray:
        """Draw records: a row for each column, in the order of the model.

        Tells before each column how far it is: from the half on.
        """
        drawn = np.empty((len(self.columns), n))
        bins = np.empty((len(self.columns), n), np.uint8)
        for j, (column, tree) in enumerate(zip(self.columns, self.trees, strict=True)):
            progress(0.5 + j / len(self.columns) / 2, f"drawing {column.name}")
            leaves = find_leaves(bins[:j], tree.predictor, tree.cut, tree.left)
            first, end = tree.ends[leaves].T
            chosen = tree.donors[first + (rng.random(n) * (end - first)).astype(np.int64)]
            drawn[j] = column.published(column.values[chosen], rng)
            bins[j] = column.bins(drawn[j])
        return drawn


def _tree(bins: np.ndarray, column: MadeUpValues, donors: CountArray, leaf: int) -> Tree:
    """Grow the tree of one column."""
    if column.is_category:
        classes = column.values[donors].astype(np.int32)
        grown = grow_tree(bins, classes, np.empty(0), column.domain.n, leaf)
    else:
        scores = np.ascontiguousarray(column.scores()[donors])
        grown = grow_tree(bins, np.empty(0, np.int32), scores, 0, leaf)
    predictor, cut, left, rows, ends = grown
    return Tree(predictor, cut, left, donors[rows], ends)


_MOST_BINS = 255
"""So many bins can be distinguished beside missing values."""

_DAY = 86_400_000_000
"""Microseconds of a day."""


@define(eq=False, frozen=True)
class MadeUpValues:
    """One column of a table, as a model learns it and publishes it.

    Attributes
    ----------
    name, domain
        The column, and the values that it has.
    values
        What the records have: numbers (days for dates; not a number if missing), or the codes of
        categories, of which a missing value is one.
    donors
        Which records may hand on their value: none with a category that is rare, or with a rare
        number where all rare numbers together belong to too few.
    starts
        Where the bins begin in which values are told apart.
    rare
        The numbers that few records have, in their order; empty for categories.
    runs
        For each of them, where the neighbours begin and end between which numbers are drawn.
    """

    name: str
    domain: Domain
    values: FloatArray
    donors: BoolArray
    starts: FloatArray
    rare: FloatArray
    runs: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, name: str, common: int) -> Self:
        """Look at a column; what fewer than ``common`` records have is rare.

        Raises
        ------
        DataError
            If no record may hand on its value.
        """
        numbered = table.numbered(name)
        domain = numbered.observed.domain
        if domain.kind is Kind.CATEGORY:
            codes = numbered.codes[numbered.numbers]
            is_common = np.bincount(codes, minlength=domain.n) >= common
            if domain.has_missing:
                is_common[domain.missing] = True
            donors = is_common[codes]
            _refuse_none(name, donors, common)
            values, none = codes.astype(float), np.empty(0)
            return cls(name, domain, values, donors, _bins(values), none, np.empty((0, 2), int))
        values = numbers_of(table.frame, name)
        present = values[np.isfinite(values)]
        rare, runs = _runs(present, common)
        donors = np.ones(len(values), bool) if runs.any() else ~np.isin(values, rare)
        _refuse_none(name, donors, common)
        return cls(name, domain, values, donors, _bins(present), rare, runs)

    @property
    def is_category(self) -> bool:
        """Whether values are categories, and not numbers or dates."""
        return self.domain.kind is Kind.CATEGORY

    @property
    def n_distinct(self) -> int:
        """Number of different values."""
        return self.domain.n

    def bins(self, values: FloatArray) -> NDArray[np.uint8]:
        """Give the bin of every value; missing ones have a bin of their own, the last."""
        found = np.searchsorted(self.starts, values, side="right") - 1
        found = np.where(np.isnan(values), self.starts.size, np.maximum(found, 0))
        return found.astype(np.uint8)

    def scores(self) -> FloatArray:
        """Give numbers by their ranks from 0 to 1, and missing ones apart from them at -1."""
        is_there = np.isfinite(self.values)
        order = np.sort(self.values[is_there])
        low = np.searchsorted(order, self.values, side="left")
        high = np.searchsorted(order, self.values, side="right")
        return np.where(is_there, (low + high) / max(2 * order.size, 1), -1.0)

    def published(self, drawn: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Replace rare numbers by others, drawn between two neighbours of them."""
        if not self.rare.size:
            return drawn
        values = drawn.copy()
        at = np.minimum(np.searchsorted(self.rare, drawn), self.rare.size - 1)
        is_rare = self.rare[at] == drawn
        first, end = self.runs[at[is_rare]].T
        # Any two that follow each other, as likely as any other two, and any number between them.
        lower = first + (rng.random(first.size) * (end - first - 1)).astype(np.int64)
        share = rng.random(first.size)
        values[is_rare] = self.rare[lower] * (1 - share) + self.rare[lower + 1] * share
        values[is_rare] = rounded(values[is_rare], self.domain)
        return values

    def comparable(self, values: FloatArray) -> FloatArray:
        """Give numbers that are equal just if the published values are."""
        if self.domain.kind is Kind.DATE:
            values = np.rint(values * _DAY)
        return np.where(np.isnan(values), np.inf, values)


def _refuse_none(name: str, donors: BoolArray, common: int) -> None:
    if not donors.any():
        raise DataError(
            f"no value of column {name!r} is shared by {common} records, and rarer ones are not "
            "published: leave the column out, or ask for fewer in common"
        )


def _bins(present: FloatArray) -> FloatArray:
    """Find where up to 255 bins begin that hold about equally many records."""
    distinct, counts = np.unique(present, return_counts=True)
    if distinct.size <= _MOST_BINS:
        return distinct
    bin_of = (np.cumsum(counts) - counts) * _MOST_BINS // present.size
    return distinct[np.diff(bin_of, prepend=-1) > 0]


def _runs(present: FloatArray, common: int) -> tuple[FloatArray, CountArray]:
    """Find the rare numbers, and for each the stretch of them that enough records share.

    A number with b records before it is in stretch b // (2 common - 2). As no number has more than
    ``common - 1`` records, so many are missing at the lower end of a stretch at most, but one, and
    each has at least ``common``; what is left over at the upper end joins the last.
    """
    distinct, counts = np.unique(present, return_counts=True)
    rare, n_of = distinct[counts < common], counts[counts < common]
    n_records = int(n_of.sum())
    if n_records < common:
        return rare, np.zeros((rare.size, 2), np.int64)
    stretch = (np.cumsum(n_of) - n_of) // (2 * common - 2)
    n_stretches = int(stretch[-1]) + 1
    if n_of[stretch == stretch[-1]].sum() < common:
        stretch = np.minimum(stretch, n_stretches - 2)
    edges = np.append(np.flatnonzero(np.diff(stretch, prepend=-1)), rare.size)
    return rare, np.column_stack([edges[stretch], edges[stretch + 1]])
