"""Adversaries who are content with nearly the right value, as promises of closeness define them.

Whatever is moved between values whose distance is 1 costs as much as is moved. So the chance of a
child of the root changes by at most the earth mover's distance over a taxonomy, and the mean rank,
from 0 to 1, by at most that over ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.tables.attacks.adversaries import LOOK, published
from tests.witness.models import Row, groups
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.taxonomies.published_values import read_range

__all__ = ["gain_of_a_kind", "shift_of_the_rank"]


def gain_of_a_kind(attacked: Attackable, sensitive: str) -> float | None:
    """Learn how much likelier some child of the root is in a group than in the whole table."""
    taxonomy = attacked.target.taxonomies[sensitive]
    spans = {read_range(taxonomy, name) for name in taxonomy.named} - {(0, taxonomy.n)}
    tops = [
        (low, high)
        for low, high in spans
        if not any(a <= low and high <= b for a, b in spans - {(low, high)})
    ]

    def shares(rows: Sequence[Row]) -> list[Fraction]:
        codes = [read_range(taxonomy, str(row[sensitive]))[0] for row in rows]
        return [Fraction(sum(low <= c < high for c in codes), len(codes)) for low, high in tops]

    rows = published(attacked.target)
    whole = shares(rows)
    gains = [
        here - before
        for group in groups(rows, [LOOK]).values()
        for here, before in zip(shares(group), whole, strict=True)
    ]
    return float(max(gains)) if gains else None


def shift_of_the_rank(attacked: Attackable, sensitive: str) -> float | None:
    """Learn how far the mean rank of a group is from that of the whole table, of all ranks."""
    rows = published(attacked.target)
    values = sorted({Fraction(str(row[sensitive])) for row in rows})
    if len(values) < 2:
        return None
    rank = {value: Fraction(i, len(values) - 1) for i, value in enumerate(values)}

    def mean(some: Sequence[Row]) -> Fraction:
        return sum((rank[Fraction(str(row[sensitive]))] for row in some), Fraction(0)) / len(some)

    middle = mean(rows)
    shifts = [abs(mean(group) - middle) for group in groups(rows, [LOOK]).values()]
    return float(max(shifts)) if shifts else None
