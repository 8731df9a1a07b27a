"""Number spans: which numbers or dates a published text may stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from unlinkable.tables.taxonomies import ANY, Domain, Kind, Taxonomy, read_bounds, read_value
from unlinkable.typing import FloatArray

__all__ = ["EVERYTHING", "is_understood", "span", "spans_of"]

_BLANK = {
    Kind.NUMBER: (Domain(Kind.NUMBER, np.empty(0)),),
    Kind.DATE: tuple(Domain(Kind.DATE, np.empty(0, f"datetime64[{unit}]")) for unit in ("D", "us")),
}
"""Domains without values, to read numbers and dates by."""

EVERYTHING = (-np.inf, np.inf, 0)
_MISSING = (0.0, 0.0, 2)
"""Spans of numbers: the two ends, and 0 for an interval, 1 for a single number, 2 for none."""


def is_understood(text: str, kind: Kind, taxonomy: Taxonomy | None) -> bool:
    """Whether a text of a column of numbers or dates means any of them, or openly all.

    Examples
    --------
    >>> [is_understood(text, Kind.NUMBER, None) for text in ("7", "[5-9)", "*", "7 EUR")]
    [True, True, True, False]
    """
    return text == ANY or span(text, kind, taxonomy) is not EVERYTHING


def spans_of(domain: Domain, taxonomy: Taxonomy | None, kind: Kind) -> FloatArray:
    """Give the ends of what each value of a column shows, and whether it is a single number."""
    if domain.kind is kind:
        numbers = domain.as_numbers()
        found = np.column_stack([numbers, numbers, np.ones(numbers.size)])
    else:
        texts = [domain.text_of(value) for value in domain.values]
        found = np.array([span(text, kind, taxonomy) for text in texts]).reshape(-1, 3)
    return np.concatenate([found, [_MISSING]]) if domain.has_missing else found


def span(text: str, kind: Kind, taxonomy: Taxonomy | None) -> tuple[float, float, int]:
    """Give the two ends of what a text means, and 0 for an interval, 1 for a single number."""
    if taxonomy is not None and text in taxonomy.named and text != ANY:
        return _span_of_node(taxonomy, *taxonomy.named[text])
    if (bounds := read_bounds(kind, text)) is not None:
        ends = [None if end is None else _number(kind, end) for end in bounds]
        if all((e is None) == (b is None) for e, b in zip(ends, bounds, strict=True)):
            low, high = ends
            return -np.inf if low is None else low, np.inf if high is None else high, 0
    value = _number(kind, text)
    return EVERYTHING if value is None else (value, value, 1)


def _span_of_node(taxonomy: Taxonomy, level: int, node: int) -> tuple[float, float, int]:
    """Give the ends of a node: those that a rule says, or those of its values."""
    nodes, numbers = taxonomy.levels[level], taxonomy.domain.as_numbers()
    if (edges := nodes.edges) is not None:
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        low, high = (_as_float(side[node]) for side in (edges.lower, edges.upper))
        low = -np.inf if is_first and edges.open_below else low
        return low, np.inf if is_last and edges.open_above else high, 0
    first, end = int(nodes.starts[node]), int(nodes.starts[node + 1])
    return float(numbers[first]), float(numbers[end]) if end < numbers.size else np.inf, 0


def _number(kind: Kind, text: str) -> float | None:
    for domain in _BLANK[kind]:
        if (value := read_value(domain, text)) is not None:
            return _as_float(value)
    return None


def _as_float(value: Any) -> float:
    is_date = isinstance(value, np.datetime64)
    domain = Domain(Kind.DATE if is_date else Kind.NUMBER, np.array([value]))
    return float(domain.as_numbers()[0])
