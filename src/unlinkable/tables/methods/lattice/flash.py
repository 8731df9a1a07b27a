"""Flash: all minimal releases, by halving paths through the lattice in an order that is stable.

Flash [1]_ goes up from the lowest node that nothing is known of, always to the neighbour that
generalizes the least, and halves the path that it went. What it does depends on the table alone,
and not on how its columns are arranged.

References
----------
.. [1] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn. "Flash: efficient, stable and
   optimal k-anonymity." PASSAT 2012.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import ClassVar, TypeAlias

from attrs import define, field, frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.predictive_tagging import Tags, best_minimal
from unlinkable.tables.methods.lattice.shared.survey import MonotoneSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.models.base import All

__all__ = ["Flash", "StableOrder"]

Rank: TypeAlias = tuple[int, int, int, Node]


@frozen
class Flash(MonotoneSearch):
    """Find all minimal releases by halving greedy paths, and take the one that loses the least.

    Nodes are ordered by the sum of their levels, then by how far they generalize on average
    (level by height), then by how many of the different values of each attribute they keep on
    average, and last by their levels in the order of the names of the attributes. From the first
    node that is not tagged, a path is built upwards, always to the first neighbour that is not
    tagged, and the lowest release on it is found by halving. Every node that is checked tags all
    nodes above or below it. From the nodes of the path that are no releases, further paths are
    built, the first in the order first.

    The solution lists the minimal releases, those with no release below them, as alternatives. The
    best of them is optimal if nothing may be left out and the metric never falls on the way up. If
    records may be left out, a release higher up may publish more of them and lose less in all. Then
    the result is called optimal if what all releases above minimal ones lose at least proves it.
    `Optimal` finds the optimum in any case.

    The order of the columns has no influence on the result, nor on how many nodes are checked.

    Cost
    ----
    Usually a few percent of the nodes of the lattice, whose number is exponential in the number of
    attributes. One byte for every node.

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
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.Flash()).solution
    >>> found.node, found.effort["checked"]
    ({'job': 1, 'sex': 0}, 3)
    """

    name: ClassVar[str] = "flash"
    reference: ClassVar[str] = "Kohlmayer et al. 2012"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of the minimal releases.

        Effort: of all ``nodes`` some were ``checked``, some are ``implied_above`` a release and
        some ``pruned_below`` a node that is none; ``paths`` were halved, and ``groups`` added up.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        survey = self.survey(finest, privacy, task)
        tags, order = Tags(survey, self), StableOrder.of(survey)
        walk = _Walk(tags, order)
        walk.run()
        minimal = sorted(tags.minimal(), key=order.rank)
        if not minimal:
            raise infeasible(finest, privacy, task)
        effort = {**tags.effort(), "paths": walk.n_paths}
        node, is_proven = best_minimal(survey, minimal, order.by_name)
        return survey.solution(node, effort, optimal=is_proven, alternatives=minimal)


@define(eq=False, frozen=True)
class StableOrder:
    """The order in which nodes are visited, independent of the order of the columns.

    Averages are compared as sums of integers over a common denominator, so that rounding does not
    depend on the order of the columns.

    Attributes
    ----------
    generalized
        How far each level of each attribute generalizes, as a share of its height.
    lost
        How many of the different values each level of each attribute loses, as a share of them.
    by_name
        The attributes in the order of their names.
    """

    generalized: list[list[int]]
    lost: list[list[int]]
    by_name: list[int]

    @classmethod
    def of(cls, survey: Survey) -> StableOrder:
        """Take the levels of a lattice, and how many values each of them shows."""
        heights, distinct = survey.lattice.heights, survey.rollup.margins.distinct
        # With the least common multiple as denominator every share is an integer.
        height = math.lcm(*(max(h, 1) for h in heights))
        values = math.lcm(*(row[0] for row in distinct))
        names = [a.name for a in survey.task.attributes]
        return cls(
            [[level * height // max(h, 1) for level in range(h + 1)] for h in heights],
            [[(row[0] - n) * values // row[0] for n in row] for row in distinct],
            sorted(range(len(names)), key=names.__getitem__),
        )

    def rank(self, node: Node) -> Rank:
        """Return the sort key of a node."""
        generalized = sum(row[level] for row, level in zip(self.generalized, node, strict=True))
        lost = sum(row[level] for row, level in zip(self.lost, node, strict=True))
        return sum(node), generalized, lost, tuple(node[j] for j in self.by_name)


@define(eq=False)
class _Walk:
    """Traverses the lattice, path by path."""

    tags: Tags
    order: StableOrder
    n_paths: int = 0
    _failed: list[tuple[Rank, Node]] = field(factory=list)

    @property
    def _lattice(self) -> Lattice:
        return self.tags.survey.lattice

    def run(self) -> None:
        """Decide for every node whether it is a release."""
        for height in range(sum(self._lattice.heights) + 1):
            for node in sorted(self._lattice.at_height(height), key=self.order.rank):
                self._go_up_from(node)
                # Nodes that failed on the path are tried first: a release just above one of them
                # may be minimal, and its tag settles more nodes than a new path from below.
                while self._failed:
                    _, low = heappop(self._failed)
                    for up in self._above(low):
                        self._go_up_from(up)

    def _go_up_from(self, node: Node) -> None:
        """Build a path upwards through unknown nodes, and bisect it."""
        path: list[Node] = []
        following: Node | None = node if not self.tags.is_known(node) else None
        # The path ends at the first node whose neighbours above are all tagged.
        while following is not None:
            path.append(following)
            unknown = (up for up in self._above(following) if not self.tags.is_known(up))
            following = next(unknown, None)
        self.n_paths += bool(path)
        low, high = 0, len(path)
        # Invariant: everything below ``low`` is no release, everything from ``high`` on is one.
        # This holds because the promise is monotone on a path upwards.
        while low < high:
            middle = (low + high - 1) // 2
            if self.tags.is_release(path[middle]):
                high = middle
            else:
                heappush(self._failed, (self.order.rank(path[middle]), path[middle]))
                low = middle + 1

    def _above(self, node: Node) -> list[Node]:
        return sorted(self._lattice.generalizations(node), key=self.order.rank)
