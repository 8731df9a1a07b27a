"""Frames of any kind that come from Python, as frames of polars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import polars as pl
from attrs import frozen
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from unlinkable.errors import DataError
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.delimited import check_names
from unlinkable.tables.taxonomies import text_of_scalar

__all__ = [
    "ArrowOrigin",
    "ListsOrigin",
    "Origin",
    "PandasOrigin",
    "PolarsOrigin",
    "Rows",
    "to_frame",
]


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
    >>> import numpy as np
    >>> frame, origin = to_frame({"age": [39, 50], "zip": ["00501", None]})
    >>> frame.schema
    Schema([('age', Int64), ('zip', String)])
    >>> origin.give_back(frame.head(1).drop("zip"), np.array([0]))
    {'age': [39]}
    """
    native = _native(data)
    if isinstance(native, (pl.DataFrame, pl.LazyFrame)):
        frame = native.collect() if isinstance(native, pl.LazyFrame) else native
        check_names("the frame", tuple(frame.columns))
        return frame, PolarsOrigin(frame, is_lazy=isinstance(native, pl.LazyFrame))
    if isinstance(native, Mapping):
        frame = _from_mapping(native)
        return frame, ListsOrigin(frame)
    return _from_others(native)


def _native(data: object) -> object:
    """Take away what narwhals has put around a frame, and do not load it for nothing."""
    if isinstance(data, (pl.DataFrame, pl.LazyFrame, Mapping)):
        return data
    import narwhals as nw

    return nw.to_native(data, pass_through=True)


def _from_others(native: Any) -> tuple[pl.DataFrame, Origin]:
    import narwhals as nw
    import narwhals.dependencies as known_to

    if known_to.is_into_dataframe(native) and hasattr(native, "iloc"):
        frame = _from_pandas(native)
        return frame, PandasOrigin(frame, native)
    if known_to.is_pyarrow_table(native):
        frame = _from_arrow(native)
        return frame, ArrowOrigin(frame, native)
    known = nw.from_native(native, pass_through=True, allow_series=True)
    if isinstance(known, nw.LazyFrame):
        frame = known.collect("polars").to_native()
        return frame, PolarsOrigin(frame)
    if hasattr(native, "__arrow_c_stream__") and not isinstance(known, nw.Series):
        frame = _from_arrow(native)
        return frame, PolarsOrigin(frame)
    raise DataError(
        f"cannot take {type(native).__name__} as a table; give a frame of polars, pandas or "
        "pyarrow, or a dictionary of lists"
    )


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
        [_from_series(str(label), c) for label, c in zip(native.columns, columns, strict=True)]
    )


def _from_series(name: str, values: Any) -> pl.Series:
    """Take a column of pandas; categories stay categories, in their order if they have one."""
    if str(values.dtype) != "category":
        return _plain_column(name, values)
    return _from_categories(name, values.cat.codes, values.cat.categories, values.cat.ordered)


def _from_categories(name: str, codes: Any, categories: Any, is_ordered: bool) -> pl.Series:
    """Make a column of categories, given by their numbers; -1 is the missing value."""
    texts = [text_of_scalar(value) for value in categories]
    if None in texts or len(set(texts)) < len(texts):
        raise DataError(
            f"the categories of {name!r} are not all different as texts; make them numbers, dates "
            "or text first"
        )
    listed = pl.Series(texts, dtype=pl.String)
    keeps_order = is_ordered or not all(isinstance(value, str) for value in categories)
    dtype = pl.Enum(listed) if keeps_order else pl.Categorical(pl.Categories.random())
    places = pl.Series(codes, dtype=pl.Int64)
    return listed.cast(dtype).gather(places.set(places < 0, None)).alias(name)


def _from_arrow(native: Any) -> pl.DataFrame:
    import narwhals.dependencies as known_to

    is_table = known_to.is_pyarrow_table(native)
    if is_table:
        check_names("the table", tuple(native.column_names))
    try:
        # A table of pyarrow is taken over faster than a stream of it.
        frame = pl.DataFrame(pl.from_arrow(native) if is_table else native)
    except (PolarsError, TypeError, ValueError):
        raise DataError(f"the Arrow stream of {type(native).__name__} is not a table") from None
    check_names("the stream", tuple(frame.columns))
    return _with_categories(frame, native) if is_table else frame


def _with_categories(frame: pl.DataFrame, native: Any) -> pl.DataFrame:
    """Keep dictionaries of pyarrow that polars would take for numbers, or forget the order of."""
    kept = []
    for field in native.schema:
        has_dictionary = hasattr(field.type, "ordered")
        if has_dictionary and (field.type.ordered or frame[field.name].dtype.is_numeric()):
            column = native.column(field.name).unify_dictionaries().combine_chunks()
            codes = column.indices.fill_null(-1).to_pylist()
            categories = column.dictionary.to_pylist()
            kept.append(_from_categories(field.name, codes, categories, field.type.ordered))
    return frame.with_columns(kept)


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


@frozen(eq=False)
class PolarsOrigin:
    """A frame of polars, lazy or not."""

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
class ListsOrigin:
    """A dictionary of lists."""

    came: pl.DataFrame

    def give_back(self, frame: pl.DataFrame, rows: Rows | None) -> dict[str, list[Any]]:
        return self.give_new(frame)

    def give_new(self, frame: pl.DataFrame) -> dict[str, list[Any]]:
        return frame.to_dict(as_series=False)


@frozen(eq=False)
class PandasOrigin:
    """A frame of pandas, with its index."""

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
        fresh: Any = self.give_new(frame.drop(kept))
        for position, name in enumerate(frame.columns):
            if name not in kept:
                out.insert(position, labels.get(name, name), fresh[name].array)
        return out

    def give_new(self, frame: pl.DataFrame) -> object:
        import narwhals as nw

        backend = nw.get_native_namespace(self.native)
        return nw.from_arrow(frame, backend=backend).to_native()


@frozen(eq=False)
class ArrowOrigin:
    """A table of pyarrow."""

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
