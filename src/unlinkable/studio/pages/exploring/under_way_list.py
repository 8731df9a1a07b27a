"""Runs that are under way, and those that have failed."""

from __future__ import annotations

from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.job import Job
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.under_way import progress

__all__ = ["UnderWay"]


class UnderWay:
    """A list of runs: those that are under way, then those that came to nothing."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._running = KeptList(ui.column().classes("w-full gap-2"))
        self._running.place.props('role="status" data-testid="under-way"')
        self._failed = KeptList(ui.column().classes("w-full gap-2"))
        self.renew()

    def renew(self) -> None:
        """Show what is under way now."""
        running = [job for job in self._bench.jobs("anonymize") if not job.is_over]
        failed = self._bench.failures()
        for entries, jobs, draw in (
            (self._running, running, _draw_run),
            (self._failed, failed, _draw_failure),
        ):
            entries.place.set_visibility(bool(jobs))
            entries.show(Entry(job.key, None, partial(draw, self._bench, job)) for job in jobs)


def _draw_run(bench: Bench, job: Job) -> Element:
    with ui.card().classes("w-full gap-1").props("flat bordered") as card:
        tag("p", job.title, "m-0 font-medium")
        progress(bench.work, job, job.title)
    return card


def _draw_failure(bench: Bench, job: Job) -> Element:
    with ui.row().classes("w-full items-start no-wrap problem").props('role="alert"') as row:
        tag("p", f"{job.title} came to nothing: {job.error}", "m-0 grow min-w-0")
        gone = ui.button(icon="close", on_click=lambda: bench.dismiss(job))
        labelled(gone.props("flat round dense size=sm"), f"Dismiss: {job.title}")
    return row
