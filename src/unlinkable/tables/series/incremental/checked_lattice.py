"""Full-domain searches that output only nodes from which no attack on the series finds anybody."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base import Search, Solution, Task
from unlinkable.tables.methods.lattice import Incognito, Optimal, Survey
from unlinkable.tables.models.base import All
from unlinkable.tables.series.incremental.channels import Channels
from unlinkable.tables.series.incremental.watched_survey import WatchedSurvey
from unlinkable.tables.series.policy import Policy

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
        return WatchedSurvey.over(survey, self.channels.guard(), is_sieve=self.is_sieve)

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
