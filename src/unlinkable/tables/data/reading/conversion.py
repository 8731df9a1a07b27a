"""Columns made into what their values are, or what they are said to be."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.dictionary import distinct, is_text, settle, spread
from unlinkable.tables.data.reading.inference import Guess, infer, parse
from unlinkable.tables.data.reading.options import ColumnType

__all__ = ["Where", "convert", "days", "type_column", "whole", "without"]

Where = Callable[[int], str]
"""Names the place of a record in its source, given its position."""

_DTYPES: dict[ColumnType, pl.DataType] = {
    ColumnType.TEXT: pl.String(),
    ColumnType.INTEGER: pl.Int64(),
    ColumnType.NUMBER: pl.Float64(),
    ColumnType.DATE: pl.Date(),
    ColumnType.DATETIME: pl.Datetime("us"),
    ColumnType.BOOLEAN: pl.Boolean(),
}


def type_column(
    column: pl.Series, guesses: tuple[Guess, ...], keys: pl.Series | None = None
) -> pl.Series:
    """Make a text column what all its values are, if one of the guesses is right.

    Its distinct texts may be given if they are known.

    Examples
    --------
    >>> from unlinkable.tables.data.reading.inference import guesses
    >>> type_column(pl.Series("age", ["39", None, "50"]), guesses(comma=False)).to_list()
    [39, None, 50]
    """
    column = settle(column, keys)
    if not guesses:
        return column
    if isinstance(column.dtype, pl.Categorical):
        keys = distinct(column) if keys is None else keys
        values = infer(keys.cast(pl.String), guesses)
        return column if values is None else spread(column, keys, values)
    present = column.drop_nulls()
    values = infer(present, guesses)
    if values is None or not column.has_nulls():
        return column if values is None else values.alias(column.name)
    at = (column.is_not_null().cum_sum() - 1).set(column.is_null(), None)
    return values.gather(at).alias(column.name)


def convert(column: pl.Series, kind: ColumnType | str, where: Where, *, comma: bool) -> pl.Series:
    """Make a column what it is said to be.

    Parameters
    ----------
    column
        Texts, or values of another type.
    kind
        What they are said to be.
    where
        Names the place of a record, for the message.
    comma
        Whether decimals may come after a comma.

    Raises
    ------
    DataError
        If a value is something else, or could be two different days.
    """
    made = _from_text(column, kind, comma=comma) if is_text(column) else _from_other(column, kind)
    if made is None:
        raise DataError(
            f"{where(0)}: which part of {column.name!r} is the month cannot be told from its "
            f"values; give a pattern like '%d/%m/%Y' as the type of {column.name!r}"
        )
    lost = (made.is_null() & column.is_not_null()).arg_true()
    if len(lost):
        raise DataError(
            f"{where(int(lost[0]))}: {column.name!r} is not {_says(kind)}; correct it, or give "
            f"'text' as the type of {column.name!r}"
        )
    return made


def without(column: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    """Take away the texts that stand for a missing value.

    Examples
    --------
    >>> without(pl.Series(["NA", "Rome"], dtype=pl.Categorical), ("NA", "?")).to_list()
    [None, 'Rome']
    """
    if not missing or not is_text(column):
        return column
    keys = distinct(column)
    gone = keys.filter(keys.cast(pl.String).is_in(missing))
    if not len(gone):
        return column
    is_gone = column.to_physical().is_in(gone.to_physical().implode())
    return pl.select(pl.when(~is_gone).then(column).alias(column.name)).to_series()


def whole(column: pl.Series) -> pl.Series:
    """Make a column of floats one of whole numbers, if all of them are.

    For sources that have no other numbers.

    Examples
    --------
    >>> whole(pl.Series([1.0, None, 3.0])).to_list()
    [1, None, 3]
    >>> whole(pl.Series([1.5, 2.0])).to_list()
    [1.5, 2.0]
    """
    if not column.dtype.is_float() or column.null_count() == len(column):
        return column
    is_whole = (column == column.round()) & (column.abs() <= 2.0**53)
    return column.cast(pl.Int64) if is_whole.all() else column


def days(column: pl.Series) -> pl.Series:
    """Make a column of moments one of days, if all of them are at midnight."""
    if column.dtype != pl.Datetime or column.null_count() == len(column):
        return column
    at_midnight = column.dt.truncate("1d") == column
    return column.cast(pl.Date) if at_midnight.all() else column.cast(pl.Datetime("us"))


def _from_text(column: pl.Series, kind: ColumnType | str, *, comma: bool) -> pl.Series | None:
    """Read texts, missing where they are not what they should be; None if that is not clear."""
    column = settle(column)
    if kind is ColumnType.TEXT:
        return column
    if not isinstance(column.dtype, pl.Categorical):
        return parse(column.cast(pl.String), kind, comma=comma)
    keys = distinct(column)
    values = parse(keys.cast(pl.String), kind, comma=comma)
    return None if values is None else spread(column, keys, values)


def _from_other(column: pl.Series, kind: ColumnType | str) -> pl.Series:
    dtype = _DTYPES[kind] if isinstance(kind, ColumnType) else pl.Date()
    made = column.cast(dtype, strict=False)
    if kind is ColumnType.INTEGER and column.dtype.is_float():
        return made.set(made.cast(pl.Float64) != column, None)
    return settle(made)


def _says(kind: ColumnType | str) -> str:
    match kind:
        case ColumnType.INTEGER:
            return "a whole number there"
        case ColumnType.NUMBER:
            return "a number there"
        case ColumnType.DATE | ColumnType.DATETIME:
            return f"a {kind} there"
        case ColumnType.BOOLEAN:
            return "true or false there"
    return f"a date of the form {kind} there"
