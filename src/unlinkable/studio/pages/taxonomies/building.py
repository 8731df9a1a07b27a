"""How a taxonomy is built: the kind of rule, and the form that goes with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from unlinkable.studio.contracts import Rule, TaxonomyView
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.editing import Editing
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.taxonomies.desk import rule_of
from unlinkable.studio.pages.taxonomies.forms import Try, rule_form, start_rule
from unlinkable.studio.pages.taxonomies.from_file import file_form
from unlinkable.studio.pages.taxonomies.rule_text import KINDS, kind_of, told_rule
from unlinkable.studio.workbench import Workbench

__all__ = ["BuildingPanel"]

_FITTING = {
    "number": ("intervals", "auto", "mask", "csv", "flat", "tree"),
    "date": ("dates", "auto", "csv", "flat", "tree"),
    "category": ("tree", "mask", "auto", "csv", "flat"),
}
"""Which kinds make sense for a type of column, the most natural first."""


class BuildingPanel:
    """A choice of kinds, the form of the one that is chosen, and the importance of the column.

    ``below`` is the place below the form, where the editor says what came of it. ``on_flat`` is
    called when somebody wants to arrange the values without any groups to begin with.
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
            tag("h3", "How values become less precise", "text-lg font-semibold m-0")
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
        self._weighing.came_back()
        rule = rule_of(self.work, self.column)
        if self._seen != [rule]:
            self._seen = [rule]
            self._said.text = f"Now: {told_rule(rule, self._type)}."
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
                    "one or onto a group. Every step is kept and can be undone. It begins with the "
                    "tree as it is.",
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
        self._weighing = Editing(self._weigh, self._show_weight)
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
        with told():
            if value < 0:
                raise StudioError("importance is a number of at least 0")
            await self.work.set_weight(self.column, int(value) if value == int(value) else value)
