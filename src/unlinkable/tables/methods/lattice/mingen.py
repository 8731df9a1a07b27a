"""MinGen: look at every full-domain generalization and take the best.

References
----------
.. [1] L. Sweeney. "Achieving k-anonymity privacy protection using generalization and suppression."
   IJUFKS 10(5), 2002. Section 4.
"""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.best_release import Best
from unlinkable.tables.methods.lattice.shared.survey import NOT_ALL_SETS, LatticeSearch
from unlinkable.tables.methods.shared.feasible import infeasible, not_found
from unlinkable.tables.models.base import All

__all__ = ["MinGen"]

_OFTEN = 0.05
"""Seconds between two reports of progress."""


@frozen
class MinGen(LatticeSearch):
    """Check all nodes of the lattice, and take the one that loses the least.

    It takes nothing for granted, neither of the promise nor of the metric, and so shows what
    faster methods must find. `Optimal` gives the same release, by the same rule for equal losses,
    and leaves out groups and calls the result optimal in the same way.

    Cost
    ----
    Every node of the lattice is rolled up, judged and measured. Their number is the product of the
    numbers of levels: exponential in the number of attributes.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.MinGen()).solution
    >>> found.node, found.effort["checked"]
    ({'job': 1, 'sex': 0}, 4)
    """

    name: ClassVar[str] = "mingen"
    reference: ClassVar[str] = "Sweeney 2002"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least.

        Effort: all ``nodes`` are ``checked``, and ``groups`` were added up.

        Raises
        ------
        InfeasibleError
            If no node keeps the promise, or none was found among the sets of groups that were
            tried.
        """
        survey = self.survey(finest, privacy, task)
        best, n_nodes = Best(), survey.lattice.n_nodes
        told = monotonic()
        for i, node in enumerate(survey.lattice.nodes()):
            survey.offer(best, node)
            if monotonic() - told > _OFTEN:
                told = monotonic()
                words = f"{i + 1:,} of {survey.lattice.n_nodes_in_words} nodes checked"
                task.progress((i + 1) / n_nodes, words)
        survey.settle(best, task.is_stopped)
        if best.node is None:
            if best.is_proven:
                raise infeasible(finest, privacy, task)
            raise not_found(self, finest, privacy, task, tried=NOT_ALL_SETS, instead="mondrian")
        effort = {"nodes": n_nodes, "checked": n_nodes, "groups": survey.rollup.n_added}
        return survey.solution(best.node, effort, keep=best.keep, optimal=best.is_proven)
