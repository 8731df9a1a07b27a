"""Adversaries who learn from the release as a whole, and those who know how it was made.

deFinetti attack: Kifer, "Attacks on privacy and deFinetti's theorem", 2009; minimality: Wong,
Fu, Wang and Pei, 2007; both in Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data
Publishing", 2010, section 5.5; classifier attack: section 17.2 there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import chain, product

from tests.witness.adversaries import Belief
from tests.witness.models import Row, groups
from tests.witness.skyline import arrangements

__all__ = ["definetti", "marginal_likelihood", "minimality", "rules", "singles_out"]

Says = Callable[[Sequence[Row]], Hashable]
"""What an algorithm publishes of records, as something that can be compared; None for nothing."""


def marginal_likelihood(counts: Sequence[int]) -> Fraction:
    """Give the probability of a sequence with these counts, all distributions being as likely.

    With a Dirichlet(1, ..., 1) prior over m values, it is (m - 1)! prod c_i! / (n + m - 1)!.

    >>> marginal_likelihood([1, 1]), marginal_likelihood([2, 0])
    (Fraction(1, 6), Fraction(1, 3))
    """
    m, n = len(counts), sum(counts)
    top = math.factorial(m - 1) * math.prod(math.factorial(c) for c in counts)
    return Fraction(top, math.factorial(n + m - 1))


def definetti(
    rows: Sequence[Row], raw: Sequence[str], sensitive: str, bucket: str, *, naive: bool
) -> list[Belief]:
    """Say what is believed of each record by who learns which people have which values.

    Every way to hand the values of each bucket to its records is as likely as it would be if people
    with the same value were drawn from the same unknown distribution: of all columns together, or,
    if ``naive``, of each column by itself. All distributions are as likely beforehand.

    >>> rows = [{"q": q, "b": b, "s": s} for q, b, s in [
    ...     ("y", 1, "x"), ("y", 1, "x"), ("y", 2, "x"), ("n", 2, "z")]]
    >>> definetti(rows, ["q"], "s", "b", naive=True)[2]["x"]
    Fraction(3, 4)
    """
    buckets = groups([{**row, "at": i} for i, row in enumerate(rows)], [bucket]).values()
    order = [int(str(row["at"])) for group in buckets for row in group]
    hidden = [[row[sensitive] for row in group] for group in buckets]
    values = list(dict.fromkeys(row[sensitive] for row in rows))
    features = [[column] for column in raw] if naive else [list(raw)]
    found = [dict.fromkeys(values, Fraction(0)) for _ in rows]
    total = Fraction(0)
    for world in product(*map(arrangements, hidden)):
        handed = dict(zip(order, chain(*world), strict=True))
        weight = Fraction(1)
        for columns in features:
            weight *= _likelihood(rows, columns, handed, values)
        total += weight
        for i, value in handed.items():
            found[i][value] += weight
    return [{value: p / total for value, p in each.items()} for each in found]


def minimality(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, algorithm: Says
) -> list[Belief] | None:
    """Say what is believed of each record by who knows the algorithm and all quasi-identifiers.

    The worlds are all ways to hand the published values to the people; those are left from which
    the algorithm publishes the same. None if there are none.
    """
    published = algorithm(rows)
    values = [row[sensitive] for row in rows]
    left = []
    for world in arrangements(values):
        made_up = [{**row, sensitive: v} for row, v in zip(rows, world, strict=True)]
        said = algorithm(made_up)
        if said is not None and said == published:
            left.append(world)
    if not left:
        return None
    found = []
    for i in range(len(rows)):
        counts = Counter(world[i] for world in left)
        found.append({value: Fraction(n, len(left)) for value, n in counts.items()})
    return found


def rules(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str
) -> dict[tuple[Hashable, ...], tuple[Hashable, Fraction, int]]:
    """Give for every group its most frequent value, the share of it, and how often it occurs.

    The first of several values that are as frequent is taken.

    >>> rules([{"q": 1, "s": "x"}, {"q": 1, "s": "y"}, {"q": 1, "s": "y"}], ["q"], "s")
    {(1,): ('y', Fraction(2, 3), 2)}
    """
    found = {}
    for key, group in groups(rows, qid).items():
        ((value, n),) = Counter(row[sensitive] for row in group).most_common(1)
        found[key] = (value, Fraction(n, len(group)), n)
    return found


def singles_out(rows: Sequence[Row], predicate: Callable[[Row], bool]) -> bool:
    """Whether exactly one record meets the predicate.

    >>> singles_out([{"q": 1}, {"q": 2}, {"q": 2}], lambda row: row["q"] == 1)
    True
    """
    return sum(predicate(row) for row in rows) == 1


def _likelihood(
    rows: Sequence[Row],
    columns: Sequence[str],
    handed: dict[int, Hashable],
    values: Sequence[Hashable],
) -> Fraction:
    kinds = list(groups(rows, columns))
    weight = Fraction(1)
    for value in values:
        seen = Counter(
            tuple(rows[i][column] for column in columns) for i, v in handed.items() if v == value
        )
        weight *= marginal_likelihood([seen[kind] for kind in kinds])
    return weight
