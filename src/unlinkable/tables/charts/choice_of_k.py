"""Choice of k: privacy and utility over k, and where they balance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from unlinkable.errors import ParameterError
from unlinkable.spelling import quantity
from unlinkable.tables.charts.chart import (
    BLUE,
    ORANGE,
    PERCENT,
    ROUNDING,
    Chart,
    Spec,
    draw,
    draw_nothing,
    mark_at,
)
from unlinkable.typing import FloatArray

__all__ = ["draw_choice_of_k"]

_TITLE = "Privacy and utility for each k"


def draw_choice_of_k(
    k: ArrayLike, privacy: ArrayLike, utility: ArrayLike, *, balance: float | None = None
) -> Chart:
    """Draw privacy and utility as two curves over k, and mark where they balance.

    The chart holds two numbers for every k, and no records.

    Parameters
    ----------
    k
        The values that were tried.
    privacy, utility
        What was reached with each, from 0 to 1.
    balance
        The k at which both come closest to each other; it may lie between two that were tried.

    Raises
    ------
    ParameterError
        If the three do not have the same length, or a number does not lie between 0 and 1.

    Examples
    --------
    >>> chart = draw_choice_of_k([2, 5], [0.25, 0.75], [0.75, 0.5], balance=4)
    >>> chart.spec["data"]["values"][0]
    {'k': 2.0, 'curve': 'privacy', 'share': 0.25}
    """
    tried = np.asarray(k, float).ravel()
    curves = {"privacy": _shares("privacy", privacy), "utility": _shares("utility", utility)}
    for name, shares in curves.items():
        if shares.size != tried.size:
            raise ParameterError(
                f"{name} must have a number for each k: there are {tried.size} k, got {shares.size}"
            )
    if not tried.size:
        return draw_nothing(_TITLE, "No k was tried")
    order = np.argsort(tried, kind="stable")
    values = [
        {"k": at, "curve": name, "share": share}
        for name, shares in curves.items()
        for at, share in zip(tried[order].tolist(), shares[order].tolist(), strict=True)
    ]
    tells = [] if balance is None else [f"They balance at k = {balance:.4g}."]
    return draw(
        _TITLE,
        ["A larger k protects more and leaves less.", *tells],
        f"Line chart of privacy and utility for {quantity(tried.size, 'value')} of k from "
        f"{tried.min():.4g} to {tried.max():.4g}. {' '.join(tells)}".rstrip(),
        _lines(values, balance),
    )


def _shares(name: str, given: ArrayLike) -> FloatArray:
    shares = np.asarray(given, float).ravel()
    if not ((shares >= -ROUNDING) & (shares <= 1 + ROUNDING)).all():
        raise ParameterError(f"{name} must lie between 0 and 1: give 0.4 for 40 %")
    clipped: FloatArray = np.clip(shares, 0.0, 1.0)
    return clipped


def _lines(values: list[Spec], balance: float | None) -> Spec:
    names = ["privacy", "utility"]
    k = {
        "field": "k",
        "type": "quantitative",
        "title": "k: the least number of records in a group",
        "scale": {"zero": False},
        "axis": {"format": ",d", "tickMinStep": 1},
    }
    share = {
        "field": "share",
        "type": "quantitative",
        "title": "share",
        "scale": {"domain": [0, 1]},
        "axis": {"format": PERCENT},
    }
    colour = {"domain": names, "range": [ORANGE, BLUE]}
    dash = {"domain": names, "range": [[6, 3], [1, 0]]}
    curves = {
        "mark": {"type": "line", "point": True},
        "encoding": {
            "y": share,
            "color": {"field": "curve", "type": "nominal", "scale": colour},
            "strokeDash": {"field": "curve", "type": "nominal", "scale": dash},
            "tooltip": [
                {"field": "k", "type": "quantitative", "title": "k"},
                {"field": "curve", "type": "nominal", "title": "of"},
                {"field": "share", "type": "quantitative", "format": ".2%", "title": "share"},
            ],
        },
    }
    marks = [] if balance is None else mark_at(balance, f"k = {balance:.4g}", field="k")
    return {
        "width": 480,
        "height": 300,
        "data": {"values": values},
        "encoding": {"x": k},
        "layer": [curves, *marks],
    }
