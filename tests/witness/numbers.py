"""What is asked of groups whose sensitive values are numbers, and of points that are guessed.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 2.2.7,
2.4.1 and 2.2.1; squared-error diversity: LeFevre, DeWitt and Ramakrishnan, 2008.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from tests.witness.models import Row, groups

__all__ = [
    "crowd_entropy",
    "epsilon_m",
    "has_owners_for_bits",
    "is_epsilon_m_anonymous",
    "is_ke_anonymous",
    "is_variance_diverse",
    "isolated",
    "isolates",
    "ke_distinct",
    "ke_range",
    "middle",
    "variance",
]

Point = Sequence[float | Fraction]


def ke_distinct(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> int | None:
    """Give the fewest different numbers in a group."""
    found = groups(rows, qid).values()
    return min((len({row[sensitive] for row in group}) for group in found), default=None)


def ke_range(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> Fraction | None:
    """Give the smallest range of the numbers in a group.

    >>> table = [{"q": 1, "s": 30}, {"q": 1, "s": 80}, {"q": 1, "s": 35}]
    >>> ke_distinct(table, ["q"], "s"), ke_range(table, ["q"], "s")
    (3, Fraction(50, 1))
    """
    values = [_numbers(group, sensitive) for group in groups(rows, qid).values()]
    return min((max(found) - min(found) for found in values), default=None)


def is_ke_anonymous(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, k: int, e: Fraction | int
) -> bool:
    """Whether every group has k different numbers, e or more from the least to the largest."""
    for group in groups(rows, qid).values():
        values = _numbers(group, sensitive)
        if len({*values}) < k or max(values) - min(values) < e:
            return False
    return True


def epsilon_m(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    epsilon: Fraction | int,
    *,
    relative: bool = False,
) -> Fraction | None:
    """Give the largest m such that no interval around a number of a group has more than 1/m of it.

    The interval around s goes from s - epsilon to s + epsilon, both included; if ``relative``,
    from s (1 - epsilon) to s (1 + epsilon), turned round where s is negative.

    >>> table = [{"q": 1, "s": s} for s in (30, 31, 33, 80)]
    >>> [epsilon_m(table, ["q"], "s", epsilon) for epsilon in (0, 1, 3)]
    [Fraction(4, 1), Fraction(2, 1), Fraction(4, 3)]
    """
    levels = []
    for group in groups(rows, qid).values():
        values = _numbers(group, sensitive)
        for s in values:
            reach = abs(s) * epsilon if relative else Fraction(epsilon)
            near = [v for v in values if s - reach <= v <= s + reach]
            levels.append(Fraction(len(values), len(near)))
    return min(levels, default=None)


def is_epsilon_m_anonymous(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    epsilon: Fraction | int,
    m: Fraction | int,
    *,
    relative: bool = False,
) -> bool:
    """Whether no number of a group has more than 1/m of the group close by."""
    level = epsilon_m(rows, qid, sensitive, epsilon, relative=relative)
    return level is None or level >= m


def variance(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> Fraction | None:
    """Give the smallest mean squared distance from the mean of a group.

    >>> variance([{"q": 1, "s": 1}, {"q": 1, "s": 2}], ["q"], "s")
    Fraction(1, 4)
    """
    levels = []
    for group in groups(rows, qid).values():
        values = _numbers(group, sensitive)
        mean = sum(values, Fraction(0)) / len(values)
        levels.append(sum(((v - mean) ** 2 for v in values), Fraction(0)) / len(values))
    return min(levels, default=None)


def is_variance_diverse(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, v: Fraction | int
) -> bool:
    """Whether the variance of every group is at least v."""
    level = variance(rows, qid, sensitive)
    return level is None or level >= v


def crowd_entropy(
    rows: Sequence[Row], qid: Sequence[str], owner: str | None = None
) -> float | None:
    """Give the smallest entropy, in bits, of whose a record of a group is.

    >>> table = [{"q": 1, "who": who} for who in "aabb"]
    >>> crowd_entropy(table, ["q"], "who"), crowd_entropy(table, ["q"])
    (1.0, 2.0)
    """
    levels = []
    for group in groups(rows, qid).values():
        p = [Fraction(n, len(group)) for n in _owned(group, owner)]
        levels.append(-math.fsum(float(x) * math.log2(x) for x in p) + 0.0)
    return min(levels, default=None)


def has_owners_for_bits(
    rows: Sequence[Row], qid: Sequence[str], bits: Fraction | int, owner: str | None = None
) -> bool:
    """Whether the entropy of every crowd is at least this many bits, in whole numbers.

    With counts c_i that add up to n and bits = a / b: 2^(n * entropy) = n^n / prod c_i^c_i, so it
    is if (n^n)^b >= 2^(a n) * (prod c_i^c_i)^b.

    >>> [has_owners_for_bits([{"q": 1}] * 4, ["q"], bits) for bits in (2, Fraction(201, 100))]
    [True, False]
    """
    a, b = Fraction(bits).as_integer_ratio()
    for group in groups(rows, qid).values():
        n, counts = len(group), _owned(group, owner)
        if n ** (n * b) < 2 ** (a * n) * math.prod(c**c for c in counts) ** b:
            return False
    return True


def isolates(q: Point, p: Point, points: Iterable[Point], c: float | Fraction, t: int) -> bool:
    """Whether fewer than t points lie in the closed ball around q whose radius is c |p - q|.

    >>> line = [(0,), (1,), (2,), (10,)]
    >>> isolates((9,), (10,), line, 2, 2), isolates((1.5,), (1,), line, 4, 2)
    (True, False)
    """
    reach = Fraction(str(c)) ** 2 * _squared(p, q)
    return sum(_squared(point, q) <= reach for point in points) < t


def middle(group: Sequence[Point]) -> list[Fraction]:
    """Give the centre of the smallest box around some points.

    >>> middle([(0, 0), (1, 4), (3, 2)])
    [Fraction(3, 2), Fraction(2, 1)]
    """
    along = [[Fraction(str(x)) for x in axis] for axis in zip(*group, strict=True)]
    return [(min(axis) + max(axis)) / 2 for axis in along]


def isolated(
    groups_of_points: Sequence[Sequence[Point]], c: float | Fraction, t: int
) -> list[Point]:
    """Give the points that are isolated by a guess at the middle of their group.

    >>> isolated([[(0,), (4,)], [(3,), (5,), (30,)]], 1, 2)
    [(5,)]
    """
    points = [point for group in groups_of_points for point in group]
    return [
        p for group in groups_of_points for p in group if isolates(middle(group), p, points, c, t)
    ]


def _numbers(group: Sequence[Row], column: str) -> list[Fraction]:
    return [Fraction(str(row[column])) for row in group]


def _owned(group: Sequence[Row], owner: str | None) -> list[int]:
    return [1] * len(group) if owner is None else [*Counter(row[owner] for row in group).values()]


def _squared(p: Point, q: Point) -> Fraction:
    pairs = zip(p, q, strict=True)
    return sum(((Fraction(str(x)) - Fraction(str(y))) ** 2 for x, y in pairs), Fraction(0))
