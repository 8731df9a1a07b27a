"""Combinations of published values, as mu-argus counts them.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: section 5.1.2.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from tests.witness.models import Row

__all__ = ["rare_combinations"]

Combination = tuple[tuple[str, Hashable], ...]


def rare_combinations(
    rows: Sequence[Row], qid: Sequence[str], k: int, *, at_most: int = 3, hidden: Hashable = "*"
) -> list[Combination]:
    """List the combinations of published values of up to so many columns that are rare.

    A cell that is suppressed tells nothing and is part of no combination.

    >>> table = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": "*"}, {"a": "*", "b": 2}]
    >>> rare_combinations(table, ["a", "b"], 2)
    [(('b', 1),), (('a', 1), ('b', 1)), (('a', 1), ('b', 2))]
    """
    found: list[Combination] = []
    for length in range(1, min(at_most, len(qid)) + 1):
        for columns in combinations(qid, length):
            counts = Counter(
                tuple((c, row[c]) for c in columns)
                for row in rows
                if all(row[c] != hidden for c in columns)
            )
            found += [combination for combination, n in counts.items() if n < k]
    return found
