"""What whoever knows a victim's quasi-identifier finds in a release, counted record by record.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 2.1 to
2.3, 6.2.1; Aggarwal, "Data Mining", 2015: section 20.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from tests.witness.emd import shares
from tests.witness.matching import Trees, matching, ownerships
from tests.witness.models import Row, groups

__all__ = [
    "Belief",
    "absence",
    "any_columns",
    "belief",
    "beliefs_of_people",
    "beliefs_of_records",
    "gains",
    "in_window",
    "linkage",
    "n_above",
    "peak",
    "presence_by_worlds",
    "skewness_gain",
    "windows",
]

Belief = dict[Hashable, Fraction]
"""How likely each value is."""


def linkage(
    people: Sequence[Row], rows: Sequence[Row], columns: Sequence[str], trees: Trees
) -> list[Fraction]:
    """Give for every person how likely it is to hit his record: one in those that match him.

    >>> linkage([{"q": 1}, {"q": 2}, {"q": 3}], [{"q": 1}, {"q": 1}, {"q": 2}], ["q"], {})
    [Fraction(1, 2), Fraction(1, 1), Fraction(0, 1)]
    """
    found = matching(people, rows, columns, trees)
    return [Fraction(1, len(records)) if records else Fraction(0) for records in found]


def belief(
    records: Sequence[int], rows: Sequence[Row], sensitive: str, bucket: str | None
) -> Belief:
    """Say how likely each value is for somebody who has one of these records, any as likely.

    What a record hides is beside it, or, in buckets, is any of the values of its bucket.

    >>> rows = [{"b": 1, "s": "x"}, {"b": 1, "s": "y"}, {"b": 2, "s": "x"}]
    >>> belief([0], rows, "s", None), belief([0, 2], rows, "s", "b")
    ({'x': Fraction(1, 1)}, {'x': Fraction(3, 4), 'y': Fraction(1, 4)})
    """
    found: Belief = {}
    for i in records:
        hidden = [rows[i]] if bucket is None else groups(rows, [bucket])[(rows[i][bucket],)]
        for value, share in shares(row[sensitive] for row in hidden).items():
            found[value] = found.get(value, Fraction(0)) + share / len(records)
    return found


def any_columns(qid: Sequence[str], at_most: int | None) -> list[tuple[str, ...]]:
    """Give every set of columns that somebody knows who knows at most so many, at least one.

    >>> any_columns("ab", None), any_columns("ab", 1), any_columns("ab", 5)
    ([('a', 'b')], [('a',), ('b',)], [('a',), ('b',), ('a', 'b')])
    """
    if at_most is None:
        return [tuple(qid)]
    return [c for n in range(1, min(at_most, len(qid)) + 1) for c in combinations(qid, n)]


def beliefs_of_records(
    rows: Sequence[Row], known: Sequence[str], sensitive: str, bucket: str | None = None
) -> list[Belief]:
    """Say for every record what is believed of its owner by who knows these columns as published.

    >>> rows = [{"q": 1, "s": "x"}, {"q": 1, "s": "y"}, {"q": 2, "s": "x"}]
    >>> [max(found.values()) for found in beliefs_of_records(rows, ["q"], "s")]
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 1)]
    """
    alike = [[j for j, other in enumerate(rows) if _same(row, other, known)] for row in rows]
    return [belief(records, rows, sensitive, bucket) for records in alike]


def beliefs_of_people(
    people: Sequence[Row],
    rows: Sequence[Row],
    columns: Sequence[str],
    trees: Trees,
    sensitive: str,
    bucket: str | None = None,
) -> list[Belief]:
    """Say for every person of a list what is believed of him; nothing if no record matches.

    >>> beliefs_of_people([{"q": 3}], [{"q": "*", "s": "x"}], ["q"], {}, "s")
    [{'x': Fraction(1, 1)}]
    """
    found = matching(people, rows, columns, trees)
    return [belief(records, rows, sensitive, bucket) for records in found]


def peak(found: Belief) -> Fraction:
    """Give the probability of the likeliest value."""
    return max(found.values(), default=Fraction(0))


def n_above(confidences: Iterable[Fraction], limit: Fraction) -> int:
    """Count whom the adversary is surer of than the limit."""
    return sum(confidence > limit for confidence in confidences)


def gains(found: Belief, before: Belief) -> Belief:
    """Say by how much each value became likelier.

    >>> gains({"x": Fraction(1, 2)}, {"x": Fraction(1, 20), "y": Fraction(19, 20)})
    {'x': Fraction(9, 20), 'y': Fraction(-19, 20)}
    """
    none = Fraction(0)
    return {
        value: found.get(value, none) - before.get(value, none)
        for value in dict.fromkeys([*found, *before])
    }


def skewness_gain(
    rows: Sequence[Row], known: Sequence[str], sensitive: str, bucket: str | None = None
) -> list[Fraction]:
    """Give for every record the most that a value became likelier than in the whole table."""
    whole = shares(row[sensitive] for row in rows)
    found = beliefs_of_records(rows, known, sensitive, bucket)
    return [max(gains(each, whole).values()) for each in found]


def in_window(found: Belief, low: Fraction, high: Fraction) -> Fraction:
    """Give the probability of a number from ``low`` to ``high``, both included."""
    return sum((p for v, p in found.items() if low <= Fraction(str(v)) <= high), Fraction(0))


def windows(found: Belief, width: Fraction) -> Fraction:
    """Give the largest probability of any closed interval of this width.

    An interval that holds the most can be moved up until it starts at a value.

    >>> half = Fraction(1, 2)
    >>> windows({30: half / 2, 31: half / 2, 40: half}, Fraction(1))
    Fraction(1, 2)
    """
    starts = [Fraction(str(value)) for value in found]
    return max((in_window(found, v, v + width) for v in starts), default=Fraction(0))


def presence_by_worlds(
    people: Sequence[Row], rows: Sequence[Row], columns: Sequence[str], trees: Trees
) -> list[Fraction] | None:
    """Give for everybody the share of worlds in which he has a record; None if there is no world.

    A world gives every record an owner who may be it, and nobody two.

    >>> presence_by_worlds([{"q": 1}, {"q": 1}, {"q": 2}], [{"q": 1}], ["q"], {})
    [Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)]
    """
    worlds = ownerships(people, rows, columns, trees)
    if not worlds:
        return None
    inside = Counter(owner for world in worlds for owner in world)
    return [Fraction(inside[i], len(worlds)) for i in range(len(people))]


def absence(presence: Sequence[Fraction]) -> list[Fraction]:
    """Say how sure one is of each person that he is not in the table."""
    return [1 - p for p in presence]


def _same(row: Row, other: Row, columns: Sequence[str]) -> bool:
    return all(row[column] == other[column] for column in columns)
