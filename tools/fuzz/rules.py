"""Taxonomies, worked out without the library: the nodes above a value, from fine to coarse."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import floor

import unlinkable as ul
from tools.fuzz.values import Value, as_text, is_missing, number

__all__ = ["Rule", "dates", "draw_rule", "flat", "intervals", "mask", "tree", "unknown"]


@dataclass(frozen=True)
class Rule:
    """A taxonomy: what the library is given, and the label of every value on each level.

    Attributes
    ----------
    given
        A taxonomy of the library; None leaves it to the library.
    levels
        For every level between values and root a label for each value; None if only the library
        knows.
    """

    written: str
    given: object | None = None
    levels: tuple[Mapping[Value, str], ...] | None = ()

    def labels(self, value: Value) -> list[str]:
        """Give the nodes above a value, without the root."""
        return [level[value] for level in self.levels or () if value in level]


def flat() -> Rule:
    """No level between value and root."""
    return Rule("flat", ul.Flat())


def unknown(*, groups: int | None = None) -> Rule:
    """One that the library makes from the values."""
    return Rule("auto", None if groups is None else ul.Auto(groups=groups), None)


def intervals(widths: Sequence[int], values: Sequence[Value], ends: tuple[int, int] | None) -> Rule:
    """Intervals of whole numbers, with open ends if there are some."""
    low, high = ends or (None, None)
    start = low or 0
    levels = []
    for width in widths:
        level: dict[Value, str] = {}
        for value in values:
            place = number(value)
            if place is None:
                continue
            lower = floor((place - start) / width) * width + start
            level[value] = _between(place, lower, width, low, high)
        levels.append(level)
    given = ul.Intervals(*widths, **({} if ends is None else {"low": low, "high": high}))
    return Rule(f"intervals{list(widths)}{ends or ''}", given, tuple(levels))


def _between(place: Fraction, lower: int, width: int, low: int | None, high: int | None) -> str:
    if low is not None and place < low:
        return f"<{low}"
    if high is not None and place >= high:
        return f">={high}"
    upper = lower + width if high is None else min(lower + width, high)
    return f"[{lower}-{upper})"


def mask(length: int, values: Sequence[Value]) -> Rule:
    """Characters hidden from the right, one more on each level."""
    levels = []
    for keep in range(length - 1, 0, -1):
        texts = {value: str(value).ljust(length) for value in values if not is_missing(value)}
        levels.append({value: text[:keep] + "*" * (length - keep) for value, text in texts.items()})
    return Rule(f"mask:{length}", ul.Mask(length), tuple(levels))


def tree(nested: Mapping[str, object]) -> Rule:
    """A tree of texts: tables of tables, down to lists of values, all of the same depth."""
    paths: dict[Value, list[str]] = {}

    def walk(node: object, above: list[str]) -> None:
        if isinstance(node, Mapping):
            for label, inner in node.items():
                walk(inner, [label, *above])
        elif isinstance(node, list):
            for value in node:
                paths[value] = above

    walk(nested, [])
    depth = max(len(path) for path in paths.values())
    levels = [{value: path[level] for value, path in paths.items()} for level in range(depth)]
    return Rule(f"tree:{nested}", ul.Tree(nested), tuple(levels))


def dates(parts: Sequence[str], values: Sequence[Value]) -> Rule:
    """Days by the parts of the calendar that hold them."""
    days = [value for value in values if isinstance(value, date)]
    levels: list[dict[Value, str]] = [{day: _calendar(part, day) for day in days} for part in parts]
    return Rule(f"dates{list(parts)}", ul.Dates(*parts), tuple(levels))


def _calendar(part: str, day: date) -> str:
    year, week, _ = day.isocalendar()
    return {
        "day": day.isoformat(),
        "week": f"{year}-W{week:02}",
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
        "year": f"{day.year:04}",
        "decade": f"{day.year // 10 * 10:04}s",
    }[part]


def draw_rule(r: random.Random, kind: str, domain: Sequence[Value]) -> Rule:
    """Draw a rule that suits a column of a kind."""
    if r.random() < 0.25:
        return r.choice([flat(), unknown(), unknown(groups=r.randint(2, 4))])
    if kind in ("int", "float"):
        widths = r.choice([[5], [2, 10], [5, 10, 20], [3, 6, 24], [100]])
        ends = r.choice([None, None, (20, 50), (0, 40)])
        if ends is not None and (ends[1] - ends[0]) % widths[-1]:
            ends = None
        return intervals(widths, domain, ends)
    if kind == "date":
        choices = [["month", "year"], ["quarter"], ["year", "decade"], ["week"]]
        return dates(r.choice(choices), domain)
    if kind == "code":
        return mask(max(len(str(value)) for value in domain), domain)
    if kind == "text" and len(domain) > 1 and all(isinstance(value, str) for value in domain):
        return tree(_grown(r, [text for value in domain if (text := as_text(value)) is not None]))
    return flat()


def _grown(r: random.Random, texts: list[str]) -> dict[str, object]:
    texts = sorted(texts)
    r.shuffle(texts)
    cut = r.randint(1, len(texts) - 1)
    left, right = texts[:cut], texts[cut:]
    if r.random() < 0.5 or len(right) < 2:
        return {"Left": left, "Right": right}
    half = r.randint(1, len(right) - 1)
    return {"Left": {"Low": left}, "Right": {"Middle": right[:half], "High": right[half:]}}
