"""Files of a project: written whole or not at all, readable by their owner alone."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from unlinkable.file_lock import take_lock

__all__ = ["JsonCache", "hold", "private_folder", "read_json", "write_json", "write_text"]


def private_folder(folder: Path) -> Path:
    """Make a folder, and the folders above, that others on the machine cannot look into."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def write_text(file: Path, text: str) -> None:
    """Put a text in the place of a file at once: readers see the old one or the new one."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)


def write_json(file: Path, document: object) -> None:
    """Put a document in the place of a file at once."""
    write_text(file, json.dumps(document, allow_nan=False))


def read_json(file: Path) -> Any:
    """Read a document; None if there is none, or what is there is damaged."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def hold(file: Path) -> int | None:
    """Lock a file as long as this process runs; None if another process has the lock."""
    handle = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
    if not take_lock(handle, wait=False):
        os.close(handle)
        return None
    return handle


class JsonCache:
    """Documents that are read again only when their files have changed. Leave them as they are."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[int, int, Any]] = {}

    def read(self, file: Path) -> Any:
        """Read a document; None if there is none, or what is there is damaged."""
        try:
            stat = file.stat()
        except OSError:
            self._known.pop(file, None)
            return None
        known = self._known.get(file)
        if known is None or known[:2] != (stat.st_mtime_ns, stat.st_size):
            known = self._known[file] = stat.st_mtime_ns, stat.st_size, read_json(file)
        return known[2]
