"""Shown: what a generalized release shows of its records.

For every published group its box of codes and its size, and how many records were suppressed. The
same numbers guide a search and measure its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import sum_by_label, sum_floats_by_label
from unlinkable.tables.data import PublicDomains
from unlinkable.tables.groups import Groups, Histogram, Partition, number_rows
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["Shown"]


@define(eq=False, frozen=True, slots=False)
class Shown:
    """What a release shows of its records.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    lo, hi
        ``[lo[g, j], hi[g, j])`` is the range of codes that group ``g`` shows on attribute ``j``.
    sizes, weights
        Number of records in each group, and the sum of their weights.
    n_suppressed, suppressed_weight
        Number of suppressed records, and the sum of their weights.
    partition
        Which of the original records are in which group; None if that is not known.
    """

    attributes: tuple[Attribute, ...]
    lo: CodeArray
    hi: CodeArray
    sizes: CountArray
    weights: FloatArray
    n_suppressed: int = 0
    suppressed_weight: float = 0.0
    partition: Partition | None = None

    @classmethod
    def of(cls, partition: Partition, attributes: Sequence[Attribute]) -> Self:
        """Examine a partition as it will be published."""
        finest, labels = partition.finest, partition.labels
        return cls(
            tuple(attributes),
            partition.lo,
            partition.hi,
            partition.sizes,
            sum_floats_by_label(finest.weights, labels, partition.n_parts),
            partition.n_suppressed,
            float(finest.weights[labels < 0].sum()),
            partition,
        )

    def on(self, columns: Columns) -> Self:
        """Give the same with the attributes in the order of these columns, of no partition.

        Raises
        ------
        UnsupportedError
            If these are not the columns that are shown.
        """
        names = [a.name for a in self.attributes]
        if sorted(names) != sorted(columns):
            raise UnsupportedError(
                f"the release shows {', '.join(names)}, and not {', '.join(columns)}"
            )
        at = [names.index(name) for name in columns]
        attributes = tuple(self.attributes[j] for j in at)
        lo, hi = self.lo[:, at], self.hi[:, at]
        return evolve(self, attributes=attributes, lo=lo, hi=hi, partition=None)

    def over(self, domains: PublicDomains) -> Self:
        """Examine the groups as recipients may: each of them once, over values that they may know.

        Records that were suppressed count by their number alone: each weighs as much as a published
        one does on average.
        """
        names = tuple(a.name for a in self.attributes)
        lo, hi = domains.boxes(names, self.lo, self.hi)
        labels, first = number_rows(np.column_stack([lo, hi]))
        shown = type(self)(
            domains.attributes(self.attributes),
            lo[first],
            hi[first],
            sum_by_label(self.sizes, labels, first.size),
            sum_floats_by_label(self.weights, labels, first.size),
        )
        return shown.beside(self.n_suppressed)

    def beside(self, n_suppressed: int) -> Self:
        """Count records as left out of which nothing is known but their number."""
        n_published = int(self.sizes.sum())
        weight = float(self.weights.sum()) / n_published if n_published else 1.0
        return evolve(self, n_suppressed=n_suppressed, suppressed_weight=n_suppressed * weight)

    @property
    def n_records(self) -> int:
        """Number of records of the original table."""
        return int(self.sizes.sum()) + self.n_suppressed

    @property
    def total_weight(self) -> float:
        """The sum of the weights of all records of the original table."""
        return float(self.weights.sum()) + self.suppressed_weight

    @property
    def importance(self) -> FloatArray:
        """How much each attribute counts; adds up to 1."""
        given = np.array([a.importance for a in self.attributes], float)
        return given / given.sum() if given.size else given

    @property
    def finest(self) -> Groups:
        """The distinct records of the original table with their counts."""
        return self.origin.finest

    @property
    def labels(self) -> CodeArray:
        """The group of each distinct record of the original; -1 if it was suppressed."""
        return self.origin.labels

    @property
    def origin(self) -> Partition:
        """Which of the original records are in which group.

        Raises
        ------
        UnsupportedError
            If that is not known.
        """
        if self.partition is None:
            raise UnsupportedError(
                "which original record is in which group is not known here: measure the bundle, or "
                "a table that has all records in their order, with equal ones published alike"
            )
        return self.partition

    @cached_property
    def before(self) -> tuple[FloatArray, ...]:
        """What the records with each code of each attribute weigh in the original table."""
        return tuple(
            sum_floats_by_label(self.finest.weights, self.finest.keys[:, j], a.taxonomy.n)
            for j, a in enumerate(self.attributes)
        )

    def hidden(self, columns: Columns) -> tuple[Histogram, CountArray]:
        """Count what each group hides on some columns, and what the suppressed records hid.

        Raises
        ------
        UnsupportedError
            If these columns were not counted.
        """
        finest = self.finest
        if columns not in finest.histograms:
            raise UnsupportedError(f"the values of {', '.join(columns)} were not counted")
        counted = finest.histograms[columns]
        kept = counted.merge(self.labels, len(self.sizes))
        whole = np.bincount(counted.values, counted.counts, counted.n_values)
        published = np.bincount(kept.values, kept.counts, kept.n_values)
        return kept, (whole - published).astype(np.int64)
