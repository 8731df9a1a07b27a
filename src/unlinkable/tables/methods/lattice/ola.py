"""OLA: all minimal releases of the lattice, by halving sublattices; the best of them.

Optimal Lattice Anonymization [1]_ checks the nodes half way up. Above a release and below a node
that is none nothing more has to be checked; what is left are smaller lattices, which are halved in
turn.

References
----------
.. [1] K. El Emam, F. K. Dankar, R. Issa, E. Jonker, D. Amyot, E. Cogo, J.-P. Corriveau, M. Walker,
   S. Chowdhury, R. Vaillancourt, T. Roffey, J. Bottomley. "A globally optimal k-anonymity method
   for the de-identification of health data." JAMIA 16(5), 2009.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.predictive_tagging import Tags, best_minimal
from unlinkable.tables.methods.lattice.shared.survey import MonotoneSearch
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.models.base import All

__all__ = ["OLA"]


@frozen
class OLA(MonotoneSearch):
    """Find all minimal releases by halving the lattice, and take the one that loses the least.

    On every way from the bottom to the top of the lattice (the paper's *generalization strategy*)
    there is a first release. The search goes for all of them at once: the nodes half way up are
    checked; below each that is a release, and above each that is none, the rest is halved again.
    Every node that is checked tags all nodes above or below it, and a part of the lattice with
    nothing but tagged nodes is left alone. What remains are the minimal releases, those with no
    release below them, which the solution lists as alternatives.

    The best of them is optimal if nothing may be left out and the metric never falls on the way up.
    If records may be left out, a release higher up may publish more of them and lose less in all.
    Then the result is called optimal if what all releases above minimal ones lose at least proves
    it. `Optimal` finds the optimum in any case.

    Cost
    ----
    At least the nodes half way up, whose number is exponential in the number of attributes, until
    the first ones tag others. One byte for every node of the lattice.

    Raises
    ------
    UnsupportedError
        If a node above a release may break the promise, or the lattice is too large for tags.
    InfeasibleError
        If no node keeps the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.OLA()).solution
    >>> found.alternatives, found.optimal
    (({'job': 1, 'sex': 0},), True)
    """

    name: ClassVar[str] = "ola"
    reference: ClassVar[str] = "El Emam et al. 2009"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of the minimal releases.

        Effort: of all ``nodes`` some were ``checked``, some are ``implied_above`` a release and
        some ``pruned_below`` a node that is none; ``groups`` were added up.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        survey = self.survey(finest, privacy, task)
        tags, lattice = Tags(survey, self), survey.lattice
        if not tags.is_release(lattice.top):
            raise infeasible(finest, privacy, task)
        _halve(tags, lattice.bottom, lattice.top)
        minimal = tags.minimal()
        effort = tags.effort()
        node, is_proven = best_minimal(survey, minimal)
        return survey.solution(node, effort, optimal=is_proven, alternatives=minimal)


def _halve(tags: Tags, low: Node, high: Node) -> None:
    """Settle all nodes between two, of which the upper one is known."""
    if tags.is_settled(low, high):
        return
    # Half way up, each checked node tags about half of the sublattice, whichever way it turns out.
    middle = (sum(high) - sum(low)) // 2
    for node in tags.survey.lattice.between(low, high, middle):
        if tags.is_release(node):
            # Above a release all nodes are releases, so only the part below it is still open; above
            # a node that fails, only the part towards the upper node is.
            _halve(tags, low, node)
        else:
            _halve(tags, node, high)
