"""Full-domain searches that output only nodes from which no attack on the series finds anybody."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve, field, frozen

from unlinkable.groups import Groups
from unlinkable.history.incremental.channels import Channels
from unlinkable.history.incremental.watched_survey import WatchedSurvey
from unlinkable.history.policy import Policy
from unlinkable.methods.base import Solution, Task
from unlinkable.methods.lattice.incognito import Incognito
from unlinkable.methods.lattice.optimal import Optimal
from unlinkable.methods.lattice.survey import Survey
from unlinkable.privacy.base import All

__all__ = ["CheckedIncognito", "CheckedOptimal"]


@frozen
class CheckedOptimal(Optimal):
    """`Optimal` with one more condition on every node: it must open no channel.

    All nodes that keep the promise are candidates. Where the difference attack or record tracing
    finds somebody at a node, they find somebody at every node below, which is not looked at. What
    the intersection attack says of a node says nothing of others. Nobody is left out, whatever
    share of the records may be suppressed.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    channels
        What was published before.
    """

    policy: Policy = field(kw_only=True)
    channels: Channels = field(kw_only=True, eq=False, repr=False)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=False)

    def survey(self, finest: Groups, privacy: All, task: Task) -> Survey:
        survey = Survey.of(finest, privacy, task)
        return WatchedSurvey.over(survey, self.channels.guard(), is_sieve=False)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least among those that open no channel."""
        return super().search(finest, privacy, evolve(task, suppression=Fraction(0)))

    def __str__(self) -> str:
        return str(self.policy)


@frozen
class CheckedIncognito(Incognito):
    """`Incognito` with one more condition on every node: it must open no channel.

    Nodes are sifted by the promise, the difference attack and record tracing: what these find at a
    node they find at every node below. The intersection attack is no such thing, whatever was
    said of it [1]_ (Observation 4): it may find somebody at a node above one at which it finds
    nobody. So each node that comes out of the sieve is asked about it by itself.

    Nobody is left out, whatever share of the records may be suppressed. The solution lists those
    minimal nodes of the sieve that open no channel at all.

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

    policy: Policy = field(kw_only=True)
    channels: Channels = field(kw_only=True, eq=False, repr=False)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=False)

    def survey(self, finest: Groups, privacy: All, task: Task) -> Survey:
        survey = Survey.of(finest, privacy, task)
        return WatchedSurvey.over(survey, self.channels.guard(), is_sieve=True)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of all nodes that open no channel."""
        return super().search(finest, privacy, evolve(task, suppression=Fraction(0)))

    def __str__(self) -> str:
        return str(self.policy)
