"""Possible records: all combinations of the values of some columns, numbered."""

from __future__ import annotations

import math
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import Frame, Table, frame_from_codes
from unlinkable.typing import Columns, CountArray

__all__ = ["Possible", "insert"]

_LARGEST = 1 << 62
"""Numbers of records stay below this."""

_SMALL = 1 << 20
"""A domain of so many records may be gone through."""


@define(eq=False, frozen=True)
class Possible:
    """The records that there could be.

    Attributes
    ----------
    columns
        The columns.
    sizes
        How many values each of them may have.
    """

    columns: Columns
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, table: Table, columns: Columns) -> Self:
        """Take all combinations of the values that the taxonomies of columns have.

        Raises
        ------
        UnsupportedError
            If there are too many to number them.
        """
        found = cls(columns, tuple(table.taxonomy(name).n for name in columns))
        if found.size >= _LARGEST:
            raise UnsupportedError(
                f"there could be {float(found.size):.3g} different records, and at most 2**62 can "
                "be drawn from: publish fewer columns"
            )
        return found

    @property
    def size(self) -> int:
        """How many there are."""
        return math.prod(self.sizes)

    def distinct(self, table: Table) -> CountArray:
        """Number the different records of a table, in rising order."""
        keys = np.zeros(len(table), np.int64)
        for name, size in zip(self.columns, self.sizes, strict=True):
            keys = keys * size + table.codes(name)
        return np.unique(keys)

    def frame(self, table: Table, records: CountArray) -> Frame:
        """Write records by their numbers."""
        made, left = {}, records
        for name, size in zip(reversed(self.columns), reversed(self.sizes), strict=True):
            left, codes = np.divmod(left, size)
            made[name] = codes.astype(np.int32)
        return frame_from_codes(table, {name: made[name] for name in self.columns})


def insert(size: int, taken: CountArray, chance: float, rng: np.random.Generator) -> CountArray:
    """Draw each of the numbers below ``size`` that are not taken with a probability.

    How many there will be is drawn first, and then which: all sets of that many are as likely. A
    large domain is not gone through; numbers are drawn until enough different ones are free.

    Parameters
    ----------
    size
        How many numbers there are.
    taken
        Those that are never drawn, in rising order.
    chance
        The probability of each other number.
    rng
        The source of chance.
    """
    n = int(rng.binomial(size - taken.size, chance))
    if size <= _SMALL or 2 * (n + taken.size) > size:
        free = np.delete(np.arange(size, dtype=np.int64), taken)
        return rng.choice(free, n, replace=False)
    found = np.empty(0, np.int64)
    while found.size < n:
        more = rng.integers(0, size, 2 * (n - found.size) + 16)
        found = np.setdiff1d(np.union1d(found, more), taken, assume_unique=False)
    return rng.choice(found, n, replace=False)
