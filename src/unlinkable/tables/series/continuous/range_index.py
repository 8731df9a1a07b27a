"""Range index: the distinct records of a table beside what earlier releases show."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series import Classes
from unlinkable.typing import CodeArray, CountArray

__all__ = ["RangeIndex", "Starts"]

Starts = tuple[CodeArray, ...]
"""For every column and each code that occurs, the least code that occurs in the same range; the
number of codes for those that are in none."""


@define(eq=False, frozen=True)
class RangeIndex:
    """Where the codes of a table lie among the ranges that releases show.

    Attributes
    ----------
    keys
        The distinct records, in codes of the table.
    columns
        For each column of the table, its place in the releases.
    occurring
        The codes that occur, for each column.
    places
        Where these lie in the numbering that all releases share.
    sizes
        How many codes each column has.
    """

    keys: CodeArray
    columns: tuple[int, ...]
    occurring: tuple[CodeArray, ...]
    places: tuple[CodeArray, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(
        cls,
        keys: CodeArray,
        rows: CodeArray,
        raw: Classes,
        columns: tuple[int, ...],
        sizes: tuple[int, ...],
    ) -> Self:
        """Find where codes lie from the records as they are.

        Parameters
        ----------
        keys, rows
            The distinct records, and which of them each record is.
        raw
            The records as they are, as if they were published so.
        columns, sizes
            As of the index.
        """
        lo = np.empty((len(keys), len(columns)), np.int32)
        lo[rows] = raw.lo[raw.labels][:, list(columns)]
        occurring, places = [], []
        for j in range(len(columns)):
            codes, first = np.unique(keys[:, j], return_index=True)
            occurring.append(codes.astype(np.int32))
            places.append(lo[first, j])
        return cls(keys, columns, tuple(occurring), tuple(places), sizes)

    def starts(self, shown: Classes) -> Starts:
        """Tell for each code that occurs where the range begins that a release shows for it."""
        found = []
        for j, size in enumerate(self.sizes):
            which, first, _ = self._ranges(shown, j)
            starts = np.full(size, size, np.int32)
            starts[self.occurring[j]] = np.append(first, np.int32(size))[which]
            found.append(starts)
        return tuple(found)

    def codes(self, shown: Classes) -> CodeArray:
        """Give for each class the least code that occurs in each of its ranges."""
        found = np.empty((len(shown), len(self.sizes)), np.int32)
        for j in range(len(self.sizes)):
            _, first, of_class = self._ranges(shown, j)
            found[:, j] = first[of_class]
        return found

    def _ranges(self, shown: Classes, j: int) -> tuple[CountArray, CodeArray, CountArray]:
        """Number the ranges of a column.

        Returns the range of each code that occurs, -1 for none; the least code of each range; and
        the range of each class.
        """
        at = self.columns[j]
        pairs, of_class = np.unique(
            np.column_stack([shown.lo[:, at], shown.hi[:, at]]), axis=0, return_inverse=True
        )
        which = np.searchsorted(pairs[:, 0], self.places[j], "right") - 1
        which[self.places[j] >= np.append(pairs[:, 1], 0)[which]] = -1
        first = np.full(len(pairs), self.sizes[j], np.int32)
        np.minimum.at(first, which[which >= 0], self.occurring[j][which >= 0])
        return which, first, of_class.ravel()
