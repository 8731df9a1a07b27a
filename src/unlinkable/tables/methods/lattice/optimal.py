"""Optimal: the full-domain generalization that loses the least, and the proof that none loses less.

The lattice is searched by boxes: all nodes between a lower and an upper one. At the upper node the
fewest records have to be suppressed, at the lower one values lose the least. What no release below
the upper node can keep, and how coarse even the lower node is, bound the loss of the whole box, so
that in most boxes only one node is checked. Earlier searches walk the lattice along single paths
[1]_, [2]_, or bound what is below one node [3]_.

References
----------
.. [1] K. El Emam et al. "A globally optimal k-anonymity method for the de-identification of health
   data." JAMIA 16(5), 2009.
.. [2] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn. "Flash: efficient, stable and
   optimal k-anonymity." PASSAT 2012.
.. [3] R. J. Bayardo, R. Agrawal. "Data privacy through optimal k-anonymization." ICDE 2005.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.params import at_least
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.box_search import Walk
from unlinkable.tables.methods.lattice.shared.lattice import Node, is_below
from unlinkable.tables.methods.lattice.shared.survey import NOT_ALL_SETS, LatticeSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible, not_found
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.models.base import All

__all__ = ["Optimal"]


def _as_levels(levels: Iterable[int] | None) -> Node | None:
    """Convert levels to a node.

    Raises
    ------
    ParameterError
        If they are no whole numbers from 0 on.
    """
    if levels is None:
        return None
    node = tuple(levels)
    if not node or not all(type(level) is int and level >= 0 for level in node):
        raise ParameterError(f"levels must be whole numbers from 0 on, got {list(node)}")
    return node


@frozen
class Optimal(LatticeSearch):
    """Give all values of an attribute the same level, so that the least is lost.

    Any promise and any metric will do. What a promise says of finer tables (`least_suppressed`, and
    for a table of which nothing may be left out, that good groups stay good together) and what a
    metric says of coarser ones rules out most nodes unseen; where neither says anything, every node
    is checked.

    Groups are left out up to the limit: those that do not keep the promise, if each is judged by
    itself. If leaving out a group may mend others, because groups are compared with the published
    table or seen together, sets of groups are tried, those that lose the least first. The result
    is optimal if no node loses less, whichever of its groups are left out. It is not called optimal
    if there were too many sets to try, or if the metric gains from leaving out groups that could
    stay, which is not done, and does not rule out that this would pay.

    Of equal losses, the release with fewer suppressed records is taken, then the one whose levels
    add up to less, then the first in lexicographic order of levels.

    Parameters
    ----------
    steps
        After how many tries to stop; each tries one way to give all columns a level. The best
        release by then is returned, and is not called optimal. No limit if not given.
    time
        After how many seconds to stop, with the same consequence. One try is made in any case. No
        limit if not given.
    levels
        The level of every quasi-identifier, in their order, if they were chosen: then
        nothing is searched for, and the release is not called optimal.

    Cost
    ----
    Each node checked adds up the groups of the cheapest node below it that is known. In the worst
    case all nodes of the lattice are checked, whose number is exponential in the number of
    attributes; with bounds it is usually a few hundred.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.Optimal()).solution
    >>> found.node, found.optimal
    ({'job': 1, 'sex': 0}, True)
    """

    name: ClassVar[str] = "optimal"
    reference: ClassVar[str] = "El Emam et al. 2009; Kohlmayer et al. 2012"
    stoppable: ClassVar[bool] = True

    steps: int | None = field(default=None, validator=optional(at_least(1)))
    time: float | None = field(default=None, validator=is_seconds)
    levels: tuple[int, ...] | None = field(default=None, converter=_as_levels)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least.

        Effort: ``checked`` nodes were judged, ``bounded`` ones cannot lose less than the result,
        and ``pruned_below`` ones are below a node that rules them out; when the search was not
        stopped, these add up to all ``nodes`` of the lattice. ``groups`` were added up.

        Raises
        ------
        InfeasibleError
            If no node keeps the promise, or none was found before the search was stopped or among
            the sets of groups that were tried; the message says which.
        """
        if self.levels is not None:
            return self._chosen(self.survey(finest, privacy, task), self.levels)
        # The first node is checked in any case: without it there is no release.
        further = None if self.steps is None else self.steps - 1
        stop_rule = StopRule.of(task, further, self.time)
        walk = Walk(self.survey(finest, privacy, task), stop_rule)
        is_complete = walk.run()
        best, is_proven = walk.best, is_complete and walk.best.is_proven
        if best.node is None and is_proven:
            raise infeasible(finest, privacy, task)
        if best.node is None and is_complete:
            raise not_found(self, finest, privacy, task, tried=NOT_ALL_SETS, instead="mondrian")
        if best.node is None:
            raise InfeasibleError(
                f"{self} was stopped before it found a release that keeps {privacy}, after "
                f"{walk.n_checked:,} of {walk.survey.lattice.n_nodes_in_words} nodes: allow more "
                "steps or time, allow more suppression, or use mondrian"
            )
        found = walk.survey.solution(best.node, walk.effort, keep=best.keep, optimal=is_proven)
        return evolve(found, is_complete=is_complete)

    def _chosen(self, survey: Survey, levels: Node) -> Solution:
        """Publish the levels that were asked for, if they make a release."""
        heights = survey.lattice.heights
        if len(levels) != len(heights) or not is_below(levels, heights):
            raise ParameterError(
                f"{self}: the quasi-identifiers have levels from 0 up to {list(heights)}: give one "
                "for each of them"
            )
        finding = survey.look(levels)[1]
        if not finding.is_release:
            limit, n = survey.judge.limit, survey.rollup.n_records
            said = (
                f"more than the {limit} of {n} records would have to be left out that may be"
                if finding.floor == math.inf
                else f"none of the sets of at most {limit} of {n} records that were tried can be "
                "left out so that the others keep the promise"
            )
            raise InfeasibleError(
                f"{self}: at these levels, {said}: choose others, or allow more suppression"
            )
        return survey.solution(levels, survey.effort_on_the_way(1))
