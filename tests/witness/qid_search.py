"""How well a set of columns tells the records apart.

A table without records, or for pairs with one record, has nothing left to tell apart: its
ratios are 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from tests.witness.models import Row

__all__ = ["distinct_ratio", "minimal_sets", "separation_ratio", "unique_share"]

Ratio = Callable[[Sequence[Row], Sequence[str]], Fraction]


def distinct_ratio(rows: Sequence[Row], columns: Sequence[str]) -> Fraction:
    """Different combinations of values / records.

    >>> distinct_ratio([{"a": 1}, {"a": 1}, {"a": 2}], ["a"])
    Fraction(2, 3)
    """
    if not rows:
        return Fraction(1)
    return Fraction(len({_seen(row, columns) for row in rows}), len(rows))


def separation_ratio(rows: Sequence[Row], columns: Sequence[str]) -> Fraction:
    """Pairs of records that differ on a column / pairs of records.

    >>> separation_ratio([{"a": 1}, {"a": 1}, {"a": 2}], ["a"])
    Fraction(2, 3)
    """
    pairs = list(combinations(rows, 2))
    if not pairs:
        return Fraction(1)
    return Fraction(sum(_seen(a, columns) != _seen(b, columns) for a, b in pairs), len(pairs))


def unique_share(rows: Sequence[Row], columns: Sequence[str]) -> Fraction:
    """Records whose combination of values nobody else has / records.

    >>> unique_share([{"a": 1}, {"a": 1}, {"a": 2}], ["a"])
    Fraction(1, 3)
    """
    if not rows:
        return Fraction(1)
    counts = Counter(_seen(row, columns) for row in rows)
    return Fraction(sum(counts[_seen(row, columns)] == 1 for row in rows), len(rows))


def minimal_sets(
    rows: Sequence[Row],
    columns: Sequence[str],
    ratio: Ratio,
    at_least: Fraction,
    largest: int | None = None,
) -> list[tuple[str, ...]]:
    """Give the non-empty column sets that reach a ratio while none of their parts does."""
    found: list[tuple[str, ...]] = []
    for size in range(1, (len(columns) if largest is None else largest) + 1):
        for chosen in combinations(columns, size):
            parts = [p for n in range(1, size) for p in combinations(chosen, n)]
            if ratio(rows, chosen) >= at_least and not any(
                ratio(rows, part) >= at_least for part in parts
            ):
                found.append(chosen)
    return found


def _seen(row: Row, columns: Sequence[str]) -> tuple[object, ...]:
    return tuple(row[column] for column in columns)
