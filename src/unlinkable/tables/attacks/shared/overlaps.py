"""Overlaps: which boxes of one set overlap which of another, a million against a million.

Most columns need no comparing of ranges. If the ranges that occur on a column, on either side, fall
apart into classes within which every two overlap, then two boxes overlap there just if they
are in the same class. Raw against raw is of this kind, and so is raw against one level of a
taxonomy. Boxes that agree on the classes of such columns are found by hashing; what other columns
need is left to `kernels.linkage`. Boxes that cover whole columns would make one class of
everything: they are looked for by themselves, together with others that cover the same columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.kernels.counting import count, fill_equal, sort_rows, sum_by_label
from unlinkable.kernels.linkage import fill_overlaps, sum_overlaps
from unlinkable.tables.groups import RowNumbers
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Boxes", "Overlaps", "Ranges"]

_FEWEST = 1 / 32
"""Boxes that cover the same columns are looked for by themselves if they are this share of all."""

Ranges = tuple[CodeArray, CodeArray]
"""For every box the number of its range on a column, and the bounds ``[lo, hi)`` of each number."""


@define(eq=False, frozen=True)
class Boxes:
    """Boxes, by the ranges that they have on each column.

    Attributes
    ----------
    n
        How many there are.
    columns
        What they cover on each column.
    """

    n: int
    columns: tuple[Ranges, ...]

    def take(self, which: CountArray) -> Boxes:
        """Keep some boxes."""
        kept = tuple((numbers[which], bounds) for numbers, bounds in self.columns)
        return Boxes(which.size, kept)

    def bounds(self, columns: Sequence[int]) -> tuple[CodeArray, CodeArray]:
        """Give the first code and the end of every box on some columns, a box per row."""
        lo, hi = np.empty((2, self.n, len(columns)), np.int32)
        for place, j in enumerate(columns):
            numbers, bounds = self.columns[j]
            lo[:, place], hi[:, place] = bounds[numbers, 0], bounds[numbers, 1]
        return lo, hi


@define(eq=False, frozen=True)
class _Part:
    """Some boxes of the second set, and what decides whether they overlap those of the first.

    Attributes
    ----------
    which
        The boxes.
    first_keys, second_keys
        The class of every box on the columns that are settled by classes.
    n_keys
        How many classes there are.
    open
        The columns that are left.
    """

    which: CountArray
    first_keys: CodeArray
    second_keys: CodeArray
    n_keys: int
    open: tuple[int, ...]


@define(eq=False, frozen=True, slots=False)
class Overlaps:
    """Two sets of boxes over the same columns.

    Attributes
    ----------
    first, second
        The boxes.
    sizes
        Number of codes of each column.
    """

    first: Boxes
    second: Boxes
    sizes: tuple[int, ...]

    def sums(
        self, first: CountArray, second: CountArray
    ) -> tuple[CountArray, CountArray, CountArray]:
        """Add up weights of the boxes that overlap each box, without listing them.

        Returns for the boxes of the first set the sums over the second, for those of the second
        the sums over the first, and for those of the first how many overlap.
        """
        sums, back = np.zeros(self.first.n, np.int64), np.zeros(self.second.n, np.int64)
        n_met = np.zeros(self.first.n, np.int64)
        for part in self._parts:
            found = self._sums(part, first, second[part.which])
            sums += found[0]
            back[part.which] += found[1]
            n_met += found[2]
        return sums, back, n_met

    def pairs(self, n_met: CountArray) -> tuple[CountArray, CodeArray]:
        """List for every box of the first set those of the second that overlap it, in order.

        Parameters
        ----------
        n_met
            How many these are, from `sums`.
        """
        indptr = np.append(0, np.cumsum(n_met)).astype(np.int64)
        free, found = indptr[:-1].copy(), np.empty(int(indptr[-1]), np.int32)
        for part in self._parts:
            if part.open:
                lo, hi, names = self._boxes(part)
                swaps = self._swaps(part)
                a, b = (1, 0) if swaps else (0, 1)
                fill_overlaps(
                    lo[a], hi[a], lo[b], hi[b], names[a], names[b], free, found, by_second=swaps
                )
            else:
                members, ends = _by_key(part)
                fill_equal(part.first_keys, ends, members, free, found)
        if len(self._parts) > 1 or self._parts[0].open:
            sort_rows(indptr, found)
        return indptr, found

    def _sums(
        self, part: _Part, first: CountArray, second: CountArray
    ) -> tuple[CountArray, CountArray, CountArray]:
        if not part.open:
            ones = count(part.second_keys, part.n_keys)
            there = sum_by_label(second, part.second_keys, part.n_keys)
            here = sum_by_label(first, part.first_keys, part.n_keys)
            return there[part.first_keys], here[part.second_keys], ones[part.first_keys]
        lo, hi, _ = self._boxes(part)
        if not self._swaps(part):
            sums, back, n_met, _ = sum_overlaps(lo[0], hi[0], lo[1], hi[1], first, second)
        else:
            back, sums, _, n_met = sum_overlaps(lo[1], hi[1], lo[0], hi[0], second, first)
        return sums, back, n_met

    def _boxes(
        self, part: _Part
    ) -> tuple[list[CodeArray], list[CodeArray], tuple[CodeArray, CodeArray]]:
        """Give the bounds of both sets on the open columns, and on one more for all others."""
        los, his = [], []
        keys = part.first_keys, part.second_keys
        for boxes, key in zip((self.first, self.second.take(part.which)), keys, strict=True):
            lo, hi = boxes.bounds(part.open)
            if part.n_keys > 1:
                lo, hi = np.column_stack([key, lo]), np.column_stack([key + np.int32(1), hi])
            los.append(lo)
            his.append(hi)
        names = np.arange(self.first.n, dtype=np.int32), part.which.astype(np.int32)
        return los, his, names

    def _swaps(self, part: _Part) -> bool:
        """Tell whether the second set has the smaller boxes: that one is better parted."""
        n_wide = [
            sum(
                float((np.diff(bounds)[:, 0] > 1)[numbers].mean())
                for numbers, bounds in (boxes.columns[j] for j in part.open)
            )
            for boxes in (self.first, self.second.take(part.which))
        ]
        return n_wide[0] > n_wide[1]

    @cached_property
    def _parts(self) -> tuple[_Part, ...]:
        whole = self._part(np.arange(self.second.n))
        if not whole.open or not self.first.n or not self.second.n:
            return (whole,)
        found, left = [], []
        for which in self._alike():
            part = self._part(which) if which.size >= _FEWEST * self.second.n else None
            if part is None or part.open:
                left.append(which)
            else:
                found.append(part)
        if left and found:
            found.append(self._part(np.sort(np.concatenate(left))))
        return tuple(found) or (whole,)

    def _alike(self) -> Iterator[CountArray]:
        """Part the boxes of the second set by the columns that they cover wholly."""
        rows = RowNumbers(self.second.n)
        for (numbers, bounds), size in zip(self.second.columns, self.sizes, strict=True):
            is_whole = (bounds[:, 0] == 0) & (bounds[:, 1] == size)
            rows.add(is_whole[numbers].astype(np.int32), 2)
        labels, first = rows.finish()
        order = np.argsort(labels, kind="stable")
        yield from np.split(order, np.cumsum(count(labels, first.size))[:-1])

    def _part(self, which: CountArray) -> _Part:
        """Find the columns that are settled by classes, and the classes on all of them."""
        second = self.second.take(which)
        rows, still_open = RowNumbers(self.first.n + which.size), []
        for j, size in enumerate(self.sizes):
            (a, a_bounds), (b, b_bounds) = self.first.columns[j], second.columns[j]
            a_used, b_used = _used(a, a_bounds), _used(b, b_bounds)
            classes = _classes(np.concatenate([a_bounds[a_used], b_bounds[b_used]]), size)
            n_classes = int(classes[-1]) + 1 if size else 1
            if not _is_settled(a_bounds[a_used], b_bounds[b_used], classes, n_classes):
                still_open.append(j)
            if n_classes > 1:
                of_a, of_b = classes[a_bounds[:, 0]], classes[b_bounds[:, 0]]
                rows.add(np.concatenate([of_a[a], of_b[b]]), n_classes)
        labels, found = rows.finish()
        return _Part(
            which, labels[: self.first.n], labels[self.first.n :], found.size, tuple(still_open)
        )


def _used(numbers: CodeArray, bounds: CodeArray) -> BoolArray:
    used: BoolArray = count(numbers, len(bounds)) > 0
    return used


def _classes(bounds: CodeArray, size: int) -> CodeArray:
    """Give for every code its class: the codes that ranges hold together."""
    starts = np.cumsum(np.bincount(bounds[:, 0], minlength=size + 1))
    ends = np.cumsum(np.bincount(bounds[:, 1], minlength=size + 1))
    # Before a code, a class ends if every range that has begun has ended.
    is_new = starts[: size - 1] == ends[1:size]
    return np.append(0, np.cumsum(is_new)).astype(np.int32)[:size]


def _is_settled(a: CodeArray, b: CodeArray, classes: CodeArray, n_classes: int) -> bool:
    """Tell whether any two ranges of the two sides that are in one class overlap."""
    last_start, first_end = np.zeros((2, n_classes), np.int64), np.zeros((2, n_classes), np.int64)
    first_end[:] = classes.size
    for side, bounds in enumerate((a, b)):
        of = classes[bounds[:, 0]]
        np.maximum.at(last_start[side], of, bounds[:, 0])
        np.minimum.at(first_end[side], of, bounds[:, 1])
    return bool((last_start[0] < first_end[1]).all() and (last_start[1] < first_end[0]).all())


def _by_key(part: _Part) -> tuple[CodeArray, CountArray]:
    """List the boxes of each class."""
    order = np.argsort(part.second_keys, kind="stable")
    ends = np.append(0, np.cumsum(count(part.second_keys, part.n_keys))).astype(np.int64)
    return part.which[order].astype(np.int32), ends
