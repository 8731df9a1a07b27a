"""Two results side by side, attribute by attribute."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from unlinkable.studio.contracts import AttributeOutcome, Outcome, SizeBand
from unlinkable.studio.pages.chart import INK
from unlinkable.studio.pages.exploring.results import headline
from unlinkable.studio.pages.said import number, percent

__all__ = ["Line", "band_words", "distribution_chart", "lines", "sizes_chart", "verdict_words"]

_BEFORE, _FIRST, _SECOND = "#9a9a9a", "#2b84bd", "#c77700"


@frozen
class Line:
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
        return f"{level}; {after} different values in place of {before}"

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
        return "not told at all"
    return f"level {found['level']} of {found['height']}"


def lines(first: Outcome, second: Outcome) -> list[Line]:
    """Put the attributes of two results side by side."""
    one = {a["name"]: a for a in first["attributes"]}
    two = {a["name"]: a for a in second["attributes"]}
    return [Line(name, one.get(name), two.get(name)) for name in dict.fromkeys([*one, *two])]


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
        return f"{said}, but leaves out more records."
    return f"{said}{' and leaves out fewer records' if apart < -0.0005 else ''}."


def distribution_chart(line: Line, first: Outcome, second: Outcome) -> dict[str, Any]:
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


def band_words(band: SizeBand, total: int) -> str:
    """Say how many records are in groups of a size."""
    share = percent(band["records"] / total if total else None)
    return f"{_range(band['low'], band['high'])}: {number(band['groups'])} groups, {share}"


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
