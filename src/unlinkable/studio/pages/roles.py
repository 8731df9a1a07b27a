"""Roles and taxonomies: what every column is, and how it may be told less precisely."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.columns.look import CSS
from unlinkable.studio.pages.columns.role_table import RoleTable, role_rows
from unlinkable.studio.pages.columns.roles import told_roles
from unlinkable.studio.pages.live import live, told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.records.look import CSS as RECORDS_CSS
from unlinkable.studio.pages.taxonomies.editor import draw_editor
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Show all columns, or the taxonomy of the one that the address names."""
    ui.add_css(RECORDS_CSS + CSS)
    request = ui.context.client.request
    column = None if request is None else request.query_params.get("column")
    if column in work.columns():
        draw_editor(work, column)
    else:
        _RolesPage(work).draw()


class _RolesPage:
    """The table of all columns."""

    def __init__(self, work: Workbench) -> None:
        self.work = work
        self._examples: dict[str, list[str]] = {}
        self._answered: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def draw(self) -> None:
        tag("h2", "What is each column?", "section-title")
        tag(
            "p",
            "The role decides what becomes of a column in the release. Suggestions come from the "
            "names and values; only you know what others may know about a person.",
            "m-0 muted max-w-prose",
        )
        self._words = tag("p", "", "m-0 font-semibold").props("role=status data-testid=role-counts")
        self._warning = tag("p", "", "m-0").props("role=status data-testid=role-warning")
        self._table = RoleTable(self._rows())
        self._table.on_role(self._role)
        self._table.on_treatment(self._treat)
        self._table.on_weight(self._weight)
        self._tell()
        live(self.work, self._changed, on={"plan", "data"})
        ui.timer(0, self._look, once=True)

    def _rows(self) -> list[Document]:
        """Give all rows, with how many changes were answered in each: of its role and so on."""
        rows = role_rows(self.work, self._examples)
        return [{**row, "answered": self._answered[row["name"]]} for row in rows]

    def _changed(self) -> None:
        self._table.show(self._rows())
        self._tell()

    def _tell(self) -> None:
        columns = (self.work.plan or {}).get("columns", {})
        roles = [column["role"] for column in columns.values()]
        self._words.text = told_roles(roles)
        nothing = "quasi-identifier" not in roles
        self._warning.text = (
            "Without a quasi-identifier there is nothing to protect: which columns may somebody "
            "know of a person?"
            if nothing
            else ""
        )
        self._warning.set_visibility(nothing)

    async def _look(self) -> None:
        """Add some values of every column, as soon as they are there."""
        with told():
            preview = await self.work.preview(20)
            for j, name in enumerate(preview["columns"]):
                cells = dict.fromkeys(row[j] for row in preview["rows"] if row[j])
                self._examples[name] = [cell[:30] for cell in list(cells)[:3] if cell]
            self._changed()

    async def _role(self, column: str, role: str) -> None:
        try:
            with told():
                await self.work.set_role(column, role)
                return
        finally:
            self._answered[column]["role"] += 1
            self._changed()

    async def _treat(self, column: str, how: str, keep: Mapping[str, str], what: str) -> None:
        try:
            with told():
                kept = {side: _characters(text) for side, text in keep.items()}
                await self.work.edit({"treatment": column, "to": how, "with": kept})
                return
        finally:
            self._answered[column][what] += 1
            self._changed()

    async def _weight(self, column: str, text: str) -> None:
        try:
            with told():
                await self.work.set_weight(column, _weight(text))
                return
        finally:
            self._answered[column]["weight"] += 1
            self._changed()


def _weight(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise StudioError("importance is a number: 1 is normal, 2 counts double") from None
    return int(value) if value.is_integer() else value


def _characters(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise StudioError("characters to keep are a whole number such as 2") from None
