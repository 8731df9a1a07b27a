"""What can be done before there is a plan: trying how a file is read, and inventing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unlinkable.studio.contracts import Invented, Tried
from unlinkable.studio.job import Lane
from unlinkable.studio.workbench import Workbench

__all__ = ["invent", "sheets_of", "try_reading"]


async def try_reading(work: Workbench, file: str, reading: Mapping[str, object]) -> Tried:
    """Give the first records of a file of ``uploads/`` as it would be read.

    Asking again replaces a question that is still waiting: that one ends with TaskError of kind
    ``Cancelled``.
    """
    data = {**reading, "source": f"uploads/{file}"}
    if (plan := work.plan) and plan["data"]["source"].rpartition("/")[2] == file:
        data["source"] = plan["data"]["source"]
    found: Tried = await _ask(
        work,
        "try_reading",
        data=data,
        rows=30,
        granted=work.project.granted,
        replaces=work.own("reading"),
    )
    return found


async def sheets_of(work: Workbench, file: str) -> list[str]:
    """Name the sheets of a workbook of ``uploads/``; none if it is something else."""
    found: list[str] = await _ask(work, "sheets", file=file)
    return found


async def invent(work: Workbench, records: int = 10_000) -> Invented:
    """Write a table about people who do not exist to ``uploads/``."""
    found: Invented = await _ask(work, "invent", records=records)
    return found


async def _ask(work: Workbench, task: str, replaces: str | None = None, **arguments: Any) -> Any:
    job = work.studio.jobs.start(
        work.project.folder, Lane.DESK, task, arguments, is_quiet=True, replaces=replaces
    )
    return await job.wait()
