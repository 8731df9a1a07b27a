"""Datafly: coarsen the attribute with the most values until few enough records stand out.

References
----------
.. [1] L. Sweeney. "Datafly: a system for providing anonymity in medical data." IFIP TC11 WG11.3,
   1998.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.survey import LatticeSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible, not_found
from unlinkable.tables.models.base import All

__all__ = ["Datafly"]


@frozen
class Datafly(LatticeSearch):
    """Raise the attribute that shows the most different values, and repeat; then suppress the rest.

    Values are counted in the table as generalized so far; of attributes with equally many, the
    first is raised. The metric is not asked: the result may lose far more than it must. It ends at
    the first node on its way where what has to be left out is within the limit.

    Cost
    ----
    One node for each step up: at most the sum of the heights of the taxonomies, and one.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.Datafly()).solution
    >>> found.node, found.effort["checked"]
    ({'job': 1, 'sex': 0}, 2)
    """

    name: ClassVar[str] = "datafly"
    reference: ClassVar[str] = "Sweeney 1998"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Go up until a node keeps the promise.

        Effort: of all ``nodes`` some were ``checked`` on the way, and the others are ``unvisited``;
        ``groups`` were added up.

        Raises
        ------
        InfeasibleError
            If no node on the way keeps the promise, the top included.
        """
        survey = self.survey(finest, privacy, task)
        node: Node | None = survey.lattice.bottom
        n_checked = 0
        while node is not None:
            n_checked += 1
            if survey.look(node)[1].is_release:
                return survey.solution(node, survey.effort_on_the_way(n_checked))
            node = _raised(node, survey)
        # On a monotone promise the top would hold if any node did, so there is no release at all.
        if survey.judge.is_monotone:
            raise infeasible(finest, privacy, task)
        tried = "it goes one way up and looks at no other nodes"
        raise not_found(self, finest, privacy, task, tried=tried, instead="optimal")


def _raised(node: Node, survey: Survey) -> Node | None:
    """Raise the attribute with the most values by one level; None at the top."""
    distinct = survey.rollup.margins.distinct
    above = [j for j, height in enumerate(survey.lattice.heights) if node[j] < height]
    if not above:
        return None
    j = max(above, key=lambda j: distinct[j][node[j]])
    return (*node[:j], node[j] + 1, *node[j + 1 :])
