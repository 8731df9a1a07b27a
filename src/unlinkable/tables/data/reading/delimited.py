"""CSV files: text with separators, quotation marks, and nothing that says what it means.

Fields are read by polars into dictionaries where texts come again and again, so that the texts of a
large file are never all in memory; what they are is found out on the distinct ones. An empty field
is missing, and ``""`` is the empty text. polars is a forgiving reader; what it would mend in
silence (short lines, quotation marks out of place) is looked for and refused.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from polars.exceptions import PanicException, PolarsError

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.conversion import convert, type_column
from unlinkable.tables.data.reading.dictionary import (
    all_distinct,
    distinct,
    repeating,
    settle,
    spread,
)
from unlinkable.tables.data.reading.faults import (
    first_fault,
    has_stray_quotes,
    invalid_line,
    line_of_record,
)
from unlinkable.tables.data.reading.inference import guesses
from unlinkable.tables.data.reading.layout import Layout, find_layout, is_separated
from unlinkable.tables.data.reading.options import ColumnType, ReadOptions
from unlinkable.tables.data.reading.text_file import TextFile, open_text
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
    decoded = _decoded(text, head)
    if separator is None and options.may_be_one_column and not is_separated(decoded):
        separator = ","
    layout = find_layout(path, decoded, separator, options.header)
    quotes = text.has_quotes()
    _check_marks(text, layout, quotes=quotes)
    sample = _collect(text, head, layout, options, ())
    frame = _collect(text, text.source, layout, options, repeating(sample))
    frame = _without_blank_tail(frame, text)
    keys = all_distinct(frame)
    if frame.width > 1 and frame.to_series(-1).has_nulls():
        inside = _count_inside(frame, keys, layout.separator) if quotes else 0
        _check_short_lines(len(frame), inside, text, layout, options)
    return _typed(frame, keys, sample, text, layout, options)


def _collect(
    text: TextFile, source: Path | bytes, layout: Layout, options: ReadOptions, keyed: Columns
) -> pl.DataFrame:
    """Read all fields as text, those of the columns ``keyed`` as dictionaries."""
    names = list(layout.names)
    try:
        scan = pl.scan_csv(
            source,
            separator=layout.separator,
            has_header=layout.has_header,
            skip_lines=layout.n_blank,
            with_column_names=lambda _: names,
            infer_schema=False,
            schema_overrides=dict.fromkeys(keyed, pl.Categorical),
            null_values=list(options.missing) or None,
            glob=False,
        )
        return scan.collect(engine="streaming")
    except (PolarsError, PanicException):
        # Its message quotes the records.
        raise _explained(text, layout) from None


def _decoded(text: TextFile, head: bytes) -> str:
    try:
        return head.decode()
    except UnicodeDecodeError:
        if (line := invalid_line(text.view())) is not None:
            raise _not_utf_8(text, line) from None
        # Nothing is wrong but that the head ends inside a character.
        return head.decode(errors="replace")


def _check_marks(text: TextFile, layout: Layout, *, quotes: bool) -> None:
    """Refuse what polars reads without complaint, though not as it was meant.

    These are quotation marks out of place, and a separator too many in the last line.

    Raises
    ------
    DataError
        If there is one.
    """
    data, mark = text.view(), layout.separator
    is_suspect = int(data[-1]) == ord(mark) or (quotes and has_stray_quotes(data, mark))
    if is_suspect and first_fault(data, mark, len(layout.names)) is not None:
        raise _explained(text, layout)


def _not_utf_8(text: TextFile, line: int) -> DataError:
    return DataError(
        f"{text.path}, line {line}: the file is not written in UTF-8; give its encoding (often "
        "'cp1252' for files from Windows in Western Europe), or save it as UTF-8"
    )


def _explained(text: TextFile, layout: Layout) -> DataError:
    data = text.view()
    if (line := invalid_line(data)) is not None:
        return _not_utf_8(text, line)
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
    tail = data[end:].tobytes()
    n_blank = tail.count(b"\n") - (not tail.endswith(b"\r"))
    return frame.head(len(frame) - n_blank) if n_blank > 0 else frame


def _check_short_lines(
    n: int, inside: int, text: TextFile, layout: Layout, options: ReadOptions
) -> None:
    """Refuse lines with too few fields, which polars fills up with missing values.

    If there is one, the separators of the file, less those ``inside`` texts, are fewer than ``n``
    records and the names of the columns need.

    Raises
    ------
    DataError
        If there is one.
    """
    mark, width = layout.separator, len(layout.names)
    needed = (width - 1) * (n + layout.has_header) + inside
    if layout.has_header:
        needed += sum(name.count(mark) for name in layout.names)
    # A text for a missing value is gone, and with it the separators inside.
    is_sure = not any(mark in missing for missing in options.missing)
    if is_sure and _count(text, mark) == needed:
        return
    if first_fault(text.view(), mark, width) is not None:
        raise _explained(text, layout)


def _count(text: TextFile, mark: str) -> int:
    data = text.view()
    blocks = (data[i : i + _COUNT_BLOCK] for i in range(0, data.size, _COUNT_BLOCK))
    return sum(int(np.count_nonzero(block == ord(mark))) for block in blocks)


def _count_inside(frame: pl.DataFrame, keys: dict[str, pl.Series], mark: str) -> int:
    """Count the separators that are part of texts."""
    total = 0
    for column in frame:
        texts = keys.get(column.name, column)
        counts = texts.cast(pl.String).str.count_matches(mark, literal=True)
        if column.name in keys and counts.sum():
            counts = spread(column, texts, counts)
        total += int(counts.sum())
    return total


def _typed(
    frame: pl.DataFrame,
    keys: dict[str, pl.Series],
    sample: pl.DataFrame,
    text: TextFile,
    layout: Layout,
    options: ReadOptions,
) -> pl.DataFrame:
    comma = layout.separator != ","

    def where(record: int) -> str:
        line = line_of_record(text.view(), record + layout.has_header)
        return f"{text.path}, line {line}"

    columns = []
    for column in frame:
        kind = options.types.get(column.name, None if options.infer else ColumnType.TEXT)
        if kind is ColumnType.TEXT:
            columns.append(settle(column, keys.get(column.name)))
        elif kind is not None:
            columns.append(convert(column, kind, where, comma=comma))
        else:
            seen = distinct(sample[column.name])
            open_guesses = tuple(g for g in guesses(comma=comma) if g.fits(seen))
            columns.append(type_column(column, open_guesses, keys.get(column.name)))
    return pl.DataFrame(columns)
