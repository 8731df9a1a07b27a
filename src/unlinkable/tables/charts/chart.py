"""Chart: a picture that is not drawn yet, and how it is saved.

A chart is a Vega-Lite specification with its numbers inside. vl-convert draws it with the fonts and
the JavaScript that come with it: nothing is fetched, and a page that was saved fetches nothing.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from attrs import frozen

from unlinkable.errors import DataError, unknown
from unlinkable.extras import load_extra
from unlinkable.tables.data import replaced_whole

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "PERCENT",
    "ROUNDING",
    "Chart",
    "Spec",
    "as_labels",
    "draw",
    "draw_nothing",
    "mark_at",
    "require_painter",
]

Spec = dict[str, Any]
"""A Vega-Lite specification, or a part of one."""

_SUFFIXES = (".svg", ".png", ".html", ".json")

_SCALE = 2.0
"""Pixels of a PNG for every unit of the chart: sharp on screens and in print."""

_ACTIONS = {"export": True, "source": False, "compiled": False, "editor": False}
"""The menu of a page may save the picture; it must not send the numbers to a public editor."""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<script>{library}</script>
</head>
<body>
<div id="chart">{picture}</div>
<script>vegaEmbed("#chart", {spec}, {options}).catch(console.error);</script>
</body>
</html>
"""


@frozen(repr=False)
class Chart:
    """A picture of numbers that are added up: it holds no records.

    In a notebook it shows itself.

    Attributes
    ----------
    text
        The Vega-Lite specification as JSON.

    Examples
    --------
    >>> from unlinkable.tables.charts import draw_attribute_loss
    >>> chart = draw_attribute_loss({"age": 0.25, "zip": 0.5})
    >>> chart
    Chart('What each attribute lost')
    >>> print(chart.description)
    Bar chart of the loss of 2 attributes: zip 50.0%, age 25.0%.
    """

    text: str

    @classmethod
    def of(cls, spec: Mapping[str, object]) -> Self:
        """Take a specification as it is now."""
        return cls(json.dumps(spec, ensure_ascii=False, allow_nan=False))

    @property
    def spec(self) -> Spec:
        """The Vega-Lite specification, for any tool that reads such."""
        spec: Spec = json.loads(self.text)
        return spec

    @property
    def title(self) -> str:
        """What the chart is about."""
        return str(self.spec["title"]["text"])

    @property
    def description(self) -> str:
        """What the chart shows, for those who cannot see it."""
        return str(self.spec["description"])

    def svg(self) -> str:
        """Draw the chart as an SVG image."""
        svg: str = _painter().vegalite_to_svg(self.text, allowed_base_urls=[])
        told = f'<svg role="img" aria-label="{escape(self.description)}" '
        return svg.replace("<svg ", told, 1)

    def png(self) -> bytes:
        """Draw the chart as a PNG image."""
        png: bytes = _painter().vegalite_to_png(self.text, scale=_SCALE, allowed_base_urls=[])
        return png

    def html(self) -> str:
        """Write a page that shows the chart, with more on what the mouse points at.

        All that it needs is in it, and its policy forbids it to load anything.
        """
        spec = {key: part for key, part in self.spec.items() if key != "$schema"}
        # The interpreter (ast) does without code made from texts, which the policy forbids.
        options = {"mode": "vega-lite", "renderer": "svg", "ast": True, "actions": _ACTIONS}
        return _PAGE.format(
            title=escape(self.title),
            library=_painter().javascript_bundle(),
            picture=self.svg(),
            spec=_in_script(spec),
            options=_in_script(options),
        )

    def altair(self) -> Any:
        """Give the chart as an altair object, so that its look can be changed."""
        altair = load_extra("altair", "charts", "charts")
        return altair.Chart.from_dict(self.spec)

    def save(self, path: str | Path) -> Path:
        """Write the chart to a file, whole or not at all, in the format of its suffix.

        Parameters
        ----------
        path
            Where: a name that ends in ``.svg``, ``.png``, ``.html`` or ``.json`` (the
            specification). A file that is there is replaced.

        Raises
        ------
        DataError
            If the format is unknown, or the place cannot be written.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in _SUFFIXES:
            raise DataError(
                f"{path}: {unknown('format of charts', path.suffix, _SUFFIXES)}; give the file a "
                "name with one of these endings"
            )
        with replaced_whole(path) as part:
            part.write_bytes(self._content(suffix))
        return path

    def __repr__(self) -> str:
        return f"Chart({self.title!r})"

    def _content(self, suffix: str) -> bytes:
        if suffix == ".png":
            return self.png()
        if suffix == ".svg":
            return self.svg().encode()
        if suffix == ".html":
            return self.html().encode()
        return json.dumps(self.spec, ensure_ascii=False, indent=2).encode()

    def _repr_html_(self) -> str:
        """Show the chart in a notebook, as a picture that can run nothing."""
        picture = b64encode(self.svg().encode()).decode()
        source = f"data:image/svg+xml;base64,{picture}"
        return f'<img alt="{escape(self.description)}" src="{source}"/>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.description}


def require_painter() -> None:
    """See that the library that draws is installed.

    Raises
    ------
    MissingExtraError
        If it is not.
    """
    _painter()


def _painter() -> ModuleType:
    return load_extra("vl_convert", "charts", "charts")


def _in_script(value: object) -> str:
    """Write a value so that no text in it can end the script it stands in."""
    text = json.dumps(value)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


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


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub("\ufffd", text)
