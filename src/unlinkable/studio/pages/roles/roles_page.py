"""The page Roles and taxonomies: the role of each column, and what that means for the release."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from attrs import frozen
from nicegui import ui
from nicegui.events import GenericEventArguments

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.data.reading import TYPE_WORDS
from unlinkable.studio.pages.elements import tag
from unlinkable.studio.pages.formatting import percent
from unlinkable.studio.pages.live import live, notify_errors
from unlinkable.studio.pages.roles.rule_forms import describe_rule
from unlinkable.studio.pages.roles.taxonomy_page import draw_taxonomy_page
from unlinkable.studio.workbench import Workbench

__all__ = [
    "ROLES",
    "TREATMENTS",
    "RoleTable",
    "RoleWords",
    "TreatmentWords",
    "page",
    "role_counts",
    "role_rows",
]


@frozen
class RoleWords:
    """What a role is called, and what it means for the release."""

    title: str
    quantity: str
    meaning: str


ROLES = {
    "identifier": RoleWords(
        "Identifier", "identifiers", "Names the person. Left out of the release."
    ),
    "quasi-identifier": RoleWords(
        "Quasi-identifier",
        "quasi-identifiers",
        "Others may know it about a person. Published less precisely.",
    ),
    "sensitive": RoleWords(
        "Sensitive",
        "sensitive columns",
        "What nobody may learn about a person. Published as it is, and protected.",
    ),
    "target": RoleWords(
        "Target",
        "targets",
        "What recipients want to predict. Published as it is, not protected.",
    ),
    "insensitive": RoleWords(
        "Insensitive",
        "insensitive columns",
        "Neither identifying nor sensitive. Published as it is, not protected.",
    ),
    "owner": RoleWords("Owner", "owners", "Identifies the person a record is about. Left out."),
    "guard": RoleWords("Guard", "guards", "What the person wants protected. Left out."),
    "weight": RoleWords(
        "Weight", "weights", "How many people a record represents. Published as it is."
    ),
}


@frozen
class TreatmentWords:
    """What may become of an identifier: its name, what it means, and what to beware of."""

    title: str
    meaning: str
    caution: str = ""


TREATMENTS = {
    "drop": TreatmentWords("Left out", ROLES["identifier"].meaning),
    "pseudonym": TreatmentWords(
        "Replaced by pseudonyms",
        "Names the person. Published as a pseudonym such as 7K2M9QX4B1ZT5W8A, so that recipients "
        "see which records belong together without seeing who it is.",
        "The same person has the same pseudonym in every release of this project. With the key, "
        "anybody's pseudonym can be computed: it is the file pseudonyms.key in the folder of this "
        "project. Keep it secret; it is not part of a bundle.",
    ),
    "mask": TreatmentWords(
        "Masked",
        "Names the person. Published with its characters masked: 01***34.",
        "The characters that are kept, and the length of a value, are published, and no promise "
        "protects them. Keep as few as you can.",
    ),
}


def role_counts(roles: list[str]) -> str:
    """Say how many columns have which role.

    Examples
    --------
    >>> role_counts(["identifier", "sensitive", "identifier"])
    '2 identifiers · 1 sensitive'
    """
    counts = [(role, roles.count(role)) for role in ROLES if role in roles]
    return " · ".join(
        f"{n} {ROLES[role].title.lower() if n == 1 else ROLES[role].quantity}" for role, n in counts
    )


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
    return describe_rule(rule, type_)


def _facts(about: Document, n: int) -> str:
    type_ = TYPE_WORDS.get(about["type"], about["type"])
    missing = f" · {percent(about['missing'] / n)} missing" if about["missing"] else ""
    return f"{type_} · {quantity(about['distinct'], 'value')}{missing}"


def page(work: Workbench) -> None:
    """Show all columns, or the taxonomy of the one that the address names."""
    request = ui.context.client.request
    column = None if request is None else request.query_params.get("column")
    if column in work.columns():
        draw_taxonomy_page(work, column)
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
            "The role decides how a column is published. Suggestions come from the names and "
            "values; only you know what others may know about a person.",
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
        self._words.text = role_counts(roles)
        nothing = "quasi-identifier" not in roles
        self._warning.text = (
            "Without a quasi-identifier there is nothing to protect: which columns may others "
            "know about a person?"
            if nothing
            else ""
        )
        self._warning.set_visibility(nothing)

    async def _look(self) -> None:
        """Add some values of every column, as soon as they are there."""
        with notify_errors():
            preview = await self.work.preview(20)
            for j, name in enumerate(preview["columns"]):
                cells = dict.fromkeys(row[j] for row in preview["rows"] if row[j])
                self._examples[name] = [cell[:30] for cell in list(cells)[:3] if cell]
            self._changed()

    async def _role(self, column: str, role: str) -> None:
        with self._answering(column, "role"):
            await self.work.set_role(column, role)

    async def _treat(self, column: str, how: str, keep: Mapping[str, str], what: str) -> None:
        with self._answering(column, what):
            kept = {side: _characters(text) for side, text in keep.items()}
            await self.work.edit({"treatment": column, "to": how, "with": kept})

    async def _weight(self, column: str, text: str) -> None:
        with self._answering(column, "weight"):
            await self.work.set_weight(column, _weight(text))

    @contextmanager
    def _answering(self, column: str, what: str) -> Iterator[None]:
        """Show what stands in the plan after a change, also if it was refused."""
        try:
            with notify_errors():
                yield
        finally:
            self._answered[column][what] += 1
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
