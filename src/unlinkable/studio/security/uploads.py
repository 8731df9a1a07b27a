"""Uploads: files are written as they come in, into the project and nowhere else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from unlinkable.studio.errors import StudioError, TooLargeError
from unlinkable.studio.security.archives import check_gzip, check_zip, unpack_single
from unlinkable.studio.security.names import safe_name

__all__ = ["TABLES", "TAXONOMIES", "receive"]

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
"""A packed file may unpack to so many times what may be handed in."""


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
