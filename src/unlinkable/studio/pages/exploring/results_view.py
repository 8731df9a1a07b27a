"""All results: a table, and a chart of what each loses and risks."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import EChartPointClickEventArguments

from unlinkable.studio.contracts import Outcome
from unlinkable.studio.pages.chart import Chart
from unlinkable.studio.pages.chosen import choose, chosen
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.results import (
    RISKS,
    cells,
    drawable,
    headline,
    scatter,
)
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.plain import tag

__all__ = ["ResultsView"]


class ResultsView:
    """The results of a project, and which of them people go on with."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._selected: int | None = None
        self._risk = "highest"
        self._window = ui.element("div")
        self.draw: Any = ui.refreshable(self._draw)

    def renew(self) -> None:
        """Show other results. What has not changed stays: no button is replaced under a finger."""
        if self._shape() == self._drawn:
            self._fill()
        else:
            self.draw.refresh()

    def _shape(self) -> tuple[bool, bool]:
        runs = self._bench.runs()
        return bool(runs), bool(drawable(runs, self._risk))

    def _draw(self) -> None:
        self._drawn = self._shape()
        if not self._bench.runs():
            tag(
                "p",
                "There are no results yet. Tick one or several methods above and run them.",
                "m-0 muted",
            ).props('data-testid="no-results"')
            return
        with ui.element("div").classes("results-parts"):
            with ui.element("div").classes("min-w-0"):
                self._draw_table()
            self._draw_chart()
        self._foot = KeptList(ui.column().classes("w-full"))
        self._fill()

    def _fill(self) -> None:
        """Put results into what is drawn already."""
        runs = self._bench.runs()
        best = chosen(self._bench.work)
        if not runs or best is None:
            return
        number = best["run"]
        self._rows.show(self._row(outcome, number) for outcome in reversed(runs))
        shown = drawable(runs, self._risk)
        if shown:
            self._chart.show(scatter(runs, number, self._risk))
            found = [o for o in shown if o["run"] == self._selected]
            self._under_chart.show(
                Entry(o["run"], o["run"] == number, partial(self._draw_selected, o, number))
                for o in found
            )
        self._foot.show([Entry(number, None, partial(self._draw_foot, best))])

    def _row(self, outcome: Outcome, number: int) -> Entry:
        run = outcome["run"]
        seen = run == number, run == self._selected, outcome.get("is_stale")
        return Entry(run, seen, partial(self._draw_row, outcome, run == number))

    def _draw_foot(self, best: Outcome) -> Element:
        with ui.row().classes("w-full items-center gap-2 justify-end") as row:
            tag("span", f"You go on with result {headline(best)}.", "muted")
            address = f"/project/{self._bench.work.project.key}/attack"
            onward = ui.button("Attack it", on_click=lambda: ui.navigate.to(address))
            onward.props("no-caps outline icon-right=arrow_forward")
        return row

    def _draw_table(self) -> None:
        headings = ["Result", *(name for name, _ in cells(self._bench.runs()[0])), "Go on with"]
        with tag("table", "", "results-table").props('data-testid="results"'):
            tag("caption", "All results", "sr-only")
            with tag("thead"), tag("tr"):
                for heading in headings:
                    tag("th", heading).props('scope="col"')
            self._rows = KeptList(tag("tbody"))

    def _draw_row(self, outcome: Outcome, is_chosen: bool) -> Element:
        run = outcome["run"]
        classes = "is-chosen" if is_chosen else "is-selected" if run == self._selected else ""
        with tag("tr", "", classes).props(f'data-testid="result-{run}"') as row:
            with tag("th").props('scope="row"'):
                tag("span", headline(outcome), "block break-words")
                if outcome.get("is_stale"):
                    tag("span", "⟳ from before the last changes", "stale")
            for name, words in cells(outcome):
                broken = name == "Promises" and not words.startswith("✓")
                cell = tag("td", words, "broken" if broken else "")
                cell.props(f'data-label="{name}"')
            with tag("td").props('data-label="Go on with"'), ui.row() as actions:
                actions.classes("items-center gap-1 no-wrap")
                self._draw_choice(run, is_chosen)
                drop = ui.button(icon="delete_outline", color=None)
                drop.on_click(lambda: self._drop(outcome)).props("flat round dense size=sm")
                drop.props(f'aria-label="Delete result {run}"')
        return row

    def _draw_choice(self, run: int, is_chosen: bool) -> None:
        words = "★ Chosen" if is_chosen else "Choose"
        button = ui.button(words, on_click=lambda: choose(self._bench.work, run))
        button.props(f'no-caps dense padding="xs sm" aria-label="Go on with result {run}"')
        button.props(f'aria-pressed="{str(is_chosen).lower()}" data-testid="choose-{run}"')
        button.props("unelevated" if is_chosen else "outline")

    def _draw_chart(self) -> None:
        with ui.column().classes("gap-1 min-w-0 w-full"):
            tag("h3", "Risk against loss", "text-base font-semibold m-0")
            tag(
                "p",
                "Further left is more useful, further down is safer. Choose a point to see "
                "the result.",
                "m-0 muted text-sm",
            )
            which = ui.select(RISKS, value=self._risk, label="Risk that is drawn")
            which.classes("w-72 max-w-full").props("outlined dense")
            which.on_value_change(lambda e: self._turn(e.value))
            if not drawable(self._bench.runs(), self._risk):
                tag("p", "None of the results has both numbers.", "muted")
                return
            self._chart = Chart({"series": []})
            self._chart.on_point_click(self._clicked).classes("w-full h-72").props(
                'role="img" data-testid="scatter"'
            )
            labelled(self._chart, f"Chart of loss and {RISKS[self._risk]}")
            tag(
                "p",
                "● as things are now   ○ from before the last changes   ◆ a promise is "
                "broken   ▲ the table as it is",
                "m-0 muted text-xs",
            )
            self._under_chart = KeptList(ui.column().classes("w-full").props('role="status"'))

    def _clicked(self, e: EChartPointClickEventArguments) -> None:
        shown = drawable(self._bench.runs(), self._risk)
        if e.series_index == 0 and e.data_index < len(shown):
            self._selected = shown[e.data_index]["run"]
            self._fill()

    def _turn(self, which: str) -> None:
        self._risk = which
        self.draw.refresh()

    def _draw_selected(self, outcome: Outcome, number: int) -> Element:
        with ui.row().classes("w-full items-center gap-2") as row:
            tag("span", headline(outcome), "font-medium")
            self._draw_choice(outcome["run"], outcome["run"] == number)
        return row

    def _drop(self, outcome: Outcome) -> None:
        self._window.clear()
        with self._window, ui.dialog() as dialog, ui.card():
            tag("p", f"Delete result {headline(outcome)}? What was published from it stays.", "m-0")

            def drop() -> None:
                dialog.close()
                self._bench.work.project.drop_run(outcome["run"])

            with ui.row().classes("w-full justify-end"):
                ui.button("Keep it", on_click=dialog.close).props("flat no-caps")
                ui.button("Delete", on_click=drop).props("no-caps unelevated color=negative")
        dialog.open()
