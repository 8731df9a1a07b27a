"""Metrics that read nothing but what groups show: they can guide a search.

Three families, by what a search can know of releases that it has not examined: losses that add up
over cells, losses that depend on the sizes of groups, and all others.
"""

from __future__ import annotations

import abc
from typing import ClassVar, Self

import numpy as np

from unlinkable.release import Measurement
from unlinkable.tables.data import Schema
from unlinkable.tables.metrics.base.metric import Metric
from unlinkable.tables.metrics.base.published import Generalized, Published
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = ["CellMetric", "GroupMetric", "SizeMetric", "SummedCellMetric"]


class GroupMetric(Metric):
    """A number that depends on nothing but what the groups of a release show and hide."""

    guides: ClassVar[bool] = True
    boxes_suffice: ClassVar[bool] = False
    """Whether boxes and sizes are enough, without a look at the original records."""

    @abc.abstractmethod
    def value(self, shown: Shown) -> float:
        """Measure what a release shows."""

    def loss(self, shown: Shown) -> float:
        """Give the number that a search is to keep small."""
        value = self.value(shown)
        return -value if self.higher_is_better else value

    def needs(self, schema: Schema) -> frozenset[Columns]:
        """Find which columns have to be counted in every group, beside what promises need.

        Raises
        ------
        SchemaError
            If the table does not have what the metric is about.
        """
        return frozenset()

    def bind(self, schema: Schema) -> Self:
        """Fill in what was left to the roles of the columns to say; raises as `needs` does."""
        return self

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the numbers that the result is made of, by name."""
        return {}

    def measure_groups(self, shown: Shown) -> Measurement:
        """Measure what a release shows, with all details."""
        return Measurement(self.value(shown), self.details(shown))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        assert isinstance(published, Generalized)
        return self.bind(published.original.schema).measure_groups(published.shown)


class CellMetric(GroupMetric):
    """A loss that adds up over cells: each depends on nothing but its own range.

    No cell loses more than a suppressed one, and a suppressed record loses `suppressed` on every
    attribute. The loss of a table is the mean over all records, suppressed ones included, and over
    the attributes by their importance, times `scale`. Where a suppressed cell loses 1, a table
    loses 0 if nothing was lost and 1 if nothing is left.
    """

    boxes_suffice: ClassVar[bool] = True
    charges_values: ClassVar[bool] = False
    """Whether even a cell that shows a value as it was loses something."""

    @property
    def monotone(self) -> bool:
        return True

    @abc.abstractmethod
    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        """Measure the loss of cells that show these ranges. It never falls as a range grows."""

    def suppressed(self, taxonomy: Taxonomy) -> float:
        """Measure the loss of a suppressed record's cell: at least that of any other cell."""
        return 1.0

    def scale(self, shown: Shown) -> float:
        """Turn the mean over cells into the number that is reported.

        It depends on the original table alone: it is the same for all releases of it.
        """
        return 1.0

    def by_attribute(self, shown: Shown) -> FloatArray:
        """Measure the mean loss of every attribute over all records."""
        return self.totals(shown) / (shown.total_weight or 1.0)

    def totals(self, shown: Shown) -> FloatArray:
        """Add up the loss of every attribute over all records, by their weights."""
        losses = np.zeros(len(shown.attributes))
        for j, attribute in enumerate(shown.attributes):
            cells = self.cells(attribute.taxonomy, shown.lo[:, j], shown.hi[:, j])
            left_out = self.suppressed(attribute.taxonomy) * shown.suppressed_weight
            losses[j] = float(cells @ shown.weights) + left_out
        return losses

    def value(self, shown: Shown) -> float:
        return float(self.by_attribute(shown) @ shown.importance) * self.scale(shown)

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the mean loss of every attribute over all records."""
        losses = self.by_attribute(shown).tolist()
        return {a.name: loss for a, loss in zip(shown.attributes, losses, strict=True)}


class SizeMetric(GroupMetric):
    """A loss that depends on nothing but the sizes of the groups."""

    boxes_suffice: ClassVar[bool] = True

    @property
    def prunes(self) -> bool:
        return True

    @abc.abstractmethod
    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        """Measure the loss of groups of these sizes."""

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        """Bound from below the loss of every release that is coarser than groups of these sizes.

        Such a release merges groups and leaves out at most ``may_suppress`` of their records,
        beside ``n_suppressed`` others that are suppressed already: a search needs to look no
        further where even this is more than it has. Given here for losses that never fall when
        groups are merged or left out.
        """
        return self.of_sizes(sizes, n_suppressed)

    def value(self, shown: Shown) -> float:
        return self.of_sizes(shown.sizes, shown.n_suppressed)


class SummedCellMetric(CellMetric):
    """A loss that is the sum over all cells, by the weights of their records.

    Every cell is multiplied with the importance of its attribute as it was given. A table of twice
    as many records loses twice as much.
    """

    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)

    def scale(self, shown: Shown) -> float:
        """Count all cells, by the weights of their records and attributes."""
        return shown.total_weight * sum(a.importance for a in shown.attributes)

    def value(self, shown: Shown) -> float:
        # Added up before anything is divided, whole units stay whole.
        return float(self.totals(shown) @ np.array([a.importance for a in shown.attributes]))
