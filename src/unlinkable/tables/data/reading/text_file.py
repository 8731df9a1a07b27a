"""The text of a CSV file: found, unpacked, and in UTF-8."""

from __future__ import annotations

import codecs
import gzip
import zlib
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.faults import record_ends

__all__ = ["TextFile", "open_text"]

_HEAD = 1 << 22
"""Bytes at the start of a file that are examined to find out what its columns are."""

_START = 1 << 16
"""Bytes at the start of a file that are examined to find out how it is written."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""How files start that say what they are written in; UTF-32 first, it starts like UTF-16."""

_SIGNATURES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"PAR1\x15", b"ARROW1\0", b"\x1f\x8b")
"""How files start that are often called CSV and are something else: workbooks, Parquet, gzip."""


@frozen(eq=False)
class TextFile:
    """A file of text, either as it is on disk (UTF-8) or decoded in memory.

    Attributes
    ----------
    path
        Where it is.
    decoded
        Its text in UTF-8, if the file itself is packed or written in something else.
    """

    path: Path
    decoded: bytes | None = None

    @property
    def source(self) -> Path | bytes:
        """What a reader of UTF-8 should read."""
        return self.path if self.decoded is None else self.decoded

    def head(self) -> bytes:
        """Give the first records, without the byte order mark."""
        head = self.view()[:_HEAD]
        if head.size < _HEAD:
            return head.tobytes()
        ends = record_ends(head)
        return head[: int(ends[-1]) + 1 if ends.size else None].tobytes()

    def has_quotes(self) -> bool:
        """Whether there is a quotation mark anywhere."""
        if self.decoded is not None:
            return b'"' in self.decoded
        with self.path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return data.find(b'"') >= 0

    def view(self) -> NDArray[np.uint8]:
        """Examine all bytes but the byte order mark, without loading the file."""
        data: NDArray[np.uint8]
        if self.decoded is not None:
            data = np.frombuffer(self.decoded, np.uint8)
        else:
            data = np.memmap(self.path, np.uint8, mode="r")
        return data[3:] if data[:3].tobytes() == codecs.BOM_UTF8 else data


def open_text(path: Path, encoding: str | None) -> TextFile:
    """Open a file of text, packed or not, in an encoding that is given or that it declares.

    UTF-8 is assumed of a file that declares nothing; whether that is true shows in reading.
    Nothing else is ever guessed: bytes that are valid in one old encoding are valid in most.

    Raises
    ------
    DataError
        If the file is empty or no text, its packing is damaged, or the encoding is unknown or a
        wrong one.
    """
    raw = _unpacked(path) if path.suffix.lower() == ".gz" else None
    with path.open("rb") as file:
        start = file.read(_START) if raw is None else raw[:_START]
    if not start.removeprefix(codecs.BOM_UTF8).strip():
        whole = path.read_bytes() if raw is None else raw
        if not whole.removeprefix(codecs.BOM_UTF8).strip():
            raise DataError(
                f"{path}: the file is empty; it needs a line of column names and records"
            )
    if start.startswith(_SIGNATURES):
        raise DataError(f"{path}: this is no text file; export the table as CSV, saved as UTF-8")
    name = _encoding(path, encoding, start)
    if name not in ("utf-8", "utf-8-sig"):
        raw = _decoded(path, path.read_bytes() if raw is None else raw, name)
    text = TextFile(path, raw)
    start = text.view()[:_START].tobytes()
    if b"\r" in start and b"\n" not in start:
        return TextFile(path, text.view().tobytes().replace(b"\r", b"\n"))
    return text


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return file.read()
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(
            f"{path}: the file is not a whole gzip archive; fetch it again, or unpack it and read "
            "what is inside"
        ) from None


def _encoding(path: Path, encoding: str | None, start: bytes) -> str:
    if encoding is not None:
        try:
            start.decode(encoding, errors="ignore")
            name = codecs.lookup(encoding).name
        except (LookupError, ValueError):
            raise DataError(
                f"{path}: there is no encoding {encoding!r}; common ones are 'utf-8', 'utf-16', "
                "'cp1252' and 'latin-1'"
            ) from None
        if start.startswith(codecs.BOM_UTF8) and not name.startswith("utf-8"):
            raise DataError(f"{path}: the file says that it is UTF-8; leave out the encoding")
        return name
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    for name in ("utf-16-le", "utf-16-be"):
        if _is_utf_16(start[: len(start) // 2 * 2], name):
            return name
    return "utf-8"


def _is_utf_16(start: bytes, name: str) -> bool:
    """Whether every second byte of most characters is zero, and lines end as they must then."""
    zeros = start[1::2] if name == "utf-16-le" else start[0::2]
    text = start.decode(name, errors="replace")
    return zeros.count(0) * 2 > len(zeros) and "\n" in text and "\0" not in text


def _decoded(path: Path, raw: bytes, encoding: str) -> bytes:
    try:
        return raw.decode(encoding).removeprefix("\ufeff").encode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].decode(encoding, errors="ignore").count("\n") + 1
        raise DataError(
            f"{path}, line {line}: the file is not written in {encoding}; give the encoding in "
            "which it was saved, or save it as UTF-8"
        ) from None
    except UnicodeEncodeError:
        raise DataError(f"{path}: the file is not text in {encoding}; save it as UTF-8") from None
