"""A place for what may be wider or longer than there is room for."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.pages.labelled import labelled

__all__ = ["scrolled"]


def scrolled(words: str, classes: str = "") -> ui.element:
    """Give a place that scrolls, with the keyboard too; the words say what is in it."""
    place = ui.element("div").classes(f"w-full overflow-x-auto {classes}")
    return labelled(place.props("role=region tabindex=0"), words)
