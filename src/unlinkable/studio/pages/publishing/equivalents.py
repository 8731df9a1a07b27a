"""The same without the studio: the plan file, the command line, and Python."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.pages.copying import text_block
from unlinkable.studio.pages.plain import tag

__all__ = ["equivalents"]

_KINDS = {"toml": "Plan file", "shell": "Command line", "python": "Python"}


def equivalents(texts: dict[str, str]) -> None:
    """Show the three texts, each with a button to copy it."""
    tag(
        "p",
        "Everything you did here is one file, the plan. With it, the command line and Python make "
        "the same release, tonight or in a year, on this machine or another.",
    )
    with ui.tabs().props("no-caps align=left inline-label") as tabs:
        for kind, title in _KINDS.items():
            ui.tab(kind, title)
    with ui.tab_panels(tabs, value="toml").classes("w-full").props("animated=false"):
        for kind, title in _KINDS.items():
            with ui.tab_panel(kind).classes("p-0 pt-2"):
                text_block(texts[kind], f"the text: {title}")
    button = ui.button("Download the plan", icon="download").props("no-caps outline")
    button.on_click(lambda: ui.download.content(texts["toml"], "plan.toml", "application/toml"))
