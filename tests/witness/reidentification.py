"""Risk of re-identification as stewards count it, record by record.

Prosecutor, journalist and marketer: El Emam, "Guide to the de-identification of personal health
information", 2013; special uniques: Elliot, Manning, Mayes, Gurd and Bane, "SUDA: a program for
detecting special uniques", 2005.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tests.witness.models import Row, groups
from tests.witness.population import journalist_risks, prosecutor_risks

__all__ = [
    "above",
    "highest",
    "is_unique",
    "journalist",
    "marketer",
    "minimal_uniques",
    "population_uniques",
    "sample_uniques",
    "suda_scores",
]

Unique = tuple[int, tuple[str, ...]]
"""A record, and columns on which nobody else shows what it shows."""


def highest(risks: Sequence[Fraction]) -> Fraction:
    """Give the risk of the record that is found most easily."""
    return max(risks, default=Fraction(0))


def above(risks: Sequence[Fraction], threshold: Fraction) -> Fraction:
    """Give the share of records whose risk is above a threshold.

    >>> above([Fraction(1), Fraction(1, 2), Fraction(1, 2)], Fraction(1, 2))
    Fraction(1, 3)
    """
    return Fraction(sum(risk > threshold for risk in risks), len(risks))


def journalist(rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]) -> Fraction:
    """Give one in the fewest people of the population that a record may be about."""
    return highest(journalist_risks(rows, population, qid))


def marketer(
    rows: Sequence[Row], qid: Sequence[str], population: Sequence[Row] | None = None
) -> Fraction:
    """Give the share of records that are linked rightly if each is given to somebody at random.

    >>> marketer([{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    Fraction(2, 3)
    """
    if population is None:
        risks = prosecutor_risks(rows, qid)
    else:
        risks = journalist_risks(rows, population, qid)
    return sum(risks, Fraction(0)) / len(risks)


def sample_uniques(rows: Sequence[Row], qid: Sequence[str]) -> list[int]:
    """List the records that nobody else in the table looks like."""
    return [i for i in range(len(rows)) if is_unique(rows, i, qid)]


def population_uniques(
    rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]
) -> list[int]:
    """List the records that fit one person of the population only.

    >>> population_uniques([{"q": 1}, {"q": 2}], [{"q": 1}, {"q": 2}, {"q": 2}], ["q"])
    [0]
    """
    people = groups(population, qid)
    keys = [tuple(row[column] for column in qid) for row in rows]
    return [i for i, key in enumerate(keys) if len(people.get(key, [])) == 1]


def is_unique(rows: Sequence[Row], record: int, columns: Sequence[str]) -> bool:
    """Whether no other record shows the same on these columns; without columns all look alike."""
    return not any(
        all(other[column] == rows[record][column] for column in columns)
        for i, other in enumerate(rows)
        if i != record
    )


def minimal_uniques(
    rows: Sequence[Row], qid: Sequence[str], largest: int | None = None
) -> list[Unique]:
    """List each record with each set of columns that make it unique while no part of them does.

    >>> minimal_uniques([{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}], "ab")
    [(2, ('a',)), (0, ('b',)), (1, ('a', 'b'))]
    """
    most = len(qid) if largest is None else min(largest, len(qid))
    return [
        (record, columns)
        for size in range(1, most + 1)
        for columns in combinations(qid, size)
        for record in range(len(rows))
        if is_unique(rows, record, columns)
        and not any(
            is_unique(rows, record, part) for n in range(size) for part in combinations(columns, n)
        )
    ]


def suda_scores(
    rows: Sequence[Row], qid: Sequence[str], largest: int | None = None
) -> list[Fraction]:
    """Give each record the sum over its minimal uniques of the lattice paths that lead to them.

    A minimal unique of k of n columns counts (n - k) (n - k - 1) ... (n - m), m the largest size
    that is looked for; if that is all columns, the product ends with 1 and not with 0.

    >>> suda_scores([{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}], "ab")
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)]
    """
    n = len(qid)
    m = min(n if largest is None else largest, n - 1)
    scores = [Fraction(0)] * len(rows)
    for record, columns in minimal_uniques(rows, qid, largest):
        scores[record] += math.prod(n - i for i in range(len(columns), m + 1))
    return scores
