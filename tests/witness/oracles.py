"""An algorithm that anybody can follow, to be asked what it would have published.

It puts all values of all columns on the same level of their trees: the lowest on which no value has
a share of more than h in a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from tests.tables.groups.plain import taxonomy_of
from tests.witness.models import Row, groups
from tests.witness.releases import frame_of
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import Table

__all__ = ["LowestLevel"]


@define(frozen=True, eq=False)
class LowestLevel:
    """The lowest level on which nobody can be surer than h of anybody.

    >>> jobs = Tree.nested({"*": {"a": {}, "b": {}}})
    >>> algorithm = LowestLevel(("q",), "s", {"q": jobs}, Fraction(1, 2))
    >>> [row["q"] for row in algorithm.recode([{"q": "a", "s": 1}, {"q": "b", "s": 2}])]
    ['*', '*']
    """

    qid: tuple[str, ...]
    sensitive: str
    trees: Mapping[str, Tree]
    h: Fraction

    algorithm = "the lowest level that keeps the promise"
    is_random = False

    def recode(self, rows: Sequence[Row]) -> list[dict[str, Hashable]] | None:
        """Give what would be published, record by record; None if nothing would be."""
        for level in range(max(tree.height for tree in self.trees.values()) + 1):
            told = [{**row, **{c: self._on(c, row[c], level) for c in self.qid}} for row in rows]
            if all(self._keeps(group) for group in groups(told, self.qid).values()):
                return told
        return None

    def says(self, rows: Sequence[Row]) -> Hashable:
        """Give what would be published in a form in which the order of records does not matter."""
        told = self.recode(rows)
        if told is None:
            return None
        shown = [tuple(str(row[c]) for c in (*self.qid, self.sensitive)) for row in told]
        return tuple(sorted(shown))

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        """Say what would be published of these records."""
        told = self.recode(table.frame.to_dicts())
        if told is None:
            raise InfeasibleError("no level keeps the promise")
        return Target(
            frame_of(told, [*self.qid, self.sensitive]),
            self.qid,
            (self.sensitive,),
            taxonomies={name: taxonomy_of(tree) for name, tree in self.trees.items()},
        )

    def _on(self, column: str, value: Hashable, level: int) -> Hashable:
        tree = self.trees[column]
        return tree.generalize(value, min(level, tree.height))

    def _keeps(self, group: Sequence[Row]) -> bool:
        counts = Counter(row[self.sensitive] for row in group)
        return Fraction(max(counts.values()), len(group)) <= self.h
