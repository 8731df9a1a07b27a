"""What an adversary sees: published texts row by row, and what the holder knows of each row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tools.fuzz.rules import Rule
from tools.fuzz.values import Cell, Value, covers

__all__ = ["View"]


@dataclass(frozen=True)
class View:
    """A published table.

    Attributes
    ----------
    quasi
        The columns that the adversary knows.
    rows
        What is published, by column.
    originals
        The records as they were, in the same order; empty where nobody knows whose is whose.
    owners
        Whose records they are, if that is known.
    rules
        The taxonomies, by column.
    texts
        The columns whose values are texts, in the order of texts even if they look like numbers.
    """

    quasi: tuple[str, ...]
    rows: Sequence[dict[str, Cell]]
    originals: Sequence[dict[str, Value]] = ()
    owners: Sequence[str | None] | None = None
    rules: dict[str, Rule] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()

    def groups(self, columns: Iterable[str] | None = None) -> list[list[int]]:
        """Give the rows that show the same, group by group."""
        names = self.quasi if columns is None else tuple(columns)
        found: dict[tuple[Cell, ...], list[int]] = {}
        for at, row in enumerate(self.rows):
            found.setdefault(tuple(row[name] for name in names), []).append(at)
        return list(found.values())

    def people(self, group: Iterable[int]) -> int:
        """Count the people of a group."""
        rows = list(group)
        if self.owners is None:
            return len(rows)
        return len({self.owners[at] for at in rows})

    def counts(self, group: Iterable[int], columns: str | Sequence[str]) -> Counter[object]:
        """Count the values of a group on a column, or on several together."""
        if isinstance(columns, str):
            return Counter(self.rows[at][columns] for at in group)
        return Counter(tuple(self.rows[at][name] for name in columns) for at in group)

    def lookalikes(self, at: int, population: Sequence[dict[str, Value]]) -> int:
        """Count the people of a population who look like a row."""
        row = self.rows[at]
        return sum(
            all(
                covers(row[name], person[name], self.rules[name].labels(person[name]))
                for name in self.quasi
            )
            for person in population
        )
