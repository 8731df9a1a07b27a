"""Pairs of people and records, and how far they agree on every column."""

from __future__ import annotations

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.kernels.linkage import mark_levels
from unlinkable.tables.attacks.linking.shared.agreeing import AGREE, Agreeing
from unlinkable.tables.attacks.linking.shared.dependence import excess, joint_excess
from unlinkable.tables.attacks.shared.matching import Matching
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Pairs"]

_MOST_TOGETHER = 14
"""Of more columns, agreement is taken to be independent."""


@define(eq=False, frozen=True)
class Pairs:
    """Pairs of kinds and looks, and how far they agree.

    Attributes
    ----------
    indptr, looks
        The looks that are weighed for every kind.
    levels
        A row per column: the level of agreement of each pair.
    weights
        Minus the logarithm of the chance that anybody agrees so far.
    people, sizes
        Number of people of each kind, and of records with each look.
    blurred
        For each column the share of records that show a generalized value there.
    most_present
        The share of the list that can have a record at most: no record is two people's.
    """

    indptr: CountArray
    looks: CodeArray
    levels: NDArray[np.uint8]
    weights: NDArray[np.float32]
    people: FloatArray
    sizes: CountArray
    blurred: FloatArray
    most_present: float = 1.0

    @classmethod
    def of(
        cls, matching: Matching, columns: list[Agreeing], indptr: CountArray, looks: CodeArray
    ) -> Pairs:
        """Find the levels of pairs."""
        levels = np.zeros((len(columns), looks.size), np.uint8)
        weights = np.zeros(looks.size, np.float32)
        for j, column in enumerate(columns):
            mark_levels(
                indptr, looks,
                *column.listed, column.near, column.listed_tells,
                *column.published, column.published_tells,
                column.close_indptr, column.close, -np.log(column.chance), levels[j], weights,
            )  # fmt: skip
        if 1 < len(columns) <= _MOST_TOGETHER:
            pairwise = excess(matching, columns)
            agreed = np.zeros(looks.size, np.int32)
            for j in range(len(columns)):
                agreed |= (levels[j] == AGREE).astype(np.int32) << j
            weights -= joint_excess(pairwise)[agreed].astype(np.float32)
        people = matching.kind_sizes.astype(float)
        records = matching.look_sizes
        blurred = np.array([_blurred(column, records) for column in columns])
        most = min(1.0, float(records.sum() / max(people.sum(), 1.0)))
        return cls(indptr, looks, levels, weights, people, records, blurred, most)

    def take(self, kinds: CountArray) -> Pairs:
        """Keep the pairs of some kinds."""
        width = np.diff(self.indptr)[kinds]
        indptr = np.append(0, np.cumsum(width)).astype(np.int64)
        at = np.repeat(self.indptr[kinds] - indptr[:-1], width) + np.arange(int(indptr[-1]))
        return evolve(
            self,
            indptr=indptr,
            looks=self.looks[at],
            levels=np.ascontiguousarray(self.levels[:, at]),
            weights=self.weights[at],
            people=self.people[kinds],
        )


def _blurred(column: Agreeing, records: CountArray) -> float:
    """Give the share of the records that tell something which is not a single value."""
    numbers, bounds = column.published
    is_wide = column.published_tells & (bounds[:, 1] - bounds[:, 0] > 1)
    return float(records[is_wide[numbers]].sum()) / max(int(records.sum()), 1)
