"""Blocks: records or groups of them as boxes of codes, and what lies in ranges of them."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.queries import order_by_code, sum_covering, sums_by_scan, sums_by_slices
from unlinkable.tables.groups import number_rows
from unlinkable.tables.metrics.shared.workload import Tick, Workload
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Blocks", "density_at"]

_LARGEST = 1 << 22
"""Cells of a table of sums. Three of them for each worker take 200 MB, which is all the room that
is needed beside the blocks themselves and a copy of them in another order."""

_WORKERS = 2
"""Sets of columns that are worked on at once: the kernel lets others run."""

_AT_ONCE = 256
"""Queries that are answered before the next tick."""

_ROW, _CELL, _LOOK, _SHARE = 10.0, 0.4, 0.5, 1.8
"""Nanoseconds to put a corner of a block into a table, to pass over a cell of it, to compare a code
with a range, and to find the share of a range in another; measured."""


@define(eq=False, frozen=True, slots=False)
class Blocks:
    """Boxes of codes, each with a mass that is spread evenly over it.

    Attributes
    ----------
    lo, hi
        Block ``i`` covers ``[lo[c, i], hi[c, i])`` of the codes of column ``c`` of a workload. One
        that begins below 0 covers nothing.
    masses
        What each block counts for.
    """

    lo: CodeArray
    hi: CodeArray
    masses: FloatArray

    @classmethod
    def of_points(cls, codes: CodeArray, masses: FloatArray) -> Self:
        """Take codes as boxes of width 1."""
        return cls(codes, codes + np.int32(1), masses)

    @cached_property
    def is_spread(self) -> BoolArray:
        """Which columns have boxes wider than 1."""
        return np.array([(b - a > 1).any() for a, b in zip(self.lo, self.hi, strict=True)], bool)

    def sums(self, workload: Workload, tick: Tick | None = None) -> FloatArray:
        """Add up the mass in each query, in the way that is the faster for its columns.

        Whole masses are added without error as long as they add up to less than 2^53.
        """
        is_dear = np.zeros(len(workload), bool)
        for at, queries in workload.alike():
            is_dear[queries] = self._prefers_scan(workload.sizes[at], at, queries.size)
        scanned, sliced = np.flatnonzero(is_dear), np.flatnonzero(~is_dear)
        out = np.empty(len(workload))
        out[sliced] = self.by_slices(workload.select(sliced), tick)
        out[scanned] = self.by_scan(workload.select(scanned), tick)
        return out

    def by_slices(self, workload: Workload, tick: Tick | None = None) -> FloatArray:
        """Answer queries that ask for the same columns together, from tables of sums."""
        out = np.zeros(len(workload))
        by_first: dict[int, list[tuple[CountArray, CountArray]]] = defaultdict(list)
        for at, queries in workload.alike():
            # The others rise: sums along all but the last axis are sums of whole rows.
            order = np.roll(np.argsort(workload.sizes[at], kind="stable"), 1)
            by_first[int(at[order[0]])].append((order, queries))
        with ThreadPoolExecutor(_WORKERS) as pool:
            for first, sets in by_first.items():
                ordered = self._ordered_by(first, int(workload.sizes[first]))
                parts = [workload.select(queries) for _, queries in sets]
                work = partial(self._sliced, ordered)
                found = pool.map(work, parts, [order for order, _ in sets])
                for (_, queries), sums in zip(sets, found, strict=True):
                    out[queries] = sums
                    if tick is not None:
                        tick(queries.size)
        return out

    def _sliced(self, ordered: Self, workload: Workload, order: CountArray) -> FloatArray:
        """Answer queries on the same columns, of which the first in this order is walked."""
        at = workload.at[0][order]
        return sums_by_slices(
            ordered.lo,
            ordered.hi,
            ordered.masses,
            at,
            workload.sizes[at],
            self.is_spread[at],
            workload.lo[:, order],
            workload.hi[:, order],
        )

    def by_scan(
        self,
        workload: Workload,
        tick: Tick | None = None,
        buckets: CodeArray | None = None,
        shares: FloatArray | None = None,
    ) -> FloatArray:
        """Answer queries by a look at every block.

        With ``buckets``, query ``q`` is given the share ``shares[q, buckets[i]]`` of block ``i``.
        """
        out = np.zeros(len(workload))
        none = np.zeros((len(workload), 0))
        for start in range(0, len(workload), _AT_ONCE):
            some = slice(start, min(start + _AT_ONCE, len(workload)))
            out[some] = sums_by_scan(
                self.lo,
                self.hi,
                self.masses,
                np.empty(0, np.int32) if buckets is None else buckets,
                (none if shares is None else shares)[some],
                workload.at[some],
                self.is_spread,
                workload.lo[some],
                workload.hi[some],
            )
            if tick is not None:
                tick(some.stop - start)
        return out

    def _ordered_by(self, column: int, size: int) -> Self:
        """Sort the blocks by where they begin on a column: a walk along it then reads in order."""
        order, _ = order_by_code(self.lo[column], size)
        lo = self.lo.take(order, axis=1)
        hi = self.hi.take(order, axis=1) if self.is_spread.any() else lo + np.int32(1)
        return type(self)(lo, hi, self.masses[order])

    def _prefers_scan(self, sizes: CountArray, at: CountArray, n_queries: int) -> bool:
        largest = int(sizes.max())
        n_cells = int(np.prod(sizes.astype(float))) // largest
        if n_cells > _LARGEST:
            return True
        n_blocks, n_spread = self.masses.size, int(self.is_spread[at].sum())
        steps = min(2 * n_queries, largest)
        sliced = _ROW * n_blocks * 2**n_spread + _CELL * steps * n_cells * (at.size + n_spread)
        looks = _SHARE * n_spread + _LOOK * (at.size - n_spread)
        return bool(n_queries * n_blocks * looks < sliced)


def density_at(lo: CodeArray, hi: CodeArray, amounts: FloatArray, points: CodeArray) -> FloatArray:
    """Add up the amounts of the boxes ``[lo, hi)`` that cover each point. Boxes may overlap.

    Examples
    --------
    >>> lo, hi = np.array([[0], [2]], np.int32), np.array([[2], [3]], np.int32)
    >>> density_at(lo, hi, np.array([0.5, 4.0]), np.array([[1], [2], [3]], np.int32)).tolist()
    [0.5, 4.0, 0.0]
    """
    # Boxes that look alike are one: they would be examined again and again.
    same, first = number_rows(np.column_stack([lo, hi]))
    lo, hi = lo[first], hi[first]
    amounts = sum_floats_by_label(amounts, same, first.size)
    begins = np.empty_like(points)
    for j in range(lo.shape[1]):
        table = _begins(lo[:, j], hi[:, j], int(points[:, j].max(initial=0)) + 1)
        if table is None:
            return sum_covering(lo, hi, amounts, np.ascontiguousarray(points))
        begins[:, j] = table[points[:, j]]
    # Ranges that are apart are known by where they begin, and so are boxes: a point is in one box.
    box, _ = number_rows(np.vstack([lo, begins]) + np.int32(1))
    return np.append(amounts, 0.0)[np.minimum(box[len(lo) :], len(lo))]


def _begins(lo: CodeArray, hi: CodeArray, n_codes: int) -> CodeArray | None:
    """Give for each code where the range begins that it is in, -1 if in none.

    None if there are ranges that are neither equal nor disjoint.
    """
    codes = np.arange(max(n_codes, int(hi.max(initial=0))), dtype=np.int32)
    ends = np.zeros(codes.size, np.int32)
    ends[lo] = hi
    first = np.flatnonzero(ends)
    if (ends[lo] != hi).any() or (ends[first[:-1]] > first[1:]).any():
        return None
    latest: CodeArray = np.maximum.accumulate(np.where(ends > 0, codes, np.int32(-1)))
    return np.where((latest >= 0) & (codes < ends[latest]), latest, np.int32(-1))
