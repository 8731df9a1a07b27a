"""Cells: tables for spreadsheets, in which no value is taken for a formula.

A value that begins with ``=`` is computed when the file is opened, and may send what is beside it
elsewhere. Published files stay as they are, byte by byte; this is for a copy to look at.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["guarded", "guarded_lines"]

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_ROWS = 500


def guarded(cell: str) -> str:
    """Give a value that a spreadsheet shows and does not compute.

    Examples
    --------
    >>> guarded("=1+2"), guarded("-12.5"), guarded("[30-35)")
    ("'=1+2", '-12.5', '[30-35)')
    """
    stripped = cell.lstrip(" \u00a0\ufeff")
    is_formula = stripped.startswith(_STARTS) or cell.startswith(_STARTS)
    return f"'{cell}" if is_formula and not _NUMBER.fullmatch(cell) else cell


def guarded_lines(file: Path) -> Iterator[bytes]:
    """Give a CSV file part by part, with guarded cells, as spreadsheets read it."""
    yield b"\xef\xbb\xbf"
    with file.open(encoding="utf-8-sig", newline="") as source:
        rows: list[list[str]] = []
        for row in csv.reader(source):
            rows.append([guarded(cell) for cell in row])
            if len(rows) == _ROWS:
                yield _written(rows)
                rows = []
        yield _written(rows)


def _written(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
