"""Uploads: files are checked and written as they come in, into the project and nowhere else.

A few kilobytes can unpack to more than any disk holds. What an archive states as its own size may
be a lie, so packed files are unpacked once to count what is in them.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import secrets
import unicodedata
import zipfile
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO

from unlinkable.studio.errors import StudioError, TooLargeError

__all__ = [
    "TABLES",
    "TAXONOMIES",
    "check_gzip",
    "check_zip",
    "receive",
    "safe_name",
    "unpack_single",
]

_LONGEST = 120

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)

_ODD = re.compile(r"[^\w.()+ -]")


def safe_name(name: str) -> str:
    r"""Take the last part of a path, without anything that means something to a file system.

    Raises
    ------
    StudioError
        If nothing is left of it.

    Examples
    --------
    >>> safe_name("../../etc/passwd"), safe_name(r"C:\data\Patienten März.csv")
    ('passwd', 'Patienten März.csv')
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = _ODD.sub("_", last).strip(" .-")
    stem, dot, suffix = kept.rpartition(".")
    if len(kept) > _LONGEST:
        kept = stem[: _LONGEST - len(suffix) - 1] + dot + suffix if dot else kept[:_LONGEST]
    if not kept.strip("_.") or _RESERVED.fullmatch(kept) or len(kept.encode()) > 240:
        raise StudioError("give it a name made of letters, digits, spaces and - _ . ( )")
    return kept


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


_TEXT = (".csv", ".tsv", ".txt")

_PACKED = (".csv.gz", ".tsv.gz", ".txt.gz")

_ZIPPED = (".xlsx", ".xlsm", ".xlsb", ".ods")

_BINARY = {
    ".parquet": b"PAR1",
    ".pq": b"PAR1",
    ".arrow": b"ARROW1",
    ".feather": b"",
    ".ipc": b"",
    ".xls": b"\xd0\xcf\x11\xe0",
    ".sav": b"$FL",
    ".por": b"",
    ".dta": b"",
    ".sas7bdat": b"",
    ".xpt": b"",
}

TABLES = (*_TEXT, *_PACKED, *_ZIPPED, *_BINARY, ".zip")
"""How the names of tables may end."""

TAXONOMIES = _TEXT
"""How the names of hierarchy files may end."""

_UNPACKED = 4
"""A packed file may unpack to so many times the maximum size of an upload."""


async def receive(
    body: AsyncIterator[bytes],
    folder: Path,
    name: str,
    most: int,
    kinds: tuple[str, ...] = TABLES,
) -> str:
    """Write what comes in to a folder, look at it, and only then give it its name.

    Gives that name. An older file of the same name is replaced.

    Raises
    ------
    StudioError
        If name or content are not what is taken here.
    TooLargeError
        If there is too much of it, packed or unpacked.
    """
    name = safe_name(name)
    if not name.lower().endswith(kinds):
        raise StudioError(f"{name}: no table in a known format; known are {', '.join(kinds)}")
    part = folder / f".{secrets.token_hex(8)}.part"
    try:
        await _write(body, part, most)
        return await asyncio.to_thread(_settle, part, folder, name, most)
    finally:
        part.unlink(missing_ok=True)


async def _write(body: AsyncIterator[bytes], part: Path, most: int) -> None:
    taken = 0
    with part.open("xb") as out:
        part.chmod(0o600)
        async for chunk in body:
            taken += len(chunk)
            if taken > most:
                raise TooLargeError(f"a file may have {most / 1024**2:,.0f} MB at most")
            # The disk may make us wait: not the loop.
            await asyncio.to_thread(out.write, chunk)
    if not taken:
        raise StudioError("the file is empty")


def _settle(part: Path, folder: Path, name: str, most: int) -> str:
    """Look at a file that has arrived, and move it to its place."""
    lower = name.lower()
    with part.open("rb") as stream:
        head = stream.read(4096)
    if lower.endswith(".zip"):
        inner = part.with_suffix(".inner")
        try:
            suffixes = tuple(s for s in TABLES if s != ".zip")
            inside = safe_name(unpack_single(part, inner, _UNPACKED * most, suffixes))
            return _settle(inner, folder, inside, _UNPACKED * most)
        finally:
            inner.unlink(missing_ok=True)
    if lower.endswith(_ZIPPED):
        check_zip(part, _UNPACKED * most)
    elif lower.endswith(_PACKED):
        check_gzip(part, _UNPACKED * most)
    elif lower.endswith(_TEXT):
        _require_text(name, head)
    elif not head.startswith(_BINARY[Path(lower).suffix]):
        raise StudioError(f"{name} is not what its name says: check the file")
    part.replace(folder / name)
    return name


def _require_text(name: str, head: bytes) -> None:
    is_wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    if (b"\0" in head and not is_wide) or head.startswith((b"PK\x03\x04", b"PAR1", b"\x1f\x8b")):
        raise StudioError(f"{name} is no text: check the file, or name it by what it is")
