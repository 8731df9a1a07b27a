"""How identifiers are treated: left out, replaced by pseudonyms, or masked.

Pseudonyms need a key. The project has one of its own, which is made when it is first needed and
never again: with another one, nobody would have the same pseudonym as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unlinkable.studio.contracts import Document
from unlinkable.tables.operations import new_key, save_key
from unlinkable.tables.publishing.plans import Plan

__all__ = ["KEY", "keyed", "make_key", "treated"]

KEY = "pseudonyms.key"
"""The file of the project's key."""


def treated(
    document: Document, column: str, how: str, options: Mapping[str, Any] | None = None
) -> Document:
    """Treat an identifier otherwise, or with other options; those that are 0 are taken away.

    Examples
    --------
    >>> treated({"columns": {}}, "name", "mask", {"keep_left": 1, "keep_right": 0})
    {'columns': {'name': {'role': 'identifier', 'treatment': 'mask', 'keep_left': 1}}}
    """
    columns = document.get("columns", {})
    before = columns.get(column, {})
    told = before if before.get("treatment") == how else {"role": "identifier", "treatment": how}
    told = {name: value for name, value in {**told, **(options or {})}.items() if value}
    if how == "drop":
        told = {"role": "identifier"}
    return keyed({**document, "columns": {**columns, column: told}})


def keyed(document: Document) -> Document:
    """Name the project's key if a column gets pseudonyms, and no longer if none does.

    Examples
    --------
    >>> keyed({"columns": {"name": {"role": "identifier", "treatment": "pseudonym"}}})["pseudonyms"]
    {'key': 'pseudonyms.key'}
    """
    columns = document.get("columns", {}).values()
    is_needed = any(column.get("treatment") == "pseudonym" for column in columns)
    named = document.get("pseudonyms", {}).get("key")
    if is_needed and named is None:
        return {**document, "pseudonyms": {"key": KEY}}
    if not is_needed and named == KEY:
        return {name: table for name, table in document.items() if name != "pseudonyms"}
    return document


def make_key(plan: Plan) -> None:
    """Make the project's key, if the plan names it and there is none."""
    file = plan.folder / KEY
    if plan.form.pseudonyms.key == KEY and not file.exists():
        save_key(new_key(), file)
