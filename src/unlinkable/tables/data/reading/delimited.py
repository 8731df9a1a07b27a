"""CSV files: text with separators, quotation marks, and nothing that says what it means.

Fields are read by polars into dictionaries where texts come again and again, so that the texts of a
large file are never all in memory; what they are is found out on the distinct ones. An empty field
is missing, and ``""`` is the empty text. polars is a forgiving reader; what it would mend in
silence (short lines, quotation marks out of place) is looked for and refused.
"""

from __future__ import annotations

import csv
from collections import Counter
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from attrs import frozen
from polars.exceptions import PanicException, PolarsError

from unlinkable.errors import DataError
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
from unlinkable.tables.data.reading.inference import convert, guesses, is_measured, type_column
from unlinkable.tables.data.reading.options import ColumnType, ReadOptions
from unlinkable.tables.data.reading.text_file import TextFile, open_text
from unlinkable.typing import Columns

__all__ = ["Layout", "check_names", "find_layout", "is_separated", "read_delimited"]

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


_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

_RECORDS = 200
"""Records at the start of a file that are examined."""

Record = list[str]


@frozen
class Layout:
    """How the fields of a file are separated and what they are called.

    Attributes
    ----------
    separator
        Between two fields.
    has_header
        Whether the first line names the columns.
    names
        What they are called.
    n_blank
        How many empty lines come first.
    """

    separator: str
    has_header: bool
    names: Columns
    n_blank: int = 0


def find_layout(path: Path, head: str, separator: str | None, has_header: bool | None) -> Layout:
    r"""Examine the first records of a file; what is not None is already known.

    Raises
    ------
    DataError
        If there is only one column and the separator was not given, or the names of the columns
        are not all there and all different.

    Examples
    --------
    >>> find_layout(Path("x.csv"), "age;zip\n39;00501\n", None, None)
    Layout(separator=';', has_header=True, names=('age', 'zip'), n_blank=0)
    """
    by_separator = {mark: _records(head, mark) for mark in _SEPARATORS}
    if separator is None:
        separator = _separator(path, by_separator)
    records = by_separator.get(separator) or _records(head, separator)
    if len(records[0]) == 1:
        _check_one_column(path, separator, by_separator)
    if has_header is None:
        has_header = _has_header(records)
    n_blank = _n_blank(head)
    if not has_header:
        names = tuple(f"column_{j + 1}" for j in range(len(records[0])))
        return Layout(separator, False, names, n_blank)
    names = tuple(records[0])
    check_names(
        f"{path}, line {n_blank + 1}",
        names,
        if_empty=" (a separator at the end of the line makes an empty column)",
        if_twice=", or tell with header=False that the first line is a record",
    )
    return Layout(separator, True, names, n_blank)


def is_separated(head: str) -> bool:
    r"""Whether the first line has more than one field by some separator.

    Examples
    --------
    >>> is_separated("age;zip\n39;00501\n"), is_separated("age\n39\n")
    (True, False)
    """
    records = (_records(head, mark)[:1] for mark in _SEPARATORS)
    return any(len(record) > 1 for first in records for record in first)


def check_names(where: str, names: Columns, *, if_empty: str = "", if_twice: str = "") -> None:
    """Refuse columns without a name, and two of the same name; what to do may be added.

    Also names like ``^a$``, which polars takes for patterns in places where names are meant.

    Raises
    ------
    DataError
        If there are any.
    """
    empty = [j + 1 for j, name in enumerate(names) if not name.strip()]
    if empty:
        raise DataError(f"{where}: column {empty[0]} has no name; name it, or delete it{if_empty}")
    patterns = [name for name in names if name.startswith("^") and name.endswith("$")]
    if patterns:
        raise DataError(
            f"{where}: the name {patterns[0]!r} would be taken for a pattern, because it starts "
            "with ^ and ends with $; rename the column"
        )
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise DataError(
            f"{where}: two columns are called {twice[0]!r}; rename one of them{if_twice}"
        )


def _records(head: str, separator: str) -> list[Record]:
    """Split the first records, leaving out empty lines; nothing if that is not possible."""
    try:
        reader = csv.reader(StringIO(head, newline=""), delimiter=separator)
        return [record for record in islice(reader, _RECORDS) if record]
    except csv.Error:
        # A field of more than 128 KiB: a quotation mark that this separator leaves open.
        return []


def _separator(path: Path, by_separator: dict[str, list[Record]]) -> str:
    """Choose the one that splits all records alike, or else most of them."""
    possible = {m: rs for m, rs in by_separator.items() if rs and len(rs[0]) > 1}
    if not possible:
        raise DataError(
            f"{path}, line 1: there is only one column; if the fields are separated by something "
            f"other than {', '.join(_SEPARATORS.values())}, give the separator; if there really is "
            "only one column, give any separator (',')"
        )
    return max(possible, key=lambda mark: (_steadiness(possible[mark]), len(possible[mark][0])))


def _steadiness(records: list[Record]) -> float:
    """Give the share of records with as many fields as the first."""
    return sum(len(record) == len(records[0]) for record in records) / len(records)


def _check_one_column(path: Path, separator: str, by_separator: dict[str, list[Record]]) -> None:
    for mark, records in by_separator.items():
        if mark != separator and records and len(records[0]) > 1 and _steadiness(records) > 0.5:
            raise DataError(
                f"{path}, line 1: separated by {separator!r} there is only one column, but by "
                f"{mark!r} there are {len(records[0])}; give separator={mark!r}"
            )


def _has_header(records: list[Record]) -> bool:
    """Whether the first record names the columns: no number or day above numbers or days."""
    first, body = records[0], records[1:]
    measured = [j for j, text in enumerate(first) if is_measured(text)]
    if not measured:
        return True
    below = [record[j] for j in measured for record in body if j < len(record)]
    return not all(is_measured(text) for text in set(below) - {""})


def _n_blank(head: str) -> int:
    blank = len(head) - len(head.lstrip("\r\n"))
    return head.count("\n", 0, blank)
