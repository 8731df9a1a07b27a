"""Trying every cut of a column, and keeping the one that suits best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Self, TypeAlias

import numpy as np
from attrs import define, evolve

from unlinkable.groups import Groups, Histogram
from unlinkable.kernels.cuts import cut_boxes, list_cuts, tally_cuts
from unlinkable.methods.regions.ground import Ground, Regions, unseen
from unlinkable.methods.regions.judging import Judge
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Choice", "Cuts", "Penalty", "choose_cuts", "unevenness"]

_ROWS = 1 << 18
"""So many rows are sorted at a time, or those of one region."""

_CELLS = 1 << 20
"""So many ranges of halves are measured at a time, or those of one cut."""

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
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.ground.finest.columns)

    def select(self, which: CountArray | slice) -> Self:
        """Keep some of the cuts."""
        return evolve(self, item=self.item[which], below=self.below[which], lower=self.lower[which])

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
    columns: tuple[CountArray, CodeArray],
    judge: Judge,
    penalty: Penalty,
    *,
    strict: bool,
    by_column: bool,
    ties: Penalty | None = None,
) -> Choice:
    """Find for every region the good cut of the least penalty, and move its rows accordingly.

    ``columns`` lists what to try: regions, rising, and a column for each. With ``by_column``, a cut
    on an earlier column is always preferred. Of equal cuts, one on the earliest column is taken,
    and of these the one that ``ties`` makes least, or the lowest.
    """
    region, column = columns
    best = np.full(len(regions), np.inf)
    chosen = np.full(len(regions), -1, np.int64)
    below, lower = np.zeros((2, len(regions)), np.int64)
    n_tried = 0
    for part in _portions((regions.end - regions.start)[region], _ROWS):
        cuts = _list(ground, regions, region[part], column[part], judge.least, strict=strict)
        n_tried += len(cuts)
        cuts = cuts.select(np.flatnonzero(cuts.kept(judge)))
        first, penalties = _least(cuts, penalty, ties, by_column=by_column)
        item = cuts.item[first]
        owner = cuts.region[item]
        is_better = (chosen[owner] < 0) if by_column else (penalties < best[owner])
        first, item, owner = first[is_better], item[is_better], owner[is_better]
        best[owner], chosen[owner] = penalties[is_better], item + part.start
        below[owner], lower[owner] = cuts.below[first], cuts.lower[first]
    cut = chosen >= 0
    _sort(ground, regions, np.flatnonzero(cut), column[chosen[cut]], strict=strict)
    return Choice(np.where(cut, regions.start + below, -1), lower, n_tried)


def _least(
    cuts: Cuts, penalty: Penalty, ties: Penalty | None, *, by_column: bool
) -> tuple[CountArray, FloatArray]:
    """Choose a cut for each region that has one, and tell its penalty."""
    penalties = np.empty(len(cuts))
    for part in _portions(np.full(len(cuts), cuts.n_columns), _CELLS):
        penalties[part] = penalty(cuts.select(part))
    owner = cuts.region[cuts.item]
    rest = () if ties is None else (ties(cuts),)
    keys = (penalties, cuts.item) if by_column else (cuts.item, penalties, owner)
    order = np.lexsort((*rest, *keys))
    owner = owner[order]
    first = order[np.flatnonzero(np.diff(owner, prepend=-1))]
    return first, penalties[first]


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
        ground.rows.keys,
        ground.rows.sizes,
        own.start,
        own.end,
        own.sizes,
        own.lo,
        own.hi,
        columns,
        *ground.axes,
        least,
        strict,
    )
    return Cuts(ground, regions, region, *found)


def _sort(
    ground: Ground, regions: Regions, region: CountArray, column: CodeArray, *, strict: bool
) -> None:
    """Put the rows of regions into the order of the columns on which they are cut."""
    for part in _portions((regions.end - regions.start)[region], _ROWS):
        cuts = _list(ground, regions, region[part], column[part], 1, strict=strict)
        shift = regions.start[cuts.region] - cuts.starts[:-1]
        places = np.arange(cuts.rows.size) + np.repeat(shift, np.diff(cuts.starts))
        for array in ground.rows:
            array[places] = array[cuts.rows]


def _portions(costs: CountArray, most: int) -> Iterator[slice]:
    """Cut a list into slices that cost at most so much each, or have one entry."""
    so_far = np.cumsum(costs)
    begin = paid = 0
    while begin < costs.size:
        end = max(begin + 1, int(np.searchsorted(so_far, paid + most, side="right")))
        yield slice(begin, end)
        begin, paid = end, int(so_far[end - 1])
