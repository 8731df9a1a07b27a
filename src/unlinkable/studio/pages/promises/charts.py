"""The small chart of what a parameter would cost."""

from __future__ import annotations

from typing import Any

from unlinkable.studio.contracts import Effect
from unlinkable.studio.pages.chart import INK
from unlinkable.studio.pages.said import percent

__all__ = ["effect_chart", "effect_rows", "effect_sentence"]


def effect_sentence(effect: Effect, now: float) -> str:
    """Say what the present value costs, as far as it was tried."""
    words = dict(zip(map(_key, effect["values"]), effect["words"], strict=True))
    said = words.get(_key(now))
    if said is None:
        return ""
    sentence = f"{said[:1].upper()}{said[1:]}."
    if _is_hopeless(effect):
        sentence += " Without coarser values, practically all would be."
    return sentence


def effect_rows(effect: Effect) -> list[tuple[str, str, str]]:
    """Give the numbers of the chart as a table: value, coarser, as they are."""
    told = zip(effect["values"], effect["coarse"], effect["raw"], strict=True)
    return [(str(value), percent(coarse), percent(raw)) for value, coarse, raw in told]


def effect_chart(effect: Effect, now: float, limit: float) -> dict[str, Any]:
    """Draw the share of records left out over values of the parameter."""
    names = [str(value) for value in effect["values"]]
    here = [name for name, v in zip(names, effect["values"], strict=True) if _key(v) == _key(now)]
    coarse = _series("coarser values", effect["coarse"], "circle", "solid", "#2b84bd")
    raw = _series("values as they are", effect["raw"], "diamond", "dashed", "#c77700")
    coarse["markLine"] = _marks(here, limit)
    return {
        "animation": False,
        "grid": {"left": 44, "right": 40, "top": 26, "bottom": 44 if _is_hopeless(effect) else 66},
        "tooltip": {"trigger": "axis"},
        "legend": {
            "show": not _is_hopeless(effect),
            "bottom": 0,
            "left": 0,
            "itemGap": 8,
            "itemWidth": 18,
            "textStyle": {"fontSize": 11, "color": INK},
        },
        "xAxis": {
            "type": "category",
            "data": names,
            "axisTick": {"alignWithLabel": True},
            "axisLabel": {"color": INK},
            "name": effect["parameter"],
            "nameLocation": "middle",
            "nameGap": 26,
            "nameTextStyle": {"color": INK},
        },
        "yAxis": {
            "type": "value",
            "min": 0,
            "max": _top(effect, limit),
            "axisLabel": {"formatter": "{value} %", "color": INK},
            "splitLine": {"lineStyle": {"color": "#8883"}},
        },
        "series": [coarse] if _is_hopeless(effect) else [coarse, raw],
    }


def _marks(here: list[str], limit: float) -> dict[str, Any]:
    """Mark the present value, and how much may be left out."""
    lines: list[dict[str, Any]] = [
        {"xAxis": name, "label": {"formatter": f"now: {name}", "position": "end"}} for name in here
    ]
    if limit > 0:
        lines.append({"yAxis": 100 * limit, "label": {"formatter": "limit", "position": "end"}})
    return {
        "symbol": "none",
        "data": lines,
        "lineStyle": {"color": INK, "type": "dotted", "width": 1.5},
        "label": {"color": INK},
    }


def _is_hopeless(effect: Effect) -> bool:
    """Whether nearly nothing is left as long as values stay as they are: no need to draw that."""
    known = [share for share in effect["raw"] if share is not None]
    return bool(known) and min(known) > 0.98


def _top(effect: Effect, limit: float) -> int:
    """Choose where the axis ends, so that small shares can be told apart."""
    shares = effect["coarse"] if _is_hopeless(effect) else [*effect["coarse"], *effect["raw"]]
    most = 100 * max([limit, *(share for share in shares if share is not None)])
    return next(top for top in (5, 10, 20, 40, 60, 80, 100) if most <= top * 0.98 or top == 100)


def _series(
    name: str, shares: list[float | None], symbol: str, line: str, colour: str
) -> dict[str, Any]:
    return {
        "name": name,
        "type": "line",
        "symbol": symbol,
        "symbolSize": 7,
        "data": [None if share is None else round(100 * share, 2) for share in shares],
        "lineStyle": {"type": line, "width": 2},
        "color": colour,
    }


def _key(value: float | int | str) -> str:
    return value if isinstance(value, str) else f"{float(value):.9g}"
