"""Telling those who cannot see an element what it is."""

from __future__ import annotations

from typing import TypeVar

from nicegui.element import Element

__all__ = ["labelled"]

Any_ = TypeVar("Any_", bound=Element)


def labelled(element: Any_, words: str) -> Any_:
    """Give an element a name for screen readers; the words may hold whatever data and people say.

    Within ``props``, a quotation mark in the name of a column would end it.
    """
    element.props["aria-label"] = words
    return element
