"""Column refinement: how the values of a column are specialized, step by step.

A column shows *values*: nodes of a tree, intervals, or a code that was disclosed; and one value
stands for all codes that are suppressed. Values are numbered within their column. What can be done
next is a *candidate*, which has the number of the value that it refines, or, where one of the
suppressed codes is disclosed, of that code.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from attrs import define, evolve, field

from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.methods.cuts.shared.step_gain import StepGain
from unlinkable.tables.operations import SubtreeGeneralization, ValueSuppression
from unlinkable.tables.operations.base import Recoding
from unlinkable.tables.taxonomies import Attribute, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = [
    "AlongTree",
    "BySplits",
    "ByValues",
    "ColumnRefinement",
    "ColumnState",
    "ValueSplit",
    "misfits_by_column",
]


@define(eq=False, frozen=True)
class ColumnState:
    """What a column shows at present; a search writes it.

    Attributes
    ----------
    value
        By code, the value that it is shown as, by its number among the values of all columns.
    branch
        By code, to which part it goes once that value is refined.
    lo, hi
        By value, the codes that it covers.
    gain, is_mixed
        By candidate, what it gains, and whether the records that it concerns have several classes.
    """

    value: CodeArray
    branch: CodeArray
    lo: CodeArray
    hi: CodeArray
    gain: FloatArray
    is_mixed: BoolArray


@define(eq=False, frozen=True)
class ValueSplit:
    """What a step does.

    Attributes
    ----------
    value
        The value that it refines.
    target
        By code, to which part it goes.
    parts
        The values of the parts.
    begins
        What to write down: where the parts begin, or the code that is disclosed.
    """

    value: int
    target: CodeArray
    parts: CodeArray
    begins: tuple[int, ...]


@define(eq=False, slots=False)
class ColumnRefinement(abc.ABC):
    """How one column is refined.

    Attributes
    ----------
    attribute
        The column.
    occurs
        Which of its codes occur.
    step_gain
        What steps on it gain.
    first
        What to add to the numbers of its values so that they differ from those of other columns.
    """

    hidden: ClassVar[bool] = False
    """Whether codes are disclosed one by one."""

    attribute: Attribute
    occurs: BoolArray
    step_gain: StepGain
    shown: ColumnState = field(init=False)
    first: int = field(default=0, init=False)

    @property
    def taxonomy(self) -> Taxonomy:
        """The values of the column, and how they may be generalized."""
        return self.attribute.taxonomy

    @property
    def n(self) -> int:
        """Number of codes."""
        return self.taxonomy.n

    @cached_property
    def n_up_to(self) -> CountArray:
        """How many codes that occur are below each code, and in all."""
        return np.append(0, np.cumsum(self.occurs))

    @property
    @abc.abstractmethod
    def n_values(self) -> int:
        """How many values the column can ever show."""

    @abc.abstractmethod
    def begin(self) -> CodeArray:
        """Show nothing, and give the candidates there are."""

    @abc.abstractmethod
    def split(self, candidate: int) -> ValueSplit:
        """Say what a step does."""

    @abc.abstractmethod
    def perform(self, candidate: int) -> CodeArray:
        """Do a step; give the candidates that are new."""

    def _show(self, value: int, lo: int, hi: int) -> None:
        self.shown.value[lo:hi] = self.first + value
        self.shown.lo[value], self.shown.hi[value] = lo, hi

    def _n_occurring(self, lo: int, hi: int) -> int:
        return int(self.n_up_to[hi] - self.n_up_to[lo])


@define(eq=False, slots=False)
class AlongTree(ColumnRefinement):
    """A node of the taxonomy is replaced by its children."""

    @cached_property
    def tree(self) -> Tree:
        """The nodes, which are the values that can be shown."""
        return Tree.of(self.taxonomy)

    @cached_property
    def is_leaf(self) -> BoolArray:
        """Which nodes have none under them."""
        return self.tree.is_leaf

    @property
    def n_values(self) -> int:
        return len(self.tree)

    def begin(self) -> CodeArray:
        return self._enter(np.zeros(1, np.int32))

    def split(self, candidate: int) -> ValueSplit:
        below = self.tree.children(candidate)
        begins = tuple(self.tree.lo[below].tolist())
        return ValueSplit(candidate, self.shown.branch, below, begins)

    def perform(self, candidate: int) -> CodeArray:
        return self._enter(self.tree.children(candidate))

    def _enter(self, nodes: CodeArray) -> CodeArray:
        """Show neighbouring nodes, and give those that can be refined."""
        shown, tree = self.shown, self.tree
        lo, hi = tree.lo[nodes], tree.hi[nodes]
        shown.value[lo[0] : hi[-1]] = np.repeat(nodes, hi - lo) + self.first
        shown.lo[nodes], shown.hi[nodes] = lo, hi
        can = ~self.is_leaf[nodes] & (self.n_up_to[hi] > self.n_up_to[lo])
        for node in nodes[can].tolist():
            below = tree.children(node)
            first, bounds = tree.lo[below], np.append(tree.lo[below], tree.hi[node])
            shown.branch[first[0] : bounds[-1]] = np.repeat(
                np.arange(below.size, dtype=np.int32), np.diff(bounds)
            )
            shown.gain[node], shown.is_mixed[node] = self.step_gain.of_parts(bounds)
        return nodes[can]


@define(eq=False, slots=False)
class BySplits(ColumnRefinement):
    """An interval is cut in two, where that is best.

    Missing values are no part of any interval: they are the first to be cut off.
    """

    _n_shown: int = field(default=1, init=False)

    @property
    def n_values(self) -> int:
        return 2 * self.n

    def begin(self) -> CodeArray:
        return self._enter(0, 0, self.n)

    def split(self, candidate: int) -> ValueSplit:
        shown = self.shown
        lo, hi = int(shown.lo[candidate]), int(shown.hi[candidate])
        cut = lo + int(np.searchsorted(shown.branch[lo:hi], 1))
        parts = np.array([self._n_shown, self._n_shown + 1], np.int32)
        return ValueSplit(candidate, shown.branch, parts, (lo, cut))

    def perform(self, candidate: int) -> CodeArray:
        split, hi = self.split(candidate), int(self.shown.hi[candidate])
        (lo, cut), (left, right) = split.begins, split.parts.tolist()
        self._n_shown += 2
        return np.concatenate([self._enter(left, lo, cut), self._enter(right, cut, hi)])

    def _enter(self, value: int, lo: int, hi: int) -> CodeArray:
        """Show an interval, and tell whether it can be cut."""
        shown = self.shown
        self._show(value, lo, hi)
        if self._n_occurring(lo, hi) < 2:
            return np.empty(0, np.int32)
        missing = self.taxonomy.domain.missing
        if lo <= missing < hi:
            cut, bounds = missing, np.array([lo, missing, hi], np.int32)
            gain, is_mixed = self.step_gain.of_parts(bounds)
        else:
            places = (np.flatnonzero(self.occurs[lo:hi])[1:] + lo).astype(np.int32)
            cut, gain, is_mixed = self.step_gain.of_best_split(lo, hi, places)
        shown.branch[lo:cut], shown.branch[cut:hi] = 0, 1
        shown.gain[value], shown.is_mixed[value] = gain, is_mixed
        return np.array([value], np.int32)


@define(eq=False, slots=False)
class ByValues(ColumnRefinement):
    """One of the suppressed codes is disclosed wherever it occurs."""

    hidden: ClassVar[bool] = True

    @property
    def n_values(self) -> int:
        return self.n + 1

    def begin(self) -> CodeArray:
        codes = np.arange(self.n, dtype=np.int32)
        self.shown.lo[: self.n], self.shown.hi[: self.n] = codes, codes + 1
        self._show(self.n, 0, self.n)
        return self._measure()

    def split(self, candidate: int) -> ValueSplit:
        target = np.zeros(self.n, np.int32)
        target[candidate] = 1
        return ValueSplit(self.n, target, np.array([self.n, candidate], np.int32), (candidate,))

    def perform(self, candidate: int) -> CodeArray:
        self.shown.value[candidate] = self.first + candidate
        self._measure()
        return np.empty(0, np.int32)

    def _measure(self) -> CodeArray:
        """Measure the codes that are still suppressed, and give those that occur."""
        is_hidden = (self.shown.value == self.first + self.n) & self.occurs
        gains, is_mixed = self.step_gain.of_disclosures(is_hidden)
        found = np.flatnonzero(is_hidden).astype(np.int32)
        self.shown.gain[found], self.shown.is_mixed[found] = gains[found], is_mixed
        return found


def misfits_by_column(
    recoding: Recoding, refinement_of: Callable[[Taxonomy], type[ColumnRefinement]]
) -> list[str]:
    """List the columns that were not recoded as their taxonomies require.

    Trees are cut; intervals are disjoint and contain no missing beside other values; and suppressed
    values are published nowhere.
    """
    refinements = [refinement_of(taxonomy) for taxonomy in recoding.taxonomies]
    trees, values = (
        [j for j, w in enumerate(refinements) if w is kind] for kind in (AlongTree, ByValues)
    )
    found = SubtreeGeneralization.flaws(_only(recoding, trees))
    found += ValueSuppression.flaws(_only(recoding, values))
    for j in sorted({*range(len(refinements))} - {*trees, *values}):
        found += _not_intervals(recoding, j)
    return found


def _only(recoding: Recoding, columns: Sequence[int]) -> Recoding:
    at = list(columns)
    return evolve(
        recoding,
        columns=tuple(recoding.columns[j] for j in at),
        taxonomies=tuple(recoding.taxonomies[j] for j in at),
        codes=recoding.codes[:, at],
        lo=recoding.lo[:, at],
        hi=recoding.hi[:, at],
    )


def _not_intervals(recoding: Recoding, j: int) -> list[str]:
    name, (lo, hi) = recoding.columns[j], recoding.ranges(j)
    found = []
    order = np.argsort(lo)
    if (lo[order][1:] < hi[order][:-1]).any():
        found.append(f"{name!r} shows intervals that overlap")
    mixed = recoding.taxonomies[j].mixes_missing(lo, hi)
    if (mixed & (lo > 0)).any():
        found.append(f"{name!r} shows intervals with missing values")
    if not recoding.is_function_of_value(j):
        found.append(f"records with the same value of {name!r} show different ones")
    if not _only(recoding, [j]).is_truthful:
        found.append(f"{name!r} shows intervals that do not hold its values")
    return found
