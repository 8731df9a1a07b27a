"""Dates: days and times generalized to weeks, months, quarters, years or decades."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from unlinkable.errors import ParameterError, TaxonomyError, unknown
from unlinkable.tables.taxonomies.builders.base import (
    Observed,
    Step,
    TaxonomyBuilder,
    number_runs,
    stack,
)
from unlinkable.tables.taxonomies.domain import Kind
from unlinkable.tables.taxonomies.taxonomy import Edges, Taxonomy
from unlinkable.typing import CountArray

__all__ = ["DatePart", "Dates"]


class DatePart(Enum):
    """Precision of a date, from fine to coarse."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"


_ORDER = tuple(DatePart)
"""The parts from fine to coarse."""
_MONTHS = {DatePart.MONTH: 1, DatePart.QUARTER: 3, DatePart.YEAR: 12, DatePart.DECADE: 120}
"""How many months a part has."""


def _as_parts(parts: tuple[str | DatePart, ...]) -> tuple[DatePart, ...]:
    known = [part.value for part in DatePart]
    for part in parts:
        if not isinstance(part, DatePart) and part not in known:
            raise ParameterError(unknown("part of a date", part, known))
    return tuple(DatePart(part) for part in parts)


@frozen(init=False)
class Dates(TaxonomyBuilder):
    """Tell dates less and less precisely.

    =========  ==============  ==========================================
    part       label           holds
    =========  ==============  ==========================================
    day        ``2024-03-05``  the times of a day
    week       ``2024-W10``    Monday to Sunday, numbered as in ISO 8601
    month      ``2024-03``
    quarter    ``2024-Q1``
    year       ``2024``
    decade     ``2020s``
    =========  ==============  ==========================================

    Weeks run across the ends of months and years, so nothing coarser can follow them. In a
    column of days, the day is the value itself and makes no level of its own.

    Parameters
    ----------
    parts
        The levels, from fine to coarse.

    Raises
    ------
    ParameterError
        If there are no parts, or one does not lie within the next.
    TaxonomyError
        If the column does not hold dates.

    Examples
    --------
    >>> from datetime import date
    >>> from unlinkable.tables.taxonomies import observe
    >>> days = observe("admission", [date(2024, 3, 5), date(2024, 4, 1), date(2025, 1, 1)])
    >>> [level.labels for level in Dates("quarter", "year").build(days).levels[1:]]
    [('2024-Q1', '2024-Q2', '2025-Q1'), ('2024', '2025'), ('*',)]
    """

    parts: tuple[DatePart, ...] = field(converter=_as_parts)

    def __init__(self, *parts: str | DatePart) -> None:
        self.__attrs_init__(parts)

    def __attrs_post_init__(self) -> None:
        if not self.parts:
            raise ParameterError("Dates needs at least one part, such as 'month'")
        for below, above in pairwise(self.parts):
            if _ORDER.index(below) >= _ORDER.index(above):
                raise ParameterError(
                    f"parts of a date go from fine to coarse: {above.value!r} cannot follow "
                    f"{below.value!r}"
                )
            if below is DatePart.WEEK:
                raise ParameterError(
                    f"weeks do not nest in {above.value}s, a week may lie in two of them: leave "
                    f"out 'week' or {above.value!r}"
                )

    def build(self, observed: Observed) -> Taxonomy:
        domain = observed.domain
        if domain.n_present and domain.kind is not Kind.DATE:
            is_text = domain.kind is Kind.CATEGORY
            raise TaxonomyError(
                f"column {observed.name!r} holds {'text' if is_text else 'numbers'}, not dates: "
                "turn it into dates first"
                + (", or use Mask if it is to stay text (2024-03-** tells the month)" * is_text)
            )
        dtype = domain.values.dtype
        is_times = dtype.kind == "M" and np.datetime_data(dtype)[0] == "us"
        parts = [part for part in self.parts if is_times or part is not DatePart.DAY]
        days = domain.values.astype("datetime64[D]")
        return stack(observed.name, domain, [_step(days, part) for part in parts])


def _step(days: NDArray[Any], part: DatePart) -> Step:
    keys = _keys(days, part)
    blocks = number_runs(keys)
    kept = keys[np.flatnonzero(np.diff(blocks, prepend=-1))]
    lower, upper = _begins(kept, part), _begins(kept + 1, part)
    return Step(blocks, tuple(_label(day, part) for day in lower), Edges(lower, upper))


def _keys(days: NDArray[Any], part: DatePart) -> CountArray:
    """Number the parts: days and months from 1970 on, weeks from the Monday before."""
    if part in (DatePart.DAY, DatePart.WEEK):
        numbers = days.astype(np.int64)
        return numbers if part is DatePart.DAY else (numbers + 3) // 7
    months = days.astype("datetime64[M]").astype(np.int64)
    # A decade begins in a year that ends with 0, as 1970 does.
    return months // _MONTHS[part]


def _begins(keys: CountArray, part: DatePart) -> NDArray[Any]:
    """Give the first day of numbered parts."""
    if part is DatePart.DAY:
        return keys.astype("datetime64[D]")
    if part is DatePart.WEEK:
        return (keys * 7 - 3).astype("datetime64[D]")
    return (keys * _MONTHS[part]).astype("datetime64[M]").astype("datetime64[D]")


def _label(first: np.datetime64, part: DatePart) -> str:
    if part is DatePart.DAY:
        return str(first)
    month = first.astype("datetime64[M]")
    year = str(first.astype("datetime64[Y]"))
    match part:
        case DatePart.WEEK:
            # The week belongs to the year that its Thursday lies in.
            thursday = first + np.timedelta64(3, "D")
            of_year = thursday.astype("datetime64[Y]")
            number = (thursday - of_year.astype("datetime64[D]")).astype(np.int64) // 7 + 1
            return f"{of_year}-W{number:02d}"
        case DatePart.MONTH:
            return str(month)
        case DatePart.QUARTER:
            return f"{year}-Q{month.astype(np.int64) % 12 // 3 + 1}"
        case DatePart.YEAR:
            return year
        case _:
            return f"{year}s"
