"""Zipped: a bundle as one file, made while it is sent."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

__all__ = ["zip_stream"]

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
