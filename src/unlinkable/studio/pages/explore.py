"""Explore: methods run side by side, their results compared, and one chosen."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document, Serving
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.compare_view import CompareView
from unlinkable.studio.pages.exploring.lattice_view import LatticeView
from unlinkable.studio.pages.exploring.look import CSS
from unlinkable.studio.pages.exploring.picker import Picker
from unlinkable.studio.pages.exploring.results_view import ResultsView
from unlinkable.studio.pages.exploring.under_way_list import UnderWay
from unlinkable.studio.pages.live import live
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.look import CSS as SHARED
from unlinkable.studio.pages.when_ready import when_ready
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Let people try methods, look at what came out, and choose what to go on with."""
    ui.add_css(SHARED + CSS)
    with ui.column().classes("w-full gap-4"):
        _draw_methods(work)
    bench = Bench(work, {})
    under_way = UnderWay(bench)
    live(work, under_way.renew, on={"jobs", "state"})
    _draw_tabs(bench)


def _draw_methods(work: Workbench) -> None:
    tag("h2", "Ways to anonymize", "section-title")
    warning = ui.refreshable(_draw_warning)
    warning(work)
    live(work, warning.refresh, on={"plan"}, seen=lambda: bool((work.plan or {}).get("privacy")))

    async def ask() -> tuple[Document | None, list[Document], list[Serving]]:
        return work.plan, await work.entries("method"), await Bench(work, {}).serving()

    def draw(found: tuple[Document | None, list[Document], list[Serving]]) -> None:
        plan, cards, serving = found
        picker = Picker(Bench(work, {card["name"]: card for card in cards}))
        picker.draw(serving)
        live(work, picker.renew, on={"plan", "data"})
        live(work, picker.show, on={"state"})
        if plan != work.plan:  # It was changed while the answer was on its way.
            ui.timer(0, picker.renew, once=True)

    when_ready(ask, draw, "Looking which methods can keep the promises …")


def _draw_warning(work: Workbench) -> None:
    if not (work.plan or {}).get("privacy"):
        with tag("p", "Nothing is promised yet: ", "m-0 problem"):
            ui.link("choose a promise first", f"/project/{work.project.key}/privacy")


def _draw_tabs(bench: Bench) -> None:
    results, lattice, compare = ResultsView(bench), LatticeView(bench), CompareView(bench)
    with ui.tabs().classes("w-full").props("no-caps align=left") as tabs:
        first, second, third = ui.tab("Results"), ui.tab("Map of levels"), ui.tab("Compare")
    with ui.tab_panels(tabs, value=first).classes("w-full").props("keep-alive"):
        for tab, view in ((first, results), (second, lattice), (third, compare)):
            with ui.tab_panel(tab).classes("gap-3 px-0"):
                view.draw()
    work = bench.work
    live(work, results.renew, on={"runs", "state", "plan", "data"})
    live(work, compare.draw.refresh, on={"runs", "state"}, seen=compare.seen)
    live(work, lattice.renew, on={"jobs", "plan"})
