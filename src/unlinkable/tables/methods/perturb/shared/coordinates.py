"""Coordinates: records as points in space, and points as records again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, numeric_points
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.taxonomies import ANY, Domain, Kind, write_interval
from unlinkable.typing import Columns, FloatArray

__all__ = ["coordinates_of", "refuse_owner", "spreads", "write_sides"]

_DAY = 86_400_000_000
"""Microseconds of a day."""


def coordinates_of(method: RecordMethod, table: Table, columns: Columns) -> FloatArray:
    """Give records as points with these coordinates.

    Raises
    ------
    SchemaError
        If there is none, or no such column.
    UnsupportedError
        If one holds categories.
    DataError
        If values are missing, or there are no records.
    """
    if not columns:
        raise SchemaError(f"{method} moves points, and no column is named or quasi-identifying")
    if not len(table):
        raise DataError(f"the table has no records: {method} has no points")
    try:
        return numeric_points(table, columns)
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}: name the columns with numbers for {method}") from None


def refuse_owner(method: RecordMethod, table: Table) -> None:
    """Refuse tables in which a person may have several records.

    Raises
    ------
    UnsupportedError
        If there is an owner column.
    """
    if table.schema.owner is not None:
        raise UnsupportedError(
            f"{method} takes every record for another person, and {table.schema.owner!r} says that "
            "people may have several: bring the records of each person together in one first"
        )


def spreads(points: FloatArray) -> FloatArray:
    """Find the standard deviation of every coordinate; 1 where all are the same.

    Examples
    --------
    >>> spreads(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [1.0, 1.0]
    """
    spread = points.std(axis=0)
    return np.where(spread > 0, spread, 1.0)


def write_sides(
    domain: Domain, lower: FloatArray, upper: FloatArray, ends: tuple[float, float]
) -> NDArray[np.object_]:
    """Write the sides of cells as intervals: open where they reach the ends of all cells.

    Bounds are moved up to the next number or date that could have been written, which leaves the
    values in between the same.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]))
    >>> lower, upper = np.array([17.0, 29.0, 17.0]), np.array([29.0, 34.5, 65.0])
    >>> write_sides(ages, lower, upper, (17.0, 65.0)).tolist()
    ['<29', '[29-35)', '*']
    """
    sides, number = np.unique(np.column_stack([lower, upper]), axis=0, return_inverse=True)
    texts = np.empty(len(sides), object)
    for i, (low, high) in enumerate(sides.tolist()):
        texts[i] = _side(domain, None if low <= ends[0] else low, None if high >= ends[1] else high)
    return texts[number.ravel()]


def _side(domain: Domain, low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ANY
    bounds = [x if x is None else _bound(domain, x) for x in (low, high)]
    return write_interval(*bounds)


def _bound(domain: Domain, number: float) -> str:
    """Write the first value from a number, or day, on."""
    if domain.kind is Kind.DATE:
        if np.datetime_data(domain.values.dtype)[0] != "us":
            return domain.text_of(np.datetime64(int(np.ceil(number)), "D"))
        return domain.text_of(np.datetime64(int(np.ceil(number * _DAY)), "us"))
    if np.issubdtype(domain.values.dtype, np.integer):
        return str(int(np.ceil(number)))
    return domain.text_of(np.float64(number))
