"""A bar that shows how far an adversary gets, and how far he may get."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.attacks.words import share_of_limit
from unlinkable.studio.pages.said import percent

__all__ = ["meter"]


def meter(outcome: Document) -> None:
    """Draw the bar, with a mark at the limit. Its words say the same."""
    highest, limit = share_of_limit(outcome)
    passes = bool(outcome["succeeded"])
    label = f"{percent(highest)}, the limit is {percent(limit)}"
    colour = "bg-negative" if passes else "bg-positive"
    with (
        ui.element("div")
        .classes("relative w-full h-3 my-1 rounded studio-meter")
        .props(f'role=img aria-label="{label}"')
    ):
        ui.element("div").classes(f"h-3 rounded {colour}").style(f"width: {highest * 100:.1f}%")
        mark = ui.element("div").classes("absolute studio-limit")
        mark.style(f"left: calc({limit * 100:.1f}% - 1px)")
