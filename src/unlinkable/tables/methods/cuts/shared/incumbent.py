"""Incumbent: the best release that a search has found, and a quick way to a first one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import define, evolve

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared.cost_floor import CostFloor
from unlinkable.tables.methods.cuts.shared.head_judging import Finding, HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach, Rows
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.methods.shared.suppression import Allowance, Losses, RecordLosses
from unlinkable.typing import BoolArray

__all__ = ["Incumbent"]

_NEAR = 5
"""A split may be exchanged for one of this many before and after it."""

_NOISE = 1e-12
"""The rounding error of a loss, as a share of it."""


@define(eq=False, frozen=True)
class HeadLosses(Losses):
    """The loss of suppressing groups of the coarsest table of a reach, by a monotone metric.

    Attributes
    ----------
    costs
        The bounds of the metric.
    reach
        The reach.
    """

    costs: CostFloor
    reach: Reach

    def of(self, keep: BoolArray) -> float:
        return self.costs.loss(self.reach, keep)


class Incumbent:
    """Keeps the release with the least loss of those that it is offered; of equals the first.

    Attributes
    ----------
    head
        Its splits; None if there is no release yet.
    loss
        Its loss.
    keep
        The groups that it keeps.
    n_measured
        How many releases were measured.
    """

    def __init__(
        self, finest: Groups, splits: SplitSets, judge: HeadJudge, costs: CostFloor, rows: Rows
    ) -> None:
        self.head: BoolArray | None = None
        self.keep: BoolArray | None = None
        self.loss = np.inf
        self.n_measured = 0
        self._doubts: dict[bytes, tuple[float, BoolArray]] = {}
        self._finest, self._splits, self._judge, self._costs = finest, splits, judge, costs
        self._rows = rows

    @property
    def least(self) -> float:
        """The loss that a better release must stay below."""
        return self.loss - (_NOISE * abs(self.loss) if np.isfinite(self.loss) else 0.0)

    @property
    def is_proven(self) -> bool:
        """Whether it is certain that no other release is better, or that none exists."""
        return not any(map(self._may_be_better, self._doubts.values()))

    def settle(self, stop_rule: StopRule) -> None:
        """Try more sets of groups to suppress where one may lose less than the release."""
        doubts = sorted(self._doubts.values(), key=lambda doubt: doubt[0])
        allowance = Allowance(is_over=stop_rule.is_over)
        self._doubts.clear()
        for floor, head in doubts:
            if self._may_be_better((floor, head)):
                reach = self._reach(head)
                self.offer(reach, self.look(reach, allowance))

    def look(self, reach: Reach, allowance: Allowance | None = None) -> Finding:
        """Judge the coarsest table of a reach, and remember if there may be a better release."""
        finding = self._find(reach, allowance)
        if finding.floor < self.least:
            self._doubts[reach.head.tobytes()] = finding.floor, reach.head
        return finding

    def _may_be_better(self, doubt: tuple[float, BoolArray]) -> bool:
        return self.head is None or doubt[0] < self.least

    def _find(self, reach: Reach, allowance: Allowance | None) -> Finding:
        # If suppressing good groups never pays, sets are compared by the metric; otherwise as few
        # records as possible are suppressed, and the floor covers the rest.
        is_thrifty = self._judge.limit == 0 or self._costs.is_monotone
        if self._judge.is_bare:
            finding = self._judge.find_by_size(reach.head_sizes)
        else:
            groups = self._splits.partition(self._finest, reach.head).groups()
            losses = HeadLosses(self._costs, reach) if is_thrifty else RecordLosses(groups.sizes)
            most = self.loss if is_thrifty else np.inf
            finding = self._judge.find(groups, losses, most, allowance)
        if is_thrifty or not (finding.is_release or finding.floor < np.inf):
            return finding
        return evolve(finding, floor=self._costs.floor_of_head(reach, finding.gone))

    def offer(self, reach: Reach, finding: Finding | None = None) -> bool:
        """Keep the coarsest table of a reach if it is a better release; return whether it was."""
        finding = finding or self.look(reach)
        if not finding.is_release:
            return False
        self.n_measured += 1
        loss = self._costs.loss(reach, finding.keep)
        if self.head is not None and loss >= self.least:
            return False
        self.head, self.loss, self.keep = reach.head, loss, finding.keep
        return True

    def climb(self, start: BoolArray, stop_rule: StopRule) -> None:
        """Make, undo or exchange single splits as long as that gives a better release."""
        self._offer(start)
        head, is_better = start, True
        while is_better:
            is_better = False
            for v in range(len(self._splits)):
                for tried in self._neighbours(head, v):
                    if stop_rule.is_over():
                        return
                    if self._offer(tried):
                        head, is_better = tried, True
                        break

    def _offer(self, head: BoolArray) -> bool:
        return self.offer(self._reach(head))

    def _reach(self, head: BoolArray) -> Reach:
        return Reach(self._splits, head, ~head, self._rows)

    def _neighbours(self, head: BoolArray, v: int) -> Iterator[BoolArray]:
        """Yield a set with a split if it lacks it, without it or with another one if it has it."""
        if not head[v]:
            # A split needs all splits above it in its taxonomy, and takes those below with it when
            # undone.
            yield head | self._splits.with_needed(self._splits.only(v))
            return
        rest = head & ~self._splits.with_needing(self._splits.only(v))
        yield rest
        for u in range(max(v - _NEAR, 0), min(v + _NEAR + 1, len(self._splits))):
            if u != v and not rest[u]:
                yield rest | self._splits.with_needed(self._splits.only(u))
