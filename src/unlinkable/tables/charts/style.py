"""What all charts have in common: colours, fonts, titles, and names that break nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unlinkable.tables.charts.chart import Chart, Spec

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "PERCENT",
    "ROUNDING",
    "as_labels",
    "draw",
    "draw_nothing",
    "mark_at",
    "number_of",
]

BLUE = "#0072B2"
"""The colour of what the chart is about."""

ORANGE = "#D55E00"
"""The colour of what to look at. Everybody can tell it from the blue (Okabe and Ito 2008)."""

GREY = "#949494"
"""The colour of what is there for comparison."""

PERCENT = "~%"
"""How shares are written on an axis: 0.125 as 12.5%."""

ROUNDING = 1e-9
"""How far additions may push a share beyond 0 or 1."""

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that have no place in an SVG file."""

_LOOK: Spec = {
    "background": "white",
    "font": "sans-serif",
    "axis": {"labelFontSize": 12, "labelLimit": 240, "titleFontSize": 12, "titlePadding": 8},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
    "legend": {"labelFontSize": 12, "orient": "top", "symbolSize": 120, "title": None},
    "text": {"fontSize": 12},
    "title": {
        "anchor": "start",
        "fontSize": 16,
        "offset": 14,
        "subtitleColor": "#444444",
        "subtitleFontSize": 12,
        "subtitlePadding": 6,
    },
    "view": {"stroke": None},
}


def draw(title: str, subtitle: Sequence[str], description: str, body: Spec) -> Chart:
    """Make a chart in the look of the house. The description is for those who cannot see it."""
    return Chart.of(
        {
            "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
            "description": _printable(description),
            "title": {"text": _printable(title), "subtitle": [_printable(x) for x in subtitle]},
            **body,
            "config": _LOOK,
        }
    )


def draw_nothing(title: str, reason: str) -> Chart:
    """Make a chart that says why there is nothing to see."""
    return draw(
        title,
        (),
        f"An empty chart: {reason}.",
        {
            "width": 420,
            "height": 60,
            "data": {"values": [{"reason": reason}]},
            "mark": {"type": "text", "color": "#444444"},
            "encoding": {"text": {"field": "reason", "type": "nominal"}},
        },
    )


def as_labels(texts: Iterable[str]) -> list[str]:
    r"""Make texts fit for a picture, and tell those apart that would look the same.

    They go into the data of a chart, never into the names of its fields.

    Examples
    --------
    >>> as_labels(["a\x00b", "a\x01b", "(missing)", "(missing)"])
    ['a\ufffdb', 'a\ufffdb (2)', '(missing)', '(missing) (2)']
    """
    taken: set[str] = set()
    labels = []
    for text in texts:
        label = plain = _printable(text)
        n = 1
        while label in taken:
            n += 1
            label = f"{plain} ({n})"
        taken.add(label)
        labels.append(label)
    return labels


def mark_at(x: float, label: str, field: str = "left") -> list[Spec]:
    """Mark a place on the x axis, which shows ``field``, with a dashed line and a name."""
    data = {"values": [{field: x, "label": label}]}
    place = {"field": field, "type": "quantitative"}
    line = {"type": "rule", "strokeDash": [4, 3], "color": "black"}
    name = {"type": "text", "baseline": "bottom", "y": -3}
    text = {"field": "label", "type": "nominal"}
    return [
        {"data": data, "mark": line, "encoding": {"x": place}},
        {"data": data, "mark": name, "encoding": {"x": place, "text": text}},
    ]


def number_of(n: int, noun: str) -> str:
    """Write how many there are.

    Examples
    --------
    >>> number_of(1, "group"), number_of(1200, "group")
    ('1 group', '1,200 groups')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub("\ufffd", text)
