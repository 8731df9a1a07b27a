"""How a CSV file is laid out: which character separates fields, and what the columns are called."""

from __future__ import annotations

import csv
from collections import Counter
from io import StringIO
from itertools import islice
from pathlib import Path

from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.inference import is_measured
from unlinkable.typing import Columns

__all__ = ["Layout", "check_names", "find_layout", "is_separated"]

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_RECORDS = 200
"""Records at the start of a file that are examined."""

Record = list[str]


@frozen
class Layout:
    """How the fields of a file are told apart and what they are called.

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
