"""A table about people who do not exist, to try the studio with."""

from __future__ import annotations

from typing import cast

from unlinkable.examples import hospital, hospital_plan
from unlinkable.studio.contracts import Document, SampleTable
from unlinkable.studio.files import private_folder
from unlinkable.studio.tasks.session import Session
from unlinkable.typing import Progress

__all__ = ["invent"]

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
