"""Data: which records it is about, how they are read, and what is striking about them."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.pages.live import live
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.records.look import CSS
from unlinkable.studio.pages.records.overview import overview
from unlinkable.studio.pages.records.pending import looking, pending
from unlinkable.studio.pages.records.reading import ReadingPanel
from unlinkable.studio.pages.records.welcome import welcome
from unlinkable.studio.pages.under_way import progress
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Show the data of a project, or where to put them."""
    ui.add_css(CSS)
    drawn: list[object] = []

    @ui.refreshable
    def body() -> None:
        with ui.column().classes("w-full gap-6 min-w-0").props('aria-live="off"'):
            _draw(work)

    def changed() -> None:
        """Draw anew only if there is something else to see: forms keep what was filled in."""
        now = _seen(work)
        if drawn != [now]:
            drawn[:] = [now]
            body.refresh()

    drawn[:] = [_seen(work)]
    body()
    live(work, changed, on={"plan", "data", "state", "jobs"})


def _seen(work: Workbench) -> object:
    """Say what is to be seen, to know when that is something else.

    A file that arrives changes nothing yet: the place where it was dropped is still needed.
    """
    job = looking(work)
    considered = pending(work)
    if job is not None:
        return "looking", job.key
    if considered is not None:
        return "considering", considered
    if work.plan is None:
        return "nothing"
    described = work.description or {}
    return "data", work.plan["data"], described.get("description", {}).get("records")


def _draw(work: Workbench) -> None:
    job = looking(work)
    considered = pending(work)
    if job is not None:
        with ui.card().props("flat bordered").classes("w-full gap-3"):
            tag("h2", job.title, "section-title")
            progress(work, job, job.title)
    elif considered is not None:
        ReadingPanel(work, considered["file"], considered["reading"], considered["error"])
    elif work.plan is None:
        welcome(work)
    else:
        overview(work)
