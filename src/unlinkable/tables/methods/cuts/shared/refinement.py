"""Refinement: the one search behind all top-down methods.

All records look alike at first. In each step the best candidate that the promise survives is done,
until there is none. Every state on the way is a release that keeps the promise.

Candidates are checked only when they are the best there are. One that the promise does not survive
is given up for good: further steps split its parts further, and a promise that is broken by fewer
records than it was asked for, or by too telling ones, is broken by some part of them. Where merging
is not safe that is no theorem, and a candidate that is given up might become valid later; but no
state is ever reached that was not judged.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from attrs import define, field

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Step
from unlinkable.tables.methods.cuts.shared.cut import Cut
from unlinkable.tables.methods.cuts.shared.guard import Guard
from unlinkable.tables.methods.cuts.shared.guides import Score
from unlinkable.tables.methods.cuts.shared.leaves import Leaves, Trial
from unlinkable.tables.methods.cuts.shared.refinement_counts import Counts
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import Squares
from unlinkable.tables.models.base import All
from unlinkable.typing import Columns, FloatArray, Progress

__all__ = ["MOST_QIDS", "Refinement", "quasi_identifiers"]

MOST_QIDS = 256
"""Of how many quasi-identifiers the anonymity is kept up to date."""


def quasi_identifiers(privacy: All, columns: Columns) -> list[Columns]:
    """List the sets of columns that adversaries know, whose anonymity a step may cost.

    Raises
    ------
    UnsupportedError
        If there are too many to count them all.
    """
    found: dict[Columns, None] = {}
    for model in privacy.models:
        for known in model.knows(columns).combinations():
            found[known] = None
            if len(found) > MOST_QIDS:
                raise UnsupportedError(
                    f"score igpl asks what a step costs on every quasi-identifier, and {model} has "
                    f"more than {MOST_QIDS}: use score information-gain, which does not"
                )
    return list(found) or [columns]


@define(eq=False)
class Refinement:
    """A top-down search under way.

    Attributes
    ----------
    finest
        The distinct records.
    cut
        What columns show, and the candidates for the next step.
    leaves
        The records that look alike on all columns.
    guard
        Whether the promise survives.
    score
        Which candidate is the best.
    only_beneficial
        Whether values whose records all have the same class stay as they are.
    counts, apart
        What is known of candidates on all columns, and on every quasi-identifier that has some of
        them only; where the score asks for it.
    trace
        What was done.
    effort
        What it took.
    """

    finest: Groups
    cut: Cut
    leaves: Leaves
    guard: Guard
    score: Score
    only_beneficial: bool
    counts: Counts | None
    apart: tuple[Counts, ...]
    effort: Counter[str]
    trace: list[Step] = field(factory=list)

    @classmethod
    def of(
        cls,
        finest: Groups,
        privacy: All,
        cut: Cut,
        score: Score,
        squares: Squares,
        *,
        only_beneficial: bool,
    ) -> Refinement:
        """Put all records together."""
        effort = Counter(steps=0, checked=0, given_up=0, groups_judged=0, rows_read=0)
        guard = Guard.of(finest, privacy, effort)
        initial, n_values = cut.initial, cut.is_open.size
        leaves = Leaves.of(finest, initial, n_values, is_shown=bool(guard.others.models))
        counts: Counts | None = None
        apart: list[Counts] = []
        if score is Score.DISCERNIBILITY:
            counts = Counts.of(leaves, cut, squares)
        for known in quasi_identifiers(privacy, finest.columns) if score is Score.IGPL else ():
            if known == finest.columns:
                counts = Counts.of(leaves, cut, None)
                continue
            at = np.array([finest.columns.index(name) for name in known], np.int32)
            some = Leaves.on(finest, at, initial, n_values)
            apart.append(Counts.of(some, cut, None))
        return cls(finest, cut, leaves, guard, score, only_beneficial, counts, tuple(apart), effort)

    def run(self, stop_rule: StopRule, progress: Progress) -> None:
        """Do the best valid step again and again, until there is none or the search is stopped."""
        cut = self.cut
        while cut.candidates.size:
            scores = self.scores()
            best = cut.best(scores)
            score = float(scores[cut.candidates == best][0])
            if self.only_beneficial and not cut.state.is_mixed[best]:
                cut.drop(best)
                continue
            if stop_rule.is_over():
                stop_rule.allows_another()
                break
            trial = self._attempt(best)
            if not self.guard.allows(self.leaves, trial):
                cut.drop(best)
                self.effort["given_up"] += 1
                continue
            if not stop_rule.allows_another():
                self.leaves.shrink(trial)
                break
            self._perform(best, score, trial)
            n_done = len(self.trace) + self.effort["given_up"]
            share = n_done / (n_done + cut.candidates.size)
            progress(share, f"{len(self.trace)} steps, {self.leaves.n} groups")
        self.effort["groups"] = self.leaves.n

    def scores(self) -> FloatArray:
        """Give the score of every candidate."""
        cut = self.cut
        gain: FloatArray = cut.state.gain[cut.candidates]
        match self.score:
            case Score.IGPL:
                return gain / (self._anonymity_lost() + 1)
            case Score.DISCERNIBILITY:
                assert self.counts is not None
                return self.counts.score(cut).astype(float)
            case _:
                return gain

    def partition(self) -> Partition:
        """Give what is published now."""
        cut, keys = self.cut, self.finest.keys[self.leaves.firsts()]
        lo, hi = np.empty((2, *keys.shape), np.int32)
        for j, at in enumerate(cut.first_code[:-1]):
            values = cut.state.value[at + keys[:, j]]
            lo[:, j], hi[:, j] = cut.state.lo[values], cut.state.hi[values]
        return Partition(self.finest, self.leaves.labels(), lo, hi)

    def _anonymity_lost(self) -> FloatArray:
        """Take the mean over the quasi-identifiers that contain the column of each candidate."""
        candidates = self.cut.candidates
        columns = np.searchsorted(self.cut.first_value, candidates, "right") - 1
        lost, n_qids = np.zeros(candidates.size), np.zeros(candidates.size)
        for counts in (self.counts, *self.apart):
            if counts is None:
                continue
            is_known = np.isin(columns, counts.leaves.columns)
            now = counts.leaves.anonymity
            lost += np.where(is_known, now - np.minimum(counts.least[candidates], now), 0)
            n_qids += is_known
        mean: FloatArray = lost / np.maximum(n_qids, 1)
        return mean

    def _attempt(self, candidate: int) -> Trial:
        trial = self.leaves.attempt(self.cut.column(candidate), self.cut.split(candidate))
        self.effort["checked"] += 1
        self.effort["rows_read"] += trial.n_rows
        return trial

    def _perform(self, candidate: int, score: float, trial: Trial) -> None:
        """Do a step, on all columns and on every quasi-identifier that is counted apart."""
        cut, column = self.cut, trial.column
        self.trace.append(cut.step(candidate, score))
        self.effort["steps"] += 1
        moves: list[tuple[Leaves, Trial, Counts | None]] = [(self.leaves, trial, self.counts)]
        for counts in self.apart:
            if counts.leaves.has(column):
                parts = counts.leaves.attempt(column, trial.split)
                moves.append((counts.leaves, parts, counts))
        entered = []
        for leaves, parts, known in moves:
            if known is not None:
                leaves.shrink(parts)
                known.leave(cut, parts)
            leaves.arrange(parts)
            places = leaves.grow(parts)
            leaves.link(parts, places)
            if known is not None:
                entered.append((known, parts, places))
        # From here on codes go to other parts than those of this step.
        cut.perform(candidate)
        for known, parts, places in entered:
            known.enter(cut, parts, places)
