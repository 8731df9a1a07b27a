"""What the page of data shows before there are any: where to put a file."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.records.file_drop import FileDrop
from unlinkable.studio.pages.records.pending import take_invented, take_new
from unlinkable.studio.security.uploads import TABLES
from unlinkable.studio.workbench import Workbench

__all__ = ["file_place", "welcome"]


def file_place(work: Workbench, *, is_small: bool = False) -> FileDrop:
    """Draw the place where a table is handed in."""

    async def uploaded(name: str) -> None:
        with told():
            await take_new(work, name)

    most = work.studio.largest_upload
    return FileDrop(
        f"/api/v1/projects/{work.project.key}/files/",
        label="Drop a table here",
        button="Another file" if is_small else "Choose a file",
        hint="" if is_small else f"CSV, Excel, Parquet, SPSS, SAS or Stata, up to {_size(most)}",
        accept=TABLES,
        most=most,
        on_uploaded=uploaded,
        is_small=is_small,
    )


def welcome(work: Workbench) -> None:
    """Draw the place for a file, an invented table, and what was opened before."""
    tag("h2", "Which records is it about?", "section-title")
    tag(
        "p",
        "The table stays on this machine, in the folder of this project. Nothing is sent "
        "anywhere, and nothing is published before you say so.",
        "m-0 muted max-w-prose",
    )
    with ui.element("div").classes("data-welcome"):
        file_place(work)
        with ui.column().classes("gap-4 min-w-0"):
            _invented(work)
            _earlier(work)


def _invented(work: Workbench) -> None:
    with ui.card().props("flat bordered").classes("w-full gap-2"):
        tag("h3", "No table at hand?", "text-lg font-semibold m-0")
        tag(
            "p",
            "Try everything with 10,000 patients of a hospital that does not exist. Roles and "
            "taxonomies are filled in for you.",
            "m-0 muted",
        )

        async def invented() -> None:
            button.disable()
            button.props("loading")
            try:
                with told():
                    await take_invented(work)
            finally:
                if not button.is_deleted:
                    button.props(remove="loading")
                    button.enable()

        button = ui.button("Try with an invented hospital", icon="local_hospital")
        button.props('no-caps outline data-testid="invent"').on_click(invented)


def _earlier(work: Workbench) -> None:
    """List the files that are here already, and plans that were opened before."""
    files = work.project.files()
    recent = [
        (plan, key) for plan, key in work.studio.projects.recent.items() if _is_there(work, key)
    ]
    if files:
        with ui.card().props("flat bordered").classes("w-full gap-1"):
            tag("h3", "Files of this project", "text-lg font-semibold m-0")
            for file in files:
                _file_button(work, file)
    if recent:
        with ui.card().props("flat bordered").classes("w-full gap-1"):
            tag("h3", "Plans opened before", "text-lg font-semibold m-0")
            for plan, key in recent[:8]:
                path = Path(plan)
                link = ui.link(f"{path.parent.name}/{path.name}", f"/project/{key}/data")
                link.tooltip(plan)


def _file_button(work: Workbench, file: str) -> None:
    async def chosen() -> None:
        with told():
            await take_new(work, file)

    ui.button(file, icon="description", on_click=chosen).props("no-caps flat align=left dense")


def _is_there(work: Workbench, key: str) -> bool:
    return (work.studio.projects.home / key / "studio.json").is_file()


def _size(most: int) -> str:
    return f"{most / 1024**3:.3g} GB" if most >= 1024**3 else f"{most / 1024**2:.3g} MB"
