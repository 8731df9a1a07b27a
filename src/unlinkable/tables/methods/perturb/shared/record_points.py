"""Record points: records of numbers, dates and categories as points of a space.

Squared differences add up over the columns. So that no column counts more because of its unit, each
is scaled to the same variance. The variance of categories is the chance that two records differ,
1 - sum p^2, halved: what the variance of numbers is to the square of their difference. A category
is a corner of its own, all corners are as far from each other, and the mean of some records has
their shares as its coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.tables.data import Table, numeric_points
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, FloatArray

__all__ = ["RecordPoints", "on_grid", "quasi_columns"]

MOST_COORDINATES = 400
"""No more coordinates are made of all columns together: distances would say nothing any more."""

_DIGITS = 52
"""Binary digits that all sums of coordinates fit into."""

_LEAST = -1074
"""The last binary digit that a number can have."""


@define(eq=False, frozen=True)
class RecordPoints:
    """Records as points.

    Attributes
    ----------
    points
        A row for each record. Sums of any of them are exact, in whatever order they are added up.
    scales
        By column, how many of its units are a distance of one; nothing for categories.
    """

    points: FloatArray
    scales: dict[str, float]

    @classmethod
    def of(cls, table: Table, columns: Sequence[str], *, scaled: bool) -> Self:
        """Give a table as points.

        Raises
        ------
        UnsupportedError
            If a column has too many categories.
        DataError
            If numbers are missing.
        """
        parts, scales = [np.empty((len(table), 0))], {}
        for name in columns:
            weight = np.sqrt(table.schema[name].importance)
            if table.numbered(name).observed.domain.kind is Kind.CATEGORY:
                part = _corners(table, name, scaled=scaled)
            else:
                part = numeric_points(table, [name])
                part = part - (part.mean() if part.size else 0.0)
                scale = float(part.std()) if scaled and part.size else 1.0
                part = part / (scale or 1.0)
                scales[name] = (scale or 1.0) / float(weight)
            parts.append(part * weight)
        points = np.concatenate(parts, axis=1)
        if points.shape[1] > MOST_COORDINATES:
            raise UnsupportedError(
                f"the columns {', '.join(map(repr, columns))} have more than {MOST_COORDINATES} "
                "categories together, which are too many to tell near records from far ones: group "
                "by fewer columns, write codes as numbers, or use mondrian"
            )
        return cls(on_grid(points), scales)


def quasi_columns(table: Table, wanted: Columns | None) -> Columns:
    """Name the columns to measure distances on: those wanted, or all quasi-identifying ones.

    Raises
    ------
    ParameterError
        If none is wanted.
    SchemaError
        If there is no such column, or others do not know it.
    """
    quasi = table.schema.quasi
    if not quasi:
        raise SchemaError("no column is a quasi-identifier: name those that others may know")
    if wanted is not None and not wanted:
        raise ParameterError(
            "columns is empty, and records need at least one to be near or far: name some, or "
            "leave columns out"
        )
    for name in wanted or ():
        if name not in quasi:
            raise SchemaError(unknown("quasi-identifying column", name, quasi))
    return wanted or quasi


def on_grid(points: FloatArray) -> FloatArray:
    """Round coordinates so far that sums of them are exact, in whatever order they are added up.

    Of a million standardized records, 32 binary digits are left after the point.

    Examples
    --------
    >>> points = on_grid(np.random.default_rng(0).normal(size=(1000, 2)))
    >>> bool((points.sum(axis=0) == points[::-1].sum(axis=0)).all())
    True
    """
    largest = float(np.abs(points).sum(axis=0).max(initial=0.0))
    digit = np.ceil(np.log2(largest)) + 1 - _DIGITS if largest > 0 else 0.0
    unit = 2.0 ** max(digit, _LEAST)
    exact: FloatArray = np.round(points / unit) * unit
    return np.ascontiguousarray(exact)


def _corners(table: Table, name: str, *, scaled: bool) -> FloatArray:
    """Give every category a corner of its own; two of them are the ends of a line."""
    numbered = table.numbered(name)
    codes, n = numbered.codes[numbered.numbers], numbered.observed.domain.n
    if n > MOST_COORDINATES:
        raise UnsupportedError(
            f"column {name!r} has {n} categories, and more than {MOST_COORDINATES} are too many to "
            "tell near records from far ones: leave it out of columns, write codes as numbers, or "
            "use mondrian"
        )
    shares = np.bincount(codes, minlength=n) / max(codes.size, 1)
    differ = 1.0 - float(np.square(shares).sum())
    apart = 1.0 / differ if scaled and differ > 1e-12 else 0.5
    if n <= 2:
        ends: FloatArray = np.sqrt(2 * apart) * codes[:, None]
        return ends
    corners: FloatArray = np.sqrt(apart) * np.eye(n)[codes]
    return corners
