"""RoleTable: all columns with their roles, to be changed in place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import ui
from nicegui.events import GenericEventArguments

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.columns.roles import ROLES, TREATMENTS
from unlinkable.studio.pages.records.preview import TYPE_WORDS
from unlinkable.studio.pages.said import counted, percent
from unlinkable.studio.pages.taxonomies.rule_text import told_rule
from unlinkable.studio.workbench import Workbench

__all__ = ["RoleTable", "role_rows"]

_WITH_TAXONOMY = ("quasi-identifier", "sensitive")


class RoleTable(ui.element, component="role_table.js"):
    """All columns with their roles."""

    def __init__(self, rows: Sequence[Document]) -> None:
        super().__init__()
        self._props["rows"] = list(rows)
        self._props["name"] = "Columns and their roles"
        self._props["roles"] = [{"key": key, "title": role.title} for key, role in ROLES.items()]
        self._props["treatments"] = [
            {"key": key, "title": treatment.title} for key, treatment in TREATMENTS.items()
        ]
        self.classes("w-full")

    def show(self, rows: Sequence[Document]) -> None:
        """Show other rows; the focus stays where it is."""
        self._props["rows"] = list(rows)
        self.update()

    def on_role(self, handler: Callable[[str, str], Awaitable[None]]) -> None:
        """Have a function called with a column and the role that was chosen."""

        async def chosen(event: GenericEventArguments) -> None:
            await handler(str(event.args["column"]), str(event.args["role"]))

        self.on("role", chosen)

    def on_treatment(
        self, handler: Callable[[str, str, Mapping[str, str], str], Awaitable[None]]
    ) -> None:
        """Have a function called with an identifier, its treatment, and the characters kept.

        And with what of these was changed: the ``treatment``, or one side.
        """

        async def chosen(event: GenericEventArguments) -> None:
            told = event.args
            what = str(told["what"])
            await handler(str(told["column"]), str(told["to"]), told["keep"], what)

        self.on("treatment", chosen)

    def on_weight(self, handler: Callable[[str, str], Awaitable[None]]) -> None:
        """Have a function called with a column and the importance that was filled in."""

        async def filled(event: GenericEventArguments) -> None:
            await handler(str(event.args["column"]), str(event.args["weight"]))

        self.on("weight", filled)


def role_rows(work: Workbench, examples: Mapping[str, Sequence[str]]) -> list[Document]:
    """Say of every column what it is, why that was suggested, and what it looks like."""
    described = (work.description or {}).get("description", {})
    known = {column["name"]: column for column in described.get("columns", [])}
    n = max(described.get("records", 1), 1)
    columns: dict[str, Any] = (work.plan or {}).get("columns", {})
    return [
        _row(work, name, column, known.get(name), n, examples.get(name, ()))
        for name, column in columns.items()
    ]


def _row(
    work: Workbench,
    name: str,
    column: Document,
    about: Document | None,
    n: int,
    examples: Sequence[str],
) -> Document:
    role = column["role"]
    type_ = "category" if about is None else about["type"]
    has_taxonomy = role in _WITH_TAXONOMY
    treatment = str(column.get("treatment", "drop")) if role == "identifier" else None
    words = TREATMENTS.get(treatment or "")
    return {
        "name": name,
        "role": role,
        "meaning": ROLES[role].meaning if words is None else words.meaning,
        "caution": "" if words is None else words.caution,
        "treatment": treatment,
        "keep": {side: column.get(side, 0) for side in ("keep_left", "keep_right")},
        "facts": "" if about is None else _facts(about, n),
        "examples": "" if not examples else f"such as {', '.join(examples)}",
        "suggested": None if about is None else about["role"],
        "reason": "" if about is None else str(about["reason"]),
        "taxonomy": _taxonomy(role, column.get("taxonomy"), type_) if has_taxonomy else None,
        "link": f"/project/{quote(work.project.key)}/roles?column={quote(name, safe='')}",
        "weight": column.get("weight", 1) if role == "quasi-identifier" else None,
    }


def _taxonomy(role: str, rule: Document | None, type_: str) -> str:
    if role == "sensitive" and rule is None:
        return "none needed"
    return told_rule(rule, type_)


def _facts(about: Document, n: int) -> str:
    type_ = TYPE_WORDS.get(about["type"], about["type"])
    missing = f" · {percent(about['missing'] / n)} missing" if about["missing"] else ""
    return f"{type_} · {counted(about['distinct'], 'value')}{missing}"
