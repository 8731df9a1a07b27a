"""What every measure of loss is made of.

A metric reads what a release shows: for every published group its box of codes and its size, and
how many records were left out. The same numbers guide a search and measure its result.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from attrs import define

from unlinkable.groups import Partition
from unlinkable.kernels.tallies import sum_floats_by_label
from unlinkable.spelling import write_call
from unlinkable.table.taxonomy import Attribute, Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["CellMetric", "Metric", "Shown", "SizeMetric"]


@define(eq=False, frozen=True)
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
        Number of records that were left out, and the sum of their weights.
    """

    attributes: tuple[Attribute, ...]
    lo: CodeArray
    hi: CodeArray
    sizes: CountArray
    weights: FloatArray
    n_suppressed: int = 0
    suppressed_weight: float = 0.0

    @classmethod
    def of(cls, partition: Partition, attributes: Sequence[Attribute]) -> Self:
        """Look at a partition as it will be published."""
        finest, labels = partition.finest, partition.labels
        return cls(
            tuple(attributes),
            partition.lo,
            partition.hi,
            partition.sizes,
            sum_floats_by_label(finest.weights, labels, partition.n_parts),
            partition.n_suppressed,
            float(finest.weights[labels < 0].sum()),
        )

    @property
    def n_records(self) -> int:
        """Number of records of the original table."""
        return int(self.sizes.sum()) + self.n_suppressed

    @property
    def importance(self) -> FloatArray:
        """How much each attribute counts; adds up to 1."""
        given = np.array([a.importance for a in self.attributes], float)
        return given / given.sum() if given.size else given


class Metric(abc.ABC):
    """A number for what a release has lost; lower is better."""

    name: ClassVar[str]
    """What the metric is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""

    @abc.abstractmethod
    def measure(self, shown: Shown) -> float:
        """Measure the loss of a release."""

    def __str__(self) -> str:
        return write_call(self)


class CellMetric(Metric):
    """A loss that adds up over cells: each depends on nothing but its own range.

    No cell loses more than a suppressed one, and a suppressed record loses `suppressed` on every
    attribute. The loss of a table is the mean over all records, suppressed ones included, and over
    the attributes by their importance, times `scale`. Where a suppressed cell loses 1, a table
    loses 0 if nothing was lost and 1 if nothing is left.
    """

    @abc.abstractmethod
    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        """Measure the loss of cells that show these ranges. It never falls as a range grows."""

    def suppressed(self, taxonomy: Taxonomy) -> float:
        """Measure the loss of a cell whose record is left out: at least that of any other cell."""
        return 1.0

    def scale(self, shown: Shown) -> float:
        """Turn the mean over cells into the number that is reported.

        It depends on the original table alone: it is the same for all releases of it.
        """
        return 1.0

    def by_attribute(self, shown: Shown) -> FloatArray:
        """Measure the mean loss of every attribute over all records."""
        total = float(shown.weights.sum()) + shown.suppressed_weight
        return self.totals(shown) / (total or 1.0)

    def totals(self, shown: Shown) -> FloatArray:
        """Add up the loss of every attribute over all records, by their weights."""
        losses = np.zeros(len(shown.attributes))
        for j, attribute in enumerate(shown.attributes):
            cells = self.cells(attribute.taxonomy, shown.lo[:, j], shown.hi[:, j])
            left_out = self.suppressed(attribute.taxonomy) * shown.suppressed_weight
            losses[j] = float(cells @ shown.weights) + left_out
        return losses

    def measure(self, shown: Shown) -> float:
        return float(self.by_attribute(shown) @ shown.importance) * self.scale(shown)


class SizeMetric(Metric):
    """A loss that depends on nothing but the sizes of the groups."""

    @abc.abstractmethod
    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        """Measure the loss of groups of these sizes."""

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        """Bound from below the loss of every release that is coarser than groups of these sizes.

        Such a release merges groups and leaves out at most ``may_suppress`` of their records,
        beside ``n_suppressed`` others that are left out already: a search needs to look no further
        where even this is more than it has. Given here for losses that never fall when groups are
        merged or left out.
        """
        return self.of_sizes(sizes, n_suppressed)

    def measure(self, shown: Shown) -> float:
        return self.of_sizes(shown.sizes, shown.n_suppressed)
