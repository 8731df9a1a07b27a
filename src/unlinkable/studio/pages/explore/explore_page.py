"""The page Explore: methods run side by side, their results compared, and one chosen."""

from __future__ import annotations

from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.contracts import Document, MethodFit
from unlinkable.studio.jobs import Job
from unlinkable.studio.pages.elements import (
    ListEntry,
    StableList,
    aria_label,
    draw_when_ready,
    job_progress,
    tag,
)
from unlinkable.studio.pages.explore.comparison_view import ComparisonView
from unlinkable.studio.pages.explore.explore_state import ExploreState
from unlinkable.studio.pages.explore.lattice_view import LatticeView
from unlinkable.studio.pages.explore.method_picker import MethodPicker
from unlinkable.studio.pages.explore.results_view import ResultsView
from unlinkable.studio.pages.live import live
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Let people try methods, look at what came out, and choose what to go on with."""
    with ui.column().classes("w-full gap-4"):
        _draw_methods(work)
    explore = ExploreState(work, {})
    under_way = _RunList(explore)
    live(work, under_way.renew, on={"jobs", "state"})
    _draw_tabs(explore)


def _draw_methods(work: Workbench) -> None:
    tag("h2", "Methods", "section-title")
    warning = ui.refreshable(_draw_warning)
    warning(work)
    live(work, warning.refresh, on={"plan"}, seen=lambda: bool((work.plan or {}).get("privacy")))

    async def ask() -> tuple[Document | None, list[Document], list[MethodFit]]:
        return work.plan, await work.entries("method"), await ExploreState(work, {}).serving()

    def draw(found: tuple[Document | None, list[Document], list[MethodFit]]) -> None:
        plan, cards, serving = found
        picker = MethodPicker(ExploreState(work, {card["name"]: card for card in cards}))
        picker.draw(serving)
        live(work, picker.renew, on={"plan", "data"})
        live(work, picker.show, on={"state"})
        if plan != work.plan:  # It was changed while the answer was on its way.
            ui.timer(0, picker.renew, once=True)

    draw_when_ready(ask, draw, "Checking which methods can keep the promises …")


def _draw_warning(work: Workbench) -> None:
    if not (work.plan or {}).get("privacy"):
        with tag("p", "Nothing is promised yet: ", "m-0 problem"):
            ui.link("choose a promise first", f"/project/{work.project.key}/privacy")


def _draw_tabs(explore: ExploreState) -> None:
    results, lattice, compare = ResultsView(explore), LatticeView(explore), ComparisonView(explore)
    with ui.tabs().classes("w-full").props("no-caps align=left") as tabs:
        first, second, third = ui.tab("Results"), ui.tab("Map of levels"), ui.tab("Compare")
    with ui.tab_panels(tabs, value=first).classes("w-full").props("keep-alive"):
        for tab, view in ((first, results), (second, lattice), (third, compare)):
            with ui.tab_panel(tab).classes("gap-3 px-0"):
                view.draw()
    work = explore.work
    live(work, results.renew, on={"runs", "state", "plan", "data"})
    live(work, compare.draw.refresh, on={"runs", "state"}, seen=compare.seen)
    live(work, lattice.renew, on={"jobs", "plan"})


class _RunList:
    """A list of runs: those that are under way, then those that came to nothing."""

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
        self._running = StableList(ui.column().classes("w-full gap-2"))
        self._running.place.props('role="status" data-testid="under-way"')
        self._failed = StableList(ui.column().classes("w-full gap-2"))
        self.renew()

    def renew(self) -> None:
        """Show what is under way now."""
        running = [job for job in self._explore.jobs("anonymize") if not job.is_over]
        failed = self._explore.failures()
        for entries, jobs, draw in (
            (self._running, running, _draw_run),
            (self._failed, failed, _draw_failure),
        ):
            entries.place.set_visibility(bool(jobs))
            entries.show(
                ListEntry(job.key, None, partial(draw, self._explore, job)) for job in jobs
            )


def _draw_run(explore: ExploreState, job: Job) -> Element:
    with ui.card().classes("w-full gap-1").props("flat bordered") as card:
        tag("p", job.title, "m-0 font-medium")
        job_progress(explore.work, job, job.title)
    return card


def _draw_failure(explore: ExploreState, job: Job) -> Element:
    with ui.row().classes("w-full items-start no-wrap problem").props('role="alert"') as row:
        tag("p", f"{job.title} failed: {job.error}", "m-0 grow min-w-0")
        gone = ui.button(icon="close", on_click=lambda: explore.dismiss(job))
        aria_label(gone.props("flat round dense size=sm"), f"Dismiss: {job.title}")
    return row
