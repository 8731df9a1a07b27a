"""Files of SPSS, SAS and Stata.

These packages know numbers and texts, and little else. So a column of which all values are whole
is read as whole numbers; an empty text is missing, as it is to them; values that the file itself
declares missing are missing; and where every value of a column has a label of its own, the labels
are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from unlinkable.errors import DataError
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.dictionary import is_text
from unlinkable.tables.data.reading.inference import whole, without

__all__ = ["STATISTICS_READERS", "read_statistics"]

STATISTICS_READERS: Mapping[str, str] = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
"""By suffix, the function of pyreadstat."""


def read_statistics(path: Path, encoding: str | None) -> pl.DataFrame:
    """Read a file of a statistics package.

    Raises
    ------
    DataError
        If it is none, or damaged, or in another encoding.
    """
    pyreadstat = load_extra("pyreadstat", "stats", "SPSS, SAS and Stata files")
    read = getattr(pyreadstat, STATISTICS_READERS[path.suffix.lower()])
    try:
        frame, about = read(str(path), output_format="polars", encoding=encoding)
    except UnicodeDecodeError:
        raise DataError(f"{path}: the texts are in another encoding; give it ('cp1252')") from None
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise DataError(f"{path}: {error}; save the file again in its package") from None
    labels = about.variable_value_labels
    return pl.DataFrame([_column(column, labels.get(column.name, {})) for column in frame])


def _column(column: pl.Series, labels: Mapping[object, str]) -> pl.Series:
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.dtype == pl.Null:
        column = column.cast(pl.Float64)
    if column.dtype == pl.Datetime:
        # Moments are seconds in a float there, of which the last digits are noise.
        column = column.dt.round("1ms")
    return whole(_labelled(without(column, ("",)), labels))


def _labelled(column: pl.Series, labels: Mapping[object, str]) -> pl.Series:
    """Replace values by their labels, if each has one and no two have the same."""
    values = column.unique().drop_nulls().to_list()
    shown = [labels.get(value) for value in values]
    if not labels or None in shown or "" in shown or len(set(shown)) < len(shown):
        return column
    if not (is_text(column) or column.dtype.is_numeric()):
        return column
    return column.replace_strict(values, shown, return_dtype=pl.String)
