"""Encoding: a column as numbers of its distinct values.

Columns that arrive as a dictionary (categoricals, Parquet, CSV) are never decoded to text, and
whole numbers in a narrow range are numbered by subtraction: coding ten million records costs a
few passes over memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.kernels.counting import count
from unlinkable.tables.taxonomies.builders.base import Observed
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["Numbered", "as_float64", "number", "observe", "require_values"]

_WIDEST_RANGE = 1 << 24
"""Whole numbers that span no more than this are numbered by subtraction."""
_LARGEST_INTEGER = (1 << 63) - 1
"""Whole numbers beyond are kept as unsigned numbers."""
_LARGEST_UNSIGNED = (1 << 64) - 1
"""Whole numbers beyond are refused."""


@define(eq=False, frozen=True)
class Numbered:
    """A column as numbers, and what each number means.

    Attributes
    ----------
    numbers
        One per record.
    codes
        For every number its code in the domain of `observed`; -1 for numbers that do not occur.
    observed
        The distinct values with their counts.
    """

    numbers: CodeArray
    codes: CodeArray
    observed: Observed

    def codes_in(self, taxonomy: Taxonomy) -> CodeArray:
        """Give for every number its code in a taxonomy that has all values that occur.

        Numbers that do not occur get code 0, which is never looked up.
        """
        if taxonomy.domain is self.observed.domain:
            return np.maximum(self.codes, 0)
        found = taxonomy.domain.find(self.observed.domain)
        if not found.size:
            return np.zeros(self.codes.size, np.int32)
        return np.where(self.codes >= 0, found[self.codes], 0).astype(np.int32)


def number(series: pl.Series) -> Numbered:
    """Number the distinct values of a column."""
    dtype = series.dtype
    if dtype in (pl.Float32, pl.Float64):
        series = series.fill_nan(None)
    elif dtype.is_decimal():
        series = series.cast(pl.Float64)
    elif dtype == pl.Boolean:
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        # Categories of its own keep the numbers of this column dense.
        series = series.cast(pl.Categorical(pl.Categories.random()))
    if isinstance(series.dtype, (pl.Categorical, pl.Enum)):
        return _number_texts(series)
    if series.dtype.is_integer():
        return _number_integers(series, np.int64)
    if series.dtype == pl.Date:
        return _number_integers(series, "datetime64[D]")
    if series.dtype == pl.Datetime:
        # The time on the clock of its own zone is what people write and know.
        return _number_by_rank(series.dt.replace_time_zone(None).cast(pl.Datetime("us")), Kind.DATE)
    if series.dtype.is_float() or series.dtype == pl.Null:
        return _number_by_rank(as_float64(series), Kind.NUMBER)
    raise _no_values(series.name, dtype)


def require_values(name: str, dtype: pl.DataType) -> None:
    """Refuse a column whose values have no usual text.

    Raises
    ------
    DataError
        If it holds lists, bytes, durations or objects.
    """
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
        raise _no_values(name, dtype)


def _no_values(name: str, dtype: pl.DataType) -> DataError:
    return DataError(
        f"column {name!r} holds {dtype}, which is neither text, numbers nor dates: "
        "turn it into one of these, or leave the column out"
    )


def as_float64(series: pl.Series) -> pl.Series:
    """Give numbers in 64 bits: those of 32 bits as they are written, 0.1 and not 0.10000000149.

    Examples
    --------
    >>> as_float64(pl.Series([0.1, None], dtype=pl.Float32)).to_list()
    [0.1, None]
    """
    if series.dtype != pl.Float32:
        return series.cast(pl.Float64)
    distinct = series.unique()
    written = distinct.cast(pl.String).cast(pl.Float64)
    return series.replace_strict(distinct, written, return_dtype=pl.Float64)


def observe(name: str, values: Iterable[object]) -> Observed:
    """Examine the distinct values of a list, as a builder of taxonomies sees a column.

    Examples
    --------
    >>> observe("age", [30, 25, 30, None]).counts.tolist()
    [1, 2, 1]
    """
    return number(pl.Series(name, list(values))).observed


def _number_texts(series: pl.Series) -> Numbered:
    physical = series.to_physical()
    last = physical.max()
    missing = 0 if last is None else int(last) + 1  # type: ignore[arg-type]
    numbers = _filled(physical, missing)
    counts = count(numbers, missing + 1)
    used = np.flatnonzero(counts[:-1])
    texts = pl.Series(used, dtype=physical.dtype).cat.to(series.dtype).cast(pl.String)
    values = np.array(texts.to_list(), object)
    # An Enum lists its categories in an order that was chosen for them.
    is_ordered = series.dtype == pl.Enum
    order = np.arange(used.size) if is_ordered else np.argsort(values, kind="stable")
    return _numbered(series.name, Kind.CATEGORY, values[order], used[order], numbers, counts)


def _number_integers(series: pl.Series, dtype: Any) -> Numbered:
    kind = Kind.DATE if series.dtype == pl.Date else Kind.NUMBER
    physical = series.to_physical()
    bounds = physical.min(), physical.max()
    if not (isinstance(bounds[0], int) and isinstance(bounds[1], int)):
        return _number_by_rank(series.cast(pl.Date if kind is Kind.DATE else pl.Int64), kind)
    start, width = bounds[0], bounds[1] - bounds[0] + 1
    is_unsigned = bounds[1] > _LARGEST_INTEGER
    if start < (0 if is_unsigned else -_LARGEST_INTEGER - 1) or bounds[1] > _LARGEST_UNSIGNED:
        raise DataError(
            f"column {series.name!r} holds whole numbers of more than 64 bits: turn it into text"
        )
    if kind is Kind.NUMBER and (is_unsigned or width > _WIDEST_RANGE):
        return _number_by_rank(series.cast(pl.UInt64 if is_unsigned else pl.Int64), kind)
    if width > _WIDEST_RANGE:
        return _number_by_rank(series, kind)
    numbers = _filled((physical.cast(pl.Int64) - start).cast(pl.Int32), width)
    counts = count(numbers, width + 1)
    used = np.flatnonzero(counts[:-1])
    values = (used + start).astype(np.int64)
    return _numbered(series.name, kind, values.astype(dtype), used, numbers, counts)


def _number_by_rank(series: pl.Series, kind: Kind) -> Numbered:
    distinct = series.drop_nulls().unique().sort()
    numbers = _filled((series.rank("dense") - 1).cast(pl.Int32), len(distinct))
    counts = count(numbers, len(distinct) + 1)
    used = np.arange(len(distinct))
    return _numbered(series.name, kind, distinct.to_numpy(), used, numbers, counts)


def _filled(physical: pl.Series, missing: int) -> CodeArray:
    """Give the numbers of a column, with the number ``missing`` where there is no value."""
    if physical.null_count():
        physical = physical.cast(pl.Int32).fill_null(missing)
    numbers = physical.to_numpy()
    # Numbers of categories stay below 2^31, so that their bits can be read as they are.
    return numbers.view(np.int32) if numbers.dtype == np.uint32 else numbers.astype(np.int32)


def _numbered(
    name: str,
    kind: Kind,
    values: NDArray[Any],
    used: NDArray[np.intp],
    numbers: CodeArray,
    counts: NDArray[np.intp],
) -> Numbered:
    has_missing = bool(counts[-1])
    codes = np.full(counts.size, -1, np.int32)
    codes[used] = np.arange(used.size, dtype=np.int32)
    per_code = counts[used]
    if has_missing:
        codes[-1] = used.size
        per_code = np.append(per_code, counts[-1])
    domain = Domain(kind, values, has_missing)
    return Numbered(numbers, codes, Observed(name, domain, per_code.astype(np.int64)))
