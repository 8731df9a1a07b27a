"""Origins: how a frame goes back to whoever gave it, in the kind that came in.

What comes in goes out: the same kind of frame, with the index of the records that are left, in
their order. Columns that nobody touched are taken from the frame that came in, so that they keep
whatever polars does not know of (pandas' own types, field metadata); only recoded columns are new.

One thing does not survive: the categories of values that only left-out records had. They would
tell what those records were.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import polars as pl
from attrs import frozen
from numpy.typing import NDArray

from unlinkable.extras import load_extra

__all__ = ["ArrowOrigin", "ListsOrigin", "Origin", "PandasOrigin", "PolarsOrigin", "Rows"]

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
