"""What a page shows that needs data before there are any."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.pages.live import live
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.workbench import Workbench

__all__ = ["no_data"]


def no_data(work: Workbench) -> None:
    """Say where to begin; the page itself comes as soon as there are data."""
    with ui.card().classes("w-full items-start gap-3").props("flat bordered"):
        tag("h2", "There is no data yet", "text-lg font-semibold m-0")
        tag("p", "Everything begins with a table of records, on the page Data.", "m-0 muted")
        go = ui.button("Go to Data", icon="table_chart")
        go.props(f'no-caps unelevated href="/project/{work.project.key}/data"')
    live(work, ui.navigate.reload, on={"plan"})
