"""Reach: what a search can still tell apart, and what it tells apart in any case."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.kernels.counting import sum_by_label, sum_floats_by_label
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Reach", "Rows"]


@define(eq=False, frozen=True)
class Rows:
    """Groups that are not told apart any further.

    Attributes
    ----------
    codes
        ``codes[j, r]`` is the first code of what row r shows on column j.
    sizes, weights
        Number of records in each row, and the sum of their weights.
    classes
        How many records of each class there are in each row, if that matters.
    """

    codes: CodeArray
    sizes: CountArray
    weights: FloatArray
    classes: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, finest: Groups, target: str | None) -> Self:
        """Take the finest groups, and count the classes of their records if there is a target."""
        classes = None
        if target is not None:
            hidden = finest.histograms[target,]
            classes = np.zeros((len(finest), hidden.n_values), np.int64)
            classes[hidden.row, hidden.values] = hidden.counts
        return cls(np.ascontiguousarray(finest.keys.T), finest.sizes, finest.weights, classes)

    def joined(self, splits: SplitSets, chosen: BoolArray) -> Self:
        """Put the rows together that a set of splits does not tell apart."""
        codes = np.empty_like(self.codes)
        for j in range(len(codes)):
            codes[j] = splits.ranges(chosen, j)[0][self.codes[j]]
        labels, first = number_rows(np.ascontiguousarray(codes.T))
        classes = None
        if self.classes is not None:
            columns = [sum_by_label(c, labels, first.size) for c in self.classes.T]
            classes = np.column_stack(columns)
        return evolve(
            self,
            codes=np.ascontiguousarray(codes[:, first]),
            sizes=sum_by_label(self.sizes, labels, first.size),
            weights=sum_floats_by_label(self.weights, labels, first.size),
            classes=classes,
        )


@define(eq=False, frozen=True, slots=False)
class Reach:
    """All tables between a coarsest and a finest one: those that make some splits, and may others.

    Attributes
    ----------
    splits
        All splits.
    head
        Those that every table makes: the coarsest table.
    tail
        Those that may be made beside.
    rows
        The groups of the finest table, or of a finer one until `settled`.
    floor
        The least that any of the tables loses.
    """

    splits: SplitSets
    head: BoolArray
    tail: BoolArray
    rows: Rows
    floor: float = -np.inf

    @property
    def all(self) -> BoolArray:
        """The finest table."""
        return self.head | self.tail

    @cached_property
    def labels(self) -> CodeArray:
        """For every row its group in the coarsest table."""
        shown = np.empty_like(self.rows.codes)
        for j in range(len(shown)):
            shown[j] = self.splits.ranges(self.head, j)[0][self.rows.codes[j]]
        labels, _ = number_rows(np.ascontiguousarray(shown.T))
        return labels

    @cached_property
    def n_heads(self) -> int:
        """Number of groups of the coarsest table."""
        return int(self.labels.max(initial=-1)) + 1

    @cached_property
    def head_sizes(self) -> CountArray:
        """Number of records in each group of the coarsest table."""
        return sum_by_label(self.rows.sizes, self.labels, self.n_heads)

    @cached_property
    def by_head(self) -> tuple[CountArray, CountArray]:
        """The rows, those of each group of the coarsest table together, and where each begins."""
        order = np.argsort(self.labels, kind="stable")
        counts = np.bincount(self.labels, minlength=self.n_heads)
        return order, np.append(0, np.cumsum(counts))

    def settled(self) -> Self:
        """Put the rows together that no table tells apart."""
        return evolve(self, rows=self.rows.joined(self.splits, self.all))

    def without(self, dropped: BoolArray) -> Self:
        """Make none of some splits, nor what needs them."""
        return evolve(self, tail=self.tail & ~self.splits.with_needing(dropped))

    def beside(self, made: BoolArray) -> Self:
        """Make some splits, and what they need, in every table."""
        head = self.head | self.splits.with_needed(made)
        return evolve(self, head=head, tail=self.tail & ~head)
