"""Bundles and histories as archives: a folder becomes a file, and a folder elsewhere again."""

from __future__ import annotations

import zipfile
from pathlib import Path

__all__ = ["pack", "unpack"]


def pack(folder: Path, archive: Path) -> None:
    """Write all files of a folder into an archive."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            packed.write(file, file.relative_to(folder))


def unpack(archive: Path, folder: Path) -> Path:
    """Write what is in an archive into a new folder of its name, and give this folder."""
    place = folder / archive.stem
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(place)
    return place
