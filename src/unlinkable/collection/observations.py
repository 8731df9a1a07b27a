"""Observations: noisy values, counted, and how likely each is for every interval of true ones."""

from __future__ import annotations

import math
from typing import Self

import numpy as np
from attrs import define

from unlinkable.collection.noise_law import NoiseLaw
from unlinkable.errors import DataError
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Observations"]

_MOST_EXACT = 1000
"""So many different values are taken as they are."""
_FINENESS = 4
"""Cells of observed values per interval of true ones."""
_ROUNDED = 1e-5
"""By so much, in scales of the noise, may rounding have moved a value further than noise can."""
_HAIR = 1e-9
"""So far within an interval, as a share of it, must be what explains a value."""
_NARROWEST = 1e-5
"""The least width of an interval, in scales of the noise: below, differences have no digits."""
_MOST_WIDENED = 20
"""The range is made at most this many times as wide."""


@define(eq=False, frozen=True)
class Observations:
    """Noisy values, and the intervals in which the true ones are looked for.

    Attributes
    ----------
    values
        What was handed in.
    law
        How the noise was drawn.
    edges
        The ends of the intervals, all of the same width.
    widened
        How many of them were added below and above.
    """

    values: FloatArray
    law: NoiseLaw
    edges: FloatArray
    widened: tuple[int, int]

    @classmethod
    def of(
        cls,
        values: FloatArray,
        law: NoiseLaw,
        bins: int,
        ends: tuple[float | None, float | None],
    ) -> Self:
        """Cut a range into intervals, and widen it until the noise can explain every value.

        Parameters
        ----------
        values, law
            What was handed in, and how the noise was drawn.
        bins, ends
            Number of intervals, and their range as far as it is known.

        Raises
        ------
        DataError
            If it would have to become absurdly wide, or is absurdly narrow.
        """
        (low, high), first, last = ends, float(values.min()), float(values.max())
        start = first if low is None else low
        end = last if high is None else high
        if end - start < bins * _NARROWEST * law.scale:
            start = start if low is not None else end - 2 * law.scale
            end = end if high is not None else start + 2 * law.scale
        width = (end - start) / bins
        if width < _NARROWEST * law.scale:
            raise DataError(
                f"a range from {start:g} to {end:g} is so narrow beside noise of scale "
                f"{law.scale:g} that nothing can be told within it: check low, high and scale"
            )
        hair, spare = width * _HAIR, _ROUNDED * law.scale
        below = math.ceil((start + hair - law.reach - spare - first) / width)
        above = math.ceil((last - (end - hair + law.reach + spare)) / width)
        widened = max(below, 0), max(above, 0)
        if sum(widened) > _MOST_WIDENED * bins:
            raise DataError(
                f"values lie so far outside of {start:g} to {end:g} that noise of scale "
                f"{law.scale:g} does not explain them: check low, high and scale"
            )
        steps = np.arange(-widened[0], bins + widened[1] + 1)
        edges: FloatArray = start + width * steps.astype(float)
        near = np.clip(values, edges[0] - law.reach + hair, edges[-1] + law.reach - hair)
        return cls(near, law, edges, widened)

    @property
    def n(self) -> int:
        """Number of values."""
        return self.values.size

    @property
    def width(self) -> float:
        """The width of every interval."""
        return float(self.edges[-1] - self.edges[0]) / (self.edges.size - 1)

    def at_midpoints(self) -> tuple[FloatArray, FloatArray]:
        """Give the density of the noise between values and the middles of intervals, and counts.

        A value that noise does not carry from any middle, but from elsewhere in an interval, gets
        the mean over each interval instead.
        """
        points, counts = np.unique(self.values, return_counts=True)
        if points.size > _MOST_EXACT:
            cells, counts = np.unique(self._cells(), return_counts=True)
            points = self._start(cells) + self.width / _FINENESS / 2
        middles = (self.edges[1:] + self.edges[:-1]) / 2
        likelihood = self.law.density(points[:, None] - middles)
        far = ~likelihood.any(axis=1)
        half = self.width / _FINENESS / 2
        likelihood[far] = self._between(points[far] - half, points[far] + half)
        return likelihood, counts.astype(float)

    def in_cells(self) -> tuple[FloatArray, FloatArray]:
        """Give the chance of every cell that has values, for every interval, and the counts."""
        cells, counts = np.unique(self._cells(), return_counts=True)
        starts = self._start(cells)
        return self._between(starts, starts + self.width / _FINENESS), counts.astype(float)

    def in_all_cells(self) -> tuple[FloatArray, FloatArray]:
        """Give the chance of all cells between the least and the greatest value, and the counts.

        Cells are as wide as intervals. The first and the last one have no end: values that lie
        further out than noise is likely to carry them are counted there.
        """
        cells = np.floor((self.values - self.edges[0]) / self.width).astype(np.int64)
        spread = math.ceil(min(self.law.reach, 10 * self.law.scale) / self.width)
        cells = np.clip(cells, -spread, self.edges.size - 2 + spread)
        first, last = int(cells.min()), int(cells.max())
        starts = self.edges[0] + self.width * np.arange(first, last + 1)
        ends = starts + self.width
        far = 2 * self.law.reach + float(self.edges[-1] - self.edges[0])
        starts[0] -= far
        ends[-1] += far
        counts = np.bincount(cells - first).astype(float)
        return self._between(starts, ends), counts

    def _cells(self) -> CountArray:
        scaled = (self.values - self.edges[0]) * (_FINENESS / self.width)
        cells: CountArray = np.floor(scaled).astype(np.int64)
        return cells

    def _start(self, cells: CountArray) -> FloatArray:
        start: FloatArray = self.edges[0] + cells * (self.width / _FINENESS)
        return start

    def _between(self, starts: FloatArray, ends: FloatArray) -> FloatArray:
        return self.law.share_between(
            starts[:, None], ends[:, None], self.edges[None, :-1], self.edges[None, 1:]
        )
