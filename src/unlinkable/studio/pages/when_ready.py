"""Drawing a part of a page as soon as what it shows is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from nicegui import ui

from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.plain import tag

__all__ = ["when_ready"]

Found = TypeVar("Found")


def when_ready(
    ask: Callable[[], Awaitable[Found]],
    draw: Callable[[Found], object],
    words: str = "One moment …",
) -> None:
    """Ask for something that may take a while, and draw what came; the page is there at once.

    What goes wrong is said in place of the drawing, with a button to ask again.
    """
    place = ui.column().classes("w-full gap-4")

    async def fill() -> None:
        place.clear()
        with place, ui.row().classes("items-center gap-3").props('role="status"'):
            ui.spinner()
            tag("p", words, "m-0")
        try:
            found = await ask()
        except StudioError as error:
            place.clear()
            with place:
                tag("p", str(error), "m-0").props('role="alert"')
                ui.button("Try again", on_click=fill).props("no-caps outline")
            return
        place.clear()
        with place:
            draw(found)

    ui.timer(0, fill, once=True)
