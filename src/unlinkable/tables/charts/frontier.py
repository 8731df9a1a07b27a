"""Frontier: which settings leave the least loss at each risk."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from attrs import field, frozen

from unlinkable.errors import ParameterError
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

__all__ = ["Setting", "draw_frontier"]

_TITLE = "What each setting risks, and what it costs"
_BEST, _DOMINATED = "on the frontier", "dominated"
_MOST_NAMES = 12
"""More names than this would overlap; a page shows the others where the mouse points."""


def _is_risk(instance: object, attribute: object, value: float) -> None:
    if not 0 <= value <= 1:
        raise ParameterError(f"risk must lie between 0 and 1, got {value}")


def _is_finite(instance: object, attribute: object, value: float) -> None:
    if not isfinite(value):
        raise ParameterError(f"loss must be a number, got {value}")


@frozen
class Setting:
    """A method with its parameters, and what came of it.

    Attributes
    ----------
    label
        What it is called.
    risk
        A probability, such as that of the record that is easiest to find.
    loss
        What the release lost, by any metric of which less is better.
    dominated
        Whether another setting is at least as good in both, and better in one.
    """

    label: str
    risk: float = field(validator=_is_risk)
    loss: float = field(validator=_is_finite)
    dominated: bool = False


def draw_frontier(
    settings: Sequence[Setting],
    *,
    risk: str = "highest risk of a record to be found",
    loss: str = "loss",
) -> Chart:
    """Draw settings by their risk and their loss, with a line through those worth choosing.

    The line has steps: between two settings of the frontier, the one with the lower risk is the
    best that can be had. Dominated settings are grey. The chart holds two numbers for every
    setting, and no records.

    Parameters
    ----------
    settings
        What was tried.
    risk, loss
        What the axes are called.

    Examples
    --------
    >>> chart = draw_frontier([Setting("k = 2", 0.5, 0.1), Setting("k = 5", 0.2, 0.3)])
    >>> chart.spec["data"]["values"][0]
    {'setting': 'k = 2', 'risk': 0.5, 'loss': 0.1, 'standing': 'on the frontier'}
    """
    if not settings:
        return draw_nothing(_TITLE, "No setting has a release")
    values: list[Spec] = [
        {
            "setting": label,
            "risk": float(setting.risk),
            "loss": float(setting.loss),
            "standing": _DOMINATED if setting.dominated else _BEST,
        }
        for label, setting in zip(as_labels(s.label for s in settings), settings, strict=True)
    ]
    best = [value["setting"] for value in values if value["standing"] == _BEST]
    named = ", ".join(best[:_MOST_NAMES]) + (", ..." if len(best) > _MOST_NAMES else "")
    return draw(
        _TITLE,
        [
            "Less is better on both axes: choose a setting on the line.",
            "Dominated: another setting is at least as good in both, and better in one.",
        ],
        f"Scatter chart of {quantity(len(values), 'setting')} by risk and loss; "
        f"{len(best):,} on the frontier: {named or 'none'}.",
        _scatter(values, risk, loss, with_names=len(best) <= _MOST_NAMES),
    )


def _scatter(values: list[Spec], risk: str, loss: str, *, with_names: bool) -> Spec:
    is_share = all(0 <= value["loss"] <= 1 for value in values)
    return {
        "width": 520,
        "height": 340,
        "data": {"values": values},
        "encoding": {
            "x": _axis("risk", risk, PERCENT),
            "y": _axis("loss", loss, PERCENT if is_share else ",~g"),
        },
        "layer": [
            _line(),
            _points(".2%" if is_share else ",.6~g"),
            *([_names()] if with_names else []),
        ],
    }


def _points(loss_written: str) -> Spec:
    def by_standing(*looks: str) -> Spec:
        scale = {"domain": [_BEST, _DOMINATED], "range": looks}
        return {"field": "standing", "type": "nominal", "scale": scale}

    return {
        "mark": {"type": "point", "filled": True, "opacity": 1, "size": 80},
        "encoding": {
            "color": by_standing(BLUE, GREY),
            "shape": by_standing("diamond", "circle"),
            "tooltip": [
                {"field": "setting", "type": "nominal", "title": "setting"},
                {"field": "risk", "type": "quantitative", "format": ".2%", "title": "risk"},
                {"field": "loss", "type": "quantitative", "format": loss_written, "title": "loss"},
                {"field": "standing", "type": "nominal", "title": "standing"},
            ],
        },
    }


def _axis(name: str, title: str, written: str) -> Spec:
    axis = {"format": written}
    return {"field": name, "type": "quantitative", "title": title, "axis": axis}


def _line() -> Spec:
    return {
        "transform": [{"filter": {"field": "standing", "equal": _BEST}}],
        "mark": {"type": "line", "interpolate": "step-after", "color": BLUE, "strokeWidth": 1.5},
        "encoding": {"order": {"field": "risk", "type": "quantitative"}},
    }


def _names() -> Spec:
    return {
        "transform": [{"filter": {"field": "standing", "equal": _BEST}}],
        "mark": {"type": "text", "align": "left", "dx": 7, "dy": -7, "limit": 200},
        "encoding": {"text": {"field": "setting", "type": "nominal"}},
    }
