"""Strata: records that agree on some columns, and drawing values and records from them."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.data import Table
from unlinkable.tables.groups import RowNumbers
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Shares", "draw_outside", "happens", "strata_of", "unit"]

unit = 1 << 53
"""Probabilities are multiples of 1 / unit: so they are exactly what they are said to be."""


def strata_of(table: Table, columns: Columns) -> CodeArray:
    """Number the records so that those have the same number that agree on some columns."""
    rows = RowNumbers(len(table))
    for name in columns:
        numbered = table.numbered(name)
        rows.add_digits(numbered.numbers, np.maximum(numbered.codes, 0), numbered.observed.domain.n)
    return rows.finish()[0]


def happens(probability: float, n: int, rng: np.random.Generator) -> BoolArray:
    """Decide n times whether something happens that has this probability, to within 2**-53."""
    drawn: BoolArray = rng.integers(0, unit, n) < int(probability * unit)
    return drawn


def draw_outside(
    lo: CountArray, hi: CountArray, own_lo: CountArray, own_hi: CountArray, rng: np.random.Generator
) -> CountArray:
    """Draw for each range ``[lo, hi)`` a place in it that is not in its own part; -1 if none is.

    Examples
    --------
    >>> at = np.array([0, 0]), np.array([2, 1]), np.array([1, 0]), np.array([2, 1])
    >>> draw_outside(*at, np.random.default_rng(0)).tolist()
    [0, -1]
    """
    own = own_hi - own_lo
    room = hi - lo - own
    drawn = lo + rng.integers(0, np.maximum(room, 1))
    drawn += np.where(drawn >= own_lo, own, 0)
    return np.where(room > 0, drawn, -1)


@define(eq=False, frozen=True)
class Shares:
    """The values of the records of each stratum, sorted, so that they can be drawn from.

    Attributes
    ----------
    records
        The codes of all records, sorted by stratum and code.
    lo, hi
        For each record where the records of its stratum are.
    kinds, start, end
        The different pairs of a stratum and a code, sorted: the code, and where its records are.
    kinds_lo, kinds_hi, kind
        For each record where the pairs of its stratum are, and its own pair.
    """

    records: CodeArray
    lo: CountArray
    hi: CountArray
    kinds: CodeArray
    start: CountArray
    end: CountArray
    kinds_lo: CountArray
    kinds_hi: CountArray
    kind: CountArray

    @classmethod
    def of(cls, strata: CodeArray, codes: CodeArray) -> Self:
        """Sort records by stratum and code."""
        width = int(codes.max(initial=0)) + 1
        key = strata.astype(np.int64) * width + codes
        kinds, kind, n_each = np.unique(key, return_inverse=True, return_counts=True)
        stratum_of = kinds // width
        end = np.cumsum(n_each)
        start = end - n_each
        first = np.searchsorted(stratum_of, strata, side="left")
        last = np.searchsorted(stratum_of, strata, side="right")
        return cls(
            records=np.repeat(kinds % width, n_each).astype(np.int32),
            lo=start[first],
            hi=end[last - 1],
            kinds=(kinds % width).astype(np.int32),
            start=start,
            end=end,
            kinds_lo=first,
            kinds_hi=last,
            kind=kind,
        )

    def other_kind(self, kind: CountArray, rng: np.random.Generator) -> CountArray:
        """Draw for each record one of the other values of its stratum, all as likely; -1 if none.

        Parameters
        ----------
        kind
            Which pair must not be drawn.
        rng
            The source of chance.
        """
        return draw_outside(self.kinds_lo, self.kinds_hi, kind, kind + 1, rng)

    def other_record(self, kind: CountArray, rng: np.random.Generator) -> CodeArray:
        """Draw for each record the value of one that has another; its own where there is none.

        Values are as likely as they are frequent in the stratum.
        """
        at = draw_outside(self.lo, self.hi, self.start[kind], self.end[kind], rng)
        return np.where(at >= 0, self.records[at], self.kinds[kind])
