"""Rows: distinct records, to be put together by one choice of cuts after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.kernels.counting import group_recoded, sum_by_label, sum_floats_by_label
from unlinkable.tables.groups import Groups, Partition, RowNumbers
from unlinkable.tables.methods.cuts.shared.genome import Cut
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Grouped", "Rows"]

_WIDEST = 1 << 63
"""What a row shows as a single number must stay below this."""


@define(eq=False, frozen=True)
class Grouped:
    """Which rows look alike; good until rows are grouped again.

    Attributes
    ----------
    labels
        The group of every row.
    first
        The first row of every group.
    sizes
        Number of records in every group.
    """

    labels: CodeArray
    first: CodeArray
    sizes: CountArray

    def __len__(self) -> int:
        return self.sizes.size


class Rows:
    """The distinct records of a table, or sums of them that no chromosome at hand parts.

    Attributes
    ----------
    counted
        What each row stands for.
    codes
        ``codes[i, j]`` is ``firsts[j]`` more than the code of row i on column j.
    firsts
        Where the codes of each column begin in one numbering of all codes; and their number.
    """

    def __init__(self, counted: Groups, sizes: Sequence[int]) -> None:
        self.counted = counted
        self.firsts = np.append(0, np.cumsum(sizes)).astype(np.int32)
        self.codes = np.ascontiguousarray(counted.keys + self.firsts[:-1])
        n = len(counted)
        self._worth = np.zeros(int(self.firsts[-1]), np.uint64)
        self._labels, self._first = np.empty(n, np.int32), np.empty(n, np.int32)
        self._sums, self._keys = np.empty(n, np.int64), np.empty(n, np.uint64)
        self._slots = np.empty(1 << max(10, (2 * n).bit_length()), np.int32)

    def __len__(self) -> int:
        return len(self.counted)

    def group(self, cuts: Sequence[Cut]) -> Grouped:
        """Put the rows together that show the same on all columns."""
        space = 1
        for j, cut in enumerate(cuts):
            if space * cut.n_blocks >= _WIDEST:
                return self._group_wide(cuts)
            worth = self._worth[self.firsts[j] : self.firsts[j + 1]]
            np.multiply(cut.blocks, np.uint64(space), out=worth, casting="unsafe")
            space *= cut.n_blocks
        n = group_recoded(
            self.codes,
            self._worth,
            space,
            self.counted.sizes,
            self._labels,
            self._first,
            self._sums,
            self._keys,
            self._slots,
        )
        return Grouped(self._labels, self._first[:n], self._sums[:n])

    def groups(self, grouped: Grouped, cuts: Sequence[Cut], needs: frozenset[Columns]) -> Groups:
        """Give groups as a promise judges them, with what it needs and no more."""
        n, counted = len(grouped), self.counted
        rows = counted.keys[grouped.first]
        keys = np.empty_like(rows)
        for j, cut in enumerate(cuts):
            keys[:, j] = cut.blocks[rows[:, j]]
        owner = frozenset() if counted.owner is None else frozenset({(counted.owner,)})
        hidden = (needs | owner) & counted.histograms.keys()
        return Groups(
            sizes=grouped.sizes,
            weights=self.weights(grouped),
            histograms={c: counted.histograms[c].merge(grouped.labels, n) for c in hidden},
            whole=counted.whole,
            columns=counted.columns,
            keys=keys,
            owner=counted.owner,
        )

    def partition(self, grouped: Grouped, cuts: Sequence[Cut], keep: BoolArray) -> Partition:
        """Publish what the cuts show, and leave out what is not kept."""
        rows = self.counted.keys[grouped.first]
        lo, hi = np.empty_like(rows), np.empty_like(rows)
        for j, cut in enumerate(cuts):
            blocks = cut.blocks[rows[:, j]]
            lo[:, j], hi[:, j] = cut.starts[blocks], cut.starts[blocks + 1]
        return Partition(self.counted, grouped.labels.copy(), lo, hi).suppress(~keep)

    def weights(self, grouped: Grouped) -> FloatArray:
        """Add up the weights of every group."""
        return sum_floats_by_label(self.counted.weights, grouped.labels, len(grouped))

    def _group_wide(self, cuts: Sequence[Cut]) -> Grouped:
        numbers = RowNumbers(len(self))
        for j, cut in enumerate(cuts):
            codes = np.ascontiguousarray(self.counted.keys[:, j])
            numbers.add_digits(codes, cut.blocks, cut.n_blocks)
        labels, first = numbers.finish()
        sizes = sum_by_label(self.counted.sizes, labels, first.size)
        return Grouped(labels, first.astype(np.int32), sizes)
