"""Who could be meant by a record, and what it is worth to find out.

delta-presence: Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010,
section 2.3; k-map: Sweeney, 2001; profitability: Wan et al., 2015.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tests.witness.models import Row, groups

__all__ = [
    "average_risk",
    "is_k_map",
    "is_present_within",
    "journalist_risks",
    "k_map",
    "pays_nobody",
    "presence",
    "prosecutor_risks",
    "publisher_gains",
]


def k_map(rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]) -> int | None:
    """Give the fewest people of the population that a record may be about.

    >>> k_map([{"q": 1}], [{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    2
    """
    people = groups(population, qid)
    return min((len(people.get(key, [])) for key in groups(rows, qid)), default=None)


def is_k_map(rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str], k: int) -> bool:
    """Whether every record may be about k people."""
    level = k_map(rows, population, qid)
    return level is None or level >= k


def presence(
    rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]
) -> tuple[Fraction, Fraction] | None:
    """Give the least and the largest probability that a person of the population is in the table.

    >>> presence([{"q": 1}], [{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    (Fraction(0, 1), Fraction(1, 2))
    """
    inside = groups(rows, qid)
    people = groups(population, qid)
    assert all(len(inside[key]) <= len(people.get(key, [])) for key in inside), "not a subset"
    shares = [Fraction(len(inside.get(key, [])), len(people[key])) for key in people]
    return (min(shares), max(shares)) if shares else None


def is_present_within(
    rows: Sequence[Row],
    population: Sequence[Row],
    qid: Sequence[str],
    low: Fraction | int,
    high: Fraction | int,
) -> bool:
    """Whether low <= P(person is in the table) <= high for everybody in the population."""
    found = presence(rows, population, qid)
    return found is None or (low <= found[0] and found[1] <= high)


def prosecutor_risks(rows: Sequence[Row], qid: Sequence[str]) -> list[Fraction]:
    """Give for every record one in the size of its group.

    >>> prosecutor_risks([{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 1)]
    """
    return list(_risks(rows, rows, qid))


def journalist_risks(
    rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]
) -> list[Fraction]:
    """Give for every record one in the number of people that it may be about.

    >>> journalist_risks([{"q": 1}], [{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    [Fraction(1, 2)]
    """
    return list(_risks(rows, population, qid))


def average_risk(rows: Sequence[Row], qid: Sequence[str]) -> Fraction | None:
    """Give the mean over all records of the risk to be the one that is found.

    >>> average_risk([{"q": 1}, {"q": 1}, {"q": 2}], ["q"])
    Fraction(2, 3)
    """
    risks = prosecutor_risks(rows, qid)
    return sum(risks, Fraction(0)) / len(risks) if risks else None


def pays_nobody(risks: Sequence[Fraction], gain: Fraction | int, cost: Fraction | int) -> bool:
    """Whether no record is attacked: an adversary attacks if gain * risk > cost.

    >>> pays_nobody([Fraction(1, 2)], gain=10, cost=5), pays_nobody([Fraction(1)], gain=10, cost=5)
    (True, False)
    """
    return not any(gain * risk > cost for risk in risks)


def publisher_gains(
    risk: Fraction,
    *,
    benefit: Fraction | int,
    loss: Fraction | int,
    gain: Fraction | int,
    cost: Fraction | int,
) -> Fraction:
    """Give what the publisher expects of a record: the benefit, less what an attack may cost him.

    >>> publisher_gains(Fraction(1, 2), benefit=10, loss=4, gain=10, cost=1)
    Fraction(8, 1)
    >>> publisher_gains(Fraction(1, 2), benefit=10, loss=4, gain=10, cost=5)
    Fraction(10, 1)
    """
    return Fraction(benefit) - (loss * risk if gain * risk > cost else 0)


def _risks(
    rows: Sequence[Row], population: Sequence[Row], qid: Sequence[str]
) -> Iterator[Fraction]:
    people = groups(population, qid)
    for row in rows:
        yield Fraction(1, len(people[tuple(row[column] for column in qid)]))
