"""Samarati's search: the lowest height of the lattice at which the promise can be kept.

References
----------
.. [1] P. Samarati. "Protecting respondents' identities in microdata release." IEEE TKDE 13(6),
   2001.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.survey import MonotoneSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.models.base import All

__all__ = ["Samarati"]


@frozen
class Samarati(MonotoneSearch):
    """Search by halving for the lowest height with a release, and take the best one there.

    The height of a node is the sum of its levels. A release at one height has releases above it at
    every greater height, so halving finds the lowest one. Of all releases at that height, which
    the solution lists as alternatives, the one that loses the least is taken. A higher node may
    lose less: steps are counted as equal, whatever they cost.

    Cost
    ----
    For each of about log2(h) heights, h being the sum of the heights of the taxonomies, its nodes
    until one is a release; at the last one all of them. The middle height alone is exponential in
    the number of attributes.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.Samarati()).solution
    >>> found.alternatives
    ({'job': 1, 'sex': 0},)
    """

    name: ClassVar[str] = "samarati"
    reference: ClassVar[str] = "Samarati 2001"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of the lowest nodes.

        Effort: ``heights`` tried; of all ``nodes`` some were ``checked``, some ``pruned_below`` a
        height without a release, and some are ``unvisited`` above the lowest one; ``groups`` were
        added up.

        Raises
        ------
        UnsupportedError
            If a node above a release may break the promise.
        InfeasibleError
            If no node keeps the promise.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        survey = self.survey(finest, privacy, task)
        known: dict[Node, bool] = {}

        def is_release(node: Node) -> bool:
            if node not in known:
                known[node] = survey.look(node)[1].is_release
            return known[node]

        at_height = survey.lattice.at_height
        low, high = 0, sum(survey.lattice.heights)
        # Invariant: no height below ``low`` has a release, and ``high`` has one if any height has.
        while low < high:
            middle = (low + high) // 2
            task.progress(low / high, f"{len(known)} nodes checked, now at height {middle}")
            if any(map(is_release, at_height(middle))):
                high = middle
            else:
                low = middle + 1
        releases = list(filter(is_release, at_height(low)))
        best = survey.best_of(releases)
        if best.node is None:
            raise infeasible(finest, privacy, task)
        effort = {
            **_effort(survey, known, low),
            "heights": len({sum(v) for v in known}),
            "groups": survey.rollup.n_added,
        }
        return survey.solution(best.node, effort, keep=best.keep, alternatives=releases)


def _effort(survey: Survey, known: Collection[Node], low: int) -> dict[str, int]:
    """Count the nodes that were checked, and why the others were not."""
    # All nodes one step below the lowest height with a release were checked, and failed.
    n_pruned = sum(survey.lattice.widths[:low]) - sum(sum(v) < low for v in known)
    n_nodes = survey.lattice.n_nodes
    return {
        "nodes": n_nodes,
        "checked": len(known),
        "pruned_below": n_pruned,
        "unvisited": n_nodes - len(known) - n_pruned,
    }
