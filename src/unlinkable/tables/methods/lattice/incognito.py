"""Incognito: all full-domain generalizations that keep the promise, by way of fewer attributes.

A table that keeps a promise keeps it without some of its columns. So attributes are examined alone
first, then in pairs, and so on; what fails for some attributes is never tried with more.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Incognito: efficient full-domain k-anonymity."
   SIGMOD 2005.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import ClassVar

from attrs import define, frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Lattice, Node
from unlinkable.tables.methods.lattice.shared.survey import MonotoneSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.models.base import All

__all__ = ["Incognito", "join", "prune"]

Subset = tuple[int, ...]
"""Some of the attributes, by their positions, rising."""


@frozen
class Incognito(MonotoneSearch):
    """Find all releases of the lattice, and take the one that loses the least.

    Attributes are added one by one: nodes of a set of attributes come from joining nodes of its
    parts that agree on what they share, without those that have a part which failed. They are
    checked from the bottom up; above a release all nodes are releases, unchecked. The solution
    lists the minimal releases as alternatives: those with no release below them. The result is
    optimal, unless the metric may gain from leaving out groups which could stay.

    Cost
    ----
    All nodes of all sets of attributes in the worst case: exponential in the number of attributes.
    Sets of few attributes have few groups, and rule out most nodes of the others.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.Incognito()).solution
    >>> found.alternatives
    ({'job': 1, 'sex': 0},)
    """

    name: ClassVar[str] = "incognito"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2005"

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the best of all releases.

        Effort: of the ``nodes`` of the lattices of all sets of attributes, some were
        ``pruned_parts`` because they fail on fewer attributes, some ``implied_above`` a release,
        and the rest ``checked``; ``joined`` of parts, whether or not another part failed;
        ``releases`` on the whole lattice; ``groups`` that were added up.

        Raises
        ------
        UnsupportedError
            If a node above a release may break the promise.
        InfeasibleError
            If no node keeps the promise.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        walk = _Walk(self.survey(finest, privacy, task))
        releases = walk.run()
        survey = walk.survey
        best = survey.best_of(sorted(releases, key=_from_below))
        if best.node is None:
            raise infeasible(finest, privacy, task)
        below = survey.lattice.specializations
        minimal = [v for v in sorted(releases) if releases.isdisjoint(below(v))]
        effort = {
            **walk.effort,
            "releases": len(releases),
            "groups": survey.rollup.n_added,
        }
        return survey.solution(
            best.node, effort, keep=best.keep, optimal=best.is_proven, alternatives=minimal
        )


def join(left: Iterable[Node], right: Iterable[Node]) -> set[Node]:
    """Put nodes together that agree on all attributes but the last.

    Examples
    --------
    >>> sorted(join([(0, 1), (1, 1)], [(1, 2), (1, 3)]))
    [(1, 1, 2), (1, 1, 3)]
    """
    ends: dict[Node, list[int]] = {}
    for node in right:
        ends.setdefault(node[:-1], []).append(node[-1])
    return {(*node, end) for node in left for end in ends.get(node[:-1], ())}


def prune(
    nodes: Iterable[Node], columns: Subset, parts: Mapping[Subset, Collection[Node]]
) -> set[Node]:
    """Drop the nodes that lack a part: every set of attributes with one less must have it.

    Examples
    --------
    >>> parts = {(0, 1): {(1, 1)}, (0, 2): {(1, 2), (1, 3)}, (1, 2): {(1, 3)}}
    >>> prune([(1, 1, 2), (1, 1, 3)], (0, 1, 2), parts)
    {(1, 1, 3)}
    """
    left_out = range(len(columns))
    sets = [(i, parts[(*columns[:i], *columns[i + 1 :])]) for i in left_out]
    return {v for v in nodes if all((*v[:i], *v[i + 1 :]) in part for i, part in sets)}


@define(eq=False)
class _Walk:
    """Traverses all sets of attributes."""

    survey: Survey
    n_joined: int = 0
    n_implied: int = 0
    n_checked: int = 0

    @property
    def effort(self) -> dict[str, int]:
        """What it took."""
        # Every attribute is left out or has a level, and not all are left out.
        n_nodes = math.prod(h + 2 for h in self.survey.lattice.heights) - 1
        return {
            "nodes": n_nodes,
            "checked": self.n_checked,
            "implied_above": self.n_implied,
            "pruned_parts": n_nodes - self.n_checked - self.n_implied,
            "joined": self.n_joined,
        }

    def run(self) -> set[Node]:
        """Find all releases of the lattice."""
        heights = self.survey.lattice.heights
        n = len(heights)
        found: dict[Subset, set[Node]] = {}
        for j, height in enumerate(heights):
            found[j,] = self._sift((j,), {(level,) for level in range(height + 1)})
        for size in range(2, n + 1):
            self.survey.task.progress((size - 1) / n, f"sets of {size} attributes")
            wider: dict[Subset, set[Node]] = {}
            for columns in combinations(range(n), size):
                # The two parts differ in their last attribute only: this is the candidate
                # generation of Apriori.
                joined = join(found[columns[:-1]], found[(*columns[:-2], columns[-1])])
                # A node can only be a release if all its parts with one attribute less are.
                nodes = prune(joined, columns, found)
                self.n_joined += len(joined)
                wider[columns] = self._sift(columns, nodes)
            found = wider
        return found[tuple(range(n))]

    def _sift(self, columns: Subset, nodes: Collection[Node]) -> set[Node]:
        """Find the releases among nodes of some attributes, from the bottom up."""
        lattice = Lattice(tuple(self.survey.lattice.heights[j] for j in columns))
        releases: set[Node] = set()
        for node in sorted(nodes, key=_from_below):
            # A release one step below makes this node a release. Nodes are sorted by height, so all
            # nodes below have been decided. Candidates below that were pruned are no releases.
            if not releases.isdisjoint(lattice.specializations(node)):
                self.n_implied += 1
                releases.add(node)
            else:
                self.n_checked += 1
                if self._is_release(columns, node):
                    releases.add(node)
        return releases

    def _is_release(self, columns: Subset, node: Node) -> bool:
        """Judge a node of some attributes; the others are at their roots, as if left out."""
        whole = list(self.survey.lattice.top)
        for j, level in zip(columns, node, strict=True):
            whole[j] = level
        return self.survey.look(tuple(whole))[1].is_release


def _from_below(node: Node) -> tuple[int, Node]:
    return sum(node), node
