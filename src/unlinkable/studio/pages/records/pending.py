"""Pending: a file that was handed in and is not the data yet, and how it is to be read."""

from __future__ import annotations

from typing import Any

from unlinkable.studio.contracts import Document
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.first_look import invent, sheets_of
from unlinkable.studio.workbench import Workbench

__all__ = [
    "consider",
    "current_reading",
    "forget",
    "looking",
    "pending",
    "take",
    "take_invented",
    "take_new",
]

_READING = ("separator", "encoding", "header", "sheet", "missing", "types", "infer")


def pending(work: Workbench) -> Document | None:
    """Give the file that is being considered: ``file``, ``reading`` and ``error``, or None."""
    found = work.project.state.get("pending")
    known = isinstance(found, dict) and found.get("file") in [*work.project.files(), work.source]
    return found if known else None


def consider(work: Workbench, file: str, reading: Document, error: str | None = None) -> None:
    """Have all tabs show how a file would be read."""
    work.project.remember(pending={"file": file, "reading": reading, "error": error})


def forget(work: Workbench) -> None:
    """Leave the data as they are."""
    work.project.remember(pending=None)


def current_reading(work: Workbench) -> Document:
    """Say how the data of the plan are read, as far as anything was said."""
    data = (work.plan or {}).get("data", {})
    return {key: data[key] for key in _READING if key in data}


def looking(work: Workbench) -> Any:
    """Give the job that looks at a file right now, None if there is none."""
    return next((job for job in work.jobs() if job.task == "look_at" and not job.is_over), None)


async def take(work: Workbench, file: str, reading: Document) -> bool:
    """Look at a file and begin a plan; if it cannot be read, have it considered. Whether it was."""
    try:
        await work.look_at(file, reading).wait()
    except TaskError as error:
        if error.kind == "Cancelled" and work.plan is not None:
            forget(work)
        else:
            words = None if error.kind == "Cancelled" else str(error)
            consider(work, file, reading, words)
        return False
    forget(work)
    return True


async def take_new(work: Workbench, file: str) -> None:
    """Look at a file that was handed in; of a workbook with several sheets, one is chosen first.

    Raises
    ------
    StudioError
        If it is no workbook though it is called one.
    """
    if len(await sheets_of(work, file)) > 1:
        consider(work, file, {})
    else:
        await take(work, file, {})


async def take_invented(work: Workbench) -> None:
    """Invent a hospital, and begin a plan with roles and taxonomies that fit it.

    Raises
    ------
    StudioError
        If that fails.
    """
    made = await invent(work)
    if not await take(work, made["file"], {}):
        raise StudioError("the invented table could not be read")
    await work.edit({"set": ["columns"], "to": made["columns"]})
