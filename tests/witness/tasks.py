"""What real work on a release finds, beside what it finds on the original, from the definitions.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: example 3.1,
equations 7.3 to 7.8, 13.2 and 13.3; Babu, "Utility-based privacy preserving data publishing", 2013:
section 4.3 and equation 5.11.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction

from tests.witness.losses import Domains, Shown

__all__ = [
    "balancing_points",
    "co_membership",
    "count_exact",
    "count_from_buckets",
    "count_from_ranges",
    "dominated",
    "f_measure",
    "match_point",
    "propensity",
    "rand_index",
    "reconstruction_error",
    "reconstruction_error_of_ranges",
    "relative_error",
    "stress",
]

Record = Mapping[str, Hashable]
Wanted = Mapping[str, Collection[Hashable]]
Labels = Sequence[Hashable]


def f_measure(natural: Labels, query: Labels) -> Fraction:
    """Sum over natural clusters of |C_i| / |T| times the best 2RP / (R + P) of a query cluster.

    >>> float(f_measure("AAABB", "aabbb"))  # example 7.5, derived
    0.8
    """
    total = Fraction(0)
    for i in set(natural):
        best = Fraction(0)
        for j in set(query):
            common = sum(c == i and k == j for c, k in zip(natural, query, strict=True))
            if common:
                recall = Fraction(common, list(natural).count(i))
                precision = Fraction(common, list(query).count(j))
                best = max(best, 2 * recall * precision / (recall + precision))
        total += Fraction(list(natural).count(i), len(natural)) * best
    return total


def co_membership(labels: Labels) -> list[list[bool]]:
    """Tell for every two records whether they are in the same cluster."""
    return [[one == other for other in labels] for one in labels]


def match_point(natural: Labels, query: Labels) -> Fraction:
    """Share of the cells in which the two N x N matrices agree, equation 7.7.

    >>> match_point("AAABB", "aabbb")  # example 7.5
    Fraction(17, 25)
    """
    return Fraction(_matches(natural, query), len(natural) ** 2)


def rand_index(natural: Labels, query: Labels) -> Fraction:
    """Share of the pairs of two different records on which the structures agree.

    >>> rand_index("AAABB", "aabbb")
    Fraction(3, 5)
    """
    n = len(natural)
    return Fraction(_matches(natural, query) - n, n**2 - n)


def stress(
    before: Sequence[Sequence[float]],
    after: Sequence[Sequence[float]],
    *,
    swapped: bool = False,
) -> float:
    """Sum of (d^_ij - d_ij)^2 over the sum of d_ij^2, for all i and j, equation 7.8.

    d are the distances before, or after if ``swapped``; where all of them are 0, stress is 0 if the
    others are too, and else endless.

    >>> stress([[0.0], [1.0], [2.0]], [[0.0], [2.0], [4.0]])
    1.0
    """
    above = below = 0.0
    for i in range(len(before)):
        for j in range(len(before)):
            d, moved = math.dist(before[i], before[j]), math.dist(after[i], after[j])
            above += (moved - d) ** 2
            below += (moved if swapped else d) ** 2
    if below:
        return above / below
    return math.inf if above else 0.0


def reconstruction_error(
    records: Sequence[Record],
    buckets: Labels,
    columns: Sequence[str],
    sensitive: str,
    value: Hashable,
    base: float = 2.0,
) -> float:
    """Sum over the cells C of Act log(Act / Est) for one sensitive value, equations 13.2 and 13.3.

    A cell is a combination of values of ``columns`` that occurs; the others have Act = 0.
    """
    n_value = sum(record[sensitive] == value for record in records)
    total = 0.0
    for cell in {tuple(record[c] for c in columns) for record in records}:
        act = est = Fraction(0)
        for bucket in set(buckets):
            members = [r for r, b in zip(records, buckets, strict=True) if b == bucket]
            with_value = sum(r[sensitive] == value for r in members)
            in_cell = [r for r in members if tuple(r[c] for c in columns) == cell]
            act += Fraction(sum(r[sensitive] == value for r in in_cell), n_value)
            est += Fraction(with_value * len(in_cell), len(members)) / n_value
        if act:
            total += float(act) * math.log(act / est, base)
    return total


def reconstruction_error_of_ranges(
    original: Sequence[Record],
    release: Sequence[Shown],
    labels: Labels,
    columns: Sequence[str],
    value: Hashable,
    base: float = 2.0,
) -> float:
    """Give the error of one sensitive value where records are thought to lie evenly in their boxes.

    The expected number of records of a group in a cell is then the size of the group over the
    number of cells in its box. Only published records are compared.

    >>> box = {"x": frozenset("ab")}
    >>> reconstruction_error_of_ranges([{"x": "a"}, {"x": "a"}], [box, box], "ss", ["x"], "s")
    1.0
    """
    published = [
        (tuple(raw[c] for c in columns), shown, label)
        for raw, shown, label in zip(original, release, labels, strict=True)
        if shown is not None
    ]
    n_value = sum(label == value for _, _, label in published)
    total = 0.0
    for cell in {raw for raw, _, _ in published}:
        act = Fraction(sum(r == cell and v == value for r, _, v in published), n_value)
        est = Fraction(0)
        for _, shown, label in published:
            covers = all(v in shown[c] for c, v in zip(columns, cell, strict=True))
            if label == value and covers:
                est += Fraction(1, math.prod(len(shown[c]) for c in columns)) / n_value
        if act:
            total += float(act) * math.log(act / est, base)
    return total


def count_exact(original: Sequence[Record], wanted: Wanted) -> int:
    """Count the records with a wanted value on every attribute that the query names."""
    return sum(all(record[a] in values for a, values in wanted.items()) for record in original)


def count_from_ranges(
    original: Sequence[Record],
    release: Sequence[Shown],
    wanted: Wanted,
    domains: Domains | None = None,
) -> Fraction:
    """Estimate the count: a record counts for the share of what it shows that is wanted.

    Attributes that are not generalized are read from the record itself. A record that was left out
    counts for nothing, or, if domains are given, for the share of the domain that is wanted.

    >>> heart = [{"age": 38, "ill": "heart"}] * 2
    >>> shown = [{"age": frozenset({35, 36, 37, 38, 39})}] * 2
    >>> count_from_ranges(heart, shown, {"age": [38], "ill": ["heart"]})  # example 3.1
    Fraction(2, 5)
    """
    total = Fraction(0)
    for raw, record in zip(original, release, strict=True):
        share = Fraction(1)
        for a, values in wanted.items():
            if record is None:
                possible = [] if domains is None else list(domains[a])
            else:
                possible = list(record[a]) if a in record else [raw[a]]
            hits = sum(v in values for v in possible)
            share *= Fraction(hits, len(possible)) if possible else 0
        total += share if record is not None or domains is not None else 0
    return total


def count_from_buckets(
    records: Sequence[Record], buckets: Labels, sensitive: str, wanted: Wanted
) -> Fraction:
    """Estimate the count from anatomy: matching records times share of wanted sensitive values.

    >>> ages = [36, 38, 38, 38]
    >>> ill = ["flu", "flu", "heart", "heart"]
    >>> rows = [{"age": a, "ill": i} for a, i in zip(ages, ill, strict=True)]
    >>> count_from_buckets(rows, "2222", "ill", {"age": [38], "ill": ["heart"]})  # example 3.1
    Fraction(3, 2)
    """
    total = Fraction(0)
    for bucket in set(buckets):
        members = [r for r, b in zip(records, buckets, strict=True) if b == bucket]
        told = {a: values for a, values in wanted.items() if a != sensitive}
        matching = count_exact(members, told)
        hidden = {a: values for a, values in wanted.items() if a == sensitive}
        total += matching * Fraction(count_exact(members, hidden), len(members))
    return total


def relative_error(estimate: Fraction, answer: int, least: Fraction) -> Fraction:
    """|est - act| / max(act, least).

    >>> relative_error(Fraction(3, 2), 2, Fraction(0)), relative_error(Fraction(3), 0, Fraction(2))
    (Fraction(1, 4), Fraction(3, 2))
    """
    return abs(estimate - answer) / max(Fraction(answer), least)


def propensity(probabilities: Sequence[float], share: float) -> float:
    """U_P = mean of (p_i - c)^2, equation 5.11.

    >>> propensity([0, 0, 1, 1], 0.5)
    0.25
    """
    return math.fsum((p - share) ** 2 for p in probabilities) / len(probabilities)


def dominated(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Tell of every (risk, loss) whether another has no more of either, and less of one.

    >>> dominated([(1, 3), (2, 2), (3, 1), (3, 2), (1, 3)])
    [False, False, False, True, False]
    """
    return [
        any(a <= risk and b <= loss and (a, b) != (risk, loss) for a, b in points)
        for risk, loss in points
    ]


def balancing_points(
    ks: Sequence[int], privacy: Sequence[float], utility: Sequence[float]
) -> list[tuple[int, int]]:
    """Give the intervals of k in which the curves meet, or the k at which they come closest.

    Between neighbours whose differences have opposite signs the curves cross; at a k with no
    difference they touch.

    >>> balancing_points([2, 3, 4], [0.2, 0.5, 0.9], [0.9, 0.6, 0.4])
    [(3, 4)]
    >>> balancing_points([2, 3, 4], [0.2, 0.5, 0.3], [0.9, 0.6, 0.8])
    [(3, 3)]
    """
    apart = [p - u for p, u in zip(privacy, utility, strict=True)]
    met = [(k, k) for k, d in zip(ks, apart, strict=True) if d == 0]
    met += [(ks[i], ks[i + 1]) for i in range(len(ks) - 1) if apart[i] * apart[i + 1] < 0]
    if met:
        return sorted(met)
    least = min(map(abs, apart))
    return [(k, k) for k, d in zip(ks, apart, strict=True) if abs(d) == least]


def _matches(natural: Labels, query: Labels) -> int:
    one, other = co_membership(natural), co_membership(query)
    n = len(natural)
    return sum(one[i][j] == other[i][j] for i in range(n) for j in range(n))
