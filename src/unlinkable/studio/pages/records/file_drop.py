"""FileDrop: a place for a file. It goes to the project as it is, whatever its size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

__all__ = ["FileDrop"]


class FileDrop(ui.element, component="file_drop.js"):
    """A place where a file is dropped, or chosen with a button.

    Parameters
    ----------
    url
        The address below which the file is put, under its own name.
    label, button, hint
        What it says.
    accept
        How names of files may end.
    most
        The largest number of bytes.
    on_uploaded
        Called with the name that the file has in the project.
    is_small
        Whether it is nothing but a button on which files can be dropped.
    """

    def __init__(
        self,
        url: str,
        *,
        label: str,
        button: str,
        accept: tuple[str, ...],
        most: int,
        on_uploaded: Callable[[str], Awaitable[None]],
        hint: str = "",
        is_small: bool = False,
    ) -> None:
        super().__init__()
        given: dict[str, Any] = {
            "url": url,
            "label": label,
            "button": button,
            "hint": hint,
            "accept": ",".join(accept),
            "most": most,
            "small": is_small,
        }
        self._props.update(given)

        async def uploaded(event: Any) -> None:
            await on_uploaded(str(event.args))

        self.on("uploaded", uploaded)
