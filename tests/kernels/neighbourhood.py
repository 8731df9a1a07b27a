"""Random rows in parts, as kernels get them and as plain lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from unlinkable.kernels.local_recoding.clusters import Clusters, Prices, box_prices, link_all
from unlinkable.kernels.local_recoding.lattice_sweep import Levels

__all__ = ["Neighbourhood", "neighbourhoods"]

N_CODES = 4


@dataclass(frozen=True)
class Neighbourhood:
    """Rows with four codes on every column; pairs of codes, then all of them, are one block.

    A range costs as much as the least block over it.
    """

    keys: Sequence[tuple[int, ...]]
    sizes: list[int]
    parts: list[int]

    @property
    def n_columns(self) -> int:
        return len(self.keys[0])

    def cost(self, rows: list[int]) -> float:
        """Add up what a record costs in the box around some rows."""
        total = 0.0
        for j in range(self.n_columns):
            codes = [self.keys[row][j] for row in rows]
            total += _price(min(codes), max(codes))
        return total

    def total(self, parts: list[int]) -> float:
        """Add up what all records cost."""
        total = 0.0
        for part in set(parts):
            rows = [i for i, p in enumerate(parts) if p == part]
            total += self.cost(rows) * sum(self.sizes[i] for i in rows)
        return total

    @property
    def prices(self) -> Prices:
        table = np.zeros((N_CODES, N_CODES))
        for a in range(N_CODES):
            for b in range(a, N_CODES):
                table[a, b] = _price(a, b)
        starts = np.arange(self.n_columns) * N_CODES**2
        counts = np.full(self.n_columns, N_CODES)
        return Prices(np.tile(table.ravel(), self.n_columns), starts, counts)

    @property
    def levels(self) -> Levels:
        blocks = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
        starts = np.arange(self.n_columns) * blocks.size
        counts = np.full(self.n_columns, N_CODES)
        heights = np.full(self.n_columns, len(blocks))
        return Levels(np.tile(blocks.ravel(), self.n_columns), starts, counts, heights)

    @property
    def losses(self) -> np.ndarray:
        return np.tile(np.repeat([0.0, 1.0, 3.0], N_CODES), self.n_columns)

    def clusters(self, room: int = 8) -> Clusters:
        """Let rows live in their parts; every row is like every other."""
        n, d = len(self.keys), self.n_columns
        keys, part = np.array(self.keys, np.int32), np.array(self.parts, np.int32)
        sizes = np.array(self.sizes)
        n_parts = max(self.parts) + 1
        room += n_parts
        lo, hi = np.zeros((room, d), np.int32), np.zeros((room, d), np.int32)
        records, head = np.zeros(room, np.int64), np.full(room, -1, np.int32)
        after, before = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        for p in set(self.parts):
            lo[p], hi[p] = keys[part == p].min(axis=0), keys[part == p].max(axis=0)
            records[p] = sizes[part == p].sum()
        link_all(part, after, before, head)
        near = np.tile(np.arange(n, dtype=np.int32), (n, 1))
        weight, cost = records.astype(float), box_prices(self.prices, lo, hi, n_parts)
        weights = sizes.astype(float)
        return Clusters(
            keys, sizes, weights, near, part, after, before, head, lo, hi, records, weight, cost
        )  # fmt: skip

    def check(self, clusters: Clusters) -> None:
        """Hold what is noted about parts against the rows in them."""
        parts = clusters.part.tolist()
        for p in range(clusters.head.size):
            rows = [i for i, own in enumerate(parts) if own == p]
            linked, row = [], int(clusters.head[p])
            while row >= 0:
                linked.append(row)
                row = int(clusters.after[row])
            assert sorted(linked) == rows
            assert clusters.records[p] == clusters.weight[p] == sum(self.sizes[i] for i in rows)
            if rows:
                assert clusters.lo[p].tolist() == np.array(self.keys)[rows].min(axis=0).tolist()
                assert clusters.hi[p].tolist() == np.array(self.keys)[rows].max(axis=0).tolist()
                assert clusters.cost[p] == self.cost(rows)


def _price(first: int, last: int) -> float:
    """Price the least block over a range: 0 for a code, 1 for a pair, 3 for all."""
    if first == last:
        return 0.0
    return 1.0 if first // 2 == last // 2 else 3.0


@st.composite
def neighbourhoods(draw: st.DrawFn, *, least: int = 1, max_rows: int = 14) -> Neighbourhood:
    """Draw distinct rows in parts of at least so many records each."""
    d = draw(st.integers(1, 3))
    row = st.tuples(*[st.integers(0, N_CODES - 1)] * d)
    keys = draw(st.lists(row, min_size=1, max_size=max_rows, unique=True))
    sizes = draw(st.lists(st.integers(1, 3), min_size=len(keys), max_size=len(keys)))
    parts = draw(st.lists(st.integers(0, 3), min_size=len(keys), max_size=len(keys)))
    records = [sum(s for s, p in zip(sizes, parts, strict=True) if p == part) for part in range(4)]
    # Parts that are too small go to one that is large, or all into one.
    large = next((p for p in range(4) if records[p] >= least), 0)
    parts = [p if records[p] >= least else large for p in parts]
    if all(records[p] < least for p in range(4)):
        parts = [0] * len(keys)
        sizes[0] += max(least - sum(sizes), 0)
    return Neighbourhood(keys, sizes, parts)
