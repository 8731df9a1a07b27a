"""Columns of a release, made from the columns of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.data.reading.dictionary import is_text
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies import Domain, Kind, as_float64, number
from unlinkable.tables.taxonomies.builders import Csv, Tree
from unlinkable.typing import CodeArray, FloatArray

__all__ = [
    "Column",
    "Frame",
    "as_texts",
    "beside",
    "codes_of",
    "column_from_codes",
    "digest_of",
    "frame_from_codes",
    "is_listed",
    "keep_rows",
    "n_different",
    "numbers_of",
    "recoded_column",
    "replaced_column",
    "texts_of",
    "with_codes",
]

Frame: TypeAlias = pl.DataFrame
"""A table of published values."""

Column: TypeAlias = pl.Series
"""A column of published values."""

_DAY = 86_400_000_000
"""Microseconds of a day."""


def keep_rows(frame: Frame, rows: NDArray[np.int64] | None) -> Frame:
    """Keep the rows at these positions, in their order; all of them if not given."""
    return frame if rows is None else frame[rows]


def recoded_column(
    frame: Frame, name: str, texts: NDArray[np.object_], parts: CodeArray, *, is_raw: bool
) -> Column:
    """Write for every record the text of its part.

    If nothing was generalized the column is handed on as it was, with its own type.
    """
    if is_raw:
        return frame.get_column(name)
    column = pl.Series(name, texts.tolist(), dtype=pl.String).gather(parts)
    original = frame.schema[name]
    if isinstance(original, (pl.Categorical, pl.Enum)):
        return column.cast(pl.Categorical(pl.Categories.random()))
    return column


def replaced_column(
    frame: Frame, name: str, replace: Callable[[Sequence[str | int | float | None]], object]
) -> Column | None:
    """Replace every distinct value of a column; None if nothing is to be left of it."""
    numbered = number(frame.get_column(name))
    domain = numbered.observed.domain
    values = [domain.scalar(code) for code in range(domain.n)]
    texts = [v if v is None or isinstance(v, (str, int, float)) else str(v) for v in values]
    new = replace(texts)
    if new is None:
        return None
    by_code = pl.Series(name, list(new), dtype=pl.String)  # type: ignore[call-overload]
    return by_code.gather(numbered.codes[numbered.numbers]).alias(name)


def as_texts(frame: Frame, texts: Sequence[str], others: Sequence[str]) -> Frame:
    """Take some columns as the texts that they show, and others as they are.

    Texts in dictionary form, and whole numbers and days, which are equal just if their texts are,
    stay as they are: making texts of them would only cost time.
    """
    shown = [frame.get_column(name) for name in texts]
    shown = [column if _tells_texts(column.dtype) else column.cast(pl.String) for column in shown]
    return pl.DataFrame([*shown, *(frame.get_column(name) for name in others)])


def _tells_texts(dtype: pl.DataType) -> bool:
    is_dictionary = isinstance(dtype, (pl.Categorical, pl.Enum))
    return is_dictionary or dtype.is_integer() or dtype in (pl.String, pl.Date)


def beside(frame: Frame, other: Frame, columns: Sequence[str]) -> Frame:
    """Put columns of another frame of the same length beside those of a frame."""
    return frame.with_columns(other.get_column(name) for name in columns)


def texts_of(frame: Frame, name: str) -> Column:
    """Give the texts that a column shows."""
    return frame.get_column(name).cast(pl.String)


def n_different(frame: Frame, other: Frame, name: str) -> int:
    """Count the rows in which a column shows another text than that of another table does."""
    is_different = texts_of(frame, name).ne_missing(texts_of(other, name)).to_numpy()
    return int(np.count_nonzero(is_different))


def codes_of(frame: Frame, name: str, domain: Domain) -> CodeArray:
    """Find the codes of the values of a column; -1 for those that the domain does not have."""
    numbered = number(frame.get_column(name))
    own = numbered.observed.domain
    if own.kind is domain.kind or domain.kind is Kind.CATEGORY:
        found = domain.find(own)
    else:
        # Texts may be those of numbers or dates; a number is never a date.
        are_texts = own.kind is Kind.CATEGORY
        present = [domain.code_of(text) if are_texts else -1 for text in own.values]
        found = np.array([*present, *[domain.missing] * own.has_missing], np.int32)
    return found[numbered.codes[numbered.numbers]]


def digest_of(frame: Frame) -> str:
    """Give a text that is the same for equal tables, and for hardly any others."""
    flat = [n for n, t in frame.schema.items() if not (t.is_nested() or t == pl.Binary)]
    texts = frame.with_columns(pl.col(flat).cast(pl.String))
    content = texts.write_ipc(None, compression="uncompressed").getbuffer()
    # Categories may have a name of their own, which says nothing of the values.
    types = ["Categorical" if isinstance(t, pl.Categorical) else repr(t) for t in frame.dtypes]
    known = hashlib.sha256(repr([*zip(frame.columns, types, strict=True)]).encode())
    known.update(content)
    return known.hexdigest()


def numbers_of(frame: Frame, name: str) -> FloatArray:
    """Give a column as numbers, days if it holds dates; a missing value is not a number.

    Raises
    ------
    DataError
        If it holds anything else.
    """
    column = frame.get_column(name)
    if column.dtype == pl.Date:
        return column.cast(pl.Datetime("us")).dt.timestamp("us").to_numpy() / _DAY
    if column.dtype == pl.Datetime:
        # The time on the clock of its own zone, as in the domain of the original.
        clock = column.dt.replace_time_zone(None).dt.cast_time_unit("us")
        return clock.dt.timestamp("us").to_numpy() / _DAY
    if is_text(column):
        column = column.cast(pl.String).cast(pl.Float64, strict=False)
        if column.null_count() > frame.get_column(name).null_count():
            raise DataError(f"column {name!r} holds values that are no numbers")
    if not (column.dtype.is_numeric() or column.dtype == pl.Null):
        raise DataError(f"column {name!r} holds no numbers but {column.dtype}")
    return as_float64(column).to_numpy().astype(float)


def with_codes(frame: Frame, table: Table, name: str, codes: CodeArray) -> Frame:
    """Replace the values of a column by those of codes of its taxonomy."""
    return frame.with_columns(column_from_codes(table, name, codes))


def column_from_codes(table: Table, name: str, codes: CodeArray) -> Column:
    """Write codes of the taxonomy of a column as values, in the type that the column has.

    Values that no record has are known to the taxonomy alone. Where one of these is asked for, and
    the type of the column has no room for it, the column becomes one of texts.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [40, 20, None]}, quasi="age")
    >>> column_from_codes(staff, "age", np.array([0, 0, 1, 2], np.int32)).to_list()
    [20, 20, 40, None]
    """
    taxonomy, column = table.taxonomy(name), table.frame.get_column(name)
    somewhere = np.full(taxonomy.n, -1, np.int64)
    own = table.codes(name)
    somewhere[own] = np.arange(own.size)
    if (somewhere[codes] >= 0).all():
        return column.gather(somewhere[codes])
    domain = taxonomy.domain
    values = [domain.scalar(code) for code in range(domain.n)]
    made = pl.Series(name, values, strict=False).gather(codes)
    is_number = domain.kind is not Kind.CATEGORY and made.dtype != column.dtype
    return made.cast(column.dtype) if is_number else made


def frame_from_codes(table: Table, codes: Mapping[str, CodeArray]) -> Frame:
    """Make a frame of codes of the taxonomies of columns."""
    return pl.DataFrame([column_from_codes(table, name, own) for name, own in codes.items()])


def is_listed(table: Table, name: str) -> bool:
    """Whether the values of a column were listed beforehand, and not found among the records.

    A tree or a hierarchy file lists values whether they occur or not. All other taxonomies are made
    from the values that occur, which discloses that each of them occurs.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> staff = as_table({"sex": ["f"], "job": ["cook"]}, quasi=["sex", "job"],
    ...     taxonomies={"sex": Tree({"any": ["f", "m"]})})
    >>> is_listed(staff, "sex"), is_listed(staff, "job")
    (True, False)
    """
    return isinstance(table.schema[name].taxonomy, Tree | Csv)


def require_listed(table: Table, name: str, otherwise: str = "") -> None:
    """Refuse a column whose occurring values would be disclosed without being paid for.

    Parameters
    ----------
    table, name
        The column.
    otherwise
        What else could be done.

    Raises
    ------
    UnsupportedError
        If its values were not listed beforehand.
    """
    if not is_listed(table, name):
        raise UnsupportedError(
            f"the values of column {name!r} are those that somebody has, and that would be told: "
            f"list all values it may have, by a tree or a hierarchy file{otherwise}"
        )
