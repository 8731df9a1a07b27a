"""Published files, read without the library."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tools.fuzz.values import Cell, as_text

__all__ = ["read_csv", "read_table"]


def read_table(file: Path) -> list[dict[str, Cell]]:
    """Read a CSV or Parquet file row by row, as texts."""
    if file.suffix == ".csv":
        return read_csv(file.read_text(encoding="utf-8"))
    rows = pl.read_parquet(file).to_dicts()
    return [{name: as_text(value) for name, value in row.items()} for row in rows]


def read_csv(text: str) -> list[dict[str, Cell]]:
    """Read a CSV file: an empty field is missing, and an empty text in quotes is a text."""
    lines = _fields(text)
    header = [name or "" for name in lines[0]]
    return [dict(zip(header, line, strict=True)) for line in lines[1:]]


def _fields(text: str) -> list[list[Cell]]:
    lines: list[list[Cell]] = [[]]
    at = 0
    while at < len(text):
        if text[at] == '"':
            field, at = _quoted(text, at + 1)
            lines[-1].append(field)
        else:
            end = at
            while end < len(text) and text[end] not in ",\n":
                end += 1
            lines[-1].append(text[at:end] or None)
            at = end
        if at < len(text) and text[at] == "\n":
            lines.append([])
        elif at == len(text) - 1:  # A comma at the very end leaves one more empty field.
            lines[-1].append(None)
        at += 1
        if at < len(text) and text[at] == "\n" and text[at - 1] == ",":
            lines[-1].append(None)
            lines.append([])
            at += 1
    if not lines[-1]:
        lines.pop()
    width = len(lines[0])
    return [line or [None] * width for line in lines]


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Read up to the closing quotation mark; two of them are one of the text."""
    found = []
    while True:
        end = text.index('"', at)
        found.append(text[at:end])
        if text[end + 1 : end + 2] != '"':
            return "".join(found), end + 1
        found.append('"')
        at = end + 2
