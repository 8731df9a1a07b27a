"""Numbers and dates of two tables in one code space.

The codes are the places among all values and all ends of intervals that either side shows: an
interval covers what lies in it, whichever values the table had that it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.data.linked_rows import row_of
from unlinkable.tables.taxonomies import ANY, Domain, Kind, Numbered, Taxonomy, read_bounds
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["read_scales"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"-?\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")
_PART = re.compile(r"(\d{4})(?:-(\d{2})|-Q([1-4])|-W(\d{2})|(s))?")
_MASK = re.compile(r"(-?\d+)(\*+)")
_WRITTEN = {
    Kind.NUMBER: "[20-30), <20 or >=90",
    Kind.DATE: "[2024-01-05-2024-02-01), 2024-02 or 2024-Q1",
}
"""How intervals are written."""
_DAY = 86_400_000_000
"""Microseconds of a day."""
_EXACT = 1 << 53
"""Whole numbers beyond are not exact as floats."""

_Span = tuple[Any, Any, bool]
"""First value, end or last value, and whether it is the last value; None for an open end."""

_ANYTHING: _Span = (None, None, True)
_MISSING: _Span = (None, None, False)


@define(eq=False, frozen=True)
class _Ends:
    """Where the values of a side begin and end; ends that are open are marked and hold a 0."""

    lower: NDArray[Any]
    upper: NDArray[Any]
    is_closed: BoolArray
    is_open_below: BoolArray
    is_open_above: BoolArray


def read_scales(
    name: str, kind: Kind, columns: Sequence[Numbered], taxonomy: Taxonomy | None
) -> tuple[list[CodeArray], FloatArray]:
    """Find the range of codes of every present value of both columns, and where each code lies.

    The missing value has one code more. Dates lie where their microseconds since 1970 are.

    Raises
    ------
    DataError
        If a text is no number, date, interval or label.
    """
    sides = []
    for side, column in enumerate(columns):
        ends, bad = _ends(name, kind, column.observed.domain, taxonomy)
        if bad:
            raise DataError(
                f"column {name!r}: {row_of(columns, side, bad)} shows neither a {kind.value} nor "
                f"an interval of {kind.value}s, which is written {_WRITTEN[kind]}: write it so, "
                "give the taxonomy of the column, or leave the column out"
            )
        sides.append(ends)
    bounds = [side.lower[~side.is_open_below] for side in sides]
    bounds += [side.upper[~side.is_open_above] for side in sides]
    places = np.unique(np.concatenate(bounds))
    return [_ranges(side, places) for side in sides], places.astype(float)


def _ranges(side: _Ends, places: NDArray[Any]) -> CodeArray:
    lo = np.where(side.is_open_below, 0, np.searchsorted(places, side.lower))
    hi = np.searchsorted(places, side.upper) + side.is_closed
    # What is open above and closed there covers the missing value as well, and so is no value.
    hi = np.where(side.is_open_above, places.size + side.is_closed, hi)
    is_missing = side.is_open_below & side.is_open_above & ~side.is_closed
    lo, hi = np.where(is_missing, places.size, lo), np.where(is_missing, places.size + 1, hi)
    return np.column_stack([lo, hi]).astype(np.int32)


def _ends(
    name: str, kind: Kind, domain: Domain, taxonomy: Taxonomy | None
) -> tuple[_Ends, list[int]]:
    """Find where values begin and end, and the codes of those that cannot be read."""
    values, none = domain.values, np.zeros(domain.n_present, bool)
    if domain.kind is Kind.CATEGORY or not domain.n_present:
        return _read_texts(name, kind, values.tolist(), taxonomy)
    if domain.kind is not kind:
        raise DataError(
            f"column {name!r} holds {domain.kind.value}s where {kind.value}s are expected: write "
            "both sides in the same way, or leave the column out"
        )
    if kind is Kind.NUMBER:
        return _Ends(values, values, ~none, none, none), []
    start = values.astype("datetime64[us]").astype(np.int64)
    step = 1 if np.datetime_data(values.dtype)[0] == "us" else _DAY
    return _Ends(start, start + step, none, none, none), []


def _read_texts(
    name: str, kind: Kind, texts: list[str], taxonomy: Taxonomy | None
) -> tuple[_Ends, list[int]]:
    read = _read_number if kind is Kind.NUMBER else _read_date
    spans = [_read(name, text, kind, taxonomy) or read(text) for text in texts]
    bad = [code for code, span in enumerate(spans) if not _means_something(span)]
    lower, upper, closed = ([span[i] for span in spans if span] for i in range(3))
    ends = _Ends(
        _filled(lower),
        _filled(upper),
        np.array(closed, bool),
        np.array([end is None for end in lower], bool),
        np.array([end is None for end in upper], bool),
    )
    return ends, bad


def _means_something(span: _Span | None) -> bool:
    if span is None or span[0] is None or span[1] is None:
        return span is not None
    return (span[0], 0) < (span[1], int(span[2]))


def _filled(ends: list[Any]) -> NDArray[Any]:
    known = [0 if end is None else end for end in ends]
    if all(isinstance(end, int) and -(1 << 63) <= end < 1 << 63 for end in known):
        return np.array(known, np.int64)
    return np.array(known, float)


def _read(name: str, text: str, kind: Kind, taxonomy: Taxonomy | None) -> _Span | None:
    """Read what is told in the same way of numbers and of dates: everything, nothing, a label."""
    if text == ANY or (taxonomy is not None and text == taxonomy.root):
        return _ANYTHING
    if not text:
        return _MISSING
    if taxonomy is None or text not in taxonomy.named:
        return None
    at, node = taxonomy.named[text]
    level = taxonomy.levels[at]
    if (edges := level.edges) is not None:
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        lower = None if is_first and edges.open_below else _plain(edges.lower[node])
        upper = None if is_last and edges.open_above else _plain(edges.upper[node])
        return lower, upper, False
    # From the first of the values under the label to the last one.
    first, last = int(level.starts[node]), int(level.starts[node + 1]) - 1
    told, _ = _ends(name, kind, Domain(kind, taxonomy.domain.values[[first, last]]), None)
    return told.lower[0].item(), told.upper[1].item(), bool(told.is_closed[1])


def _plain(bound: Any) -> int | float:
    """Give a number as it is, and a date in microseconds."""
    if isinstance(bound, np.datetime64):
        return int(bound.astype("datetime64[us]").astype(np.int64))
    value: int | float = bound.item()
    return value


def _read_number(text: str) -> _Span | None:
    if _NUMBER.fullmatch(text):
        value = _number(text)
        return value, value, True
    if bounds := read_bounds(Kind.NUMBER, text):
        return (*(None if end is None else _number(end) for end in bounds), False)  # type: ignore[return-value]
    if mask := _MASK.fullmatch(text):
        start, step = int(mask[1]), 10 ** len(mask[2])
        return (start * step, (start + 1) * step, False) if start > 0 else None
    return None


def _number(text: str) -> int | float:
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < _EXACT else value


def _read_date(text: str) -> _Span | None:
    if _DATE.fullmatch(text):
        start = _microseconds(text)
        step = _DAY if len(text.lstrip("-")) <= 10 else 1
        return None if start is None else (start, start + step, False)
    if bounds := read_bounds(Kind.DATE, text):
        ends = [None if end is None else _microseconds(end) for end in bounds]
        is_read = all(a is not None or b is None for a, b in zip(ends, bounds, strict=True))
        return (ends[0], ends[1], False) if is_read else None
    return _read_part(text)


def _read_part(text: str) -> _Span | None:
    """Read a week, a month, a quarter, a year or a decade by its label."""
    part = _PART.fullmatch(text)
    if part is None:
        return None
    year, month, quarter, week, decade = part.groups()
    if week:
        try:
            monday = np.datetime64(date.fromisocalendar(int(year), int(week), 1))
        except ValueError:
            return None
        return _plain(monday), _plain(monday + 7), False
    first = int(month) - 1 if month else 3 * (int(quarter) - 1) if quarter else 0
    n_months = 1 if month else 3 if quarter else 120 if decade else 12
    if not 0 <= first < 12:
        return None
    start = np.datetime64(year, "M") + first
    return _plain(start), _plain(start + n_months), False


def _microseconds(text: str) -> int | None:
    try:
        return int(np.datetime64(text.replace(" ", "T"), "us").astype(np.int64))
    except ValueError:
        return None
