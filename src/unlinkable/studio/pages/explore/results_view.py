"""All results: a table, and a chart of the loss and the risk of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import EChartPointClickEventArguments

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Outcome
from unlinkable.studio.pages.elements import INK, Chart, ListEntry, StableList, aria_label, tag
from unlinkable.studio.pages.explore.explore_state import ExploreState
from unlinkable.studio.pages.formatting import duration, number, percent

__all__ = [
    "RISKS",
    "ResultsView",
    "drawable",
    "headline",
    "promise_verdict",
    "result_cells",
    "risk_of",
    "scatter_chart",
]

_GOOD, _STALE, _BROKEN, _BEFORE = "#2b84bd", "#8b8b8b", "#c2452b", "#c77700"


def headline(outcome: Outcome) -> str:
    """Name a result."""
    return f"{outcome['run']}. {outcome['title']}"


def promise_verdict(outcome: Outcome) -> tuple[str, str]:
    """Say whether the promises are kept: a mark, and words."""
    release = outcome["release"]
    models = release.get("models") or []
    broken = [model for model in models if not model["holds"]]
    if broken or not release.get("holds", True):
        return "×", f"{len(broken) or 'some'} of {len(models)} not kept"  # noqa: RUF001
    if not models:
        return "○", "nothing promised"
    return "✓", "kept" if len(models) == 1 else f"all {len(models)} kept"


RISKS = {
    "highest": "highest re-identification risk",
    "average": "average re-identification risk",
    "attribute": "highest confidence in a sensitive value",
}
"""What risks there are, by the name that they have in outcomes."""


def risk_of(outcome: Outcome, when: str = "after", which: str = "highest") -> float | None:
    """Give a risk of the records, before or after."""
    exposure = outcome["exposure"] if when == "after" else outcome["exposure_before"]
    found = (exposure or {}).get(which)
    return None if found is None else float(found)


def result_cells(outcome: Outcome) -> list[tuple[str, str]]:
    """Give what a table of results says: the heading of a column, and what stands in it."""
    release = outcome["release"]
    mark, words = promise_verdict(outcome)
    left_out = quantity(int(release.get("suppressed") or 0), "record")
    before, after = risk_of(outcome, "before"), risk_of(outcome)
    risk = "not counted" if after is None else f"{percent(before)} → {percent(after)}"
    return [
        ("Promises", f"{mark} {words}"),
        ("Suppressed", f"{percent(outcome['suppression'])} ({left_out})"),
        ("Loss", number(outcome["loss"]) if outcome["loss"] is not None else "not measured"),
        ("Highest risk", risk),
        ("Groups", number(release.get("groups"))),
        ("Time", duration(release.get("seconds"))),
    ]


def drawable(outcomes: Sequence[Outcome], which: str = "highest") -> list[Outcome]:
    """Give the results that have both numbers."""
    return [o for o in outcomes if o["loss"] is not None and risk_of(o, which=which) is not None]


def scatter_chart(
    outcomes: Sequence[Outcome], chosen: int | None, which: str = "highest"
) -> dict[str, Any]:
    """Draw all results by what they lose and by the risk that is left."""
    shown = drawable(outcomes, which)
    points = [_point(outcome, outcome["run"] == chosen, which) for outcome in shown]
    risks = (risk_of(outcome, "before", which) for outcome in reversed(shown))
    before = next((risk for risk in risks if risk is not None), None)
    series = [_series("results", points)]
    if before is not None:
        origin = {"value": [0, round(100 * before, 3)], "name": "the table as it is"}
        series.append(_series("the table as it is", [origin], "triangle", _BEFORE))
    labels = {"formatter": "{value} %", "color": INK}
    return {
        "animation": False,
        "grid": {"left": 58, "right": 36, "top": 40, "bottom": 52},
        "tooltip": {"trigger": "item", "formatter": _TOOLTIP, "confine": True},
        "xAxis": _axis("information loss →", "middle", 28),
        "yAxis": {**_axis(RISKS[which], "end", 16, "left"), "axisLabel": labels},
        "series": series,
    }


_TOOLTIP = "{b}<br>loss and risk in %: {c}"
"""A template, whose parts are escaped; what a function gives would be read as HTML."""


def _point(outcome: Outcome, is_chosen: bool, which: str) -> dict[str, Any]:
    risk = risk_of(outcome, which=which) or 0.0
    is_broken = promise_verdict(outcome)[0] == "×"  # noqa: RUF001
    colour = _BROKEN if is_broken else _STALE if outcome.get("is_stale") else _GOOD
    symbol = "diamond" if is_broken else "emptyCircle" if outcome.get("is_stale") else "circle"
    return {
        "value": [round(outcome["loss"] or 0.0, 4), round(100 * risk, 3)],
        "name": headline(outcome),
        "run": outcome["run"],
        "symbol": symbol,
        "symbolSize": 20 if is_chosen else 13,
        "itemStyle": {
            "color": colour,
            "borderColor": "#e0a800" if is_chosen else colour,
            "borderWidth": 3 if is_chosen else 2,
        },
        "label": {
            "show": True,
            "position": "right",
            "color": INK,
            "formatter": f"{outcome['run']}{' ★' if is_chosen else ''}",
        },
    }


def _series(
    name: str, points: list[dict[str, Any]], symbol: str = "circle", colour: str = _GOOD
) -> dict[str, Any]:
    return {
        "name": name,
        "type": "scatter",
        "symbol": symbol,
        "symbolSize": 13,
        "color": colour,
        "data": points,
        "cursor": "pointer",
    }


def _axis(name: str, place: str, gap: int, align: str = "center") -> dict[str, Any]:
    return {
        "type": "value",
        "name": name,
        "nameLocation": place,
        "nameGap": gap,
        "min": 0,
        "nameTextStyle": {"color": INK, "align": align},
        "axisLabel": {"color": INK},
        "splitLine": {"lineStyle": {"color": "#8883"}},
    }


class ResultsView:
    """The results of a project, and which of them people go on with."""

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
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
        runs = self._explore.runs()
        return bool(runs), bool(drawable(runs, self._risk))

    def _draw(self) -> None:
        self._drawn = self._shape()
        if not self._explore.runs():
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
        self._foot = StableList(ui.column().classes("w-full"))
        self._fill()

    def _fill(self) -> None:
        """Put results into what is drawn already."""
        runs = self._explore.runs()
        best = self._explore.work.chosen_run()
        if not runs or best is None:
            return
        number = best["run"]
        self._rows.show(self._row(outcome, number) for outcome in reversed(runs))
        shown = drawable(runs, self._risk)
        if shown:
            self._chart.show(scatter_chart(runs, number, self._risk))
            found = [o for o in shown if o["run"] == self._selected]
            self._under_chart.show(
                ListEntry(o["run"], o["run"] == number, partial(self._draw_selected, o, number))
                for o in found
            )
        self._foot.show([ListEntry(number, None, partial(self._draw_foot, best))])

    def _row(self, outcome: Outcome, number: int) -> ListEntry:
        run = outcome["run"]
        seen = run == number, run == self._selected, outcome.get("is_stale")
        return ListEntry(run, seen, partial(self._draw_row, outcome, run == number))

    def _draw_foot(self, best: Outcome) -> Element:
        with ui.row().classes("w-full items-center gap-2 justify-end") as row:
            tag("span", f"You go on with result {headline(best)}.", "muted")
            address = f"/project/{self._explore.work.project.key}/attack"
            onward = ui.button("Attack it", on_click=lambda: ui.navigate.to(address))
            onward.props("no-caps outline icon-right=arrow_forward")
        return row

    def _draw_table(self) -> None:
        headings = [
            "Result",
            *(name for name, _ in result_cells(self._explore.runs()[0])),
            "Go on with",
        ]
        with tag("table", "", "results-table").props('data-testid="results"'):
            tag("caption", "All results", "sr-only")
            with tag("thead"), tag("tr"):
                for heading in headings:
                    tag("th", heading).props('scope="col"')
            self._rows = StableList(tag("tbody"))

    def _draw_row(self, outcome: Outcome, is_chosen: bool) -> Element:
        run = outcome["run"]
        classes = "is-chosen" if is_chosen else "is-selected" if run == self._selected else ""
        with tag("tr", "", classes).props(f'data-testid="result-{run}"') as row:
            with tag("th").props('scope="row"'):
                tag("span", headline(outcome), "block break-words")
                if outcome.get("is_stale"):
                    tag("span", "⟳ from before the last changes", "stale")
            for name, words in result_cells(outcome):
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
        button = ui.button(words, on_click=lambda: self._explore.work.choose_run(run))
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
            if not drawable(self._explore.runs(), self._risk):
                tag("p", "None of the results has both numbers.", "muted")
                return
            self._chart = Chart({"series": []})
            self._chart.on_point_click(self._clicked).classes("w-full h-72").props(
                'role="img" data-testid="scatter"'
            )
            aria_label(self._chart, f"Chart of loss and {RISKS[self._risk]}")
            tag(
                "p",
                "● as things are now   ○ from before the last changes   ◆ a promise is "
                "broken   ▲ the table as it is",
                "m-0 muted text-xs",
            )
            self._under_chart = StableList(ui.column().classes("w-full").props('role="status"'))

    def _clicked(self, e: EChartPointClickEventArguments) -> None:
        shown = drawable(self._explore.runs(), self._risk)
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
                self._explore.work.project.drop_run(outcome["run"])

            with ui.row().classes("w-full justify-end"):
                ui.button("Keep it", on_click=dialog.close).props("flat no-caps")
                ui.button("Delete", on_click=drop).props("no-caps unelevated color=negative")
        dialog.open()
