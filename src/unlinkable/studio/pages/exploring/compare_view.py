"""Two results side by side on the page."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from unlinkable.studio.contracts import Outcome
from unlinkable.studio.pages.chart import Chart
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.comparison import (
    Line,
    distribution_chart,
    lines,
    sizes_chart,
    verdict_words,
)
from unlinkable.studio.pages.exploring.results import cells, headline
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import percent
from unlinkable.studio.pages.scrolling import scrolled

__all__ = ["CompareView"]


class CompareView:
    """Compares two results attribute by attribute."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._attribute: str | None = None
        self.draw: Any = ui.refreshable(self._draw)

    def seen(self) -> object:
        """Say what there is to be seen, to know when that is something else."""
        runs = self._bench.runs()
        pair = self._bench.compared(runs) if len(runs) > 1 else None
        return pair, [(outcome["run"], outcome["title"]) for outcome in runs]

    def _draw(self) -> None:
        runs = self._bench.runs()
        if len(runs) < 2:
            tag("p", "There is nothing to compare yet: it takes two results.", "m-0 muted")
            return
        numbers = self._bench.compared(runs)
        by_number = {outcome["run"]: outcome for outcome in runs}
        names = {number: headline(outcome) for number, outcome in by_number.items()}
        with ui.row().classes("w-full gap-4"):
            for place, label in enumerate(("First", "Second")):
                chooser = ui.select(names, value=numbers[place], label=f"{label} result")
                chooser.classes("grow min-w-56").props("outlined dense")
                chooser.props(f'data-testid="compare-{place}"')
                chooser.on_value_change(lambda e, p=place: self._choose(numbers, p, e.value))
        first, second = by_number[numbers[0]], by_number[numbers[1]]
        tag("p", verdict_words(first, second), "m-0 font-medium").props('role="status"')
        self._draw_facts(first, second)
        self._draw_lines(first, second)
        self._draw_sizes(first, second)

    def _choose(self, numbers: tuple[int, int], place: int, run: int) -> None:
        pair = list(numbers)
        if run == pair[1 - place]:
            pair.reverse()
        else:
            pair[place] = run
        self._bench.remember(compare=pair)

    def _draw_facts(self, first: Outcome, second: Outcome) -> None:
        with scrolled("Both results"), tag("table", "", "plain-table w-full"):
            _head("", headline(first), headline(second))
            for (name, one), (_, two) in zip(cells(first), cells(second), strict=True):
                _row(name, one, two)

    def _draw_lines(self, first: Outcome, second: Outcome) -> None:
        found = lines(first, second)
        if not found:
            tag("p", "Neither of them makes values coarser: there are no columns to compare.")
            return
        tag("h3", "Column by column", "text-base font-semibold m-0 mt-2")
        with scrolled("Column by column"), tag("table", "", "plain-table w-full") as table:
            table.props('data-testid="comparison"')
            _head("Column", headline(first), headline(second))
            for line in found:
                self._draw_line(line)
        names = [line.name for line in found]
        if self._attribute not in names:
            self._attribute = names[0]
        chooser = ui.select(names, value=self._attribute, label="Distribution of the column")
        chooser.classes("w-64 mt-2").props("outlined dense")
        line = next(line for line in found if line.name == self._attribute)
        chart = Chart(distribution_chart(line, first, second), "none").classes("w-full h-72")
        labelled(chart.props('role="img"'), _distribution_words(line))

        def turn(name: str) -> None:
            self._attribute = name
            self.draw.refresh()

        chooser.on_value_change(lambda e: turn(e.value))

    def _draw_line(self, line: Line) -> None:
        better = line.better()
        with tag("tr"):
            tag("th", line.name).props('scope="row"')
            for place, loss in enumerate(line.losses()):
                with tag("td"):
                    mark = " ✓ loses less" if better == place else ""
                    told = "" if loss is None else f"{percent(loss)} lost{mark}"
                    tag("span", told, "block font-medium" if mark else "block")
                    with ui.element("div").classes("loss-bar").props('aria-hidden="true"'):
                        ui.element("div").style(f"width: {100 * min(loss or 0.0, 1.0):.1f}%")
                    tag("span", line.words(place), "text-xs muted")

    def _draw_sizes(self, first: Outcome, second: Outcome) -> None:
        if not first["sizes"] or not second["sizes"]:
            return
        tag("h3", "In how large a crowd people are", "text-base font-semibold m-0 mt-2")
        tag(
            "p", "Share of the records by the number of people who look alike.", "m-0 muted text-sm"
        )
        chart = Chart(sizes_chart(first, second), "none").classes("w-full h-64")
        chart.props('role="img" aria-label="Share of records by size of group"')


def _distribution_words(line: Line) -> str:
    found = line.first or line.second
    top = sorted(found["before"], key=lambda pair: -pair[1])[:3] if found else []
    told = ", ".join(f"{label} {percent(share)}" for label, share in top)
    return f"Distribution of {line.name}; most frequent before: {told}"


def _head(*headings: str) -> None:
    with tag("tr"):
        for heading in headings:
            tag("th", heading).props('scope="col"')


def _row(name: str, *values: str) -> None:
    with tag("tr"):
        tag("th", name).props('scope="row"')
        for value in values:
            tag("td", value)
