"""A report as one page of HTML that opens anywhere: no scripts, nothing from elsewhere.

The page forbids itself to load anything, so that it stays what it is even if a value that was
published looks like markup and an escape were missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from unlinkable.report.document import Report

__all__ = ["COLOURS", "to_html"]

COLOURS: Mapping[str, str] = {
    "ground": "#ffffff",
    "panel": "#f5f7f9",
    "line": "#d5dbe1",
    "ink": "#1a2530",
    "quiet": "#4d5a66",
    "accent": "#1d5a9e",
    "track": "#e3e8ed",
    "before": "#75808b",
    "after": "#1d5a9e",
    "good": "#14592f",
    "good-ground": "#e6f3ea",
    "bad": "#8f1616",
    "bad-ground": "#fbeaea",
    "caution": "#6b4200",
    "caution-ground": "#fdf3dd",
    "neutral": "#3c4955",
    "neutral-ground": "#eaeef2",
}
"""The colours of a page, by use.

The ratio of luminances is at least 4.5 for texts and 3 for bars, as WCAG 2.2 asks for (AA).
"""

_PLACE = "unlinkable.report"
_LONGEST = 400
"""Longer words are cut in charts and tables: a value may be a whole book."""


def to_html(report: Report) -> str:
    """Write a report as a page. All texts are escaped."""
    return _template().render(report=report, places=_places(report), style=_style())


@cache
def _template() -> Template:
    return _environment().get_template("page.html")


def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_read),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["percent"] = _percent
    made.filters["kind"] = lambda block: type(block).__name__
    made.filters["short"] = _short
    return made


def _read(name: str) -> str:
    return files(_PLACE).joinpath(name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    colours = "".join(f"--{name}:{value};" for name, value in COLOURS.items())
    return f":root{{{colours}}}\n{_read('page.css')}"


def _percent(share: float) -> str:
    """Write the length of a bar: what is not nothing can be seen."""
    return f"{max(share * 100, 0.4) if share > 0 else 0:.2f}".rstrip("0").rstrip(".")


def _places(report: Report) -> list[str]:
    """Make names for the headings of sections that can be linked to, each of them once.

    Examples
    --------
    >>> from unlinkable.report import Report, Section
    >>> _places(Report("T", "", [], [Section("What?", []), Section("What!", [])]))
    ['what', 'what-2']
    """
    places: list[str] = []
    for section in report.sections:
        name = re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-") or "section"
        n = sum(re.fullmatch(rf"{name}(-\d+)?", place) is not None for place in places)
        places.append(f"{name}-{n + 1}" if n else name)
    return places


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
