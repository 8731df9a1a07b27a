"""What every level of a taxonomy would publish, on values that occur."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import TaxonomyView
from unlinkable.studio.pages.said import counted

__all__ = ["levels_table"]

_CELL = '<q-td :props="props" :title="props.value">{{ props.value }}</q-td>'


def levels_table(view: TaxonomyView) -> ui.table:
    """Draw a table: some values, and what is published of each on every level."""
    height = view["height"]
    columns = [
        {"name": f"l{i}", "label": _heading(view, i), "field": f"l{i}", "align": "left"}
        for i in range(height + 1)
    ]
    count = {"name": "records", "label": "Records", "field": "records", "align": "right"}
    rows = [
        {"id": i, "records": f"{value['records']:,}"}
        | {f"l{j}": text for j, text in enumerate(value["levels"])}
        for i, value in enumerate(view["preview"])
    ]
    table = ui.table(columns=[count, *columns], rows=rows, row_key="id")
    table.props("dense flat square hide-pagination :rows-per-page-options=[0]")
    table.add_slot("body-cell", _CELL)
    table.props('role=region tabindex=0 aria-label="Values and what is published of them"')
    return table.classes("levels w-full").mark("levels")


def _heading(view: TaxonomyView, level: int) -> str:
    if level == 0:
        return "As it is"
    if level == view["height"]:
        return "Hidden"
    return f"Level {level} · {counted(view['nodes'][level], 'label')}"
