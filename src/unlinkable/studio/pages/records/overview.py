"""What there is to see of the data: size, what to look at, columns, first records."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.records.notices import draw_notices, notices_of
from unlinkable.studio.pages.records.pending import consider, current_reading
from unlinkable.studio.pages.records.preview import TYPE_WORDS, preview_table
from unlinkable.studio.pages.records.welcome import file_place
from unlinkable.studio.pages.said import counted, percent
from unlinkable.studio.pages.when_ready import when_ready
from unlinkable.studio.workbench import Workbench

__all__ = ["overview"]

_MISSING = """
<q-td :props="props" class="cell-share">
  <span v-if="props.row.share" class="share-bar" aria-hidden="true">
    <span :style="{width: props.row.share * 100 + '%'}"></span></span>
  {{ props.value }}
</q-td>
"""


def overview(work: Workbench) -> None:
    """Draw what there is to see of the data of a plan."""
    described = (work.description or {}).get("description")
    _head(work, described)
    if described is not None:
        with ui.card().props("flat bordered").classes("w-full gap-2"):
            tag("h2", "Worth a look", "section-title")
            draw_notices(notices_of(described))
        with ui.column().classes("w-full gap-2"):
            tag("h2", "Columns", "section-title")
            _columns(described)
    with ui.column().classes("w-full gap-2 min-w-0"):
        tag("h2", "The first records", "section-title")
        when_ready(work.preview, lambda found: preview_table(found, "The first records"))


def _head(work: Workbench, described: Document | None) -> None:
    source = work.source or ""
    with ui.row().classes("w-full items-center gap-x-6 gap-y-2"):
        ui.icon("table_view", size="40px", color="primary").props("aria-hidden=true")
        with ui.column().classes("gap-0 grow min-w-0"):
            tag("h2", source, "text-xl font-semibold m-0 break-words").props("data-testid=source")
            if described is not None:
                size = counted(described["records"], "record")
                width = counted(len(described["columns"]), "column")
                tag("p", f"{size} · {width}", "m-0 muted").props("data-testid=size")
        with ui.row().classes("gap-2 items-center"):
            again = ui.button("Read it differently", icon="tune")
            again.props('no-caps outline data-testid="read-again"')
            again.on_click(lambda: consider(work, source, current_reading(work)))
            file_place(work, is_small=True)
            ui.button("Continue to roles", icon="arrow_forward").props(
                f'no-caps unelevated href="/project/{work.project.key}/roles"'
            )


def _columns(described: Document) -> None:
    n = max(described["records"], 1)
    fields = {
        "name": ("Column", "left"),
        "type": ("Type", "left"),
        "distinct": ("Different values", "right"),
        "alone": ("Occur once", "right"),
        "missing": ("Missing", "left"),
    }
    columns = [
        {"name": key, "label": label, "field": key, "align": align}
        for key, (label, align) in fields.items()
    ]
    rows = [
        {
            "name": c["name"],
            "type": TYPE_WORDS.get(c["type"], c["type"]),
            "distinct": f"{c['distinct']:,}",
            "alone": percent(c["unique"]),
            "missing": percent(c["missing"] / n) if c["missing"] else "none",
            "share": c["missing"] / n,
        }
        for c in described["columns"]
    ]
    table = ui.table(columns=columns, rows=rows, row_key="name")
    table.props('dense flat bordered hide-pagination role=region tabindex=0 aria-label="Columns"')
    table.props(":rows-per-page-options=[0]").classes("columns-table w-full")
    table.add_slot("body-cell-missing", _MISSING)
