"""Attribute loss: a bar for every attribute, the one that lost most on top."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.errors import ParameterError
from unlinkable.spelling import quantity
from unlinkable.tables.charts.chart import (
    BLUE,
    PERCENT,
    ROUNDING,
    Chart,
    Spec,
    as_labels,
    draw,
    draw_nothing,
)

__all__ = ["draw_attribute_loss"]

_TITLE = "What each attribute lost"
_LISTED = 5


def draw_attribute_loss(losses: Mapping[str, float], *, metric: str | None = None) -> Chart:
    """Draw how much each attribute lost, as bars from 0 % (nothing) to 100 % (everything).

    The chart holds one number for every attribute, and no records.

    Parameters
    ----------
    losses
        The loss of each attribute from 0 to 1, such as the details of `ILoss` or another metric
        whose cells lose 1 at most.
    metric
        What the losses were measured with, for the line below the title.

    Raises
    ------
    ParameterError
        If a loss does not lie between 0 and 1.

    Examples
    --------
    >>> chart = draw_attribute_loss({"age": 0.25, "zip": 0.5}, metric="iloss")
    >>> chart.spec["data"]["values"]
    [{'attribute': 'zip', 'loss': 0.5}, {'attribute': 'age', 'loss': 0.25}]
    """
    if not losses:
        return draw_nothing(_TITLE, "There are no attributes")
    for name, loss in losses.items():
        if not -ROUNDING <= loss <= 1 + ROUNDING:
            raise ParameterError(
                f"the loss of {name!r} must lie between 0 and 1, got {loss}: choose a metric that "
                "measures shares"
            )
    ranked = sorted(losses, key=lambda name: -losses[name])
    values: list[Spec] = [
        {"attribute": label, "loss": min(max(float(losses[name]), 0.0), 1.0)}
        for label, name in zip(as_labels(ranked), ranked, strict=True)
    ]
    told = [f"{value['attribute']} {value['loss']:.1%}" for value in values]
    more = ", ..." if len(told) > _LISTED else ""
    return draw(
        _TITLE,
        ["0%: all values are as they were; 100%: nothing is left", *_measured_by(metric)],
        f"Bar chart of the loss of {quantity(len(told), 'attribute')}: "
        f"{', '.join(told[:_LISTED])}{more}.",
        _bars(values),
    )


def _measured_by(metric: str | None) -> list[str]:
    return [] if metric is None else [f"measured by {metric}"]


def _bars(values: list[Spec]) -> Spec:
    loss = {
        "field": "loss",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"format": PERCENT},
        "title": "loss",
    }
    attribute = {"field": "attribute", "type": "nominal", "sort": None, "title": None}
    tooltip = [
        {"field": "attribute", "type": "nominal", "title": "attribute"},
        {"field": "loss", "type": "quantitative", "format": ".2%", "title": "loss"},
    ]
    number = {"field": "loss", "type": "quantitative", "format": ".1%"}
    return {
        "width": 420,
        "height": {"step": 26},
        "data": {"values": values},
        "encoding": {"x": loss, "y": attribute, "tooltip": tooltip},
        "layer": [
            {"mark": {"type": "bar", "color": BLUE}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4},
                "encoding": {"text": number},
            },
        ],
    }
