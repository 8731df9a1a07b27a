"""How a taxonomy is built: the kind of rule, the form that goes with it, and hierarchy files."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from nicegui import ui

from unlinkable.studio.contracts import Rule, TaxonomyView
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.data.file_input import FileDrop
from unlinkable.studio.pages.elements import tag
from unlinkable.studio.pages.live import PlanBinding, notify_errors
from unlinkable.studio.pages.roles.rule_forms import (
    KINDS,
    Try,
    describe_rule,
    kind_of,
    rule_form,
    start_rule,
)
from unlinkable.studio.security.uploads import TAXONOMIES
from unlinkable.studio.taxonomy_editing.editor import rule_of
from unlinkable.studio.taxonomy_editing.tree_files import save_hierarchy
from unlinkable.studio.workbench import Workbench

__all__ = ["DIFFERENT", "RulePanel", "file_form"]

DIFFERENT = "Rows may be of different length"
"""What allows a value to stand less deep than others."""

_LARGEST = 64 * 1024**2

_EXAMPLE = "Dancer;Artist;*\nWriter;Artist;*\nLawyer;Professional;*"


def file_form(work: Workbench, column: str, on_try: Try) -> None:
    """Draw the form in which a hierarchy file is uploaded or pasted."""
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
        attempt(await asyncio.to_thread(save_hierarchy, work.project, column, text))

    async def uploaded(name: str) -> None:
        attempt(await asyncio.to_thread(_with_digest, work, name))

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


def _with_digest(work: Workbench, name: str) -> str:
    """Rename an uploaded file by the digest of its text, if it is plain text."""
    file = work.project.taxonomies / name
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return f"taxonomies/{name}"
    kept = save_hierarchy(work.project, Path(name).stem, text)
    file.unlink()
    return kept


_FITTING = {
    "number": ("intervals", "auto", "mask", "csv", "flat", "tree"),
    "date": ("dates", "auto", "csv", "flat", "tree"),
    "category": ("tree", "mask", "auto", "csv", "flat"),
}
"""Which kinds make sense for a type of column, the most natural first."""


class RulePanel:
    """A choice of kinds, the form of the one that is chosen, and the importance of the column.

    ``below`` is the place below the form, where the editor says what came of it. ``on_flat`` is
    called to start editing without any groups.
    """

    def __init__(
        self, work: Workbench, column: str, on_try: Try, on_flat: Callable[[], Awaitable[None]]
    ) -> None:
        self.work, self.column, self.on_try, self.on_flat = work, column, on_try, on_flat
        described = (work.description or {}).get("description", {})
        about = {c["name"]: c for c in described.get("columns", [])}.get(column, {})
        self._type = about.get("type", "category")
        self._longest = 5
        self._seen: object = None
        self._filled: object = None
        self._is_quiet = False
        with ui.card().props("flat bordered").classes("w-full gap-3"):
            tag("h3", "How values are generalized", "text-lg font-semibold m-0")
            self._said = tag("p", "", "m-0 muted").props("role=status data-testid=rule-words")
            with ui.element("div").classes("kinds") as kinds:
                kinds.props('role=group aria-label="How the tree is built"')
                self._buttons = {kind: self._button(kind) for kind in _FITTING[self._type]}
            self._form = ui.column().classes("w-full gap-2")
            self.below = ui.column().classes("w-full gap-0")
            self._importance()
        self.reset()

    def reset(self) -> None:
        """Go back to what stands in the plan."""
        self._seen = None
        self.refresh()

    def refresh(self) -> None:
        """Show what stands in the plan, unless that is what is shown."""
        self._weighing.plan_changed()
        rule = rule_of(self.work, self.column)
        if self._seen != [rule]:
            self._seen = [rule]
            self._said.text = f"Now: {describe_rule(rule, self._type)}."
            self._kind = kind_of(rule, self._type)
            self._press()
            # A file is offered again, in the list of those that are here.
            if self._kind == "csv" or self._filled != self._form_of(rule):
                self._draw()

    def tell(self, view: TaxonomyView) -> None:
        """Take notice of how long values are."""
        texts = [value["levels"][0] for value in view["preview"]]
        self._longest = max((len(text) for text in texts), default=5)

    def _button(self, kind: str) -> ui.element:
        title, icon, _ = KINDS[kind]
        button = ui.element("button").classes("kind-choice")
        button.props(f'type=button data-testid="kind-{kind}"')
        with button:
            ui.icon(icon, size="22px").props("aria-hidden=true")
            tag("span", title)
        button.on("click", lambda: self._choose(kind))
        return button

    def _choose(self, kind: str) -> None:
        rule = rule_of(self.work, self.column) or {}
        self._kind = kind
        self._press()
        self._draw()
        if kind in ("tree", "csv"):
            return
        begin = start_rule(kind, rule, self._longest)
        self._try(begin, None)

    def _try(self, rule: Rule | None, problem: str | None) -> None:
        """Have what was filled in tried, and take notice of it."""
        self._filled = None if rule is None else self._form_of(rule)
        self.on_try(rule, problem)

    def _form_of(self, rule: Rule | None) -> object:
        """Say what the form shows if it is filled in with a rule, to know one form from another."""
        return self._kind, None if self._kind in ("tree", "flat") else rule

    def _press(self) -> None:
        for kind, button in self._buttons.items():
            button.props(f"aria-pressed={'true' if kind == self._kind else 'false'}")

    def _draw(self) -> None:
        rule: Rule = rule_of(self.work, self.column) or {}
        self._filled = self._form_of(rule_of(self.work, self.column))
        self._form.clear()
        with self._form:
            tag("p", KINDS[self._kind][2], "m-0")
            if self._kind == "csv":
                file_form(self.work, self.column, self._try)
            elif self._kind == "tree":
                tag(
                    "p",
                    "In the tree, choose values and press “Group…”, or drag a value onto another "
                    "one or onto a group. Every step is saved and can be undone. It starts with "
                    "the tree as it is.",
                    "m-0 muted",
                )
                begin = ui.button("Begin without groups", icon="layers_clear")
                begin.props("no-caps outline").on_click(self.on_flat)
            else:
                rule_form(self._kind, rule, self._longest, self._try)

    def _column(self) -> Rule:
        found: Rule = (self.work.plan or {}).get("columns", {}).get(self.column) or {}
        return found

    def _importance(self) -> None:
        ui.separator()
        with ui.row().classes("w-full items-center gap-3 no-wrap"):
            self._weight = ui.number("Importance", min=0, step=0.5, value=1)
            self._weight.props("outlined dense debounce=400").classes("w-32")
            tag("p", "1 is normal. With 2, losing detail here counts double.", "m-0 muted grow")
        self._weighing = PlanBinding(self._weigh, self._show_weight)
        self._weight.on_value_change(lambda: None if self._is_quiet else self._weighing.changed())
        if self._column().get("role") != "quasi-identifier":
            self._weight.disable()

    def _show_weight(self) -> None:
        self._is_quiet = True
        self._weight.set_value(self._column().get("weight", 1))
        self._is_quiet = False

    async def _weigh(self) -> None:
        value = self._weight.value
        if value is None or value == self._column().get("weight", 1):
            return
        with notify_errors():
            if value < 0:
                raise StudioError("importance is a number of at least 0")
            await self.work.set_weight(self.column, int(value) if value == int(value) else value)
