"""The first records as a table."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Preview

__all__ = ["TYPE_WORDS", "preview_table"]

TYPE_WORDS = {"category": "text", "number": "number", "date": "date"}
"""What types are called."""

_CELL = """
<q-td :props="props"><span v-if="props.value === null" class="cell-missing">missing</span>
<template v-else>{{ props.value }}</template></q-td>
"""


def preview_table(preview: Preview, name: str) -> ui.table:
    """Draw the first records; a missing value is told apart from an empty text."""
    columns = [
        {
            "name": f"c{j}",
            "field": f"c{j}",
            "label": f"{column} · {TYPE_WORDS.get(type_, type_)}",
            "align": "right" if type_ == "number" else "left",
        }
        for j, (column, type_) in enumerate(zip(preview["columns"], preview["types"], strict=True))
    ]
    rows = [
        {"id": i} | {f"c{j}": cell for j, cell in enumerate(row)}
        for i, row in enumerate(preview["rows"])
    ]
    table = ui.table(columns=columns, rows=rows, row_key="id")
    table.props(f'dense flat bordered hide-pagination role=region tabindex=0 aria-label="{name}"')
    table.props(":rows-per-page-options=[0] separator=cell").classes("preview-table w-full")
    table.add_slot("body-cell", _CELL)
    return table
