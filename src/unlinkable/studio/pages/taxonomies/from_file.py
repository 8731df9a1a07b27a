"""A taxonomy from a hierarchy file: handed in, pasted, or one that is here already."""

from __future__ import annotations

import asyncio
from pathlib import Path

from nicegui import ui

from unlinkable.studio.by_hand.kept import keep_hierarchy
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.records.file_drop import FileDrop
from unlinkable.studio.pages.taxonomies.forms import Try
from unlinkable.studio.security.uploads import TAXONOMIES
from unlinkable.studio.workbench import Workbench

__all__ = ["DIFFERENT", "file_form"]

DIFFERENT = "Rows may be of different length"
"""What allows a value to stand less deep than others."""

_LARGEST = 64 * 1024**2
_EXAMPLE = "Dancer;Artist;*\nWriter;Artist;*\nLawyer;Professional;*"


def file_form(work: Workbench, column: str, on_try: Try) -> None:
    """Draw the form in which a hierarchy file is handed in or pasted."""
    tag(
        "p",
        "One row per value: the value first, then its groups from fine to coarse. Semicolons, "
        "commas or tabs between the cells; no line of headings.",
        "m-0 muted",
    )
    pad = ui.checkbox(DIFFERENT)
    pad.tooltip("An empty cell takes the label before it.")
    field = ui.textarea("Paste the rows here", placeholder=_EXAMPLE)
    field.props("outlined dense rows=5 input-class=mono").classes("w-full")

    tried: list[str] = []

    def attempt(name: str) -> None:
        tried[:] = [name]
        on_try({"csv": name, "pad": True} if pad.value else {"csv": name}, None)

    pad.on_value_change(lambda _: attempt(tried[0]) if tried else None)

    async def pasted() -> None:
        text = field.value or ""
        if not text.strip():
            on_try(None, "paste some rows, or choose a file")
            return
        attempt(await asyncio.to_thread(keep_hierarchy, work.project, column, text))

    async def uploaded(name: str) -> None:
        attempt(await asyncio.to_thread(_taken_up, work, name))

    with ui.row().classes("w-full gap-2 items-center"):
        ui.button("Try these rows", icon="visibility", on_click=pasted).props(
            'no-caps outline data-testid="try-rows"'
        )
        FileDrop(
            f"/api/v1/projects/{work.project.key}/taxonomies/",
            label="Hierarchy file",
            button="Choose a file",
            accept=TAXONOMIES,
            most=_LARGEST,
            on_uploaded=uploaded,
            is_small=True,
        )
    saved = {f"taxonomies/{name}": name for name in work.project.files("taxonomies")}
    if saved:
        known = ui.select(saved, label="Or one of this project")
        known.props("outlined dense").classes("w-full")
        known.on_value_change(lambda event: attempt(event.value))


def _taken_up(work: Workbench, name: str) -> str:
    """Give a file that was handed in a name that tells what is in it, if it is plain text."""
    file = work.project.taxonomies / name
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return f"taxonomies/{name}"
    kept = keep_hierarchy(work.project, Path(name).stem, text)
    file.unlink()
    return kept
