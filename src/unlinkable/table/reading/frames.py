"""Frames that come from Python, and how they go back.

What comes in goes out: the same kind of frame, with the index of the records that are left, in
their order. Columns that nobody touched are taken from the frame that came in, so that they keep
whatever polars does not know of (pandas' own types, field metadata); only recoded columns are new.

One thing does not survive: the categories of values that only left-out records had. They would
tell what those records were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import narwhals as nw
import narwhals.dependencies as known_to
import numpy as np
import polars as pl
from attrs import frozen
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from unlinkable.errors import DataError
from unlinkable.table.reading.extras import load_extra
from unlinkable.table.reading.layout import check_names

__all__ = ["Origin", "to_frame"]

Rows = NDArray[np.int64]


class Origin(Protocol):
    """Where a frame came from, and how to give one back in kind."""

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> object:
        """Turn a frame into the kind that came in.

        Parameters
        ----------
        frame
            Of some of the columns that came in, recoded or not, and perhaps others.
        rows
            For each of its records the position of the record that came in; None if all are
            there, in their order.
        """
        ...

    def give_new(self, frame: pl.DataFrame) -> object:
        """Turn a frame whose records are not those that came in into the same kind.

        Nothing of the records that came in is taken over: no index, no order.
        """
        ...


def to_frame(data: object) -> tuple[pl.DataFrame, Origin]:
    """Take a frame of any kind, and remember how to give one back.

    Parameters
    ----------
    data
        A frame of polars (lazy ones are collected), pandas or another library that narwhals
        knows, a pyarrow table, anything with the Arrow C stream interface, or a mapping from
        names to lists. Streams and lazy frames of other libraries than polars come back as polars
        frames.

    Raises
    ------
    DataError
        If it is nothing of that, or a column has no or a second name, or values of several types.

    Examples
    --------
    >>> frame, origin = to_frame({"age": [39, 50], "zip": ["00501", None]})
    >>> frame.schema
    Schema([('age', Int64), ('zip', String)])
    >>> origin.give_back(frame.head(1).drop("zip"), np.array([0]))
    {'age': [39]}
    """
    native = nw.to_native(data, pass_through=True)
    if isinstance(native, (pl.DataFrame, pl.LazyFrame)):
        frame = native.collect() if isinstance(native, pl.LazyFrame) else native
        check_names("the frame", tuple(frame.columns))
        return frame, _Polars(frame, is_lazy=isinstance(native, pl.LazyFrame))
    if isinstance(native, Mapping):
        frame = _from_mapping(native)
        return frame, _Lists(frame)
    if _is_pandas_like(native):
        frame = _from_pandas(native)
        return frame, _Pandas(frame, native)
    if known_to.is_pyarrow_table(native):
        frame = _from_arrow(native)
        return frame, _Arrow(frame, native)
    known = nw.from_native(native, pass_through=True, allow_series=True)
    if isinstance(known, nw.LazyFrame):
        frame = known.collect("polars").to_native()
        return frame, _Polars(frame)
    if hasattr(native, "__arrow_c_stream__") and not isinstance(known, nw.Series):
        frame = _from_arrow(native)
        return frame, _Polars(frame)
    raise DataError(
        f"cannot take {type(data).__name__} as a table; give a frame of polars, pandas or "
        "pyarrow, or a dictionary of lists"
    )


@frozen(eq=False)
class _Polars:
    came: pl.DataFrame
    is_lazy: bool = False

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> pl.DataFrame | pl.LazyFrame:
        if rows is not None:
            frame = frame.with_columns(
                _forget(column, self.came[column.name])
                for column in frame
                if column.dtype == pl.Enum and column.name in self.came.columns
            )
        return frame.lazy() if self.is_lazy else frame

    def give_new(self, frame: pl.DataFrame) -> pl.DataFrame | pl.LazyFrame:
        return frame.lazy() if self.is_lazy else frame


@frozen(eq=False)
class _Lists:
    came: pl.DataFrame

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> dict[str, list[Any]]:
        return self.give_new(frame)

    def give_new(self, frame: pl.DataFrame) -> dict[str, list[Any]]:
        return frame.to_dict(as_series=False)


@frozen(eq=False)
class _Pandas:
    came: pl.DataFrame
    native: Any

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> object:
        labels = dict(zip(self.came.columns, self.native.columns, strict=True))
        kept = [name for name in frame.columns if _is_same(frame, self.came, name, rows)]
        left = self.native if rows is None else self.native.iloc[rows]
        out = left[[labels[name] for name in kept]].copy()
        if rows is not None:
            for label in out.columns[[str(dtype) == "category" for dtype in out.dtypes]]:
                out[label] = _forget_categories(out[label], self.native[label])
        backend = nw.get_native_namespace(self.native)
        fresh = nw.from_arrow(frame.drop(kept), backend=backend).to_native()
        for position, name in enumerate(frame.columns):
            if name not in kept:
                out.insert(position, labels.get(name, name), fresh[name].array)
        return out

    def give_new(self, frame: pl.DataFrame) -> object:
        backend = nw.get_native_namespace(self.native)
        return nw.from_arrow(frame, backend=backend).to_native()


@frozen(eq=False)
class _Arrow:
    came: pl.DataFrame
    native: Any

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> object:
        pyarrow = load_extra("pyarrow", "arrow", "pyarrow tables")
        fields, columns = [], []
        for name in frame.columns:
            if _is_same(frame, self.came, name, rows):
                field, column = self.native.schema.field(name), self.native.column(name)
                if rows is not None:
                    column = column.take(pyarrow.array(rows))
                    if pyarrow.types.is_dictionary(field.type):
                        plain = column.cast(field.type.value_type)
                        column = plain.dictionary_encode().cast(field.type)
            else:
                column = pyarrow.chunked_array([frame[name].to_arrow()])
                field = pyarrow.field(name, column.type)
            fields.append(field)
            columns.append(column)
        return pyarrow.Table.from_arrays(columns, schema=pyarrow.schema(fields))

    def give_new(self, frame: pl.DataFrame) -> object:
        load_extra("pyarrow", "arrow", "pyarrow tables")
        return frame.to_arrow()


def _is_pandas_like(native: object) -> bool:
    """Whether narwhals knows it as a frame with an index."""
    return known_to.is_into_dataframe(native) and hasattr(native, "iloc")


def _is_same(frame: pl.DataFrame, came: pl.DataFrame, name: str, rows: Rows | None) -> bool:
    """Whether a column is what it was when it came."""
    if name not in came.columns or frame[name].dtype != came[name].dtype:
        return False
    was = came[name] if rows is None else came[name].gather(pl.Series(rows))
    return was.equals(frame[name])


def _forget(column: pl.Series, came: pl.Series) -> pl.Series:
    """Drop the categories of an Enum that some record had when it came and none has now."""
    if not isinstance(column.dtype, pl.Enum):
        return column
    lost = set(came.cast(pl.String).unique()) - set(column.cast(pl.String).unique())
    left = [category for category in column.dtype.categories if category not in lost]
    return column.cast(pl.Enum(left))


def _forget_categories(column: Any, came: Any) -> Any:
    """Do the same to categories of pandas."""
    lost = set(came.unique()) - set(column.unique())
    return column.cat.remove_categories([c for c in column.cat.categories if c in lost])


def _from_mapping(data: Mapping[Any, Any]) -> pl.DataFrame:
    check_names("the dictionary", tuple(map(str, data)))
    columns = [_plain_column(str(name), values) for name, values in data.items()]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise DataError(f"the columns differ in length, from {min(lengths)} to {max(lengths)}")
    return pl.DataFrame(columns)


def _from_pandas(native: Any) -> pl.DataFrame:
    load_extra("pyarrow", "arrow", "pandas frames")
    if native.columns.nlevels > 1:
        raise DataError("the columns of the frame have several levels; give each a single name")
    check_names("the frame", tuple(map(str, native.columns)))
    columns = [native.iloc[:, j] for j in range(native.shape[1])]
    return pl.DataFrame(
        [_plain_column(str(label), c) for label, c in zip(native.columns, columns, strict=True)]
    )


def _from_arrow(native: Any) -> pl.DataFrame:
    is_table = known_to.is_pyarrow_table(native)
    if is_table:
        check_names("the table", tuple(native.column_names))
    try:
        # A table of pyarrow is taken over faster than a stream of it.
        frame = pl.DataFrame(pl.from_arrow(native) if is_table else native)
    except (PolarsError, TypeError, ValueError):
        raise DataError(f"the Arrow stream of {type(native).__name__} is not a table") from None
    check_names("the stream", tuple(frame.columns))
    return frame


def _plain_column(name: str, values: Any) -> pl.Series:
    """Make a column of what may be anything; the reason of a failure would quote its values."""
    try:
        column = pl.Series(name, values, nan_to_null=True)
    except Exception:
        column = pl.Series(name, [], pl.Object)
    if column.dtype == pl.Object:
        raise DataError(
            f"the values of {name!r} are not all of one plain type; make them numbers, dates or "
            "text first"
        )
    return column
