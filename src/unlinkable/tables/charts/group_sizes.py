"""Group sizes: how many groups are how large."""

from __future__ import annotations

from math import floor, log2

import numpy as np
from numpy.typing import ArrayLike

from unlinkable.errors import ParameterError
from unlinkable.spelling import quantity
from unlinkable.tables.charts.chart import BLUE, ORANGE, Chart, Spec, draw, draw_nothing, mark_at
from unlinkable.tables.charts.shares import MOST_BINS, nice_step
from unlinkable.typing import CountArray

__all__ = ["draw_group_sizes"]

_TITLE = "How large the groups are"
_SKEWED = 10
"""A largest group of more than this many times the median makes the sizes run by factors."""


def draw_group_sizes(sizes: ArrayLike, *, k: int | None = None) -> Chart:
    """Draw how many groups have how many records, as a histogram.

    Sizes run by factors instead of steps if the largest group is more than ten times the median.
    If ``k`` is given, a line marks it, no bar crosses it, and the groups below it stand out. The
    chart holds one number for every range of sizes, and no records.

    Parameters
    ----------
    sizes
        The number of records of each group.
    k
        The least size that was promised.

    Raises
    ------
    ParameterError
        If a size or ``k`` is less than 1, or no whole number.

    Examples
    --------
    >>> chart = draw_group_sizes([2, 2, 2, 3, 5], k=2)
    >>> [(bar["sizes"], bar["groups"]) for bar in chart.spec["data"]["values"]]
    [('2', 3), ('3', 1), ('5', 1)]
    """
    counts = np.asarray(sizes)
    if k is not None and k < 1:
        raise ParameterError(f"k must be at least 1, got {k}")
    if not counts.size:
        return draw_nothing(_TITLE, "There are no groups")
    if not np.issubdtype(counts.dtype, np.integer) or counts.min() < 1:
        raise ParameterError("sizes of groups must be whole numbers, each at least 1")
    counts = counts.ravel().astype(np.int64)
    is_skewed = bool(counts.max() > _SKEWED * np.median(counts))
    edges = (_factors if is_skewed else _steps)(int(counts.min()), int(counts.max()), k)
    values = _count(counts, edges, k, shift=0.0 if is_skewed else 0.5)
    subtitle, description = _tell(counts, k)
    body = _histogram(values, k, is_skewed=is_skewed)
    return draw(_TITLE, [subtitle], description, body)


def _steps(least: int, most: int, k: int | None) -> CountArray:
    """Cut the sizes into ranges of equal length, one of which begins at k."""
    step = max(1, int(nice_step((most - least + 1) / MOST_BINS)))
    first = least if k is None else k + (least - k) // step * step
    edges = np.arange(first, most + step + 1, step, dtype=np.int64)
    return np.unique(np.maximum(edges, 1))


def _factors(least: int, most: int, k: int | None) -> CountArray:
    """Cut the sizes into ranges that grow by a factor of at most 2, one of which begins at k."""
    anchor = least if k is None else k
    per_doubling = min(max(floor(MOST_BINS / log2(most / least + 1)), 1), 4)
    below = np.ceil(per_doubling * log2(anchor / least))
    above = np.ceil(per_doubling * log2((most + 1) / anchor))
    exponents = np.arange(-max(below, 0), max(above, 0) + 1) / per_doubling
    edges = np.round(anchor * 2.0**exponents).astype(np.int64)
    return np.unique([least, *edges[edges > least], most + 1])


def _count(counts: CountArray, edges: CountArray, k: int | None, shift: float) -> list[Spec]:
    """Count groups and records by ranges of sizes, leaving out the ranges without any."""
    at = np.searchsorted(edges, counts, "right") - 1
    groups = np.bincount(at, minlength=len(edges))
    records = np.bincount(at, counts, len(edges)).astype(np.int64)
    return [
        {
            "sizes": f"{low:,}" if high - low == 1 else f"{low:,} to {high - 1:,}",
            "left": low - shift,
            "right": high - shift,
            "groups": int(groups[i]),
            "records": int(records[i]),
            "standing": "smaller than k" if k is not None and low < k else "large enough",
        }
        for i, (low, high) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        if groups[i]
    ]


def _tell(counts: CountArray, k: int | None) -> tuple[str, str]:
    """Say the most important numbers below the title, and to those who cannot see the chart."""
    n, records = quantity(len(counts), "group"), quantity(int(counts.sum()), "record")
    short = f"{n} with {records}; half of the groups have at most {int(np.median(counts)):,}"
    long = f"Histogram of {short}; the smallest has {counts.min():,}, the largest {counts.max():,}"
    if k is None:
        return short, f"{long}."
    below = int((counts < k).sum())
    against = f"{quantity(below, 'group') if below else 'none'} below k = {k:,}"
    return f"{short}; {against}", f"{long}; {against}."


def _histogram(values: list[Spec], k: int | None, *, is_skewed: bool) -> Spec:
    size = {
        "field": "left",
        "type": "quantitative",
        "title": "records in a group",
        "scale": {"type": "log", "nice": False} if is_skewed else {"zero": False},
        "axis": {"format": ",d", "tickMinStep": 1, "labelOverlap": True, "grid": False},
    }
    groups = {
        "field": "groups",
        "type": "quantitative",
        "title": "number of groups",
        "axis": {"format": ",d", "tickMinStep": 1},
    }
    bars = {
        "mark": {"type": "bar", "orient": "vertical", "stroke": "white", "strokeWidth": 0.5},
        "encoding": {
            "x": size,
            "x2": {"field": "right"},
            "y": groups,
            "y2": {"datum": 0},
            "color": _standing(k),
            "tooltip": [
                {"field": "sizes", "type": "nominal", "title": "records in a group"},
                {"field": "groups", "type": "quantitative", "format": ",d", "title": "groups"},
                {"field": "records", "type": "quantitative", "format": ",d", "title": "records"},
            ],
        },
    }
    marks = [] if k is None else mark_at(k if is_skewed else k - 0.5, f"k = {k:,}")
    return {"width": 480, "height": 260, "data": {"values": values}, "layer": [bars, *marks]}


def _standing(k: int | None) -> Spec:
    if k is None:
        return {"value": BLUE}
    scale = {"domain": ["large enough", "smaller than k"], "range": [BLUE, ORANGE]}
    return {"field": "standing", "type": "nominal", "scale": scale}
