"""Replaced values: columns of frames as numbers, and numbers as columns of frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.errors import DataError, SchemaError, UnsupportedError, unknown
from unlinkable.tables.data.release_columns import Frame, numbers_of
from unlinkable.tables.data.schema import Role
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import Columns, CountArray, FloatArray

__all__ = [
    "LARGEST",
    "frame_like",
    "frame_of",
    "free_name",
    "numeric_points",
    "publishable_columns",
    "rounded",
    "with_column",
    "with_numbers",
    "with_order",
]

_DAY = 86_400_000_000
"""Microseconds of a day."""

LARGEST = 1e150
"""Squares of larger numbers, and sums of these, may have no room in the type of numbers."""

_ENDS = (-719_162, 2_932_896)
"""The first day of the year 1 and the last of 9999, which is as far as calendars go here."""


def publishable_columns(table: Table) -> Columns:
    """Name the columns that may be published: all but those that identify people."""
    hidden = (Role.IDENTIFIER, Role.OWNER, Role.GUARD)
    return tuple(n for n in table.frame.columns if table.schema[n].role not in hidden)


def numeric_points(table: Table, columns: Sequence[str]) -> FloatArray:
    """Give records as points: a row for each, a coordinate for each column; dates are days.

    Raises
    ------
    SchemaError
        If there is no such column.
    UnsupportedError
        If one holds categories.
    DataError
        If values are missing, infinite, or so large that distances could not be computed.
    """
    points = np.empty((len(table), len(columns)))
    for j, name in enumerate(columns):
        if name not in table.frame.columns:
            raise SchemaError(unknown("column", name, table.frame.columns))
        if table.numbered(name).observed.domain.kind is Kind.CATEGORY:
            raise UnsupportedError(f"column {name!r} holds categories, and numbers are needed")
        points[:, j] = numbers_of(table.frame, name)
        if (n := int((~np.isfinite(points[:, j])).sum())) > 0:
            raise DataError(
                f"column {name!r} has {n} missing or infinite values, and points need numbers: "
                "fill them in, or leave these records out"
            )
        if points.size and np.abs(points[:, j]).max() > LARGEST:
            raise DataError(
                f"column {name!r} has numbers beyond {LARGEST:g}, which are too large to compare: "
                "change the unit, or leave these records out"
            )
    return points


def rounded(numbers: FloatArray, domain: Domain) -> FloatArray:
    """Round numbers, or days, to the step in which the values of a column are written.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]))
    >>> rounded(np.array([17.3, 19.8]), ages).tolist()
    [17.0, 20.0]
    """
    if domain.kind is Kind.DATE:
        step = float(domain.unit / np.timedelta64(1, "us")) / _DAY
        return np.round(numbers / step) * step
    if domain.unit >= 1:
        return np.round(numbers)
    places = round(-np.log10(domain.unit))
    return np.round(numbers, places) if domain.unit == 10.0**-places else numbers


def with_numbers(frame: Frame, name: str, numbers: FloatArray) -> Frame:
    """Replace the values of a column by numbers, in its own type where they fit into it.

    Whole numbers stay whole if all new ones are, and fit into 64 bits; days are rounded to days.
    What is not a number is missing.

    Raises
    ------
    DataError
        If dates lie beyond the years 1 to 9999.

    Examples
    --------
    >>> ages = pl.DataFrame({"age": [30, 40]})
    >>> with_numbers(ages, "age", np.array([35.0, 35.0]))["age"].to_list()
    [35, 35]
    >>> with_numbers(ages, "age", np.array([35.5, 35.5]))["age"].to_list()
    [35.5, 35.5]
    """
    return frame.with_columns(_in_type(frame.schema[name], name, numbers))


def with_column(frame: Frame, name: str, values: NDArray[Any] | Sequence[Any]) -> Frame:
    """Put a column of values into a frame, in place of the one of that name or at the end."""
    return frame.with_columns(pl.Series(name, values))


def with_order(frame: Frame, name: str, order: CountArray) -> Frame:
    """Give record ``i`` the value that record ``order[i]`` has on a column."""
    return frame.with_columns(frame.get_column(name).gather(order))


def frame_of(columns: Mapping[str, NDArray[Any] | Sequence[Any]]) -> Frame:
    """Make a frame of columns of values."""
    return pl.DataFrame({name: pl.Series(name, values) for name, values in columns.items()})


def frame_like(frame: Frame, columns: Mapping[str, NDArray[Any] | Sequence[Any]]) -> Frame:
    """Make a frame of new records: texts, and numbers in the types of the columns of a frame.

    Examples
    --------
    >>> ages = pl.DataFrame({"age": [30, 40]})
    >>> frame_like(ages, {"age": np.array([31.0, np.nan, 33.0])})["age"].to_list()
    [31, None, 33]
    """
    made = []
    for name, values in columns.items():
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            made.append(_in_type(frame.schema[name], name, values))
        else:
            made.append(pl.Series(name, list(values), dtype=pl.String))
    return pl.DataFrame(made)


def _in_type(dtype: pl.DataType, name: str, numbers: Any) -> pl.Series:
    column = pl.Series(name, numbers, dtype=pl.Float64).fill_nan(None)
    if dtype == pl.Date or isinstance(dtype, pl.Datetime):
        _require_dates(column)
    if dtype == pl.Date:
        return column.round().cast(pl.Int32).cast(pl.Date)
    if isinstance(dtype, pl.Datetime):
        return (column * 86_400_000_000).round().cast(pl.Int64).cast(pl.Datetime("us"))
    known = column.drop_nulls()
    fits = bool((known == known.round()).all()) and bool((known.abs() < 2.0**63).all())
    return column.cast(pl.Int64) if dtype.is_integer() and fits else column


def _require_dates(days: pl.Series) -> None:
    """Refuse days that no calendar has."""
    known = days.drop_nulls()
    if not bool(known.round().is_between(*_ENDS).all()):
        raise DataError(
            f"dates beyond the years 1 to 9999 would come out for column {days.name!r}: use less "
            "noise, or leave the column out"
        )


def free_name(wanted: str, taken: Sequence[str]) -> str:
    """Give a name for a column that no other column has.

    Examples
    --------
    >>> free_name("group", ["age", "group"])
    'group 2'
    """
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name
