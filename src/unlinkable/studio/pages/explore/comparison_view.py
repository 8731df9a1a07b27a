"""Two results side by side, attribute by attribute."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from nicegui import ui

from unlinkable.studio.contracts import AttributeOutcome, Outcome
from unlinkable.studio.pages.elements import INK, Chart, aria_label, scroll_area, tag
from unlinkable.studio.pages.explore.explore_state import ExploreState
from unlinkable.studio.pages.explore.results_view import headline, result_cells
from unlinkable.studio.pages.formatting import number, percent

__all__ = [
    "ColumnComparison",
    "ComparisonView",
    "compare_columns",
    "distribution_chart",
    "sizes_chart",
    "verdict_words",
]

_BEFORE, _FIRST, _SECOND = "#9a9a9a", "#2b84bd", "#c77700"


@frozen
class ColumnComparison:
    """One attribute in both results; None where a result does not tell."""

    name: str
    first: AttributeOutcome | None
    second: AttributeOutcome | None

    def losses(self) -> tuple[float | None, float | None]:
        """Give what each result loses on it."""
        return _loss(self.first), _loss(self.second)

    def words(self, which: int) -> str:
        """Say what became of it in a result: its level, and how many values are left."""
        found = (self.first, self.second)[which]
        if found is None:
            return "as it was"
        after, before = number(found["distinct_after"]), number(found["distinct_before"])
        level = "mixed levels" if found["level"] is None else _level(found)
        return f"{level}; {after} distinct values instead of {before}"

    def better(self) -> int | None:
        """Tell which result loses less on it; None if they are equal."""
        a, b = self.losses()
        if a is None or b is None or abs(a - b) < 0.0005:
            return None
        return 0 if a < b else 1


def _loss(found: AttributeOutcome | None) -> float | None:
    return None if found is None else found["loss"]


def _level(found: AttributeOutcome) -> str:
    if found["level"] == 0:
        return "as it was"
    if found["level"] == found["height"]:
        return "suppressed"
    return f"level {found['level']} of {found['height']}"


def compare_columns(first: Outcome, second: Outcome) -> list[ColumnComparison]:
    """Put the attributes of two results side by side."""
    one = {a["name"]: a for a in first["attributes"]}
    two = {a["name"]: a for a in second["attributes"]}
    return [
        ColumnComparison(name, one.get(name), two.get(name)) for name in dict.fromkeys([*one, *two])
    ]


def verdict_words(first: Outcome, second: Outcome) -> str:
    """Say in a sentence which of two results loses less, and where."""
    a, b = first["loss"], second["loss"]
    if a is None or b is None or first["metric"] != second["metric"]:
        return "The two were not measured in the same way: compare them column by column."
    if abs(a - b) < 0.0005:
        return "Both lose about the same."
    better, worse = (first, second) if a < b else (second, first)
    said = f"Result {better['run']} loses less ({number(min(a, b))} against {number(max(a, b))})"
    apart = (better["suppression"] or 0) - (worse["suppression"] or 0)
    if apart > 0.0005:
        return f"{said}, but suppresses more records."
    return f"{said}{' and suppresses fewer records' if apart < -0.0005 else ''}."


def distribution_chart(line: ColumnComparison, first: Outcome, second: Outcome) -> dict[str, Any]:
    """Draw how the values of an attribute are distributed, before and in both results."""
    found = line.first or line.second
    labels = [label for label, _ in found["before"]] if found else []
    before = [share for _, share in found["before"]] if found else []
    series = [_bars("before", before, _BEFORE)]
    for outcome, told, colour in ((first, line.first, _FIRST), (second, line.second, _SECOND)):
        shares = dict(told["after"]) if told else {}
        values = [shares.get(label) for label in labels]
        series.append(_bars(headline(outcome), values, colour))
    return _bar_chart(labels, series)


def sizes_chart(first: Outcome, second: Outcome) -> dict[str, Any]:
    """Draw how many records are in groups of which size, in both results."""
    bands = sorted({(b["low"], b["high"]) for o in (first, second) for b in o["sizes"]})
    series = []
    for outcome, colour in ((first, _FIRST), (second, _SECOND)):
        by_band = {(b["low"], b["high"]): b["records"] for b in outcome["sizes"]}
        total = sum(by_band.values()) or 1
        shares: list[float | None] = [by_band.get(band, 0) / total for band in bands]
        series.append(_bars(headline(outcome), shares, colour))
    return _bar_chart([_range(low, high) for low, high in bands], series)


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _bars(name: str, shares: list[float | None] | list[float], colour: str) -> dict[str, Any]:
    data = [None if share is None else round(100 * share, 2) for share in shares]
    return {"name": name, "type": "bar", "data": data, "color": colour, "barGap": "8%"}


def _bar_chart(labels: list[str], series: list[dict[str, Any]]) -> dict[str, Any]:
    is_long = max((len(label) for label in labels), default=0) > 9 or len(labels) > 10
    return {
        "animation": False,
        # Its own description would take the place of the name that the chart is given.
        "aria": {"enabled": True, "label": {"enabled": False}, "decal": {"show": True}},
        "grid": {"left": 48, "right": 12, "top": 34, "bottom": 78 if is_long else 34},
        "tooltip": {"trigger": "axis"},
        "legend": {"top": 0, "left": 0, "textStyle": {"fontSize": 11, "color": INK}},
        "xAxis": {
            "type": "category",
            "data": labels,
            "axisLabel": {
                "rotate": 40 if is_long else 0,
                "width": 90,
                "overflow": "truncate",
                "hideOverlap": True,
                "color": INK,
                "fontSize": 11,
            },
        },
        "yAxis": {"type": "value", "axisLabel": {"formatter": "{value} %", "color": INK}},
        "series": series,
    }


class ComparisonView:
    """Compares two results attribute by attribute."""

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
        self._attribute: str | None = None
        self.draw: Any = ui.refreshable(self._draw)

    def seen(self) -> object:
        """Say what there is to be seen, to know when that is something else."""
        runs = self._explore.runs()
        pair = self._explore.compared(runs) if len(runs) > 1 else None
        return pair, [(outcome["run"], outcome["title"]) for outcome in runs]

    def _draw(self) -> None:
        runs = self._explore.runs()
        if len(runs) < 2:
            tag("p", "There is nothing to compare yet: it takes two results.", "m-0 muted")
            return
        numbers = self._explore.compared(runs)
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
        self._explore.remember(compare=pair)

    def _draw_facts(self, first: Outcome, second: Outcome) -> None:
        with scroll_area("Both results"), tag("table", "", "plain-table w-full"):
            _draw_header("", headline(first), headline(second))
            for (name, one), (_, two) in zip(
                result_cells(first), result_cells(second), strict=True
            ):
                _draw_row(name, one, two)

    def _draw_lines(self, first: Outcome, second: Outcome) -> None:
        found = compare_columns(first, second)
        if not found:
            tag("p", "Neither of them generalizes: there are no columns to compare.")
            return
        tag("h3", "Column by column", "text-base font-semibold m-0 mt-2")
        with scroll_area("Column by column"), tag("table", "", "plain-table w-full") as table:
            table.props('data-testid="comparison"')
            _draw_header("Column", headline(first), headline(second))
            for line in found:
                self._draw_line(line)
        names = [line.name for line in found]
        if self._attribute not in names:
            self._attribute = names[0]
        chooser = ui.select(names, value=self._attribute, label="Distribution of the column")
        chooser.classes("w-64 mt-2").props("outlined dense")
        line = next(line for line in found if line.name == self._attribute)
        chart = Chart(distribution_chart(line, first, second), "none").classes("w-full h-72")
        aria_label(chart.props('role="img"'), _distribution_words(line))

        def turn(name: str) -> None:
            self._attribute = name
            self.draw.refresh()

        chooser.on_value_change(lambda e: turn(e.value))

    def _draw_line(self, line: ColumnComparison) -> None:
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
        tag("h3", "Group sizes", "text-base font-semibold m-0 mt-2")
        tag("p", "Share of the records by the size of their group.", "m-0 muted text-sm")
        chart = Chart(sizes_chart(first, second), "none").classes("w-full h-64")
        chart.props('role="img" aria-label="Share of records by size of group"')


def _distribution_words(line: ColumnComparison) -> str:
    found = line.first or line.second
    top = sorted(found["before"], key=lambda pair: -pair[1])[:3] if found else []
    told = ", ".join(f"{label} {percent(share)}" for label, share in top)
    return f"Distribution of {line.name}; most frequent before: {told}"


def _draw_header(*headings: str) -> None:
    with tag("tr"):
        for heading in headings:
            tag("th", heading).props('scope="col"')


def _draw_row(name: str, *values: str) -> None:
    with tag("tr"):
        tag("th", name).props('scope="row"')
        for value in values:
            tag("td", value)
