"""Archives: packed files are unpacked once for show, to see how much there is in them.

A few kilobytes can unpack to more than any disk holds. What an archive says of its own size may be
a lie, so it is counted.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from pathlib import Path
from typing import IO

from unlinkable.studio.errors import StudioError, TooLargeError

__all__ = ["check_gzip", "check_zip", "unpack_single"]

_MOST_PARTS = 5000
_CHUNK = 1 << 20
_DAMAGED = "the file is damaged, or is not what its name says"


def check_gzip(file: Path, most: int) -> None:
    """Refuse a packed file that unpacks to too much.

    Raises
    ------
    TooLargeError, StudioError
        If it does, or is damaged.
    """
    try:
        with gzip.open(file) as stream:
            _count(stream, most)
    except (OSError, EOFError, zlib.error):
        raise StudioError(_DAMAGED) from None


def check_zip(file: Path, most: int) -> None:
    """Refuse an archive, or a workbook, which is one, that unpacks to too much.

    Raises
    ------
    TooLargeError, StudioError
        If it does, is damaged, is encrypted, or has parts with paths that lead elsewhere.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            left = most
            for part in _parts(archive, most):
                with archive.open(part) as stream:
                    left -= _count(stream, left)
    except (zipfile.BadZipFile, OSError, EOFError, zlib.error, NotImplementedError, RuntimeError):
        raise StudioError(_DAMAGED) from None


def unpack_single(file: Path, target: Path, most: int, suffixes: tuple[str, ...]) -> str:
    """Unpack the only table of an archive to a file, and give its name.

    Raises
    ------
    TooLargeError, StudioError
        If there is not exactly one table in it, or as `check_zip`.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            tables = [p for p in _parts(archive, most) if p.filename.lower().endswith(suffixes)]
            if len(tables) != 1:
                raise StudioError(f"the archive must have one table in it, and has {len(tables)}")
            with archive.open(tables[0]) as source, target.open("wb") as out:
                _count(source, most, out)
            return tables[0].filename
    except (zipfile.BadZipFile, OSError, EOFError, zlib.error, NotImplementedError, RuntimeError):
        raise StudioError(_DAMAGED) from None


def _parts(archive: zipfile.ZipFile, most: int) -> list[zipfile.ZipInfo]:
    parts = [part for part in archive.infolist() if not part.is_dir()]
    if len(parts) > _MOST_PARTS:
        raise TooLargeError(f"the archive has {len(parts):,} parts, more than {_MOST_PARTS:,}")
    for part in parts:
        if part.flag_bits & 1:
            raise StudioError("the file is locked with a password: save it without one")
        steps = part.filename.replace("\\", "/").split("/")
        if steps[0] == "" or ".." in steps:
            raise StudioError("the archive has parts whose paths lead out of it")
    if sum(part.file_size for part in parts) > most:
        raise TooLargeError(_too_much(most))
    return parts


def _count(stream: IO[bytes] | gzip.GzipFile, most: int, out: IO[bytes] | None = None) -> int:
    """Read to the end, but no more than allowed."""
    taken = 0
    while chunk := stream.read(_CHUNK):
        taken += len(chunk)
        if taken > most:
            raise TooLargeError(_too_much(most))
        if out is not None:
            out.write(chunk)
    return taken


def _too_much(most: int) -> str:
    return f"the file unpacks to more than {most / 1024**2:,.0f} MB"
