"""Searches by exhaustion, and what the results of the fast ones must satisfy.

A node gives every quasi-identifying attribute its level. At a node, the records of all groups
that break a promise are suppressed, and what is kept is judged again until nothing breaks: a
promise may compare with the published table, or look at several quasi-identifiers. A node is
feasible if no more records than the limit are suppressed and something is left to publish.

That is the best that can be done if leaving out other groups never mends a group. `releases` takes
nothing for granted: it leaves out every set of groups that is within the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from tests.witness.metrics import Cell, Published
from tests.witness.models import Row
from tests.witness.promises import Promise, good_records, hold
from tests.witness.tree import Tree

__all__ = [
    "Metric",
    "Node",
    "Problem",
    "datafly",
    "exhaustive_loss",
    "exhaustive_optimum",
    "minimal_nodes",
    "releases",
    "samarati",
]

Node = dict[str, int]
Metric = Callable[[Sequence[Published]], Fraction | int]


@dataclass(frozen=True)
class Problem:
    """A table, its taxonomies, what is promised, and how many records may be suppressed."""

    rows: Sequence[Row]
    qid: Sequence[str]
    trees: Mapping[str, Tree]
    promises: Sequence[Promise]
    limit: int = 0

    def nodes(self) -> list[Node]:
        """List all nodes, in lexicographic order of their levels."""
        levels = [range(self.trees[a].height + 1) for a in self.qid]
        return [dict(zip(self.qid, node, strict=True)) for node in product(*levels)]

    def generalize(self, node: Node) -> list[Row]:
        """Recode every record."""
        return [
            {**row, **{a: self.trees[a].generalize(row[a], node[a]) for a in self.qid}}
            for row in self.rows
        ]

    def kept(self, node: Node) -> list[int]:
        """Tell the records that can be published at a node."""
        recoded = self.generalize(node)
        kept = list(range(len(recoded)))
        while True:
            good = good_records(self.promises, [recoded[i] for i in kept], self.qid)
            if all(good):
                return kept
            kept = [i for i, is_good in zip(kept, good, strict=True) if is_good]

    def n_suppressed(self, node: Node) -> int:
        """Count the records that cannot be published at a node."""
        return len(self.rows) - len(self.kept(node))

    def is_feasible(self, node: Node) -> bool:
        """Whether the node gives a release."""
        return self.n_suppressed(node) <= min(self.limit, len(self.rows) - 1)

    def publish(self, node: Node, records: Iterable[int] | None = None) -> list[Published]:
        """Write the release of a node, with None for what is suppressed.

        ``records`` are those to publish, if not all that can be.
        """
        kept = set(self.kept(node) if records is None else records)
        release: list[Published] = []
        for i, row in enumerate(self.generalize(node)):
            cells = {
                a: Cell(row[a], self.trees[a].n_leaves_under(node[a], row[a]), node[a])
                for a in self.qid
            }
            release.append(cells if i in kept else None)
        return release


def exhaustive_optimum(
    problem: Problem, metric: Metric
) -> tuple[list[Node], Fraction | int | None]:
    """Give all feasible nodes of the least loss, and that loss; no node and None if none is."""
    losses = [
        (metric(problem.publish(node)), node)
        for node in problem.nodes()
        if problem.is_feasible(node)
    ]
    least = min((loss for loss, _ in losses), default=None)
    return [node for loss, node in losses if loss == least], least


def releases(problem: Problem, node: Node) -> Iterator[list[int]]:
    """Give the records of every release at a node: leave out any groups, and judge what is left."""
    recoded = problem.generalize(node)
    parts: dict[tuple[Hashable, ...], list[int]] = {}
    for i, row in enumerate(recoded):
        parts.setdefault(tuple(row[a] for a in problem.qid), []).append(i)
    limit = min(problem.limit, len(recoded) - 1)
    for n_parts in range(len(parts) + 1):
        for left_out in combinations(parts.values(), n_parts):
            gone = {i for part in left_out for i in part}
            kept = [i for i in range(len(recoded)) if i not in gone]
            if len(gone) <= limit and hold(
                problem.promises, [recoded[i] for i in kept], problem.qid
            ):
                yield kept


def exhaustive_loss(problem: Problem, metric: Metric) -> Fraction | int | None:
    """Give the least loss of all releases at all nodes; None if there is none."""
    return min(
        (
            metric(problem.publish(node, records))
            for node in problem.nodes()
            for records in releases(problem, node)
        ),
        default=None,
    )


def minimal_nodes(problem: Problem) -> list[Node]:
    """Give the feasible nodes none of whose strict specializations is feasible."""
    feasible = [node for node in problem.nodes() if problem.is_feasible(node)]
    return [
        node
        for node in feasible
        if not any(other != node and _is_below(other, node) for other in feasible)
    ]


def samarati(problem: Problem) -> tuple[int | None, list[Node]]:
    """Give the lowest height that has a feasible node, and its feasible nodes."""
    feasible = [node for node in problem.nodes() if problem.is_feasible(node)]
    lowest = min((sum(node.values()) for node in feasible), default=None)
    return lowest, [node for node in feasible if sum(node.values()) == lowest]


def datafly(problem: Problem) -> tuple[list[Node], bool]:
    """Raise the attribute with the most distinct values until the node is feasible.

    Distinct values are counted in the generalized table, all records included. The first of
    several such attributes, in the order of the quasi-identifier, is raised; attributes at
    their top are left alone. Gives the path, and whether its end is feasible.
    """
    path = [dict.fromkeys(problem.qid, 0)]
    while not problem.is_feasible(path[-1]):
        node = path[-1]
        recoded = problem.generalize(node)
        open_ = [a for a in problem.qid if node[a] < problem.trees[a].height]
        if not open_:
            return path, False
        widest = max(open_, key=lambda a: len({row[a] for row in recoded}))
        path.append({**node, widest: node[widest] + 1})
    return path, True


def _is_below(one: Node, other: Node) -> bool:
    return all(one[a] <= other[a] for a in one)
