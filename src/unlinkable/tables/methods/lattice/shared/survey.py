"""Survey: what a search on a lattice knows of its nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Step, Task
from unlinkable.tables.methods.lattice.shared.best_release import Best
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.loss_bounds import (
    LeastSuppression,
    LossBounds,
    NodeLosses,
    loss_bounds_for,
)
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.node_judging import Finding, Judge
from unlinkable.tables.methods.lattice.shared.rollup import RollUp
from unlinkable.tables.methods.shared.feasible import infeasible, require_safe
from unlinkable.tables.methods.shared.suppression import Allowance, RecordLosses
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import FullDomainGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.typing import BoolArray

__all__ = ["NOT_ALL_SETS", "LatticeSearch", "MonotoneSearch", "Survey"]

NOT_ALL_SETS = "it looked at every node, and at some not at all sets of groups that may be left out"
"""What a search has tried that looks at all nodes, and has found nothing."""


@define(eq=False, frozen=True)
class Survey:
    """The groups of the nodes, the promise that they must keep, and what they lose."""

    task: Task
    rollup: RollUp
    judge: Judge
    bounds: LossBounds

    @classmethod
    def of(cls, finest: Groups, privacy: All, task: Task) -> Self:
        """Prepare the search of nodes.

        Raises
        ------
        InfeasibleError
            If there are no records.
        """
        if not finest.n_records:
            raise infeasible(finest, privacy, task)
        rollup = RollUp(finest, task.attributes, privacy.needs())
        judge = Judge.of(rollup, privacy, task)
        bounds = loss_bounds_for(rollup, task.metric, judge.limit)
        rollup.order_by(bounds.slopes)
        return cls(task, rollup, judge, bounds)

    @property
    def lattice(self) -> Lattice:
        """All nodes."""
        return self.rollup.lattice

    @property
    def is_thrifty(self) -> bool:
        """Whether leaving out a group that could stay never pays."""
        return self.judge.limit == 0 or self.task.metric.monotone

    def look(
        self, node: Node, best: Best | None = None, allowance: Allowance | None = None
    ) -> tuple[NodeGroups, Finding]:
        """Return the groups of a node, and the verdict of the promise on them.

        Where suppressing a group that could stay may pay by the metric, as few records as possible
        are suppressed, and the floor of the finding bounds the loss of suppressing more.

        Parameters
        ----------
        node
            Which node.
        best
            The best release so far: those that are worse are not looked for.
        allowance
            How many sets of groups to leave out may be tried; as few as possible if not given.
        """
        groups = self.rollup.at(node)
        # The metric may reward suppressing good groups. Such sets are not searched; the floor says
        # what they would lose at least, so that the result is not called optimal without proof.
        if not self.is_thrifty:
            fewest = RecordLosses(groups.sizes)
            finding = self.judge.find(groups, fewest, allowance=allowance)
            if finding.is_release or finding.floor < np.inf:
                suppression = LeastSuppression(groups, finding.lost == groups.sizes)
                finding = evolve(finding, floor=self.bounds.floor(node, suppression))
            return groups, finding
        most = np.inf if best is None else best.most
        losses = NodeLosses(self.bounds, groups)
        return groups, self.judge.find(groups, losses, most, allowance)

    def best_of(self, nodes: Iterable[Node]) -> Best:
        """Find the release among some nodes that loses the least.

        Nodes that lose more in any case are not judged.
        """
        best = Best()
        for node in nodes:
            if best.may_be_beaten(self.bounds.floor(node, None), 0, node):
                self.offer(best, node)
        return best

    def settle(self, best: Best, is_over: Callable[[], bool]) -> None:
        """Try more sets of groups to suppress where others may lose less than the best release.

        ``is_over`` tells whether the search was stopped.
        """
        doubts, allowance = best.doubts(), Allowance(is_over=is_over)
        # Doubts that remain after more sets were tried are noted again by the offers below.
        best.forget_doubts()
        for floor, node in doubts:
            if best.node is None or best.may_lose_less(floor):
                self.offer(best, node, allowance)

    def offer(self, best: Best, node: Node, allowance: Allowance | None = None) -> None:
        """Look at a node, take its release if that is better, and note what is left in doubt."""
        groups, finding = self.look(node, best, allowance)
        best.doubt(finding.floor, node)
        if finding.is_release:
            loss = self.bounds.measure(groups, finding.keep)
            best.offer(loss, finding.n_suppressed, node, finding.keep)

    def effort_on_the_way(self, n_checked: int) -> dict[str, int]:
        """Count the effort of going up on one path."""
        n_nodes = self.lattice.n_nodes
        return {
            "nodes": n_nodes,
            "checked": n_checked,
            "unvisited": n_nodes - n_checked,
            "groups": self.rollup.n_added,
        }

    def named(self, node: Node) -> Mapping[str, int]:
        """Give the levels of a node by the names of their attributes."""
        return {a.name: level for a, level in zip(self.task.attributes, node, strict=True)}

    def solution(
        self,
        node: Node,
        effort: Mapping[str, int],
        *,
        keep: BoolArray | None = None,
        optimal: bool | None = None,
        alternatives: Iterable[Node] = (),
        trace: Iterable[Step] = (),
    ) -> Solution:
        """Publish a node, with these of its groups if it is said which."""
        groups = self.rollup.at(node)
        shown = self.look(node)[1].keep if keep is None else keep
        return Solution(
            partition=self.rollup.partition(groups, shown),
            effort=effort,
            optimal=optimal,
            node=self.named(node),
            alternatives=tuple(self.named(n) for n in alternatives),
            trace=tuple(trace),
        )


class LatticeSearch(Search):
    """A search for a node of the lattice of full-domain generalizations."""

    scheme: ClassVar[type[Scheme]] = FullDomainGeneralization

    def survey(self, finest: Groups, privacy: All, task: Task) -> Survey:
        """Get ready to look at nodes."""
        return Survey.of(finest, privacy, task)


class MonotoneSearch(LatticeSearch):
    """A search for promises that hold above every node at which they hold.

    If nothing may be left out, it is enough that good groups stay good together. If groups may be
    left out, the number of records in bad ones must never rise on the way up, which is so if a
    good group stays good whatever is merged in.
    """

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)
        for model in privacy.models if may_suppress else ():
            if model.merging is not Merging.ABSORBS or model.relative:
                raise UnsupportedError(
                    f"{self} with suppression needs a promise that a group keeps whatever is "
                    f"merged into it, and {model} may be broken: allow no suppression, or use the "
                    "method optimal, which needs less"
                )
