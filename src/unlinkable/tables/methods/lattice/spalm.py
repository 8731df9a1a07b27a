"""SPALM: the best full-domain release, from the top of the lattice down.

Published for delta-presence [1]_, [2]_: whether somebody is in the table must remain open to all
who know a population that it is taken from. Generalizing keeps that promise, so whatever is below a
node that breaks it breaks it, too. The search starts where it is kept, and goes down as far as it
is.

References
----------
.. [1] M. E. Nergiz, M. Atzori, C. Clifton. "Hiding the presence of individuals from shared
   databases." SIGMOD 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.3.1.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import ClassVar

from attrs import define, field, frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.best_release import Best
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.predictive_tagging import Tags
from unlinkable.tables.methods.lattice.shared.survey import MonotoneSearch
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.models.base import All

__all__ = ["SPALM"]


@frozen
class SPALM(MonotoneSearch):
    """Go down from the top, the release that loses the least first, and take the best of all.

    A release is *specialized*: one attribute goes down one level. A node that breaks the promise
    rules out all nodes below it, on whichever way they would be reached. Attributes are lowered in
    a fixed order, those with the most to gain first, so that every node is reached on one way only,
    and the attributes before the last one lowered stay at their levels. What these levels lose at
    least bounds all that can still be reached: where it is no less than the best release loses, the
    way ends.

    The result is optimal for every metric that does not gain from leaving out groups which could
    stay, and for others if their lower bound rules out that this would pay. A metric of which
    nothing is known but its values bounds nothing, so that all releases are checked. Of equal
    losses, the release with fewer suppressed records is taken, then the one whose levels add up to
    less, then the first in lexicographic order of levels: the same as `Optimal` takes.

    It serves promises about a population, as it was published for, and all others that are kept
    above every release. With suppression these are few; delta-presence is not among them.

    Cost
    ----
    All releases and the nodes just below them in the worst case: little where only coarse tables
    keep the promise. One byte for every node of the lattice.

    Raises
    ------
    UnsupportedError
        If a node above a release may break the promise, or the lattice is too large for tags.
    InfeasibleError
        If no node keeps the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> sick = ul.as_table({"job": ["cook", "cook", "clerk"], "sex": ["f", "f", "m"]},
    ...     quasi=["job", "sex"])
    >>> people = {"job": ["cook"] * 3 + ["clerk"] * 2, "sex": ["f", "f", "m", "m", "m"]}
    >>> presence = ul.DeltaPresence(0.5, 0.7, population="people")
    >>> found = ul.anonymize(sick, privacy=presence, method=SPALM(), side={"people": people})
    >>> found.solution.node
    {'job': 0, 'sex': 1}
    """

    name: ClassVar[str] = "spalm"
    reference: ClassVar[str] = "Nergiz, Atzori and Clifton 2007"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least.

        Effort: of all ``nodes`` some were ``checked``, some are ``pruned_below`` a node that is no
        release, and some ``bounded``: they cannot lose less than the result; ``groups`` were added
        up.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        survey = self.survey(finest, privacy, task)
        tags, best = Tags(survey, self), Best()
        _Walk(tags, best).run()
        if best.node is None:
            raise infeasible(finest, privacy, task)
        n_nodes, n_pruned = survey.lattice.n_nodes, tags.n_pruned_below
        effort = {
            "nodes": n_nodes,
            "checked": tags.n_checked,
            "pruned_below": n_pruned,
            "bounded": n_nodes - tags.n_checked - n_pruned,
            "groups": survey.rollup.n_added,
        }
        return survey.solution(best.node, effort, keep=best.keep, optimal=best.is_proven)


@define(eq=False)
class _Walk:
    """Goes down, as long as there are releases that may lead to better ones.

    Attributes
    ----------
    tags, best
        What is known of the nodes, and the best release so far.
    """

    tags: Tags
    best: Best
    _order: list[int] = field(init=False)
    _open: list[tuple[float, Node, int]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        # Attributes with the largest possible gain are lowered first, so that bounds rise early.
        slopes = self.tags.survey.bounds.slopes
        gains = [row[-1] - row[0] for row in slopes]
        self._order = sorted(range(len(gains)), key=lambda j: -gains[j])

    def run(self) -> None:
        """Specialize releases, the one that loses the least first, until none is left."""
        self._visit(self.tags.survey.lattice.top, 0)
        while self._open:
            _, node, first = heappop(self._open)
            # Only attributes from the last lowered one on are lowered further, so each node is
            # reached once.
            for at in range(first, len(self._order)):
                j = self._order[at]
                if node[j] > 0:
                    self._visit((*node[:j], node[j] - 1, *node[j + 1 :]), at)

    def _visit(self, node: Node, first: int) -> None:
        """Check a node, unless nothing below it on this way can be a better release."""
        if self.tags.is_ruled_out(node):
            return
        # Attributes that may still be lowered are taken at their lowest level: no node reached on
        # this way loses less than the bound there.
        free = set(self._order[first:])
        low = tuple(0 if j in free else level for j, level in enumerate(node))
        bounds = self.tags.survey.bounds
        if not self.best.may_be_beaten(bounds.floor(low, None), 0, low):
            return
        groups, finding = self.tags.check(node)
        self.best.doubt(finding.floor, node)
        if finding.is_release:
            loss = bounds.measure(groups, finding.keep)
            self.best.offer(loss, finding.n_suppressed, node, finding.keep)
            heappush(self._open, (loss, node, first))
