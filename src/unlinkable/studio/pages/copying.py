"""Texts to take along: shown as they are, with a button that copies them."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.pages.plain import tag

__all__ = ["copy_button", "text_block"]


def copy_button(text: str, label: str) -> ui.button:
    """Offer to copy a text; `label` says which, for those who cannot see it."""

    def copy() -> None:
        ui.clipboard.write(text)
        ui.notify("Copied.", type="info")

    button = ui.button(icon="content_copy", on_click=copy).props(f'flat dense aria-label="{label}"')
    button.tooltip(label)
    return button


def text_block(text: str, label: str) -> None:
    """Show a text of several lines, to be read and copied."""
    with ui.element("div").classes("relative w-full"):
        block = tag("pre", text, "studio-code w-full overflow-auto max-h-96 m-0 p-3 pr-12 text-sm")
        block.props(f'tabindex=0 role=region aria-label="{label}"')
        copy_button(text, f"Copy {label}").classes("absolute top-1 right-1")
