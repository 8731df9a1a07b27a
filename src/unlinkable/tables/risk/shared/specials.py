"""Specials: which records are special uniques, and by which columns."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from attrs import define, field

from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.typing import BoolArray, CodeArray, Columns, FloatArray

__all__ = ["Specials", "owners_of"]


@define(eq=False, frozen=True)
class Specials:
    """Which records are special uniques.

    Attributes
    ----------
    columns
        The columns that were examined.
    largest
        The largest number of columns in a set.
    n_minimal
        By record and size, the number of its minimal unique sets of that many columns.
    scores
        By record, its SUDA score; 0 if it is not unique.
    chances
        By record, its DIS-SUDA score: the chance that somebody who finds a match to it in the
        population is right; 0 if it is not unique.
    fraction
        The share of the population that this was worked out for.
    dis
        The same chance for all unique records together.
    contributions
        By column, the share of the sum of all scores that comes from sets with this column. As
        sets have several columns, the shares add up to more than 1.
    """

    columns: Columns
    largest: int
    n_minimal: CodeArray
    scores: FloatArray
    chances: FloatArray
    fraction: float
    dis: float
    contributions: Mapping[str, float]
    _groups: Groups = field(repr=False)
    _labels: CodeArray = field(repr=False)

    @property
    def n_unique(self) -> int:
        """Number of records that at most ``largest`` columns single out."""
        return int((self.scores > 0).sum())

    def by_size(self) -> dict[int, int]:
        """Count the records by the size of their smallest unique set.

        Examples
        --------
        >>> from unlinkable.tables.risk import SpecialUniques
        >>> from unlinkable.tables.data import as_table
        >>> people = as_table({"sex": ["f", "f", "m"], "job": ["cook", "clerk", "cook"]},
        ...     quasi=["sex", "job"])
        >>> SpecialUniques().measure(people).by_size()
        {1: 2, 2: 1}
        """
        first = np.argmax(self.n_minimal > 0, axis=1)[self.scores > 0] + 1
        counts = np.bincount(first, minlength=self.largest + 1)
        return {size: int(counts[size]) for size in range(1, self.largest + 1)}

    def minimal(self, record: int) -> list[Columns]:
        """Name the minimal sets of columns that single out one record, by its place in the table.

        Raises
        ------
        ParameterError
            If there is no such record.
        """
        if not 0 <= record < self._labels.size:
            raise ParameterError(
                f"no record {record}: they are numbered from 0 to {self._labels.size - 1}"
            )
        found: list[tuple[int, ...]] = []
        own = int(self._labels[record])
        if not self.scores[record]:
            return []
        agreed = self._agreed(own)
        for size in range(1, self.largest + 1):
            for places in combinations(range(len(self.columns)), size):
                is_larger = any(set(smaller) <= set(places) for smaller in found)
                if not is_larger and not agreed[:, places].all(axis=1).any():
                    found.append(places)
        return [tuple(self.columns[j] for j in places) for places in found]

    def to_json(self) -> dict[str, object]:
        """Give the figures as plain values, of no single record."""
        return {
            "largest": self.largest,
            "uniques": self.n_unique,
            "by_size": {str(size): n for size, n in self.by_size().items()},
            "highest_score": float(self.scores.max(initial=0.0)),
            "fraction": self.fraction,
            "dis": self.dis,
            "highest_dis_suda": float(self.chances.max(initial=0.0)),
            "contributions": dict(self.contributions),
        }

    def _agreed(self, own: int) -> BoolArray:
        """State on which columns records of other people agree with a group, each way once."""
        keys, owners = self._groups.keys, owners_of(self._groups)
        same: BoolArray = np.equal(keys[owners != owners[own]], keys[own])
        return same[number_rows(same.astype(np.int32))[1]]


def owners_of(groups: Groups) -> CodeArray:
    """Tell whose each group is; -1 if it belongs to several people."""
    people = groups.people()
    if groups.owner is None:
        whose = np.arange(len(groups), dtype=np.int32)
    else:
        told = groups.histograms[groups.owner,]
        whose = told.values[np.minimum(told.indptr[:-1], max(told.values.size - 1, 0))]
    return np.where(people == 1, whose, -1).astype(np.int32)
