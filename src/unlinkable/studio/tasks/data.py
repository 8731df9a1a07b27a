"""Tasks on the data as it came: the first records, and a look at every column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unlinkable.studio.contracts import ColumnWarning, Document, Preview, Suggestion
from unlinkable.studio.tasks.confinement import require_confined
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Frame, Role
from unlinkable.tables.publishing.anonymizing import suggested_plan
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.risk import Description, QuasiIdentifierSearch
from unlinkable.tables.risk import describe as describe_table
from unlinkable.typing import Progress

__all__ = ["look_at", "preview", "preview_of", "warnings_of"]

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
