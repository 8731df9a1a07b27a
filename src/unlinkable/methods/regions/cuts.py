"""Trying every cut of a column, and keeping the one that suits best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from attrs import define

from unlinkable.groups import Groups, Histogram
from unlinkable.kernels.cuts import cut_boxes, list_cuts, tally_cuts
from unlinkable.methods.regions.ground import Ground, Regions, unseen
from unlinkable.methods.regions.judging import Judge
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Choice", "Cuts", "Penalty", "choose_cuts"]

_ROWS = 1 << 20
"""So many rows are sorted at a time, or those of one region."""

_ENTRIES = 1 << 20
"""So many entries of histograms are made at a time, or those of one cut."""


@define(eq=False, frozen=True)
class Cuts:
    """Cuts of regions: the rows of each region sorted, and how many go below.

    Attributes
    ----------
    ground, regions
        What is cut.
    region
        The region of every item; several items of a region are cuts on several columns.
    rows, starts
        The rows of each item, sorted, and where they start.
    item, below, lower
        For every cut its item, and the number of rows and of records that go below.
    """

    ground: Ground
    regions: Regions
    region: CountArray
    rows: CodeArray
    starts: CountArray
    item: CountArray
    below: CountArray
    lower: CountArray

    def __len__(self) -> int:
        return self.item.size

    @property
    def sizes(self) -> CountArray:
        """Number of records of the lower half of each cut, then of the upper."""
        total = self.regions.sizes[self.region[self.item]]
        return np.column_stack([self.lower, total - self.lower]).ravel()

    def weights(self) -> FloatArray:
        """Sum of the weights of the lower half of each cut, then of the upper."""
        finest, order = self.ground.finest, self.ground.rows.order
        so_far = np.append(0.0, np.cumsum(finest.weights[order[self.rows]]))
        first, last = so_far[self.starts[self.item]], so_far[self.starts[self.item + 1]]
        middle = so_far[self.starts[self.item] + self.below]
        return np.column_stack([middle - first, last - middle]).ravel()

    def boxes(self) -> tuple[CodeArray, CodeArray]:
        """Draw the smallest boxes around the lower half of each cut, then around the upper."""
        return cut_boxes(self.ground.rows.keys, self.rows, self.starts, self.item, self.below)

    def kept(self, judge: Judge) -> BoolArray:
        """Tell which cuts have two good halves."""
        if judge.sizes_suffice:
            return np.ones(len(self), bool)
        sizes, weights = self.sizes.reshape(-1, 2), self.weights().reshape(-1, 2)
        room = self._room()
        good = np.empty(len(self), bool)
        for part in _portions(room, _ENTRIES):
            groups = self._groups(part, sizes[part].ravel(), weights[part].ravel(), room[part])
            good[part] = judge.keeps(groups).reshape(-1, 2).all(axis=1)
        return good

    def _room(self) -> CountArray:
        """Bound the entries of the histograms of both halves of each cut."""
        room = np.full(len(self), 2, np.int64)
        owns = self.ground.rows.order[self.rows]
        for h in self.ground.finest.histograms.values():
            so_far = np.append(0, np.cumsum(h.distinct[owns]))
            entries = np.minimum(np.diff(so_far[self.starts]), h.n_values)
            room += 2 * entries[self.item]
        return room

    def _groups(
        self, part: slice, sizes: CountArray, weights: FloatArray, room: CountArray
    ) -> Groups:
        finest, owns = self.ground.finest, self.ground.rows.order[self.rows]
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
                    self.ground.seen(columns),
                ),
                h.n_values,
                h.taxonomy,
            )
            for columns, h in finest.histograms.items()
        }
        return unseen(finest, sizes, weights, histograms)


Penalty: TypeAlias = Callable[[Cuts], FloatArray]
"""A number for each cut; the lowest one is wanted."""


@define(eq=False, frozen=True)
class Choice:
    """The cuts that were chosen for regions.

    Attributes
    ----------
    middle
        The first row of the upper half of every region; -1 if no cut is good.
    lower
        Number of records below the cut.
    n_tried
        How many cuts were looked at.
    """

    middle: CountArray
    lower: CountArray
    n_tried: int


def choose_cuts(
    ground: Ground,
    regions: Regions,
    region: CountArray,
    columns: CodeArray,
    judge: Judge,
    penalty: Penalty,
    *,
    strict: bool,
    by_column: bool,
) -> Choice:
    """Find for every region the good cut of the least penalty, and move its rows accordingly.

    ``region`` and ``columns`` list what to try: the columns of the first region, those of the
    second, and so on. With ``by_column``, a cut on an earlier column is always preferred.
    """
    middle = np.full(len(regions), -1, np.int64)
    lower = np.zeros(len(regions), np.int64)
    n_tried = 0
    lengths = (regions.end - regions.start)[region]
    last = np.append(region[1:] != region[:-1], True) if region.size else np.empty(0, bool)
    for part in _portions(lengths, _ROWS, may_end=last):
        cuts = _list(ground, regions, region[part], columns[part], judge.least, strict=strict)
        n_tried += len(cuts)
        good = np.flatnonzero(cuts.kept(judge))
        penalties, item = penalty(cuts)[good], cuts.item[good]
        owner = cuts.region[item]
        good = good[np.lexsort((penalties, item) if by_column else (item, penalties, owner))]
        owner = cuts.region[cuts.item[good]]
        chosen = good[np.append(True, owner[1:] != owner[:-1])] if good.size else good
        _move(ground, cuts, chosen)
        owner = cuts.region[cuts.item[chosen]]
        middle[owner] = regions.start[owner] + cuts.below[chosen]
        lower[owner] = cuts.lower[chosen]
    return Choice(middle, lower, n_tried)


def _list(
    ground: Ground,
    regions: Regions,
    region: CountArray,
    columns: CodeArray,
    least: int,
    *,
    strict: bool,
) -> Cuts:
    own = regions.select(region)
    found = list_cuts(
        ground.rows,
        own.start,
        own.end,
        own.sizes,
        own.lo,
        own.hi,
        columns,
        ground.axes,
        least,
        strict,
    )
    return Cuts(ground, regions, region, *found)


def _move(ground: Ground, cuts: Cuts, chosen: CountArray) -> None:
    """Put the rows of the regions that are cut into the order of the cut column."""
    is_chosen = np.zeros(cuts.region.size, bool)
    is_chosen[cuts.item[chosen]] = True
    lengths = np.diff(cuts.starts)
    rows = cuts.rows[np.repeat(is_chosen, lengths)]
    shift = cuts.regions.start[cuts.region] - cuts.starts[:-1]
    places = np.arange(cuts.rows.size) + np.repeat(shift, lengths)
    places = places[np.repeat(is_chosen, lengths)]
    for array in ground.rows:
        array[places] = array[rows]


def _portions(costs: CountArray, most: int, may_end: BoolArray | None = None) -> Iterator[slice]:
    """Cut a list into slices that cost at most so much each, or have one entry.

    A slice ends only where it may; what belongs together then counts as one entry.
    """
    ends = np.arange(costs.size) + 1 if may_end is None else np.flatnonzero(may_end) + 1
    so_far = np.cumsum(costs)[ends - 1] if costs.size else ends
    begin = first = paid = 0
    while first < ends.size:
        last = max(first, int(np.searchsorted(so_far, paid + most, side="right")) - 1)
        yield slice(begin, int(ends[last]))
        begin, first, paid = int(ends[last]), last + 1, int(so_far[last])
