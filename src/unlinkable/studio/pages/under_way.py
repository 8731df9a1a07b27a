"""A bar for something that takes long, with a button that stops it."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.job import Job
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.workbench import Workbench

__all__ = ["progress"]

_OFTEN = 0.3
"""Seconds between two looks at the job."""


def progress(work: Workbench, job: Job, whom: str) -> None:
    """Show how far a job is. Whoever calls draws something else when it is over."""
    bar = ui.linear_progress(value=job.share, show_value=False)
    labelled(bar.props("size=10px rounded"), f"Progress: {whom}")
    with ui.row().classes("items-center justify-between w-full no-wrap"):
        words = ui.label(_words(job)).classes("text-sm min-w-0")
        cancel = ui.button("Cancel", icon="close", on_click=lambda: work.cancel(job))
        labelled(cancel.props("no-caps flat dense"), f"Cancel: {whom}")

    def look() -> None:
        bar.set_value(job.share)
        words.set_text(_words(job))

    ui.timer(_OFTEN, look)


def _words(job: Job) -> str:
    return f"{job.share * 100:.0f} %: {job.text}"
