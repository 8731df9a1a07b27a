"""What published texts give away: their ranges, their ends, and the nodes they lie under."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define

from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import read_bound, read_bounds
from unlinkable.tables.taxonomies.published_values import Texts, as_series, node_texts, read_range
from unlinkable.tables.taxonomies.taxonomy import ANY, Level, Taxonomy
from unlinkable.typing import BoolArray

__all__ = ["PublishedText", "ends_of", "given_away", "nodes_above"]

Bounds = tuple[Any, Any]
"""Where a range of numbers or dates begins and ends; None if it is open there."""


@define(frozen=True)
class PublishedText:
    """A published text.

    Attributes
    ----------
    text
        As it is published.
    lo, hi
        Its range of codes.
    level
        The lowest level of the taxonomy that it gives away.
    bounds
        Its ends, if it is about numbers or dates.
    """

    text: str
    lo: int
    hi: int
    level: int
    bounds: Bounds = (None, None)


def given_away(
    taxonomy: Taxonomy, texts: Texts, column: str
) -> tuple[list[PublishedText], bool, bool]:
    """Read published texts; also say whether the missing value and the root are among them."""
    given: list[PublishedText] = []
    has_missing = has_root = False
    for text in as_series(texts).unique(maintain_order=True).to_list():
        lo, hi = read_range(taxonomy, text, column)
        if text in (ANY, taxonomy.root):
            has_root = True
        elif lo == taxonomy.domain.missing:
            has_missing = True
        else:
            given += _given(taxonomy, text, lo, hi)
    return given, has_missing, has_root


def nodes_above(taxonomy: Taxonomy, given: Sequence[PublishedText]) -> list[BoolArray]:
    """Mark on every level the nodes that something published lies under."""
    marks = [np.zeros(level.n_nodes, bool) for level in taxonomy.levels]
    lo = np.array([g.lo for g in given], np.int32)
    hi = np.array([g.hi for g in given], np.int32)
    lowest = np.maximum([g.level for g in given], taxonomy.cover(lo, hi)) if given else lo
    for i in range(1, taxonomy.height):
        marks[i][taxonomy.levels[i].blocks[lo[lowest <= i]]] = True
    return marks


def ends_of(
    taxonomy: Taxonomy, given: Sequence[PublishedText], nodes: Sequence[BoolArray]
) -> dict[int, list[Any]]:
    """Give the codes where something published, or a labelled node above it, begins or ends.

    With each code come the published ends and edges that lie at or before its value and after the
    value of the code before: none for categories, and where a range is open.
    """
    ranges = [(g.lo, g.hi, g.bounds) for g in given]
    for level, marks in zip(taxonomy.levels[1:-1], nodes[1:], strict=False):
        if level.labels is None and level.edges is None:
            continue
        for node in np.flatnonzero(marks).tolist():
            bounds = _node_bounds(taxonomy.domain, level, node)
            ranges.append((int(level.starts[node]), int(level.starts[node + 1]), bounds))
    ends: dict[int, list[Any]] = {}
    for lo, hi, bounds in ranges:
        for code, bound in zip((lo, hi), bounds, strict=True):
            ends.setdefault(code, []).extend([] if bound is None else [bound])
    return ends


def _given(taxonomy: Taxonomy, text: str, lo: int, hi: int) -> list[PublishedText]:
    """State what a published text gives away; a set gives away each of its members."""
    domain = taxonomy.domain
    if text in taxonomy.named:
        level, node = taxonomy.named[text]
        return [
            PublishedText(text, lo, hi, level, _node_bounds(domain, taxonomy.levels[level], node))
        ]
    if domain.kind is Kind.CATEGORY:
        return [PublishedText(domain.text(code), code, code + 1, 0) for code in range(lo, hi)]
    ends = read_bounds(domain.kind, text)
    if ends is None:
        return [PublishedText(text, lo, hi, 0, _value_bounds(domain, lo, hi))]
    lower, upper = (None if end is None else read_bound(domain, end) for end in ends)
    return [PublishedText(text, lo, hi, _level_of(taxonomy, text, lo, hi), (lower, upper))]


def _level_of(taxonomy: Taxonomy, text: str, lo: int, hi: int) -> int:
    """Find the lowest level that calls a node by this interval, or has a node that covers it."""
    for i, level in enumerate(taxonomy.levels[1:-1], start=1):
        if level.edges is None or level.labels is not None:
            continue
        node = level.blocks[lo : lo + 1]
        if level.starts[node[0]] == lo and node_texts(taxonomy.domain, level, node) == [text]:
            return i
    return int(taxonomy.cover(np.array([lo]), np.array([hi]))[0])


def _value_bounds(domain: Domain, lo: int, hi: int) -> Bounds:
    first = domain.values[lo]
    after = read_bound(domain, domain.text_after(hi - 1))
    return (first if domain.kind is Kind.DATE else first.item()), after


def _node_bounds(domain: Domain, level: Level, node: int) -> Bounds:
    if domain.kind is Kind.CATEGORY:
        return None, None
    if (edges := level.edges) is None:
        # Labels without edges come from a taxonomy that was given with all its values.
        return _value_bounds(domain, int(level.starts[node]), int(level.starts[node + 1]))
    is_open = node == 0 and edges.open_below, node == len(edges.upper) - 1 and edges.open_above
    ends = edges.lower[node], edges.upper[node]
    if domain.kind is Kind.NUMBER:
        ends = ends[0].item(), ends[1].item()
    return None if is_open[0] else ends[0], None if is_open[1] else ends[1]
