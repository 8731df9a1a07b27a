"""Palette: the colours of a page. Each pair of text and ground can be read by everybody.

The ratio of luminances is at least 4.5 for texts and 3 for bars, as WCAG 2.2 asks for (AA).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["COLOURS", "contrast"]

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
"""By what they are for."""


def contrast(one: str, other: str) -> float:
    """Give the ratio of the luminances of two colours, from 1 to 21.

    Examples
    --------
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return round((light + 0.05) / (dark + 0.05), 2)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
