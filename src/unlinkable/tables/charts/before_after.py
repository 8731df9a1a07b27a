"""Before and after: what the original says of each attribute, and what the release says."""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.errors import SchemaError, UnsupportedError, unknown
from unlinkable.spelling import quantity
from unlinkable.tables.charts.chart import (
    BLUE,
    GREY,
    PERCENT,
    Chart,
    Spec,
    as_labels,
    draw,
    draw_nothing,
)
from unlinkable.tables.charts.shares import Shares, shares_of
from unlinkable.tables.metrics.base import Generalized, Perturbed, Published

__all__ = ["draw_before_after"]

_TITLE = "What the attributes say before and after"
_BEFORE, _AFTER = "original", "release"
_SUBTITLE = [
    "Share of the records with each value. A published range counts evenly for all its values.",
    "This chart shows the original: it stays with the holder of the data and is not published.",
]


def draw_before_after(published: Published, columns: Sequence[str] | None = None) -> Chart:
    """Draw how often each value occurs in the original and in a release, a panel per attribute.

    A group that shows a range counts evenly for every value of the range. Many numbers are told by
    at most 30 ranges; of many categories the 20 most frequent ones are told, and the others added
    up. Shares after are shares of the records that were published.

    The chart holds one pair of numbers for every value or range, and no records. But it shows how
    values are distributed in the **original**: it stays with the holder of the data. A value that
    one person alone has is a bar of its own.

    Parameters
    ----------
    published
        A generalized or a perturbed release beside its original.
    columns
        The columns to draw; by default the quasi-identifying ones of a generalized release, and all
        published ones of a perturbed release.

    Raises
    ------
    SchemaError
        If a column was not published.
    UnsupportedError
        If the release is of another kind, where values are as they were.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.metrics.base import Perturbed
    >>> people = as_table({"blood": ["0", "0", "A", "B"]}, quasi="blood")
    >>> swapped = as_table({"blood": ["0", "A", "A", "A"]}, quasi="blood").frame
    >>> chart = draw_before_after(Perturbed(people, swapped, None))
    >>> [panel["title"]["text"] for panel in chart.spec["concat"]]
    ['blood']
    """
    if not isinstance(published, Generalized | Perturbed):
        raise UnsupportedError(
            f"a {published.kind} release shows values as they were: there is no before and after "
            "to draw; draw a generalized or a perturbed release"
        )
    names = _chosen(published, columns)
    if not published.n_records:
        return draw_nothing(_TITLE, "The release has no records")
    if not names:
        return draw_nothing(_TITLE, "The release has no attributes")
    panels = [
        _panel(label, shares_of(published, name))
        for label, name in zip(as_labels(names), names, strict=True)
    ]
    return draw(
        _TITLE,
        _SUBTITLE,
        f"Bars of the shares of values in the original and in the release, for "
        f"{quantity(len(names), 'attribute')}: {', '.join(names)}.",
        {"columns": 2, "concat": panels, "resolve": {"scale": {"color": "shared"}}},
    )


def _chosen(published: Generalized | Perturbed, columns: Sequence[str] | None) -> Sequence[str]:
    is_generalized = isinstance(published, Generalized)
    if columns is None:
        return published.quasi if is_generalized else published.columns
    for name in columns:
        if name not in published.columns:
            raise SchemaError(unknown("published column", name, published.columns))
    return columns


def _panel(title: str, shares: Shares) -> Spec:
    values = [
        {"value": label, "source": source, "share": share}
        for source, column in ((_BEFORE, shares.before), (_AFTER, shares.after))
        for label, share in zip(shares.labels, column.tolist(), strict=True)
    ]
    source = {
        "field": "source",
        "type": "nominal",
        "scale": {"domain": [_BEFORE, _AFTER], "range": [GREY, BLUE]},
    }
    share = {
        "field": "share",
        "type": "quantitative",
        "title": "share of the records",
        "axis": {"format": PERCENT, "tickCount": 5},
    }
    return {
        "title": {"text": title, "limit": 360},
        "width": 240,
        "height": {"step": 22, "for": "position"},
        "data": {"values": values},
        "mark": "bar",
        "encoding": {
            "x": share,
            "y": {"field": "value", "type": "nominal", "sort": None, "title": None},
            "yOffset": {"field": "source", "type": "nominal", "sort": [_BEFORE, _AFTER]},
            "color": source,
            "tooltip": [
                {"field": "value", "type": "nominal", "title": "value"},
                {"field": "source", "type": "nominal", "title": "in the"},
                {"field": "share", "type": "quantitative", "format": ".2%", "title": "share"},
            ],
        },
    }
