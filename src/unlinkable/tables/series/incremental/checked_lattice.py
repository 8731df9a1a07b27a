"""Full-domain searches that output only nodes from which no attack on the series finds anybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

from attrs import define, evolve, field, frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods import Allowance
from unlinkable.tables.methods.base import Search, Solution, Step, Task
from unlinkable.tables.methods.lattice import (
    Best,
    Finding,
    Incognito,
    Node,
    NodeGroups,
    Optimal,
    Survey,
)
from unlinkable.tables.models.base import All
from unlinkable.tables.series.incremental.channels import ATTACKS, MONOTONE, Channels
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import BoolArray

__all__ = ["CheckedIncognito", "CheckedOptimal"]


@frozen(slots=False)  # A class cannot inherit slots of two others.
class _Checked(Search):
    """A full-domain search with one more condition on every node: it must open no channel.

    Where the difference attack or record tracing finds somebody at a node, they find somebody at
    every node below, which is not looked at. The intersection attack is no such thing, whatever was
    said of it [1]_ (Observation 4): it may find somebody at a node above one at which it finds
    nobody. Nobody is left out, whatever share of the records may be suppressed.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    channels
        What was published before.

    References
    ----------
    .. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
       dissemination." Journal of Computer Security 17(1), 2009. Section 5.2.
    """

    is_sieve: ClassVar[bool]
    """Whether nodes are only sifted at first, and the intersection attack is asked at the end."""

    policy: Policy = field(kw_only=True)
    channels: Channels = field(kw_only=True, eq=False, repr=False)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=False)

    def survey(self, finest: Groups, privacy: All, task: Task) -> Survey:
        """Get ready to look at nodes, and at what can be found out at each."""
        survey = Survey.of(finest, privacy, task)
        return _CheckedSurvey.over(survey, self.channels, is_sieve=self.is_sieve)

    def __str__(self) -> str:
        return str(self.policy)


@frozen
class CheckedOptimal(_Checked, Optimal):
    """`Optimal` among the nodes that open no channel.

    All nodes that keep the promise are candidates, and each is asked about every attack.
    """

    is_sieve: ClassVar[bool] = False

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least among those that open no channel."""
        return super().search(finest, privacy, evolve(task, suppression=Fraction(0)))


@frozen
class CheckedIncognito(_Checked, Incognito):
    """`Incognito` among the nodes that open no channel.

    Nodes are sifted by the promise, the difference attack and record tracing, on ever more
    attributes. Each node that comes out of the sieve is asked about the intersection attack by
    itself. The solution lists those minimal nodes of the sieve that open no channel at all.
    """

    is_sieve: ClassVar[bool] = True

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of all nodes that open no channel."""
        return super().search(finest, privacy, evolve(task, suppression=Fraction(0)))


@define(eq=False, frozen=True)
class _CheckedSurvey(Survey):
    """A survey in which a node is a release only if it opens no channel.

    Nobody may be left out: all groups of a node are published.

    Attributes
    ----------
    channels
        What was published before.
    is_sieve
        Whether `look` tries only the attacks that are monotone. All others are tried by `best_of`
        and `solution`.
    """

    channels: Channels
    is_sieve: bool
    _known: dict[tuple[Node, str], bool] = field(factory=dict)

    @classmethod
    def over(cls, survey: Survey, channels: Channels, *, is_sieve: bool) -> _CheckedSurvey:
        """Check the nodes of a survey.

        Raises
        ------
        InfeasibleError
            If even the top opens a channel.
        """
        channels.require_whole()
        return cls(survey.task, survey.rollup, survey.judge, survey.bounds, channels, is_sieve)

    def look(
        self, node: Node, best: Best | None = None, allowance: Allowance | None = None
    ) -> tuple[NodeGroups, Finding]:
        """Give the groups of a node, and what promise and attacks say of them."""
        groups, finding = super().look(node, best, allowance)
        if not finding.is_release:
            return groups, finding
        if not self._is_safe(node, groups, MONOTONE):
            return groups, evolve(finding, is_release=False, is_hopeless=True)
        if not self.is_sieve and not self._is_safe(node, groups, ATTACKS):
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
        return self._is_safe(node, self.rollup.at(node), ATTACKS)

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

    def _is_safe(self, node: Node, groups: NodeGroups, attacks: Iterable[str]) -> bool:
        """Try the attacks that were not tried at this node before."""
        unknown = [name for name in attacks if (node, name) not in self._known]
        if any(self._known.get((node, name)) is False for name in attacks):
            return False
        parts = self.rollup.labels(self.rollup.at(self.lattice.bottom), groups) if unknown else None
        for name in unknown:
            assert parts is not None
            self._known[node, name] = self.channels.is_safe(parts, (name,))
            if not self._known[node, name]:
                return False
        return True
