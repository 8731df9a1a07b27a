"""Features: what records show, as numbers that classifiers learn from."""

from __future__ import annotations

from enum import Enum
from hashlib import blake2b
from itertools import compress
from typing import Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from unlinkable.typing import BoolArray, Columns, CountArray

__all__ = ["Features", "Sort"]

_STEPS = 4096
"""Shares that differ by less than this part of the greatest are taken for equal."""


class Sort(Enum):
    """What a feature tells of a column."""

    MIDPOINT = "midpoint"
    """The middle of the interval, 0 for the least number of the original and 1 for the greatest."""
    WIDTH = "width"
    """The width of the interval, out of that of all numbers of the original."""
    MISSING = "missing"
    """1 if the value is missing."""
    VALUE = "value"
    """How much of the range is one value (or one stretch of values, where there are too many)."""
    NODE = "node"
    """How much of the range lies under one node of the taxonomy above the values."""


@frozen(eq=False)
class Features:
    """Records as rows of numbers.

    Attributes
    ----------
    values
        One row per record, one column per feature: four bytes for each record and feature.
    columns
        The column of the table that each feature tells of.
    sorts
        What each feature tells of it.
    covers
        The codes ``[lo, hi)`` of the value or node that each is about; none for numbers.
    """

    values: NDArray[np.float32]
    columns: Columns
    sorts: tuple[Sort, ...]
    covers: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.values)

    def of_columns(self, names: Columns) -> Self:
        """Keep the features of some columns of the table."""
        return self.at(np.array([name in names for name in self.columns], bool))

    def of_sort(self, *sorts: Sort) -> Self:
        """Keep the features that tell such things."""
        return self.at(np.array([sort in sorts for sort in self.sorts], bool))

    def at(self, kept: BoolArray) -> Self:
        """Keep the marked features."""
        columns = tuple(compress(self.columns, kept))
        sorts, covers = tuple(compress(self.sorts, kept)), tuple(compress(self.covers, kept))
        return type(self)(self.values[:, kept], columns, sorts, covers)

    def told_once(self) -> BoolArray:
        """Mark the features that no node further up repeats in these records, but for a factor.

        Where records show families of jobs and no single job, the share of a job is half that of
        its family, or a third, for all of them. Who learns from the job instead of the family errs
        as soon as a single job is seen.
        """
        alike: dict[tuple[str, bytes], list[tuple[int, int]]] = {}
        keys = []
        for j, (name, cover) in enumerate(zip(self.columns, self.covers, strict=True)):
            shares = self.values[:, j]
            greatest = max(float(shares.max(initial=0)), 1e-9)
            steps = np.round(shares / greatest * _STEPS).astype(np.int32)
            keys.append((name, blake2b(steps.tobytes()).digest()))
            alike.setdefault(keys[-1], []).append(cover)
        told = [
            not any(lo <= start and end <= hi and (lo, hi) != (start, end) for lo, hi in alike[key])
            for key, (start, end) in zip(keys, self.covers, strict=True)
        ]
        return np.array(told, bool)

    def of_records(self, records: BoolArray | CountArray) -> Self:
        """Keep some records."""
        return evolve(self, values=self.values[records])

    def beside(self, other: Self) -> Self:
        """Put the records of another table with the same features after these."""
        return evolve(self, values=np.concatenate([self.values, other.values]))
