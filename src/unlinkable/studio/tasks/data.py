"""Tasks on the data as they came: reading a file, first records, columns, and sample data."""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

from unlinkable.errors import UnlinkableError
from unlinkable.examples import hospital, hospital_plan
from unlinkable.studio.contracts import (
    ColumnWarning,
    Document,
    Preview,
    SampleTable,
    Suggestion,
    TrialPreview,
)
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import private_folder
from unlinkable.studio.tasks.confinement import require_confined
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Frame, Role
from unlinkable.tables.data.reading import read_frame, sheet_names
from unlinkable.tables.publishing.anonymizing import suggested_plan
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.risk import Description, QuasiIdentifierSearch
from unlinkable.tables.risk import describe as describe_table
from unlinkable.typing import Progress

__all__ = ["invent", "look_at", "preview", "preview_of", "sheets", "try_reading", "warnings_of"]

_MANY_RECORDS = 200_000
"""From so many records on, sets of two columns are looked at, not of three: it is a first look."""

_MUCH_MISSING = 0.05

_MOSTLY_UNIQUE = 0.5


def preview(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str], rows: int
) -> Preview:
    """Give the first records as texts."""
    made = session.plan(plan, granted)
    tell(0.1, "reading the table")
    return preview_of(session.records(made), rows)


def preview_of(frame: Frame, rows: int) -> Preview:
    """Give the first records of a frame as texts."""
    first = frame.head(max(0, min(rows, 1000)))
    return {
        "columns": list(frame.columns),
        "types": [_kind(dtype) for dtype in frame.dtypes],
        "rows": [[None if cell is None else str(cell) for cell in row] for row in first.rows()],
        "records": frame.height,
    }


def look_at(
    session: Session, tell: Progress, data: Mapping[str, Any], granted: Sequence[str] = ()
) -> Suggestion:
    """Look at every column of a file, and suggest a plan to begin with.

    ``data`` is the table ``[data]`` of a plan.
    """
    part = {**data, "others": "insensitive"}
    plan = Plan.from_dict({"data": part, "columns": {}}, session.folder, "plan.toml")
    require_confined(plan, session.folder, granted)
    tell(0.05, "reading the table")
    table = session.tried(plan)
    easy = QuasiIdentifierSearch().size(len(table.frame.columns), len(table))
    largest = min(easy, 3 if len(table) < _MANY_RECORDS else 2)
    about = describe_table(
        table,
        search=QuasiIdentifierSearch(largest=largest),
        progress=lambda share, words: tell(0.2 + 0.8 * share, words),
    )
    document = suggested_plan(about, data).to_dict()
    document["release"] = {}
    suggested = Plan.from_dict(document, session.folder, "plan.toml")
    return {
        "description": about.to_json(),
        "warnings": warnings_of(about),
        "plan": suggested.to_dict(),
        "toml": suggested.to_toml(),
    }


def warnings_of(about: Description) -> list[ColumnWarning]:
    """Say what the holder should look at, column by column."""
    found: list[ColumnWarning] = []

    def warn(column: str, kind: str, text: str) -> None:
        found.append({"column": column, "kind": kind, "text": text})

    for c in about.columns:
        if c.role is Role.IDENTIFIER:
            warn(c.name, "identifier", f"{c.name} probably names people: {c.reason}.")
        elif c.role is Role.OWNER:
            warn(c.name, "owner", f"{c.name} probably tells whose record it is: {c.reason}.")
        elif c.unique >= _MOSTLY_UNIQUE:
            warn(c.name, "unique", f"{c.unique:.0%} of the records have a value of {c.name} alone.")
        if c.distinct + (c.missing > 0) <= 1:
            warn(c.name, "constant", f"{c.name} has the same value everywhere: it tells nothing.")
        if about.n_records and c.missing / about.n_records >= _MUCH_MISSING:
            share = c.missing / about.n_records
            warn(c.name, "missing", f"{c.name} is missing in {share:.0%} of the records.")
    for s in about.smallest[:5]:
        if len(s.columns) > 1:
            text = f"{' and '.join(s.columns)} together single out almost everybody."
            warn(s.columns[0], "unique", text)
    for flag in about.flags:
        told: Any = flag.to_json()
        warn(
            str(told["column"]),
            "safe-harbor",
            f"HIPAA Safe Harbor, {told['item']}, {told['kind']}: {told['why']}. {told['remedy']}",
        )
    return found


def _kind(dtype: Any) -> str:
    if dtype.is_numeric():
        return "number"
    return "date" if dtype.is_temporal() else "category"


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


_FILE = "invented-hospital.csv"


def invent(session: Session, tell: Progress, records: int, seed: int = 0) -> SampleTable:
    """Write a hospital's invented patients to ``uploads/``, and say what their columns are."""
    tell(0.1, "inventing patients")
    uploads = private_folder(session.folder / "uploads")
    frame = hospital(max(1, min(records, 1_000_000)), seed)
    partial = uploads / f".{_FILE}.part"
    frame.write_csv(partial)
    partial.replace(uploads / _FILE)
    plan = hospital_plan(_FILE)
    return {"file": _FILE, "columns": cast("Document", plan["columns"])}
