"""The searches as they are printed, on plain Python dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product

from tests.witness.methods import Node as PlainNode
from tests.witness.methods import Problem

__all__ = ["Kmin", "LiteralFlash", "anonymity", "improved_greedy"]

Node = tuple[int, ...]


def is_below(one: Node, other: Node) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


@dataclass
class Tagged:
    """A lattice with tags: what a check says of other nodes is written down for each of them."""

    problem: Problem
    tags: dict[Node, bool] = field(default_factory=dict)
    checked: list[Node] = field(default_factory=list)

    @property
    def heights(self) -> Node:
        return tuple(self.problem.trees[a].height for a in self.problem.qid)

    def nodes(self) -> list[Node]:
        return list(product(*(range(h + 1) for h in self.heights)))

    def plain(self, node: Node) -> PlainNode:
        return dict(zip(self.problem.qid, node, strict=True))

    def check_and_tag(self, node: Node) -> bool:
        self.checked.append(node)
        good = self.problem.is_feasible(self.plain(node))
        for other in self.nodes():
            if is_below(node, other) if good else is_below(other, node):
                assert self.tags.get(other, good) == good
                self.tags[other] = good
        return good


@dataclass
class Kmin(Tagged):
    """Function Kmin of El Emam et al., with its special case of two nodes and its clean-up."""

    solutions: list[Node] = field(default_factory=list)

    def run(self, bottom: Node, top: Node) -> list[Node]:
        """Give the minimal releases; the top must be one."""
        height = sum(top) - sum(bottom)
        if height > 1:
            for node in self.nodes():
                inside = is_below(bottom, node) and is_below(node, top)
                if inside and sum(node) - sum(bottom) == height // 2:
                    tag = self.tags.get(node)
                    if tag if tag is not None else self.check_and_tag(node):
                        self.run(bottom, node)
                    else:
                        self.run(node, top)
            return self.solutions
        tag = self.tags.get(bottom)
        found = bottom if (tag if tag is not None else self.check_and_tag(bottom)) else top
        self.solutions = [
            node for node in self.solutions if not is_below(found, node) or node == found
        ]
        below = any(is_below(node, found) for node in self.solutions)
        self.solutions += [] if below else [found]
        return self.solutions


@dataclass
class LiteralFlash(Tagged):
    """The outer loop, FindPath and CheckPath of Kohlmayer et al."""

    def criteria(self, node: Node) -> tuple[int, Fraction, Fraction, Node]:
        names = sorted(self.problem.qid)
        level = self.plain(node)
        rows = self.problem.generalize(level)
        generalized, lost = Fraction(0), Fraction(0)
        for a in names:
            generalized += Fraction(level[a], self.problem.trees[a].height)
            n = len({row[a] for row in self.problem.rows})
            lost += 1 - Fraction(len({row[a] for row in rows}), n)
        return sum(node), generalized, lost, tuple(level[a] for a in names)

    def run(self) -> list[Node]:
        """Give the minimal releases."""
        heap: list[tuple[tuple[int, Fraction, Fraction, Node], Node]] = []
        for node in sorted(self.nodes(), key=self.criteria):
            if node not in self.tags:
                self._check_path(self._find_path(node), heap)
            while heap:
                _, failed = heappop(heap)
                for up in self._successors(failed):
                    if up not in self.tags:
                        self._check_path(self._find_path(up), heap)
        good = [node for node in self.nodes() if self.tags[node]]
        return [v for v in good if not any(is_below(u, v) and u != v for u in good)]

    def _successors(self, node: Node) -> list[Node]:
        above = [v for v in self.nodes() if is_below(node, v) and sum(v) == sum(node) + 1]
        return sorted(above, key=self.criteria)

    def _find_path(self, node: Node) -> list[Node]:
        path = [node]
        while following := [v for v in self._successors(path[-1]) if v not in self.tags]:
            path.append(following[0])
        return path

    def _check_path(
        self,
        path: list[Node],
        heap: list[tuple[tuple[int, Fraction, Fraction, Node], Node]],
    ) -> None:
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if self.check_and_tag(path[middle]):
                high = middle - 1
            else:
                heappush(heap, (self.criteria(path[middle]), path[middle]))
                low = middle + 1


Level = Callable[[Sequence[dict[str, Hashable]]], Fraction]
"""What a group reaches, as a share of what is asked for."""


def anonymity(problem: Problem, node: PlainNode, level: Level) -> Fraction:
    """Sort groups, drop the worst while no more than the limit are dropped, and give the next."""
    groups: dict[tuple[Hashable, ...], list[dict[str, Hashable]]] = {}
    for row, shown in zip(problem.rows, problem.generalize(node), strict=True):
        groups.setdefault(tuple(shown[a] for a in problem.qid), []).append(dict(row))
    worst = sorted((level(group), len(group)) for group in groups.values())
    left = min(problem.limit, len(problem.rows) - 1)
    for reached, size in worst:
        left -= size
        if left < 0:
            return reached
    raise AssertionError


def improved_greedy(problem: Problem, level: Level) -> tuple[list[PlainNode], int]:
    """Algorithm 3.1, corrected: the way up, and how many nodes were looked at."""
    path = [dict.fromkeys(problem.qid, 0)]
    n_checked = 1
    while not problem.is_feasible(path[-1]):
        node = path[-1]
        open_ = [a for a in problem.qid if node[a] < problem.trees[a].height]
        if not open_:
            return [], n_checked
        reached = {}
        for a in open_:
            up = {**node, a: node[a] + 1}
            reached[a] = problem.is_feasible(up), anonymity(problem, up, level)
        n_checked += len(open_)
        best = [a for a in open_ if reached[a] == max(reached.values())]
        rows = problem.generalize(node)
        diverse = max(best, key=lambda a: len({row[a] for row in rows}))
        path.append({**node, diverse: node[diverse] + 1})
    return path, n_checked
