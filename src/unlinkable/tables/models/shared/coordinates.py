"""Coordinates: where values and published intervals lie on a line, in whole steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Self, TypeAlias

from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import exact
from unlinkable.tables.taxonomies import ANY, Domain, Kind, as_steps, read_bounds, scale_of

__all__ = ["Coordinates", "Span"]

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
