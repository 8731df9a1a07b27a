"""What is said of results, and the chart of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unlinkable.studio.contracts import Outcome
from unlinkable.studio.pages.chart import INK
from unlinkable.studio.pages.said import counted, duration, number, percent

__all__ = ["RISKS", "cells", "drawable", "headline", "risk_of", "scatter", "verdict"]

_GOOD, _STALE, _BROKEN, _BEFORE = "#2b84bd", "#8b8b8b", "#c2452b", "#c77700"


def headline(outcome: Outcome) -> str:
    """Name a result."""
    return f"{outcome['run']}. {outcome['title']}"


def verdict(outcome: Outcome) -> tuple[str, str]:
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
    "highest": "highest risk of a record",
    "average": "average risk of a record",
    "attribute": "surest guess of a sensitive value",
}
"""What risks there are, by the name that they have in outcomes."""


def risk_of(outcome: Outcome, when: str = "after", which: str = "highest") -> float | None:
    """Give a risk of the records, before or after."""
    exposure = outcome["exposure"] if when == "after" else outcome["exposure_before"]
    found = (exposure or {}).get(which)
    return None if found is None else float(found)


def cells(outcome: Outcome) -> list[tuple[str, str]]:
    """Give what a table of results says: the heading of a column, and what stands in it."""
    release = outcome["release"]
    mark, words = verdict(outcome)
    left_out = counted(int(release.get("suppressed") or 0), "record")
    before, after = risk_of(outcome, "before"), risk_of(outcome)
    risk = "not counted" if after is None else f"{percent(before)} → {percent(after)}"
    return [
        ("Promises", f"{mark} {words}"),
        ("Left out", f"{percent(outcome['suppression'])} ({left_out})"),
        ("Loss", number(outcome["loss"]) if outcome["loss"] is not None else "not measured"),
        ("Highest risk", risk),
        ("Groups", number(release.get("groups"))),
        ("Time", duration(release.get("seconds"))),
    ]


def drawable(outcomes: Sequence[Outcome], which: str = "highest") -> list[Outcome]:
    """Give the results that have both numbers."""
    return [o for o in outcomes if o["loss"] is not None and risk_of(o, which=which) is not None]


def scatter(
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
        "xAxis": _axis("what is lost →", "middle", 28),
        "yAxis": {**_axis(RISKS[which], "end", 16, "left"), "axisLabel": labels},
        "series": series,
    }


_TOOLTIP = "{b}<br>loss and risk in %: {c}"
"""A template, whose parts are escaped; what a function gives would be read as HTML."""


def _point(outcome: Outcome, is_chosen: bool, which: str) -> dict[str, Any]:
    risk = risk_of(outcome, which=which) or 0.0
    is_broken = verdict(outcome)[0] == "×"  # noqa: RUF001
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
