"""Risk, as its definitions say: one record after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import prod

from tests.witness.models import Row

__all__ = [
    "average_prosecutor",
    "dis",
    "dis_suda",
    "minimal_uniques",
    "people_like",
    "prosecutor",
    "shapley",
    "suda_contribution",
    "suda_scores",
]


def people_like(
    rows: Sequence[Row], columns: Sequence[str], i: int, owner: str | None = None
) -> int:
    """Count the people who look like record i: owners, or records if there are none.

    >>> people_like([{"a": 1}, {"a": 1}, {"a": 2}], ["a"], 0)
    2
    """
    alike = [j for j in range(len(rows)) if _seen(rows[j], columns) == _seen(rows[i], columns)]
    return len({rows[j][owner] if owner else j for j in alike})


def prosecutor(
    rows: Sequence[Row], columns: Sequence[str], owner: str | None = None
) -> list[Fraction]:
    """1 / the people who look like each record."""
    return [Fraction(1, people_like(rows, columns, i, owner)) for i in range(len(rows))]


def average_prosecutor(
    rows: Sequence[Row], columns: Sequence[str], owner: str | None = None
) -> Fraction:
    """The mean of the risks of all records."""
    return sum(prosecutor(rows, columns, owner), Fraction(0)) / max(len(rows), 1)


def shapley(
    rows: Sequence[Row], columns: Sequence[str], owner: str | None = None
) -> dict[str, Fraction]:
    """How much the average risk rises with each column, averaged over all orders.

    >>> shapley([{"a": 1, "b": 1}, {"a": 1, "b": 2}], ["a", "b"])
    {'a': Fraction(0, 1), 'b': Fraction(1, 2)}
    """
    gains = dict.fromkeys(columns, Fraction(0))
    orders = list(permutations(columns))
    for order in orders:
        for k, name in enumerate(order):
            with_it = average_prosecutor(rows, order[: k + 1], owner)
            gains[name] += with_it - average_prosecutor(rows, order[:k], owner)
    return {name: gain / len(orders) for name, gain in gains.items()}


def minimal_uniques(
    rows: Sequence[Row],
    columns: Sequence[str],
    i: int,
    largest: int | None = None,
    owner: str | None = None,
) -> list[tuple[str, ...]]:
    """The sets on which only its owner looks like record i, and on no proper subset of them.

    >>> minimal_uniques([{"a": 1, "b": 1}, {"a": 1, "b": 2}], ["a", "b"], 0)
    [('b',)]
    """
    found = []
    for size in range(1, (largest or len(columns)) + 1):
        for chosen in combinations(columns, size):
            parts = [p for n in range(size) for p in combinations(chosen, n)]
            is_unique = people_like(rows, chosen, i, owner) == 1
            if is_unique and not any(people_like(rows, p, i, owner) == 1 for p in parts):
                found.append(chosen)
    return found


def suda_scores(
    rows: Sequence[Row],
    columns: Sequence[str],
    largest: int | None = None,
    owner: str | None = None,
) -> list[int]:
    """Elliot's score: for every minimal set of k columns the product of A - i, i from k to M."""
    a, m = len(columns), largest or len(columns)
    scores = []
    for i in range(len(rows)):
        sets = minimal_uniques(rows, columns, i, largest, owner)
        scores.append(sum(_worth(len(s), m, a) for s in sets))
    return scores


def suda_contribution(rows: Sequence[Row], columns: Sequence[str], name: str) -> float:
    """The share of all scores that comes from minimal sets with a column."""
    a = len(columns)
    sets = [s for i in range(len(rows)) for s in minimal_uniques(rows, columns, i)]
    total = sum(_worth(len(s), a, a) for s in sets)
    return sum(_worth(len(s), a, a) for s in sets if name in s) / total if total else 0.0


def _worth(k: int, m: int, a: int) -> int:
    return prod(a - i for i in range(k, min(m, a - 1) + 1))


def dis(rows: Sequence[Row], columns: Sequence[str], fraction: float) -> float:
    """Skinner and Elliot: the chance that a match to a unique record is right."""
    sizes = Counter(Counter(_seen(row, columns) for row in rows).values())
    once, twice = sizes[1], sizes[2]
    return once * fraction / (once * fraction + 2 * twice * (1 - fraction)) if once else 0.0


def dis_suda(
    rows: Sequence[Row], columns: Sequence[str], fraction: float, scores: Sequence[float]
) -> list[float]:
    """How sdcMicro spreads that chance over the unique records."""
    chance = dis(rows, columns, fraction)
    power = max(1 + (8 - len(columns)) / 20, 1 / 20)
    adjust = sum(score**-power for score in scores if score)
    n = sum(1 for size in Counter(_seen(row, columns) for row in rows).values() if size == 1)
    return [
        1 / (1 + (n / chance - n) / (score**power * adjust)) if score else 0.0 for score in scores
    ]


def _seen(row: Row, columns: Sequence[str]) -> tuple[object, ...]:
    return tuple(row[column] for column in columns)
