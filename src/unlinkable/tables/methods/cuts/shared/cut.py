"""Cut: the current values of all columns, and the candidates that refine them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.methods.base.search import Step
from unlinkable.tables.methods.cuts.shared.column_refinement import (
    ColumnRefinement,
    ColumnState,
    ValueSplit,
)
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Cut"]


@define(eq=False)
class Cut:
    """The current values of all columns, numbered consecutively, and their candidates.

    Values of a column have the numbers from `first_value` on, its codes the places from
    `first_code` on; a candidate is known by the number of a value, see `ColumnRefinement`.

    Attributes
    ----------
    refinements
        The refinement in which each column is refined.
    first_code, first_value
        Where the codes and the values of each column begin, and where the last ones end.
    state
        The current values of the columns, one after the other.
    is_open
        Which candidates are neither performed nor rejected. The value that stands for suppressed
        codes is open as long as one of them is.
    candidates
        The same, listed.
    """

    refinements: tuple[ColumnRefinement, ...]
    first_code: CountArray
    first_value: CountArray
    state: ColumnState
    is_open: BoolArray
    candidates: CodeArray

    @classmethod
    def of(cls, refinements: Sequence[ColumnRefinement]) -> Self:
        """Start with the most general value on every column."""
        first_code = np.append(0, np.cumsum([w.n for w in refinements], dtype=np.int64))
        first_value = np.append(0, np.cumsum([w.n_values for w in refinements], dtype=np.int64))
        n_codes, n_values = int(first_code[-1]), int(first_value[-1])
        state = ColumnState(
            value=np.zeros(n_codes, np.int32),
            branch=np.zeros(n_codes, np.int32),
            lo=np.zeros(n_values, np.int32),
            hi=np.zeros(n_values, np.int32),
            gain=np.zeros(n_values),
            is_mixed=np.ones(n_values, bool),
        )
        is_open, none = np.zeros(n_values, bool), np.empty(0, np.int32)
        cut = cls(tuple(refinements), first_code, first_value, state, is_open, none)
        for j, refinement in enumerate(refinements):
            # The state of a column is a view into the state of all: both see what is written.
            codes, values = cut._codes(j), cut._values(j)
            refinement.first = int(first_value[j])
            refinement.shown = ColumnState(
                state.value[codes],
                state.branch[codes],
                state.lo[values],
                state.hi[values],
                state.gain[values],
                state.is_mixed[values],
            )
            cut._open(j, refinement.begin())
        return cut

    @property
    def plan(self) -> CountArray:
        """Columns as kernels take them, see `unlinkable.kernels.taxonomy_cuts.tips_counts`."""
        suppressed = [
            self.first_value[j] + w.n if w.hidden else -1 for j, w in enumerate(self.refinements)
        ]
        plan = np.column_stack([self.first_code[:-1], self.first_value[:-1], suppressed])
        return plan.astype(np.int64)

    @property
    def initial(self) -> CodeArray:
        """The values of the columns before anything is refined."""
        return np.array([self.state.value[at] for at in self.first_code[:-1]], np.int32)

    def column(self, candidate: int) -> int:
        """Find the column of a candidate."""
        return int(np.searchsorted(self.first_value, candidate, "right")) - 1

    def refined(self, candidates: CodeArray) -> CodeArray:
        """Return the value that each candidate refines."""
        refined = candidates.copy()
        for refinement in self.refinements:
            if refinement.hidden:
                first = refinement.first
                refined[(candidates >= first) & (candidates < first + refinement.n)] = (
                    first + refinement.n
                )
        return refined

    def split(self, candidate: int) -> ValueSplit:
        """Describe the effect of a step."""
        j = self.column(candidate)
        first = self.refinements[j].first
        local = self.refinements[j].split(candidate - first)
        parts = (local.parts + first).astype(np.int32)
        return ValueSplit(local.value + first, local.target, parts, local.begins)

    def drop(self, candidate: int) -> None:
        """Reject a candidate."""
        self.candidates = self.candidates[self.candidates != candidate]
        self.is_open[candidate] = False
        j = self.column(candidate)
        if self.refinements[j].hidden and not self.is_open[self._values(j)][:-1].any():
            self.is_open[self._values(j)] = False

    def perform(self, candidate: int) -> None:
        """Perform a step."""
        self.drop(candidate)
        j = self.column(candidate)
        self._open(j, self.refinements[j].perform(candidate - self.refinements[j].first))

    def best(self, scores: FloatArray) -> int:
        """Choose the candidate with the greatest score; of equal ones the first by its codes.

        Scores that differ by less than rounding are equal.
        """
        top = scores.max()
        equal = self.candidates[scores >= top - 1e-9 * abs(top)]
        if equal.size > 1:
            columns = np.searchsorted(self.first_value, equal, "right")
            equal = equal[np.lexsort((self.state.lo[equal], columns))]
        return int(equal[0])

    def step(self, candidate: int, score: float) -> Step:
        """Return a step for the trace."""
        split, name = self.split(candidate), self.refinements[self.column(candidate)].attribute.name
        lo, hi = int(self.state.lo[split.value]), int(self.state.hi[split.value])
        return Step(name, lo, hi, split.begins, score)

    def _open(self, j: int, candidates: CodeArray) -> None:
        """Add new candidates of a column."""
        refinement, first = self.refinements[j], self.refinements[j].first
        new = (candidates + first).astype(np.int32)
        self.is_open[new] = True
        if refinement.hidden and new.size:
            self.is_open[first + refinement.n] = True
        self.candidates = np.concatenate([self.candidates, new])

    def _codes(self, j: int) -> slice:
        return slice(int(self.first_code[j]), int(self.first_code[j + 1]))

    def _values(self, j: int) -> slice:
        return slice(int(self.first_value[j]), int(self.first_value[j + 1]))
