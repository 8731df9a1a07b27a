"""File input: a file goes to the project as it is, and is considered before it becomes the data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.pages.live import notify_errors
from unlinkable.studio.security.uploads import TABLES
from unlinkable.studio.workbench import Workbench

__all__ = [
    "FileDrop",
    "add_file",
    "add_sample",
    "clear_pending",
    "current_reading",
    "describe_file",
    "describing_job",
    "file_input",
    "pending_file",
    "set_pending",
]


class FileDrop(ui.element, component="file_drop.js"):
    """A place where a file is dropped, or chosen with a button.

    Parameters
    ----------
    url
        The address below which the file is put, under its own name.
    label, button, hint
        What it says.
    accept
        How names of files may end.
    most
        The largest number of bytes.
    on_uploaded
        Called with the name that the file has in the project.
    is_small
        Whether it is nothing but a button on which files can be dropped.
    """

    def __init__(
        self,
        url: str,
        *,
        label: str,
        button: str,
        accept: tuple[str, ...],
        most: int,
        on_uploaded: Callable[[str], Awaitable[None]],
        hint: str = "",
        is_small: bool = False,
    ) -> None:
        super().__init__()
        given: dict[str, Any] = {
            "url": url,
            "label": label,
            "button": button,
            "hint": hint,
            "accept": ",".join(accept),
            "most": most,
            "small": is_small,
        }
        self._props.update(given)

        async def uploaded(event: Any) -> None:
            await on_uploaded(str(event.args))

        self.on("uploaded", uploaded)


_READING = ("separator", "encoding", "header", "sheet", "missing", "types", "infer")


def pending_file(work: Workbench) -> Document | None:
    """Give the file that is being considered: ``file``, ``reading`` and ``error``, or None."""
    found = work.project.state.get("pending")
    known = isinstance(found, dict) and found.get("file") in [*work.project.files(), work.source]
    return found if known else None


def set_pending(work: Workbench, file: str, reading: Document, error: str | None = None) -> None:
    """Have all tabs show how a file would be read."""
    work.project.remember(pending={"file": file, "reading": reading, "error": error})


def clear_pending(work: Workbench) -> None:
    """Leave the data as they are."""
    work.project.remember(pending=None)


def current_reading(work: Workbench) -> Document:
    """Say how the data of the plan are read, as far as anything was said."""
    data = (work.plan or {}).get("data", {})
    return {key: data[key] for key in _READING if key in data}


def describing_job(work: Workbench) -> Any:
    """Give the job that looks at a file right now, None if there is none."""
    return next((job for job in work.jobs() if job.task == "look_at" and not job.is_over), None)


async def describe_file(work: Workbench, file: str, reading: Document) -> bool:
    """Look at a file and begin a plan; if it cannot be read, have it considered. Whether it was."""
    try:
        await work.look_at(file, reading).wait()
    except TaskError as error:
        if error.kind == "Cancelled" and work.plan is not None:
            clear_pending(work)
        else:
            words = None if error.kind == "Cancelled" else str(error)
            set_pending(work, file, reading, words)
        return False
    clear_pending(work)
    return True


async def add_file(work: Workbench, file: str) -> None:
    """Describe an uploaded file; of a workbook with several sheets, one is chosen first.

    Raises
    ------
    StudioError
        If it is no workbook though it is called one.
    """
    if len(await work.sheets(file)) > 1:
        set_pending(work, file, {})
    else:
        await describe_file(work, file, {})


async def add_sample(work: Workbench) -> None:
    """Invent a hospital, and begin a plan with roles and taxonomies that fit it.

    Raises
    ------
    StudioError
        If that fails.
    """
    made = await work.invent()
    if not await describe_file(work, made["file"], {}):
        raise StudioError("the sample table could not be read")
    await work.edit({"set": ["columns"], "to": made["columns"]})


def file_input(work: Workbench, *, is_small: bool = False) -> FileDrop:
    """Draw the area where a table is uploaded."""

    async def uploaded(name: str) -> None:
        with notify_errors():
            await add_file(work, name)

    most = work.studio.largest_upload
    return FileDrop(
        f"/api/v1/projects/{work.project.key}/files/",
        label="Drop a table here",
        button="Another file" if is_small else "Choose a file",
        hint="" if is_small else f"CSV, Excel, Parquet, SPSS, SAS or Stata, up to {_size(most)}",
        accept=TABLES,
        most=most,
        on_uploaded=uploaded,
        is_small=is_small,
    )


def _size(most: int) -> str:
    return f"{most / 1024**3:.3g} GB" if most >= 1024**3 else f"{most / 1024**2:.3g} MB"
