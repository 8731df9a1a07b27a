"""Point clouds: points in space, and how many of them lie in a ball.

Coordinates are whole numbers of steps, so squared distances are whole numbers, too, and whether a
point lies in a ball is decided exactly. A k-d tree finds the points. It computes in floats: these
are exact as long as squared distances are small, and otherwise the points that are close to the
sphere are examined again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import exact
from unlinkable.tables.groups import Histogram
from unlinkable.tables.taxonomies import ANY, Domain, Kind, as_steps, read_bounds, scale_of
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Coordinates", "PointCloud", "Span"]

_SHARP = 1 << 48
"""Squared distances below this are told apart by floats, also after a square root."""

_WIDEST = 1 << 62
"""Squared distances below this are computed as 64-bit integers."""

_CLOSE = 1e-9
"""Floats decide what is further than this from the sphere, as a share of its radius."""

_BLUR = 16.0
"""So far off may a distance be if coordinates have more digits than floats."""


@define(eq=False, frozen=True)
class PointCloud:
    """Points, and boxes that records lie in.

    Coordinates are doubled, so that the centre of a box is a whole number.

    Attributes
    ----------
    low, high
        The ends of what each code of a histogram says; the same if it says where a point is.
    points
        One for every person, in whole steps.
    is_own
        Whether the points are those of the histogram itself.
    reach
        No squared distance of a point from a centre is larger.
    unit
        How many steps make 1 in the tree: more than one if floats have too few digits.
    tree
        The points, to be found by where they are.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    points: NDArray[Any]
    is_own: bool
    reach: int
    unit: int
    tree: Any

    @classmethod
    def of(
        cls, axes: Sequence[tuple[Coordinates, CodeArray]], whole: CountArray, *, scaled: bool
    ) -> Self:
        """Take the codes of a histogram as points, as many as the whole table has of each."""
        parts = lcm(*(axis.parts for axis, _ in axes))
        codes = np.column_stack([axis.in_parts(parts)[0][at] for axis, at in axes])
        (codes,) = _place([codes], codes[whole > 0], scaled)
        return cls._grow(codes, codes, np.repeat(codes, whole, axis=0), is_own=True)

    @classmethod
    def beside(
        cls,
        axes: Sequence[tuple[Coordinates, CodeArray]],
        given: Sequence[Coordinates],
        *,
        scaled: bool,
    ) -> Self:
        """Take the codes of a histogram as boxes, and the points from elsewhere."""
        parts = lcm(*(axis.parts for axis, _ in axes), *(axis.parts for axis in given))
        points = np.column_stack([axis.in_parts(parts)[0] for axis in given])
        low, high = (
            np.column_stack([axis.in_parts(parts)[side][at] for axis, at in axes])
            for side in (0, 1)
        )
        return cls._grow(*_place([low, high, points], points, scaled), is_own=False)

    @classmethod
    def _grow(
        cls, low: NDArray[Any], high: NDArray[Any], points: NDArray[Any], *, is_own: bool
    ) -> Self:
        most = _most(low, high, points)
        unit = max(most >> 53, 1)
        from scipy import spatial

        tree = spatial.cKDTree(_floats(points, unit))
        return cls(low, high, points, is_own, _reach(most, points.shape[1]), unit, tree)

    def points_in_balls(self, hidden: Histogram, c: Fraction) -> FloatArray:
        """Count the points in the smallest ball of each group; infinitely many if it is empty.

        Around the centre of the smallest box that holds the group, the ball reaches ``c`` times as
        far as the nearest victim: a record of the group, or anybody if the points are not those of
        the records.
        """
        is_filled = hidden.distinct > 0
        starts = hidden.indptr[:-1][is_filled]
        low, high = self.low[hidden.values], self.high[hidden.values]
        ends = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
        centres = (ends[0] + ends[1]) // 2
        if self.is_own:
            row = np.repeat(np.arange(starts.size), hidden.distinct[is_filled])
            nearest = np.minimum.reduceat(_squared(low - centres[row]), starts)
        else:
            nearest = self._nearest(centres)
        p, q = c.as_integer_ratio()
        found = np.full(hidden.n_groups, np.inf)
        found[is_filled] = self._within(centres, nearest.astype(object) * p**2 // q**2)
        return found

    def _nearest(self, centres: NDArray[Any]) -> NDArray[Any]:
        """Give the squared distance from each centre to the nearest point."""
        places = _floats(centres, self.unit)
        far, at = self.tree.query(places)
        if self.reach < _SHARP:
            return _squared(self.points[at] - centres)
        close = self.tree.query_ball_point(places, far + self._blur(far))
        found = [
            min(_squared(self.points[at] - centre))
            for at, centre in zip(close, centres, strict=True)
        ]
        return np.array(found, self.points.dtype)

    def _within(self, centres: NDArray[Any], most: NDArray[Any]) -> CountArray:
        """Count the points whose squared distance from each centre is at most ``most``."""
        places = _floats(centres, self.unit)
        most = np.minimum(most, self.reach)
        if self.reach < _SHARP:
            return self._count(places, np.sqrt(most.astype(float) + 0.5))
        radius = np.sqrt((most / self.unit**2).astype(float))
        blur = self._blur(radius)
        found = self._count(places, radius + blur)
        surely = np.where(radius < blur, 0, self._count(places, np.maximum(radius - blur, 0)))
        for g in np.flatnonzero(found != surely):
            at = self.tree.query_ball_point(places[g], (radius + blur)[g])
            found[g] = np.count_nonzero(_squared(self.points[at] - centres[g]) <= most[g])
        return found

    def _count(self, places: FloatArray, radius: FloatArray) -> CountArray:
        found: CountArray = self.tree.query_ball_point(places, radius, return_length=True)
        return found

    def _blur(self, distance: FloatArray) -> FloatArray:
        return _CLOSE * distance + (_BLUR if self.unit > 1 else 0.0)


def _place(
    matrices: Sequence[NDArray[Any]], points: NDArray[Any], scaled: bool
) -> list[NDArray[Any]]:
    """Put the origin at the least point, and let all columns span the same if ``scaled``."""
    origin = points.min(axis=0)
    spans = [int(span) or 1 for span in points.max(axis=0) - origin]
    common = lcm(*spans) if scaled else 1
    times = np.array([2 * (common // span if scaled else 1) for span in spans], object)
    placed = [(matrix - origin) * times for matrix in matrices]
    fits = _reach(_most(*placed), len(spans)) < _WIDEST
    return [matrix.astype(np.int64) if fits else matrix for matrix in placed]


def _most(*matrices: NDArray[Any]) -> int:
    return max((int(abs(end)) for m in matrices if m.size for end in (m.min(), m.max())), default=0)


def _reach(most: int, n_columns: int) -> int:
    return n_columns * (2 * most) ** 2


def _squared(gaps: NDArray[Any]) -> NDArray[Any]:
    squares: NDArray[Any] = (gaps**2).sum(axis=1)
    return squares


def _floats(places: NDArray[Any], unit: int) -> FloatArray:
    """Take whole numbers as floats. Both fit if there is one step to 1."""
    return (places if unit == 1 else places / unit).astype(float)


Span: TypeAlias = tuple[Fraction, Fraction]
"""The least and the greatest number of a column."""


@define(eq=False, frozen=True)
class Coordinates:
    """From where to where the values of a column reach.

    Attributes
    ----------
    low, high
        The ends of every value in whole steps, in the order of the codes; the same if it is a
        number.
    parts
        How many steps make one unit.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    parts: int

    @classmethod
    def of(cls, column: str, domain: Domain, span: Span | None = None) -> Self:
        """Take numbers and dates as they are, and texts for numbers or published intervals.

        Open ends reach as far as the numbers of the column do, which is its ``span``. Without one,
        intervals are refused.

        Raises
        ------
        DataError
            If a text is neither, or may not be an interval.

        Examples
        --------
        >>> from unlinkable.tables.taxonomies import observe
        >>> ages = observe("age", ["31.5", "[20-40)", "<20"]).domain
        >>> axis = Coordinates.of("age", ages, (Fraction(18), Fraction(90)))
        >>> sorted(zip(axis.low.tolist(), axis.high.tolist())), axis.parts
        ([(36, 40), (40, 80), (63, 63)], 2)
        """
        if domain.kind is not Kind.CATEGORY:
            scale = scale_of(column, domain)
            return cls(scale.steps, scale.steps, scale.parts)
        ends = [_read(column, text, span) for text in domain.values]
        low, high = (
            (cls.at(side) for side in zip(*ends, strict=True)) if ends else (cls.at(()),) * 2
        )
        parts = lcm(low.parts, high.parts)
        return cls(low.in_parts(parts)[0], high.in_parts(parts)[0], parts)

    @classmethod
    def at(cls, numbers: Iterable[Fraction]) -> Self:
        """Take numbers as values of their own."""
        numbers = list(numbers)
        parts = lcm(*(number.denominator for number in numbers))
        steps = as_steps([int(number * parts) for number in numbers], parts)
        return cls(steps, steps, parts)

    @property
    def span(self) -> Span:
        """The least and the greatest number, in units."""
        return Fraction(int(self.low.min()), self.parts), Fraction(int(self.high.max()), self.parts)

    def in_parts(self, parts: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give the ends in smaller steps, in Python's integers."""
        times = parts // self.parts
        return self.low.astype(object) * times, self.high.astype(object) * times


def _read(column: str, text: str, span: Span | None) -> Sequence[Fraction]:
    bounds = (None, None) if text == ANY else read_bounds(Kind.NUMBER, text)
    if bounds is None:
        try:
            return (exact(text),) * 2
        except ParameterError:
            raise DataError(
                f"column {column!r} holds texts that are neither numbers nor intervals, and only "
                "numbers are coordinates: name the columns of numbers"
            ) from None
    if span is None:
        raise DataError(
            f"column {column!r} shows {text!r}, which does not tell where a point is: give the "
            "records as they were (original), or name a table of them (points)"
        )
    return [
        end if bound is None else Fraction(bound) for bound, end in zip(bounds, span, strict=True)
    ]
