"""Small questions about the tree: what a group is called, and where to."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

from unlinkable.studio.by_hand.tree import HandTree

__all__ = ["ask_group", "ask_name", "brief"]

_LONGEST = 60


def brief(label: str) -> str:
    """Cut a label to what can be read at a glance.

    Examples
    --------
    >>> brief("Dancer"), len(brief("{" + "Dancer, " * 50))
    ('Dancer', 60)
    """
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


async def ask_name(title: str, action: str, value: str = "", hint: str = "") -> str | None:
    """Ask for a name; None if it is left alone."""
    with ui.dialog() as dialog, ui.card().classes("w-96 max-w-full"):
        ui.label(title).classes("text-lg")
        if hint:
            ui.label(hint).classes("text-sm muted")
        field = ui.input("Name", value=value).props("outlined autofocus").classes("w-full")
        field.on("keydown.enter", lambda: dialog.submit(field.value))
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")
            ui.button(action, on_click=lambda: dialog.submit(field.value)).props("no-caps")
    found = await dialog
    dialog.delete()
    return None if found is None else str(found)


async def ask_group(title: str, tree: HandTree, without: Sequence[str]) -> str | None:
    """Ask for one of the groups of a tree; None if it is left alone."""
    barred = set(without)
    options = {
        label: " / ".join(map(brief, [*reversed(tree.above(label)), label]))
        for label in tree.by_label
        if label not in barred and barred.isdisjoint(tree.above(label))
    }
    with ui.dialog() as dialog, ui.card().classes("w-96 max-w-full"):
        ui.label(title).classes("text-lg")
        field = ui.select(options, label="Group", with_input=True)
        field.props("outlined autofocus").classes("w-full")
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")
            ui.button("Move", on_click=lambda: dialog.submit(field.value)).props("no-caps")
    found = await dialog
    dialog.delete()
    return None if found is None else str(found)
