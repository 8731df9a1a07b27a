"""A file tried with other settings for reading: only its first records are looked at."""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from unlinkable.errors import UnlinkableError
from unlinkable.studio.contracts import TrialPreview
from unlinkable.studio.errors import StudioError
from unlinkable.studio.tasks.confinement import require_confined
from unlinkable.studio.tasks.data import preview_of
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data.reading import read_frame, sheet_names
from unlinkable.tables.publishing.plans import Plan
from unlinkable.typing import Progress

__all__ = ["sheets", "try_reading"]

_HEAD = 1 << 20
"""Bytes of a text file that are read."""

_TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")


def try_reading(
    session: Session,
    tell: Progress,
    data: Mapping[str, Any],
    rows: int,
    granted: Sequence[str] = (),
) -> TrialPreview:
    """Give the first records of a file as the settings of ``[data]`` would read them.

    Raises
    ------
    DataError
        If they cannot be read so; the message names the file and not where it is.
    """
    plan = Plan.from_dict({"data": {**data}, "columns": {}}, session.folder, "plan.toml")
    require_confined(plan, session.folder, granted)
    source = Path(str(plan.source))
    tell(0.1, "reading the first records")
    with tempfile.TemporaryDirectory() as folder:
        part, is_whole = _head(source, Path(folder))
        try:
            frame = read_frame(part, options=plan.reading())
        except UnlinkableError as error:
            raise StudioError(_without_folders(str(error), part, source)) from None
    shown = preview_of(frame, rows)
    return {"preview": shown, "is_whole": is_whole}


def sheets(session: Session, tell: Progress, file: str) -> list[str]:
    """Name the sheets of a workbook of ``uploads/``; a file of another kind has none.

    Raises
    ------
    StudioError
        If it is no workbook though it is called one.
    """
    source = session.folder / "uploads" / Path(file).name
    try:
        return sheet_names(source)
    except UnlinkableError as error:
        raise StudioError(_without_folders(str(error), source)) from None


def _head(source: Path, folder: Path) -> tuple[Path, bool]:
    """Copy the first records of a text file; leave any other file where it is."""
    name = source.name.lower()
    if not name.endswith(_TEXT):
        return source, True
    try:
        with _opened(source) as file:
            head = file.read(_HEAD)
            is_whole = not file.read(1)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return source, True
    if not is_whole:
        head = _whole_records(head)
    part = folder / source.name.removesuffix(source.suffix if name.endswith(".gz") else "")
    part.write_bytes(head)
    return part, is_whole


def _opened(source: Path) -> IO[bytes]:
    return gzip.open(source) if source.suffix.lower() == ".gz" else source.open("rb")  # type: ignore[return-value]


def _whole_records(head: bytes) -> bytes:
    """Cut after the last line break that is outside of quotation marks."""
    end = len(head)
    for _ in range(100):
        if (end := head.rfind(b"\n", 0, end)) < 0:
            break
        if head.count(b'"', 0, end) % 2 == 0:
            after = end + 1
            # In UTF-16, the line break has another byte.
            return head[: after + 1] if head[after : after + 1] == b"\0" else head[:after]
    return head


def _without_folders(message: str, *paths: Path) -> str:
    for path in paths:
        message = message.replace(str(path), path.name)
    return message
