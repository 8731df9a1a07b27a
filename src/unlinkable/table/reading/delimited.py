"""CSV files: text with separators, quotation marks, and nothing that says what it means.

Fields are read as text by polars and turned into dictionaries block by block, so that the texts
of a large file are never all in memory; what they are is found out on the distinct ones. An empty
field is missing, and ``""`` is the empty text.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from unlinkable.errors import DataError
from unlinkable.table.reading.conversion import convert, type_column
from unlinkable.table.reading.dictionary import distinct, repeating, spread
from unlinkable.table.reading.faults import first_fault, invalid_line, line_of_record
from unlinkable.table.reading.inference import guesses
from unlinkable.table.reading.layout import Layout, find_layout
from unlinkable.table.reading.options import ColumnType, ReadOptions
from unlinkable.table.reading.text_file import TextFile, open_text
from unlinkable.typing import Columns

__all__ = ["read_delimited"]

_COUNT_BLOCK = 1 << 20


def read_delimited(path: Path, options: ReadOptions) -> pl.DataFrame:
    """Read a CSV file.

    Raises
    ------
    DataError
        If it is empty, not in the encoding, ragged, has one column or bad column names, or has
        values that are not what the options say.
    """
    text = open_text(path, options.encoding)
    head = text.head()
    separator = options.separator
    if separator is None and path.name.lower().removesuffix(".gz").endswith(".tsv"):
        separator = "\t"
    if options.encoding is None and b"\0" in head:
        raise DataError(f"{path}: this is no text file; export the table as CSV, saved as UTF-8")
    layout = find_layout(path, head.decode("utf-8", "replace"), separator, options.header)
    sample = _collect(text, head, layout, options, ())
    frame = _collect(text, text.source, layout, options, repeating(sample))
    frame = _without_blank_tail(frame, text)
    _check_short_lines(frame, text, layout, options)
    return _typed(frame, sample, text, layout, options)


def _collect(
    text: TextFile, source: Path | bytes, layout: Layout, options: ReadOptions, keyed: Columns
) -> pl.DataFrame:
    """Read all fields as text, those of the columns ``keyed`` as dictionaries."""
    names = list(layout.names)
    scan = pl.scan_csv(
        source,
        separator=layout.separator,
        has_header=layout.has_header,
        with_column_names=lambda _: names,
        infer_schema=False,
        null_values=list(options.missing) or None,
        glob=False,
    )
    try:
        frame = scan.with_columns(pl.col(keyed).cast(pl.Categorical)).collect(engine="streaming")
    except PolarsError:
        # Its message quotes the records.
        raise _explained(text, layout) from None
    return frame


def _explained(text: TextFile, layout: Layout) -> DataError:
    data = text.view()
    if (line := invalid_line(data)) is not None:
        return DataError(
            f"{text.path}, line {line}: the file is not written in UTF-8; give its encoding (often "
            "'cp1252' for files from Windows in Western Europe), or save it as UTF-8"
        )
    fault = first_fault(data, layout.separator, len(layout.names))
    if fault is not None:
        return DataError(
            f"{text.path}, line {fault.line}: the line {fault.what} (fields are separated by "
            f"{layout.separator!r})"
        )
    return DataError(f"{text.path}: the file cannot be read as CSV; export it again")


def _without_blank_tail(frame: pl.DataFrame, text: TextFile) -> pl.DataFrame:
    """Leave away the records that polars makes of empty lines at the end of the file."""
    if frame.width == 1:
        return frame
    data = text.view()
    end = data.size
    while end and data[end - 1] in b"\r\n":
        end -= 1
    n_blank = int(np.count_nonzero(data[end:] == ord("\n"))) - 1
    return frame.head(len(frame) - n_blank) if n_blank > 0 else frame


def _check_short_lines(
    frame: pl.DataFrame, text: TextFile, layout: Layout, options: ReadOptions
) -> None:
    """Refuse lines with too few fields, which polars fills up with missing values.

    Such a line lacks the last field; and then the separators of the file, less those that
    belong to the texts, are fewer than all records need.

    Raises
    ------
    DataError
        If there is one.
    """
    mark = layout.separator
    if frame.width == 1 or not frame.to_series(-1).has_nulls():
        return
    needed = (frame.width - 1) * (len(frame) + layout.has_header)
    inside = sum(_count_inside(column, mark) for column in frame)
    if layout.has_header:
        inside += sum(name.count(mark) for name in layout.names)
    is_sure = not any(mark in missing for missing in options.missing)
    if not (is_sure and _count(text, mark) == needed + inside):
        fault = first_fault(text.view(), mark, frame.width)
        if fault is not None:
            raise _explained(text, layout)


def _count(text: TextFile, mark: str) -> int:
    data = text.view()
    blocks = (data[i : i + _COUNT_BLOCK] for i in range(0, data.size, _COUNT_BLOCK))
    return sum(int(np.count_nonzero(block == ord(mark))) for block in blocks)


def _count_inside(column: pl.Series, mark: str) -> int:
    """Count the separators that are part of the texts of a column."""
    if isinstance(column.dtype, pl.Categorical):
        keys = distinct(column)
        counts = keys.cast(pl.String).str.count_matches(mark, literal=True)
        return int(spread(column, keys, counts).sum()) if counts.sum() else 0
    return int(column.str.count_matches(mark, literal=True).sum())


def _typed(
    frame: pl.DataFrame, sample: pl.DataFrame, text: TextFile, layout: Layout, options: ReadOptions
) -> pl.DataFrame:
    comma = layout.separator != ","

    def where(record: int) -> str:
        line = line_of_record(text.view(), record + layout.has_header)
        return f"{text.path}, line {line}"

    columns = []
    for column in frame:
        kind = options.types.get(column.name, None if options.infer else ColumnType.TEXT)
        if kind is not None:
            columns.append(convert(column, kind, where, comma=comma))
        else:
            seen = distinct(sample[column.name])
            open_guesses = tuple(g for g in guesses(comma=comma) if g.fits(seen))
            columns.append(type_column(column, open_guesses))
    return pl.DataFrame(columns)
