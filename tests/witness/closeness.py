"""How far what a group hides may be from what the whole table hides.

Kullback-Leibler and the earth mover's distance: Aggarwal, "Data Mining", 2015, section 20.3.3;
(n, t)-closeness: Li, Li and Venkatasubramanian, 2010; Hellinger distance: Babu, 2013, section 5.3;
delta-disclosure: Brickell and Shmatikov, 2008; beta-likeness: Cao and Karras, 2012.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from tests.witness.emd import Distribution, Ground, shares
from tests.witness.models import Row, groups

__all__ = [
    "FloatDistance",
    "beta_likeness",
    "delta_disclosure",
    "emd_by_assignment",
    "enhanced_gain",
    "gain",
    "hellinger",
    "kullback_leibler",
    "log_ratio",
    "natural_supersets",
    "nt_closeness",
    "shortest_ground",
    "table_distance",
]

FloatDistance = Callable[[Distribution, Distribution], Fraction | float]


def kullback_leibler(p: Distribution, q: Distribution) -> float:
    """Sum p log(p / q); infinite where q is nothing and p is not.

    >>> kullback_leibler(shares("ab"), shares("ab")), kullback_leibler(shares("ab"), shares("a"))
    (0.0, inf)
    """
    if any(p[v] and not q.get(v) for v in p):
        return math.inf
    return math.fsum(float(p[v]) * math.log(p[v] / q[v]) for v in p if p[v])


def hellinger(p: Distribution, q: Distribution) -> float:
    """Give the root of 1 - BC, where BC is the sum of the roots of p * q.

    >>> hellinger(shares("a"), shares("b")), hellinger(shares("aab"), shares("aabaab"))
    (1.0, 0.0)
    """
    if p == q:
        return 0.0
    overlap = math.fsum(math.sqrt(p[v] * q[v]) for v in p if v in q)
    return math.sqrt(max(1 - overlap, 0.0))


def table_distance(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, distance: FloatDistance
) -> Fraction | float | None:
    """Give the largest distance between a group and all rows."""
    whole = shares(row[sensitive] for row in rows)
    return max(
        (
            distance(shares(row[sensitive] for row in group), whole)
            for group in groups(rows, qid).values()
        ),
        default=None,
    )


def natural_supersets(
    group: Sequence[Row], rows: Sequence[Row], qid: Sequence[str]
) -> Iterator[list[Row]]:
    """Give the records that agree with a group on some of the columns: on all, on fewer, on none.

    >>> table = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}]
    >>> [len(superset) for superset in natural_supersets(table[:1], table, ["a", "b"])]
    [3, 2, 1, 1]
    """
    for length in range(len(qid) + 1):
        for columns in combinations(qid, length):
            yield [row for row in rows if all(row[c] == group[0][c] for c in columns)]


def nt_closeness(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, n: int, distance: FloatDistance
) -> Fraction | float | None:
    """Give the smallest t such that every group is within t of a superset of n records or more.

    Infinite if the table has fewer than n records.

    >>> table = [{"a": a, "s": s} for a, s in ["1x", "1y", "2x", "2x"]]
    >>> from tests.witness.emd import emd_equal
    >>> [nt_closeness(table, ["a"], "s", n, emd_equal) for n in (2, 3, 5)]
    [Fraction(0, 1), Fraction(1, 4), inf]
    """
    levels = []
    for group in groups(rows, qid).values():
        here = shares(row[sensitive] for row in group)
        reachable = [
            distance(here, shares(row[sensitive] for row in superset))
            for superset in natural_supersets(group, rows, qid)
            if len(superset) >= n
        ]
        levels.append(min(reachable, default=math.inf))
    return max(levels, default=None)


def log_ratio(p: Distribution, q: Distribution) -> float:
    """Give the largest |log(p / q)| over the values that q has; infinite if p has not all of them.

    >>> log_ratio(shares("ab"), shares("abab")), log_ratio(shares("a"), shares("ab"))
    (0.0, inf)
    """
    ratios = [p.get(value, Fraction(0)) / q[value] for value in q]
    return max(abs(math.log(ratio)) if ratio else math.inf for ratio in ratios)


def gain(p: Distribution, q: Distribution) -> Fraction:
    """Give the largest (p - q) / q, which is never below 0.

    >>> gain(shares("ab"), shares("abbb")), gain(shares("ab"), shares("ab"))
    (Fraction(1, 1), Fraction(0, 1))
    """
    return max((p.get(value, Fraction(0)) - q[value]) / q[value] for value in q)


def enhanced_gain(p: Distribution, q: Distribution) -> Fraction | float:
    """Give the largest (p - q) / q; infinite if a value gains more than -ln q.

    >>> enhanced_gain(shares("ab"), shares("aab")), enhanced_gain(shares("a"), shares("aab"))
    (Fraction(1, 2), inf)
    """
    for value in p:
        won = (p[value] - q[value]) / q[value]
        if won > 0 and won > -math.log(q[value]):
            return math.inf
    return gain(p, q)


def delta_disclosure(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> float | None:
    """Give the bound that delta must exceed.

    >>> table = [{"a": a, "s": s} for a, s in ["1x", "1y", "2x", "2y"]]
    >>> delta_disclosure(table, ["a"], "s"), delta_disclosure(table[:3], ["a"], "s")
    (0.0, inf)
    """
    level = table_distance(rows, qid, sensitive, log_ratio)
    return None if level is None else float(level)


def beta_likeness(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, *, enhanced: bool = False
) -> Fraction | float | None:
    """Give the smallest beta such that no share p > q gains more than it.

    The enhanced form also asks that no value gains more than -ln q; where one does, no beta would
    do, and the level is infinite.

    >>> table = [{"a": a, "s": s} for a, s in ["1x", "1y", "2x", "2x", "2x", "2y"]]
    >>> [beta_likeness(table, ["a"], "s", enhanced=enhanced) for enhanced in (False, True)]
    [Fraction(1, 2), Fraction(1, 2)]
    >>> beta_likeness(table[:4], ["a"], "s", enhanced=True)
    inf
    """
    return table_distance(rows, qid, sensitive, enhanced_gain if enhanced else gain)


def emd_by_assignment(p: Distribution, q: Distribution, ground: Ground) -> Fraction:
    """Cut both masses into equal parts, and try every way to send one to the other.

    >>> emd_by_assignment(shares("aab"), shares("abb"), lambda v, w: Fraction(v != w))
    Fraction(1, 3)
    """
    n = math.lcm(*(share.denominator for share in (*p.values(), *q.values())))
    sent = [v for v in p for _ in range(int(p[v] * n))]
    wanted = [w for w in q for _ in range(int(q[w] * n))]
    return min(
        sum((ground(v, w) for v, w in zip(sent, order, strict=True)), Fraction(0)) / n
        for order in permutations(wanted)
    )


def shortest_ground(values: Sequence[Hashable], ground: Ground) -> Ground:
    """Give the cheapest way from each value to each, over any others.

    Mass may be moved on after it was moved, so where a detour is cheaper the detour counts.

    >>> line = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 5}
    >>> ground = shortest_ground("abc", lambda v, w: Fraction(line.get((v, w), 0 if v == w else 9)))
    >>> ground("a", "c")
    Fraction(2, 1)
    """
    cost = {(v, w): Fraction(0) if v == w else ground(v, w) for v in values for w in values}
    for over in values:
        for v in values:
            for w in values:
                cost[v, w] = min(cost[v, w], cost[v, over] + cost[over, w])
    return lambda v, w: cost[v, w]
