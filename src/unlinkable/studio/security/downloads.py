"""Downloads: a bundle as one ZIP file, and tables for spreadsheets without formulas.

A value that begins with ``=`` is computed when a spreadsheet opens the file, and may send what is
beside it elsewhere. Published files stay as they are, byte by byte; the guarded table is a copy to
look at.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

__all__ = ["escape_formula", "spreadsheet_lines", "zip_stream"]

_CHUNK = 1 << 18


class _Pipe:
    """A file that is only written to, and emptied in between."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        """Nothing is held back."""

    def drain(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def zip_stream(folder: Path, name: str) -> Iterator[bytes]:
    """Give all files below a folder as a ZIP archive, part by part; links are left out."""
    pipe = _Pipe()
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    with zipfile.ZipFile(cast("str", pipe), "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            path = f"{name}/{file.relative_to(folder).as_posix()}"
            with file.open("rb") as source, archive.open(path, "w", force_zip64=True) as target:
                while chunk := source.read(_CHUNK):
                    target.write(chunk)
                    yield pipe.drain()
            yield pipe.drain()
    yield pipe.drain()


_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")

_ROWS = 500


def escape_formula(cell: str) -> str:
    """Give a value that a spreadsheet shows and does not compute.

    Examples
    --------
    >>> escape_formula("=1+2"), escape_formula("-12.5"), escape_formula("[30-35)")
    ("'=1+2", '-12.5', '[30-35)')
    """
    stripped = cell.lstrip(" \u00a0\ufeff")
    is_formula = stripped.startswith(_STARTS) or cell.startswith(_STARTS)
    return f"'{cell}" if is_formula and not _NUMBER.fullmatch(cell) else cell


def spreadsheet_lines(file: Path) -> Iterator[bytes]:
    """Give a CSV file part by part, with escape_formula cells, as spreadsheets read it."""
    yield b"\xef\xbb\xbf"
    with file.open(encoding="utf-8-sig", newline="") as source:
        rows: list[list[str]] = []
        for row in csv.reader(source):
            rows.append([escape_formula(cell) for cell in row])
            if len(rows) == _ROWS:
                yield _to_csv(rows)
                rows = []
        yield _to_csv(rows)


def _to_csv(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
