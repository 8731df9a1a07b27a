"""Sequential trees: how each column depends on those before it."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.perturbation import find_leaves, grow_tree
from unlinkable.tables.data import Table
from unlinkable.tables.operations.shared.publishable_values import MadeUpValues
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = ["SequentialTrees", "silent"]


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
