"""Cuts: trying every cut of a column, and keeping the one with the least penalty or loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeAlias

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.splitting import cut_boxes, list_cuts, tally_cuts
from unlinkable.tables.groups import Groups, Histogram, nameable
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout, Regions, unseen
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Cuts", "Loss", "Penalty", "unevenness"]

_ENTRIES = 1 << 20
"""Entries of histograms that are made at a time, or those of one cut."""


@define(eq=False, frozen=True)
class Cuts:
    """Cuts of regions: the rows of each region sorted, and how many go below.

    Attributes
    ----------
    layout, regions
        What is cut.
    region
        The region of every item; several items of a region are cuts on several columns.
    rows, starts
        The rows of each item, sorted, and where they start.
    item, below, lower
        For every cut its item, and the number of rows and of records that go below.
    """

    layout: RegionLayout
    regions: Regions
    region: CountArray
    rows: CodeArray
    starts: CountArray
    item: CountArray
    below: CountArray
    lower: CountArray

    @classmethod
    def on(
        cls,
        layout: RegionLayout,
        regions: Regions,
        region: CountArray,
        columns: CodeArray,
        *,
        least: int,
        strict: bool,
    ) -> Self:
        """List the cuts of some regions, each on a column, with ``least`` records in both halves.

        If not ``strict``, rows with equal codes may be parted.
        """
        own = regions.select(region)
        found = list_cuts(
            layout.rows.keys,
            layout.rows.sizes,
            own.start,
            own.end,
            own.sizes,
            own.lo,
            own.hi,
            columns,
            *layout.axes,
            least,
            strict,
        )
        return cls(layout, regions, region, *found)

    def __len__(self) -> int:
        return self.item.size

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.layout.finest.columns)

    def select(self, which: CountArray | slice) -> Self:
        """Keep some of the cuts."""
        return evolve(self, item=self.item[which], below=self.below[which], lower=self.lower[which])

    def sort_rows(self) -> None:
        """Put the rows of the regions into the order of their items, one for each region."""
        shift = self.regions.start[self.region] - self.starts[:-1]
        places = np.arange(self.rows.size) + np.repeat(shift, np.diff(self.starts))
        for array in self.layout.rows:
            array[places] = array[self.rows]

    @property
    def sizes(self) -> CountArray:
        """Number of records of the lower half of each cut, then of the upper."""
        total = self.regions.sizes[self.region[self.item]]
        return np.column_stack([self.lower, total - self.lower]).ravel()

    def weights(self) -> FloatArray:
        """Sum of the weights of the lower half of each cut, then of the upper."""
        finest, order = self.layout.finest, self.layout.rows.order
        so_far = np.append(0.0, np.cumsum(finest.weights[order[self.rows]]))
        first, last = so_far[self.starts[self.item]], so_far[self.starts[self.item + 1]]
        middle = so_far[self.starts[self.item] + self.below]
        return np.column_stack([middle - first, last - middle]).ravel()

    def boxes(self) -> tuple[CodeArray, CodeArray]:
        """Draw the smallest boxes around the lower half of each cut, then around the upper."""
        return cut_boxes(self.layout.rows.keys, self.rows, self.starts, self.item, self.below)

    def kept(self, judge: Judge) -> BoolArray:
        """Tell which cuts have two good halves."""
        if judge.sizes_suffice:
            return np.ones(len(self), bool)
        sizes, weights = self.sizes.reshape(-1, 2), self.weights().reshape(-1, 2)
        room = self._room()
        good = np.empty(len(self), bool)
        for part in portions(room, _ENTRIES):
            groups = self._groups(part, sizes[part].ravel(), weights[part].ravel(), room[part])
            good[part] = judge.keeps(groups).reshape(-1, 2).all(axis=1)
        return good

    def _room(self) -> CountArray:
        """Bound the entries of the histograms of both halves of each cut."""
        room = np.full(len(self), 2, np.int64)
        owns = self.layout.rows.order[self.rows]
        for h in self.layout.finest.histograms.values():
            so_far = np.append(0, np.cumsum(h.distinct[owns]))
            entries = np.minimum(np.diff(so_far[self.starts]), h.n_values)
            room += 2 * entries[self.item]
        return room

    def _groups(
        self, part: slice, sizes: CountArray, weights: FloatArray, room: CountArray
    ) -> Groups:
        finest, owns = self.layout.finest, self.layout.rows.order[self.rows]
        histograms = {
            columns: Histogram(
                *tally_cuts(
                    h.indptr,
                    h.values,
                    h.counts,
                    owns,
                    self.starts,
                    self.item[part],
                    self.below[part],
                    int(room.sum()),
                    self.layout.seen(columns),
                ),
                h.n_values,
                h.taxonomy,
                h.parts,
            )
            for columns, h in finest.histograms.items()
        }
        return unseen(finest, sizes, weights, histograms)


Penalty: TypeAlias = Callable[[Cuts], FloatArray]
"""A number for each cut; the lowest one is wanted."""


def unevenness(cuts: Cuts) -> FloatArray:
    """Tell by how much the halves of cuts differ in size."""
    sizes = cuts.sizes.reshape(-1, 2)
    gap: FloatArray = np.abs(sizes[:, 0] - sizes[:, 1]).astype(float)
    return gap


@define(eq=False, frozen=True)
class Loss:
    """The loss of both halves of a cut, added up over cells.

    A metric that does not add up over cells (it may depend on sizes alone) says nothing about where
    to cut; the normalized certainty penalty then decides.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    metric
        What is to be kept small.
    in_taxonomy
        Whether only nodes of the taxonomies are published.
    """

    attributes: tuple[Attribute, ...]
    metric: GroupMetric
    in_taxonomy: bool

    def __call__(self, cuts: Cuts) -> FloatArray:
        """Measure cuts."""
        metric = self.metric
        cells = metric if isinstance(metric, CellMetric) else NormalizedCertaintyPenalty()
        lo, hi = nameable(*cuts.boxes(), self.attributes, in_taxonomy=self.in_taxonomy)
        losses = np.zeros(len(lo))
        for j, attribute in enumerate(self.attributes):
            shown = cells.cells(attribute.taxonomy, lo[:, j], hi[:, j])
            losses += attribute.importance * shown
        both: FloatArray = (losses * cuts.weights()).reshape(-1, 2).sum(axis=1)
        return both
