"""Greedy personalized anonymization as it is described, record by record and with exact numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tests.witness.tree import Tree

__all__ = ["Guard", "Personalized", "nodes_of"]

Row = Mapping[str, Hashable]
Node = frozenset[Hashable]
"""The leaves under a node."""
Kind = tuple[int, bool]
"""The number of a sensitive value, and whether no guard of these records covers it."""


@dataclass(frozen=True)
class Guard:
    """At most so much may be known of what is guarded: of single values, or of all together."""

    p: Fraction
    subtree: bool


def nodes_of(tree: Tree) -> list[Node]:
    """List the distinct nodes from the root down, level by level, in the order of their leaves."""
    found: list[Node] = []
    for level in range(tree.height, -1, -1):
        for label in tree.labels(level):
            under = frozenset(leaf for leaf in tree.leaves if tree.generalize(leaf, level) == label)
            if under not in found:
                found.append(under)
    return found


@dataclass(frozen=True)
class Personalized:
    """A table with the sensitive column ``s0`` and guards in the column ``g``."""

    rows: Sequence[Row]
    qid: tuple[str, ...]
    trees: Mapping[str, Tree]
    guards: tuple[Guard, ...]
    k: int = 1
    weight: int = 1

    @cached_property
    def nodes(self) -> dict[str, list[Node]]:
        return {name: nodes_of(self.trees[name]) for name in (*self.qid, "s0")}

    def path(self, name: str, value: Hashable) -> list[Node]:
        """Give the nodes over a value, from itself to the root."""
        return sorted((node for node in self.nodes[name] if value in node), key=len)

    def loss(self, name: str, node: Node) -> Fraction:
        return Fraction(len(node) - 1, len(self.trees[name].leaves))

    def wanted(self, row: Row) -> Node:
        """Give what somebody guards: a leaf, or what is under a label; nothing for None."""
        text, tree = row["g"], self.trees["s0"]
        if text is None:
            return frozenset()
        for level in range(tree.height + 1):
            under = [leaf for leaf in tree.leaves if tree.generalize(leaf, level) == text]
            if under:
                return frozenset(under)
        raise AssertionError(text)

    def kind(self, row: Row) -> Kind:
        return self.trees["s0"].leaves.index(row["s0"]), row["s0"] not in self.wanted(row)

    # Sensitive values of a group

    def over(self, group: Sequence[Row], shown: Mapping[Kind, Node]) -> list[Fraction]:
        """Tell by how much each guard of each promise is breached; only those that are."""
        parts: Counter[Hashable] = Counter()
        for row in group:
            node = shown[self.kind(row)]
            for leaf in node:
                parts[leaf] += Fraction(1, len(node))  # type: ignore[assignment]
        found = []
        for guard in self.guards:
            for wanted in {self.wanted(row) for row in group} - {frozenset()}:
                likely = [Fraction(parts[leaf]) / len(group) for leaf in wanted]
                breach = sum(likely) if guard.subtree else max(likely)
                found.append(breach - guard.p)
        return [x for x in found if x > 0]

    def fit(self, group: Sequence[Row]) -> tuple[dict[Kind, Node], bool]:
        """Generalize sensitive values until nothing guarded is breached; tell if that went."""
        counts = Counter(self.kind(row) for row in group)
        leaves = self.trees["s0"].leaves
        paths = {kind: self.path("s0", leaves[kind[0]]) for kind in sorted(counts)}
        shown = {kind: path[0] for kind, path in paths.items()}
        if not self.over(group, shown):
            return shown, True
        while over := self.over(group, shown):
            ways = [
                (kind, up)
                for kind, path in paths.items()
                for up in path[path.index(shown[kind]) + 1 :]
            ]
            ways.sort(key=lambda w: paths[w[0]].index(w[1]) - paths[w[0]].index(shown[w[0]]))
            if not ways:
                return shown, False
            scores = []
            for kind, up in ways:
                still = self.over(group, {**shown, kind: up})
                more = counts[kind] * (self.loss("s0", up) - self.loss("s0", shown[kind]))
                drop = sum(over) - sum(still)
                more *= self.weight
                if not still:
                    scores.append((0, float(more), float(more)))
                elif drop > 0:
                    scores.append((1, float(-drop / more), float(more)))
                else:
                    scores.append((2, float(sum(still)), float(more)))
            best = min(range(len(ways)), key=lambda i: [round(x, 9) for x in scores[i]])
            shown[ways[best][0]] = ways[best][1]
        while True:
            ways = [
                (kind, down)
                for kind, path in paths.items()
                for down in path[: path.index(shown[kind])]
                if not self.over(group, {**shown, kind: down})
            ]
            ways.sort(key=lambda w: paths[w[0]].index(w[1]))
            if not ways:
                return shown, True
            saved = [
                counts[kind] * (self.loss("s0", down) - self.loss("s0", shown[kind]))
                for kind, down in ways
            ]
            best = saved.index(min(saved))
            shown[ways[best][0]] = ways[best][1]

    def lost(self, group: Sequence[Row], shown: Mapping[Kind, Node]) -> Fraction:
        lost = sum((self.loss("s0", shown[self.kind(row)]) for row in group), Fraction(0))
        return self.weight * lost

    # Quasi-identifiers

    def run(self, steps: int | None = None) -> list[dict[Hashable, Node]]:
        """Give for each quasi-identifier the node of every value in the end."""
        cuts = [dict.fromkeys(self.trees[n].leaves, self.nodes[n][0]) for n in self.qid]
        total, good = self.measure(cuts)
        assert good
        made = 0
        while steps is None or made < steps:
            found: list[tuple[float, int, Fraction, list[dict[Hashable, Node]]]] = []
            for j, name in enumerate(self.qid):
                for node in self.nodes[name]:
                    if node in cuts[j].values() and len(node) > 1 and self._occurs(name, node):
                        new = [*cuts]
                        new[j] = {
                            **cuts[j],
                            **{leaf: self._below(name, node, leaf) for leaf in node},
                        }
                        after, good = self.measure(new)
                        rise = round(float((after - total) / len(self.rows)), 9)
                        if good and rise < -1e-9:
                            found.append((rise, len(found), after, new))
            if not found:
                break
            _, _, total, cuts = min(found, key=lambda f: f[:2])
            made += 1
        return cuts

    def groups(self, cuts: Sequence[Mapping[Hashable, Node]]) -> list[list[Row]]:
        found: dict[tuple[Node, ...], list[Row]] = {}
        for row in self.rows:
            shown = tuple(cut[row[n]] for n, cut in zip(self.qid, cuts, strict=True))
            found.setdefault(shown, []).append(row)
        return [*found.values()]

    def measure(self, cuts: Sequence[Mapping[Hashable, Node]]) -> tuple[Fraction, bool]:
        """Add up what all records lose on all columns, and tell whether all promises are kept."""
        lost, good = Fraction(0), True
        for name, cut in zip(self.qid, cuts, strict=True):
            lost += sum((self.loss(name, cut[row[name]]) for row in self.rows), Fraction(0))
        for group in self.groups(cuts):
            shown, is_good = self.fit(group)
            lost += self.lost(group, shown)
            good &= is_good and len(group) >= self.k
        return lost, good

    def _occurs(self, name: str, node: Node) -> bool:
        return any(row[name] in node for row in self.rows)

    def _below(self, name: str, node: Node, leaf: Hashable) -> Node:
        path = self.path(name, leaf)
        return path[path.index(node) - 1]
