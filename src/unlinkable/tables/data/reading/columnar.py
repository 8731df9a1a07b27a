"""Parquet and Arrow files, which know the types of their columns.

Columns that are dictionaries in the file stay dictionaries. Plain text columns become
dictionaries where texts come again and again; large Parquet files have them as dictionaries on
disk even then, and with pyarrow installed they are taken over without making the texts first.
"""

from __future__ import annotations

from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import polars as pl
from attrs import define, frozen
from polars.exceptions import PanicException, PolarsError

from unlinkable.errors import DataError
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.dictionary import repeating
from unlinkable.typing import Columns

__all__ = ["ParquetExtent", "parquet_extent", "read_arrow", "read_parquet"]

_SAMPLE = 50_000

_DAMAGED = (PolarsError, PanicException, OSError, ValueError)
"""What polars and pyarrow raise on reading files that are not what they should be."""

_LARGE = 1_000_000
"""Records from which on it pays to load pyarrow."""


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file.

    Raises
    ------
    DataError
        If it is none, or damaged.
    """
    try:
        scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        keyed = _repeating(scan)
        if keyed and find_spec("pyarrow") is not None:
            n = int(scan.select(pl.len()).collect().item())
            # pyarrow takes a dot in a name for a path into a nested column.
            if n >= _LARGE and not any("." in name for name in keyed):
                return _read_dictionaries(path, scan, keyed)
        return scan.with_columns(pl.col(keyed).cast(pl.Categorical)).collect(engine="streaming")
    except _DAMAGED:
        raise DataError(
            f"{path}: this is no Parquet file, or a damaged one; write it again"
        ) from None


def read_arrow(path: Path) -> pl.DataFrame:
    """Read an Arrow (Feather) file, or an Arrow stream that was saved.

    Raises
    ------
    DataError
        If it is none, or damaged.
    """
    try:
        frame = pl.read_ipc(path)
    except _DAMAGED:
        try:
            frame = pl.read_ipc_stream(path)
        except _DAMAGED:
            raise DataError(
                f"{path}: this is no Arrow file, or a damaged one; write it again (Feather of "
                "version 1 is not read: use version 2)"
            ) from None
    keyed = _repeating(frame.lazy())
    return frame.with_columns(pl.col(keyed).cast(pl.Categorical))


def _repeating(scan: pl.LazyFrame) -> Columns:
    texts = [name for name, dtype in scan.collect_schema().items() if dtype == pl.String]
    return repeating(scan.select(texts).head(_SAMPLE).collect())


def _read_dictionaries(path: Path, scan: pl.LazyFrame, keyed: Columns) -> pl.DataFrame:
    """Read the columns ``keyed`` as the dictionaries that they are on disk."""
    parquet = load_extra("pyarrow.parquet", "arrow", "dictionaries of Parquet files")
    table = parquet.read_table(path, columns=list(keyed), read_dictionary=list(keyed))
    texts = pl.DataFrame(pl.from_arrow(table))
    others = scan.select(pl.exclude(keyed)).collect()
    order = scan.collect_schema().names()
    return pl.DataFrame([(texts if name in keyed else others)[name] for name in order])


_MARK = b"PAR1"

_LONGEST_PAGE_HEADER = 1 << 16

_DEEPEST = 16
"""Levels of structures within each other: metadata needs no more."""

_DATA_PAGE, _DICTIONARY_PAGE, _DATA_PAGE_V2 = 0, 2, 3

_SHARED_PREFIXES = 7
"""The encoding ``DELTA_BYTE_ARRAY``: each text may begin with all of the one before."""


@frozen
class ParquetExtent:
    """How much there is in a file.

    Attributes
    ----------
    columns
        The names of its columns.
    n_records
        The number of its records.
    n_values
        The number of values in all columns.
    n_bytes
        The number of bytes of all pages, unpacked.
    n_text_bytes
        How many bytes all values together have at most, as far as they refer to dictionaries.
    """

    columns: Columns
    n_records: int
    n_values: int
    n_bytes: int
    n_text_bytes: int


def parquet_extent(path: Path) -> ParquetExtent:
    """Examine the footer of a Parquet file, and at the beginning of each page.

    Raises
    ------
    DataError
        If it is no Parquet file, or a damaged one, or refers to other files.
    """
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            return _extent(content)
    except (KeyError, IndexError, TypeError, ValueError, OSError, AttributeError):
        raise DataError(
            f"{path}: this is no Parquet file, or a damaged one; write it again"
        ) from None


def _extent(content: mmap) -> ParquetExtent:
    footer = _footer(content)
    n_values = n_bytes = n_text_bytes = n_records = 0
    for group in footer.get(4, []):
        n_records += group[3]
        for chunk in group[1]:
            values, unpacked, dictionary = _chunk(content, chunk)
            n_values, n_bytes = n_values + values, n_bytes + unpacked
            n_text_bytes += values * dictionary
    if n_records != footer[3]:
        raise ValueError(n_records)
    return ParquetExtent(_names(footer[2]), n_records, n_values, n_bytes, n_text_bytes)


def _footer(content: mmap) -> dict[int, Any]:
    if content[:4] != _MARK or content[-4:] != _MARK:
        raise ValueError(_MARK)
    size = int.from_bytes(content[-8:-4], "little")
    start = len(content) - 8 - size
    if start < len(_MARK):
        raise ValueError(size)
    return _Reader(content, start, len(content) - 8).struct()


def _names(schema: list[dict[int, Any]]) -> Columns:
    """Name the columns: the children of the root, each of which may have children in turn."""
    names: list[str] = []
    left = [schema[0].get(5, 0)]
    for element in schema[1:]:
        if not left or len(left) > _DEEPEST:
            raise ValueError(len(left))
        if len(left) == 1:
            names.append(element[4].decode())
        left[-1] -= 1
        if element.get(5):
            left.append(element[5])
        while left and not left[-1]:
            left.pop()
    return tuple(names)


def _chunk(content: mmap, chunk: dict[int, Any]) -> tuple[int, int, int]:
    """Count the values of a part of a column, its bytes unpacked, and those of its dictionary."""
    if 1 in chunk:
        raise ValueError(chunk[1])  # Its pages would be in another file.
    told = chunk[3]
    at = min(told[9], told.get(11) or told[9])
    end = at + told[7]
    if not len(_MARK) <= at <= end <= len(content):
        raise ValueError(at)
    n_values = n_bytes = dictionary = 0
    while at < end:
        reader = _Reader(content, at, min(end, at + _LONGEST_PAGE_HEADER))
        header = reader.struct()
        unpacked, packed = header[2], header[3]
        if unpacked < 0 or packed < 0:
            raise ValueError(unpacked)
        at = reader.at + packed
        n_bytes += unpacked
        if header[1] == _DICTIONARY_PAGE:
            dictionary = max(dictionary, unpacked)
        elif header[1] in (_DATA_PAGE, _DATA_PAGE_V2):
            about = header[5] if header[1] == _DATA_PAGE else header[8]
            if about[1] < 0 or about[2 if header[1] == _DATA_PAGE else 4] == _SHARED_PREFIXES:
                raise ValueError(about)
            n_values += about[1]
    if at != end or n_values != told[5]:
        raise ValueError(at)
    return n_values, n_bytes, dictionary


@define
class _Reader:
    """Reads structures of Thrift's compact protocol, fields by their numbers."""

    content: mmap
    at: int
    end: int

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise ValueError(depth)
        found: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self.whole()
            found[number] = self.value(kind, depth)
        return found

    def value(self, kind: int, depth: int) -> Any:
        match kind:
            case 1 | 2:
                return kind == 1
            case 3:
                return self.byte()
            case 4 | 5 | 6:
                return self.whole()
            case 7:
                return self.take(8)
            case 8:
                return self.take(self.unsigned())
            case 9 | 10:
                return self.items(depth)
            case 12:
                return self.struct(depth + 1)
            case _:
                raise ValueError(kind)

    def items(self, depth: int) -> list[Any]:
        head = self.byte()
        size, kind = head >> 4, head & 15
        size = self.unsigned() if size == 15 else size
        if size > self.end - self.at:
            raise ValueError(size)
        if kind in (1, 2):
            return [self.byte() == 1 for _ in range(size)]
        return [self.value(kind, depth + 1) for _ in range(size)]

    def byte(self) -> int:
        if self.at >= self.end:
            raise ValueError(self.at)
        self.at += 1
        return self.content[self.at - 1]

    def take(self, size: int) -> bytes:
        if size > self.end - self.at:
            raise ValueError(size)
        self.at += size
        return self.content[self.at - size : self.at]

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError(shift)

    def whole(self) -> int:
        value = self.unsigned()
        return (value >> 1) ^ -(value & 1)
