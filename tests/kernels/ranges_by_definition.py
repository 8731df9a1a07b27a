"""What lies in ranges once more, in plain Python and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import frozen
from hypothesis import strategies as st

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Asked", "Box", "RandomBlocks", "random_blocks", "shares_in_ranges", "sum_in_ranges"]

Box = list[tuple[int, int]]
"""A range of codes for each column."""

Asked = dict[int, tuple[int, int]]
"""A range of codes for some columns."""


@frozen
class RandomBlocks:
    """Boxes with their masses, and queries on as many columns each."""

    sizes: list[int]
    boxes: list[Box]
    masses: list[int]
    asked: list[Asked]

    @property
    def lo(self) -> CodeArray:
        """Where the boxes begin, by column."""
        return self._ends(0)

    @property
    def hi(self) -> CodeArray:
        """Where the boxes end, by column."""
        return self._ends(1)

    @property
    def weights(self) -> FloatArray:
        """The masses."""
        return np.array(self.masses, float)

    @property
    def at(self) -> CountArray:
        """The columns of each query."""
        return np.array([list(query) for query in self.asked], np.int64)

    def ends_asked(self, end: int) -> CodeArray:
        """Where the ranges of each query begin (0) or end (1)."""
        return np.array([[r[end] for r in query.values()] for query in self.asked], np.int32)

    def answers(self) -> list[Fraction]:
        """The answer to each query."""
        return [sum_in_ranges(self.boxes, self.masses, query) for query in self.asked]

    def _ends(self, end: int) -> CodeArray:
        rows = [[box[c][end] for box in self.boxes] for c in range(len(self.sizes))]
        return np.array(rows, np.int32).reshape(len(self.sizes), len(self.boxes))


@st.composite
def random_blocks(
    draw: st.DrawFn, *, same_columns: bool = False, points: bool = False
) -> RandomBlocks:
    """Draw boxes and queries on 1 to 4 of up to 5 columns; some boxes cover nothing."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    is_point = [points or draw(st.booleans()) for _ in sizes]

    def span(c: int, *, one: bool, nothing: bool) -> tuple[int, int]:
        first = draw(st.integers(-1 if nothing else 0, sizes[c] - 1))
        last = first if one or first < 0 else draw(st.integers(first, sizes[c] - 1))
        return first, last + 1

    n, columns = draw(st.integers(0, 8)), range(len(sizes))
    nothing = draw(st.booleans())
    boxes = [[span(c, one=is_point[c], nothing=nothing) for c in columns] for _ in range(n)]
    masses = draw(st.lists(st.integers(-3, 9), min_size=n, max_size=n))
    d = draw(st.integers(1, min(4, len(sizes))))
    several = st.permutations(list(columns)).map(lambda order: sorted(order[:d]))
    chosen = draw(several)
    asked = []
    for _ in range(draw(st.integers(1, 12))):
        at = chosen if same_columns else draw(several)
        asked.append({c: span(c, one=False, nothing=False) for c in at})
    return RandomBlocks(sizes, boxes, masses, asked)


def sum_in_ranges(boxes: Sequence[Box], masses: Sequence[int], asked: Asked) -> Fraction:
    """Add up the mass that lies in a query, spread evenly over each box."""
    total = Fraction(0)
    for box, mass in zip(boxes, masses, strict=True):
        share = Fraction(1)
        for c, (first, end) in asked.items():
            covered = set(range(*box[c]))
            within = {code for code in covered if first <= code < end}
            # Nothing has a code of -1.
            share *= 0 if -1 in covered else Fraction(len(within), len(covered))
        total += mass * share
    return total


def shares_in_ranges(
    rows: Sequence[dict[int, int]], asked: Sequence[tuple[int, int]]
) -> list[list[Fraction]]:
    """Find which share of the counts of every group lies in each range of values."""
    return [
        [
            Fraction(sum(n for v, n in row.items() if v in range(*ends)), sum(row.values()) or 1)
            for row in rows
        ]
        for ends in asked
    ]
