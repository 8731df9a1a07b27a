"""TDS4SA: top-down specialization against the join with all earlier releases.

It is the search of `TopDownSpecialization`, with what the join tells for its promise and for the
price of its steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import define, field, fields, frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods import StopRule
from unlinkable.tables.methods.base import Task
from unlinkable.tables.methods.cuts import (
    AlongTree,
    ColumnRefinement,
    Refinement,
    Score,
    TopDownSpecialization,
    Tree,
)
from unlinkable.tables.models.base import All
from unlinkable.tables.series.sequential.forecast import Forecast
from unlinkable.tables.series.sequential.join_disclosure import JoinDisclosure
from unlinkable.tables.series.sequential.join_problem import JoinProblem
from unlinkable.typing import FloatArray, Progress

if TYPE_CHECKING:
    from unlinkable.tables.series.sequential.sequential import Sequential

__all__ = ["DISCLOSED", "SequentialSearch"]

DISCLOSED = "disclosed"
"""How many of the steps told columns that are published as they are."""


@define(eq=False, slots=False)
class AsItIs(AlongTree):
    """All values are told at once."""

    @cached_property
    def tree(self) -> Tree:
        """The root, and every value right under it."""
        codes = np.arange(self.n, dtype=np.int32)
        root, n = np.zeros(1, np.int32), np.full(1, self.n, np.int32)
        if self.n == 1:
            return Tree(root, n, root - 1)
        lo, hi = np.concatenate([root, codes]), np.concatenate([n, codes + 1])
        return Tree(lo, hi.astype(np.int32), np.append(np.int32(-1), np.zeros(self.n, np.int32)))


@define(eq=False)
class JoinRefinement(Refinement):
    """A top-down search that joins what it would show with all earlier releases.

    A candidate that the join does not survive is given up for good if it is certain that telling
    more never makes the join tell less. Otherwise it is tried again after every step.

    Attributes
    ----------
    watch
        What the join tells.
    priced
        Whether gains are divided by what the join loses.
    waiting
        The candidates that are not tried before another step is made.
    """

    watch: JoinDisclosure = field(kw_only=True)
    priced: bool = field(kw_only=True)
    waiting: set[int] = field(factory=set, kw_only=True)

    @classmethod
    def over(cls, plain: Refinement, earlier: JoinProblem, *, priced: bool) -> JoinRefinement:
        """Take over a search that has not begun."""
        given = {f.name: getattr(plain, f.name) for f in fields(Refinement)}
        return cls(**given, watch=JoinDisclosure(earlier, plain.cut), priced=priced)

    def run(self, stop_rule: StopRule, progress: Progress) -> None:
        cut, waiting = self.cut, self.waiting
        while cut.candidates.size > len(waiting):
            scores = self.scores()
            best = cut.best(scores)
            score = float(scores[cut.candidates == best][0])
            if stop_rule.is_over():
                stop_rule.allows_another()
                break
            trial = self._attempt(best)
            if not self.watch.forecast(best).is_kept or not self.guard.allows(self.leaves, trial):
                self.effort["given_up"] += 1
                if self.watch.is_settled:
                    cut.drop(best)
                else:
                    waiting.add(best)
                continue
            if not stop_rule.allows_another():
                self.leaves.shrink(trial)
                break
            self.watch.perform(best)
            self._perform(best, score, trial)
            waiting.clear()
            n_done = len(self.trace) + self.effort["given_up"]
            share = n_done / (n_done + cut.candidates.size)
            progress(share, f"{len(self.trace)} steps, {self.leaves.n} groups")
        self.effort["groups"] = self.leaves.n
        self.effort["parts_joined"] = self.watch.n_joined

    def scores(self) -> FloatArray:
        """Give the score of every candidate that can be the best; minus infinity for others.

        No price makes a gain greater: candidates are priced in the order of their gains, until no
        other can be the best.
        """
        cut = self.cut
        gains: FloatArray = cut.state.gain[cut.candidates].copy()
        if self.score is Score.DISCERNIBILITY:
            assert self.counts is not None
            gains = self.counts.score(cut).astype(float)
        gains[np.isin(cut.candidates, list(self.waiting))] = -np.inf
        if not self.priced:
            return gains
        scores, best = np.full(gains.size, -np.inf), -np.inf
        for at in np.argsort(-gains, kind="stable").tolist():
            if np.isneginf(gains[at]) or gains[at] < best - 1e-9 * abs(best):
                break
            scores[at] = gains[at] / (self.watch.lost(int(cut.candidates[at])) + 1)
            best = max(best, scores[at])
        return scores

    def disclose(self, column: int) -> bool:
        """Tell a column as it is; False if what is promised of the release does not survive."""
        own = [c for c in self.cut.candidates.tolist() if self.cut.column(c) == column]
        for candidate in own:
            trial = self._attempt(candidate)
            if not self.guard.allows(self.leaves, trial):
                return False
            self._perform(candidate, 0.0, trial)
            self.effort[DISCLOSED] += 1
        return True


@frozen(eq=False)
class SequentialSearch(TopDownSpecialization):
    """Specialize the next release as long as its join with all earlier ones keeps the promise.

    Cost
    ----
    That of top-down-specialization, and for each step that is tried, joining the groups that it
    splits; if x tells how records match, counting what they hide.
    """

    name: ClassVar[str] = "sequential"
    reference: ClassVar[str] = "Wang and Fung 2006"

    policy: Sequential = field(kw_only=True)
    earlier: JoinProblem = field(kw_only=True, repr=False)
    priced: bool = field(default=True, kw_only=True)

    def begin(self, finest: Groups, privacy: All, task: Task) -> Refinement:
        """Show nothing, and see whether the join keeps the promise then.

        Raises
        ------
        InfeasibleError
            If no release keeps it.
        UnsupportedError
            If it does not, and another release might.
        """
        refinement = JoinRefinement.over(
            super().begin(finest, privacy, task), self.earlier, priced=self.priced
        )
        for j, name in enumerate(self.earlier.quasi):
            if name not in self.earlier.promise.x and not refinement.disclose(j):
                raise InfeasibleError(
                    f"column {name!r} is not in x and is published as it is, and that breaks "
                    f"{privacy}: put it into x"
                )
        start = refinement.watch.begin()
        if not start.is_kept:
            self._refuse(start)
        return refinement

    def _refinements(self, finest: Groups, task: Task, score: Score) -> list[ColumnRefinement]:
        gain_of, found = self._gain_of(finest, task, score), list[ColumnRefinement]()
        for j, attribute in enumerate(task.attributes):
            occurs = np.zeros(attribute.taxonomy.n, bool)
            occurs[finest.keys[:, j]] = True
            kind: Callable[..., ColumnRefinement] = self.refinement_of(attribute.taxonomy)
            if attribute.name not in self.earlier.promise.x:
                kind = AsItIs
            elif attribute.name in self.earlier.labels:
                kind = AlongTree
            found.append(kind(attribute, occurs, gain_of(j)))
        return found

    def _refuse(self, start: Forecast) -> None:
        """Say that the most general release breaks the promise, and what that means."""
        promise, n = self.earlier.promise, len(self.earlier.trees)
        general = "even if every column of x is as general as can be,"
        highest = float(start.sure.max(initial=0.0))
        join = f"the join with {quantity(n, 'earlier release')} makes up to {highest:.3g} sure"
        bounds = f"it may be no more than {float(promise.h):.3g}" + (
            f", with at least {promise.k} values left" if promise.k > 1 else ""
        )
        if not start.is_kept_alone or not self.earlier.doubts:
            what = join if start.is_kept_alone else "the release by itself tells too much"
            raise InfeasibleError(
                f"no release keeps the promise: {general} {what}, and {bounds}. Ask for less, or "
                "leave out the sensitive columns"
            )
        again = ", ".join(map(repr, self.earlier.told_again))
        advice = f"leave {again} out" if again else "put all columns by which records match into x"
        raise UnsupportedError(
            f"{general} {join}, and {bounds}. Another release might keep that, and it would not be "
            f"found, because {' and '.join(self.earlier.doubts)}: {advice}, or ask for less"
        )

    def __str__(self) -> str:
        return str(self.policy)
