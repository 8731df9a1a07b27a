"""Watched survey: what a search on a lattice knows of its nodes, and of the channels they open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, evolve, field

from unlinkable.tables.methods import Allowance
from unlinkable.tables.methods.base import Solution, Step
from unlinkable.tables.methods.lattice import Best, Finding, Node, NodeGroups, Survey
from unlinkable.tables.series.incremental.guard import Guard
from unlinkable.typing import BoolArray

__all__ = ["WatchedSurvey"]


@define(eq=False, frozen=True)
class WatchedSurvey(Survey):
    """A survey in which a node is a release only if it opens no channel.

    Nobody may be left out: all groups of a node are published.

    Attributes
    ----------
    guard
        Whom to ask.
    is_sieve
        Whether `look` asks only for attacks that find somebody at all finer nodes if they find
        somebody at one. All others are asked for by `best_of` and `solution`.
    """

    guard: Guard
    is_sieve: bool
    _known: dict[tuple[Node, str], bool] = field(factory=dict)

    @classmethod
    def over(cls, survey: Survey, guard: Guard, *, is_sieve: bool) -> WatchedSurvey:
        """Watch over a survey.

        Raises
        ------
        InfeasibleError
            If even the top opens a channel.
        """
        guard.require_whole()
        return cls(survey.task, survey.rollup, survey.judge, survey.bounds, guard, is_sieve)

    def look(
        self, node: Node, best: Best | None = None, allowance: Allowance | None = None
    ) -> tuple[NodeGroups, Finding]:
        """Give the groups of a node, and what promise and attacks say of them."""
        groups, finding = super().look(node, best, allowance)
        if not finding.is_release:
            return groups, finding
        if not self._is_safe(node, groups, self.guard.monotone):
            return groups, evolve(finding, is_release=False, is_hopeless=True)
        if not self.is_sieve and not self._is_safe(node, groups, self.guard.watches):
            return groups, evolve(finding, is_release=False)
        return groups, finding

    def best_of(self, nodes: Iterable[Node]) -> Best:
        """Find the node that loses the least among those that open no channel at all."""
        best = Best()
        for node in nodes:
            if not best.may_be_beaten(self.bounds.floor(node, None), 0, node):
                continue
            groups, finding = super().look(node)
            if not finding.is_release:
                continue
            loss = self.bounds.measure(groups, finding.keep)
            if best.may_be_beaten(loss, 0, node) and self.opens_nothing(node):
                best.offer(loss, 0, node, finding.keep)
        return best

    def opens_nothing(self, node: Node) -> bool:
        """Whether no attack finds anybody at a node."""
        return self._is_safe(node, self.rollup.at(node), self.guard.watches)

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
        """Publish a node; others that open a channel are no alternatives."""
        effort = {**effort, "asked": len(self._known)}
        safe = [other for other in alternatives if self.opens_nothing(other)]
        return super().solution(
            node, effort, keep=keep, optimal=optimal, alternatives=safe, trace=trace
        )

    def _is_safe(self, node: Node, groups: NodeGroups, names: Iterable[str]) -> bool:
        """Ask for some attacks what was not asked before."""
        unknown = [name for name in names if (node, name) not in self._known]
        if any(self._known.get((node, name)) is False for name in names):
            return False
        parts = self.rollup.labels(self.rollup.at(self.lattice.bottom), groups) if unknown else None
        for name in unknown:
            assert parts is not None
            self._known[node, name] = self.guard.is_safe(parts, (name,))
            if not self._known[node, name]:
                return False
        return True
