r"""Contribution: how much of the risk each column is to blame for.

Two questions, two answers. *What if this column were not known?* The risk without it, all others
as they are. *Which part of the risk is due to it?* The Shapley value: how much the average risk
rises when the column becomes known, averaged over all orders in which the columns may become known
[1]_. With :math:`v(S)` the average prosecutor risk of an adversary who knows the columns :math:`S`
of :math:`d`,

.. math::

   \varphi_c = \sum_{S \not\ni c} \frac{|S|!\,(d - |S| - 1)!}{d!}
               \big(v(S \cup \{c\}) - v(S)\big)

so that all columns together make up the difference between knowing all and knowing nothing. Columns
that say the same share their part; without one of them the risk hardly falls.

References
----------
.. [1] L. S. Shapley. "A value for n-person games." Contributions to the Theory of Games II, 1953.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial

import numpy as np
from attrs import frozen

from unlinkable.tables.groups import Groups
from unlinkable.tables.models import AverageRisk
from unlinkable.tables.risk.shared.column_sets import walk
from unlinkable.typing import Progress

__all__ = ["Contribution", "average_risk", "contributions_of"]

_MOST_COLUMNS = 10
"""Up to this many columns, all orders are examined."""

_MOST_WORK = 1 << 28
_MOST_OWNED = 1 << 26
"""Column sets times distinct records; owners are counted again for every set."""


@frozen
class Contribution:
    """What a column contributes to the risk.

    Attributes
    ----------
    column
        The column.
    average_without, highest_without
        The average and the highest prosecutor risk if it were not known.
    part
        Its part of the average risk; None if there are too many columns or records to tell.
    """

    column: str
    average_without: float
    highest_without: float
    part: float | None

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "column": self.column,
            "average_without": self.average_without,
            "highest_without": self.highest_without,
            "part": self.part,
        }


def average_risk(groups: Groups) -> float:
    """Give the mean prosecutor risk of all records; 0 if there are none."""
    return float(AverageRisk(1).level(groups)[0]) if len(groups) else 0.0


def contributions_of(groups: Groups, progress: Progress | None = None) -> tuple[Contribution, ...]:
    """State what each column contributes, the most dangerous one first.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"sex": "ffmm", "job": "abcc"}, quasi=["sex", "job"])
    >>> [(c.column, c.average_without, c.part) for c in contributions_of(count(people).finest)]
    [('job', 0.5, 0.375), ('sex', 0.75, 0.125)]
    """
    columns = groups.columns
    parts = _shapley(groups, progress)
    found = []
    for j, name in enumerate(columns):
        rest, _ = groups.project(columns[:j] + columns[j + 1 :])
        highest = float((1 / rest.people()).max(initial=0.0))
        part = None if parts is None else parts[j]
        found.append(Contribution(name, average_risk(rest), highest, part))
    whole = average_risk(groups)
    return tuple(
        sorted(found, key=lambda c: (-(c.part or 0.0), c.average_without - whole, c.column))
    )


def _shapley(groups: Groups, progress: Progress | None) -> list[float] | None:
    """Average over all orders; None if that would take too long."""
    d, entries = len(groups.columns), len(groups)
    most = _MOST_WORK
    if groups.owner is not None:
        entries, most = groups.histograms[groups.owner,].values.size, _MOST_OWNED
    if d > _MOST_COLUMNS or entries << d > most:
        return None
    risks = np.zeros(1 << d)
    n = max(groups.n_records, 1)
    for i, (mask, risk) in enumerate(_risks(groups, n)):
        risks[mask] = risk
        if progress is not None:
            progress((i + 1) / (1 << d), "looking at what each column contributes")
    risks[0] = average_risk(groups.project(())[0])
    sizes = np.array([mask.bit_count() for mask in range(1 << d)])
    worth = np.array([factorial(k) * factorial(d - k - 1) / factorial(d) for k in range(d)])
    found = []
    for j in range(d):
        without = np.flatnonzero(~(np.arange(1 << d) >> j) & 1)
        gains = risks[without | (1 << j)] - risks[without]
        found.append(float(worth[sizes[without]] @ gains))
    return found


def _risks(groups: Groups, n: int) -> Iterator[tuple[int, float]]:
    """Give the average risk of every set of columns, which is told as bits."""
    d = len(groups.columns)
    if groups.owner is None:
        yield from ((_bits(s.columns), s.n_groups / n) for s in walk(groups.keys, groups.sizes, d))
        return
    for size in range(1, d + 1):
        for places in combinations(range(d), size):
            seen, _ = groups.project(tuple(groups.columns[j] for j in places))
            yield _bits(places), average_risk(seen)


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << j for j in places)
