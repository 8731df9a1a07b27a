"""Figures that sum up the risk of many records."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

import numpy as np
from attrs import frozen

from unlinkable.typing import CountArray, FloatArray

__all__ = ["Crowd", "Risk", "crowds_of"]

_EDGES = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)
"""Groups are told by their size: from one of these up to the next."""


@frozen
class Risk:
    """The risk that one adversary is to the records.

    Attributes
    ----------
    highest, average
        Of all records.
    n_above, above
        The records whose risk is greater than the threshold, and their share.
    n_highest
        How many records have the highest risk.
    """

    highest: float
    average: float
    n_above: int
    above: float
    n_highest: int

    @classmethod
    def of(
        cls, by_group: FloatArray, sizes: CountArray, average: float, threshold: Fraction
    ) -> Self:
        """Sum up the risk of groups of records."""
        n = max(int(sizes.sum()), 1)
        highest = float(by_group.max(initial=0.0))
        # 1/5 and 0.2 are rounded to the same number: records at the threshold are not above it.
        n_above = int(sizes[by_group > float(threshold)].sum())
        return cls(highest, average, n_above, n_above / n, int(sizes[by_group == highest].sum()))

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "highest": self.highest,
            "average": self.average,
            "above": self.above,
            "records_above": self.n_above,
            "records_at_highest": self.n_highest,
        }


@frozen
class Crowd:
    """Groups of about the same size.

    Attributes
    ----------
    least, most
        The number of people in them; None if there is no end.
    groups, records
        How many such groups, and records in them.
    """

    least: int
    most: int | None
    groups: int
    records: int

    @property
    def text(self) -> str:
        """The size, for people."""
        if self.most is None:
            return f"{self.least:,} or more"
        return str(self.least) if self.least == self.most else f"{self.least:,} to {self.most:,}"


def crowds_of(people: CountArray, sizes: CountArray) -> tuple[Crowd, ...]:
    """State how large groups are, from small to large; sizes that do not occur are omitted.

    Examples
    --------
    >>> [(c.text, c.groups) for c in crowds_of(np.array([1, 7, 9, 1]), np.array([1, 7, 9, 1]))]
    [('1', 2), ('5 to 9', 2)]
    """
    at = np.searchsorted(_EDGES, people, side="right") - 1
    groups = np.bincount(at, minlength=len(_EDGES))
    records = np.bincount(at, sizes, minlength=len(_EDGES)).astype(np.int64)
    lasts = [*(edge - 1 for edge in _EDGES[1:]), None]
    told = zip(_EDGES, lasts, groups.tolist(), records.tolist(), strict=True)
    return tuple(Crowd(*row) for row in told if row[2])
