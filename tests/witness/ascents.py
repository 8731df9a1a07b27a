"""Bottom-up searches: from the raw table, one generalization after the other.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 4.3,
5.1.2.4 and 6.5; Babu, "Utility-based privacy preserving data publishing", 2013: algorithm 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.witness.classes import gain_of_split, ilpg_of_step
from tests.witness.cuts import Block, children, nodes, show
from tests.witness.methods import Node, Problem
from tests.witness.models import Row, groups
from tests.witness.tree import Tree

__all__ = ["Ascent", "Generalization", "anonymity_within", "improved_greedy"]


@dataclass(frozen=True)
class Generalization:
    """g: child(v) -> v."""

    column: str
    node: Block
    parts: tuple[Block, ...]


@dataclass(frozen=True)
class Ascent:
    """Bottom-up generalization, algorithm 6.5.2, for k-anonymity on all columns."""

    rows: Sequence[Row]
    trees: Mapping[str, Tree]
    k: int
    labels: Sequence[str] = ()

    @property
    def start(self) -> dict[str, frozenset[Block]]:
        """The raw table."""
        return {a: frozenset(frozenset([v]) for v in t.leaves) for a, t in self.trees.items()}

    def anonymity(self, state: Mapping[str, frozenset[Block]]) -> int:
        """A(QID)."""
        return min(map(len, groups(show(self.rows, state), list(self.trees)).values()))

    def candidates(self, state: Mapping[str, frozenset[Block]]) -> list[Generalization]:
        """List the nodes under which all values that occur in the table are their children."""
        found = []
        for a, tree in self.trees.items():
            held = {row[a] for row in self.rows}
            for node in nodes(tree):
                below = children(tree, node)
                shown = [block for block in state[a] if block <= node and block & held]
                if shown and set(shown) <= set(below):
                    found.append(Generalization(a, node, tuple(below)))
        return found

    def apply(
        self, state: Mapping[str, frozenset[Block]], step: Generalization
    ) -> dict[str, frozenset[Block]]:
        """Replace the children by the node, everywhere."""
        above = {block for block in state[step.column] if not block <= step.node}
        return {**state, step.column: frozenset(above | {step.node})}

    def loss(self, step: Generalization) -> float:
        """IL(g): the information gain of the way back."""
        return gain_of_split(self._classes(step))

    def worth(self, state: Mapping[str, frozenset[Block]], step: Generalization) -> float:
        """ILPG(g) = IL(g) / PG(g); endless if g is not critical."""
        gain = self.anonymity(self.apply(state, step)) - self.anonymity(state)
        return ilpg_of_step(self._classes(step), [gain])

    def is_critical(self, state: Mapping[str, frozenset[Block]], step: Generalization) -> bool:
        """A_g(QID) > A(QID): definition 6.3."""
        return self.anonymity(self.apply(state, step)) > self.anonymity(state)

    def _classes(self, step: Generalization) -> list[list[str]]:
        labels = self.labels or [""] * len(self.rows)
        return [
            [c for row, c in zip(self.rows, labels, strict=True) if row[step.column] in part]
            for part in step.parts
        ]


def anonymity_within(problem: Problem, node: Node) -> int:
    """Give the smallest group that is left if whole groups are dropped, the smallest ones first.

    As many as the limit allows are dropped. If nothing is left, all records were dropped, and there
    is no release.
    """
    sizes = sorted(map(len, groups(problem.generalize(node), problem.qid).values()))
    left = problem.limit
    while sizes and sizes[0] <= left:
        left -= sizes.pop(0)
    return sizes[0] if sizes else 0


def improved_greedy(problem: Problem, k: int) -> tuple[list[Node], bool]:
    """Algorithm 3.1: raise what brings the largest anonymity; of several, the most diverse.

    Diverse is the attribute with the most distinct values in the current table; the first of
    several such, in the order of the quasi-identifier. Gives the path, and whether its end has k.
    """
    path = [dict.fromkeys(problem.qid, 0)]
    while anonymity_within(problem, path[-1]) < k:
        node = path[-1]
        recoded = problem.generalize(node)
        open_ = [a for a in problem.qid if node[a] < problem.trees[a].height]
        if not open_:
            return path, False
        found = {a: anonymity_within(problem, {**node, a: node[a] + 1}) for a in open_}
        best = [a for a in open_ if found[a] == max(found.values())]
        raised = max(best, key=lambda a: len({row[a] for row in recoded}))
        path.append({**node, raised: node[raised] + 1})
    return path, True
