"""Survey: what a search on a lattice knows of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.groups import Groups
from unlinkable.methods.base import Search, Solution, Step, Task
from unlinkable.methods.feasible import infeasible, require_safe
from unlinkable.methods.lattice.best import Best
from unlinkable.methods.lattice.judging import Finding, Judge
from unlinkable.methods.lattice.lattice import Lattice, Node
from unlinkable.methods.lattice.memory import NodeGroups
from unlinkable.methods.lattice.rollup import RollUp
from unlinkable.methods.lattice.rulers import Ruler, ruler_for
from unlinkable.privacy.base import All, Merging

__all__ = ["Survey", "require_monotone"]


@define(eq=False, frozen=True)
class Survey:
    """The groups of the nodes, the promise that they must keep, and what they lose."""

    task: Task
    rollup: RollUp
    judge: Judge
    ruler: Ruler

    @classmethod
    def of(cls, finest: Groups, privacy: All, task: Task) -> Self:
        """Get ready to look at nodes.

        Raises
        ------
        InfeasibleError
            If there are no records.
        """
        if not finest.n_records:
            raise infeasible(finest, privacy, task)
        rollup = RollUp(finest, task.attributes, privacy.needs())
        judge = Judge.of(rollup, privacy, task)
        ruler = ruler_for(rollup, task.metric, judge.limit)
        rollup.order_by(ruler.slopes)
        return cls(task, rollup, judge, ruler)

    @property
    def lattice(self) -> Lattice:
        """All nodes."""
        return self.rollup.lattice

    def look(self, node: Node) -> tuple[NodeGroups, Finding]:
        """Give the groups of a node, and what the promise says of them."""
        groups = self.rollup.at(node)
        return groups, self.judge.find(groups)

    def best_of(self, nodes: Iterable[Node]) -> Node | None:
        """Find the release among some nodes that loses the least; None if there is none.

        Nodes that lose more in any case are not looked at.
        """
        best = Best()
        for node in nodes:
            if best.may_be_beaten(self.ruler.floor(node, None), 0, node):
                groups, finding = self.look(node)
                if finding.is_release:
                    best.offer(self.ruler.measure(groups, finding), finding.n_suppressed, node)
        return best.node

    def effort_on_the_way(self, n_checked: int) -> dict[str, int]:
        """Say what it took to go one way up."""
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
        optimal: bool | None = None,
        alternatives: Iterable[Node] = (),
        trace: Iterable[Step] = (),
    ) -> Solution:
        """Publish a node."""
        groups, finding = self.look(node)
        return Solution(
            partition=self.rollup.partition(groups, finding.keep),
            effort=effort,
            optimal=optimal,
            node=self.named(node),
            alternatives=tuple(self.named(n) for n in alternatives),
            trace=tuple(trace),
        )


def require_monotone(method: Search, privacy: All, *, may_suppress: bool) -> None:
    """Refuse a promise that may hold at a node and not at one above it.

    If nothing may be left out, it is enough that good groups stay good together. If groups may be
    left out, the number of records in bad ones must never rise on the way up, which is so if a
    good group stays good whatever is merged in.

    Raises
    ------
    UnsupportedError
        If that is so; the message names a method that needs less.
    """
    require_safe(method, privacy)
    for model in privacy.models if may_suppress else ():
        if model.merging is not Merging.ABSORBS or model.relative:
            raise UnsupportedError(
                f"{method} with suppression needs a promise that a group keeps whatever is merged "
                f"into it, and {model} may be broken: allow no suppression, or use the method "
                "optimal, which needs less"
            )
