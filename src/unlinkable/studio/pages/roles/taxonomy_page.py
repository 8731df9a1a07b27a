"""The page of one taxonomy: how it is built, its tree, and what every level would publish."""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import quote

from nicegui import background_tasks, ui
from nicegui.element import Element

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Rule, TaxonomyView, WholeTree
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.pages.elements import ListEntry, StableList, tag
from unlinkable.studio.pages.live import Debounce, live, notify_errors
from unlinkable.studio.pages.roles.rule_panel import DIFFERENT, RulePanel
from unlinkable.studio.pages.roles.tree_panel import TreePanel, TreeView, node_rows, tree_rows
from unlinkable.studio.taxonomy_editing.editor import editor_of, rule_of, whole_tree
from unlinkable.studio.taxonomy_editing.tree_files import read_nested
from unlinkable.studio.workbench import Workbench

__all__ = ["draw_taxonomy_page", "levels_table"]

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
    return table.classes("level-table w-full").mark("levels")


def _heading(view: TaxonomyView, level: int) -> str:
    if level == 0:
        return "As it is"
    if level == view["height"]:
        return "Hidden"
    return f"Level {level} · {quantity(view['nodes'][level], 'label')}"


def draw_taxonomy_page(work: Workbench, column: str) -> None:
    """Draw the editor of the taxonomy of a column."""
    _links(work, column)
    _TaxonomyPage(work, column).draw()


def _links(work: Workbench, column: str) -> None:
    """Draw links to the table of all columns and to the taxonomies of others."""
    here = f"/project/{quote(work.project.key)}/roles"
    with ui.row().classes("w-full items-center gap-x-4 gap-y-2"):
        ui.link("← All columns", here)
        others = ui.element("nav").props('aria-label="Other taxonomies"')
        with others, ui.element("ul").classes("tax-columns"):
            for name in work.columns("quasi-identifier"):
                with ui.element("li"):
                    link = tag("a", name).props(f'href="{here}?column={quote(name, safe="")}"')
                    if name == column:
                        link.props("aria-current=page")


class _TaxonomyPage:
    """All parts of the editor, and how they hear of changes."""

    def __init__(self, work: Workbench, column: str) -> None:
        self.work, self.column = work, column
        self.editor = editor_of(work, column)
        self.hand: TreePanel | None = None
        self.tried: Rule | None = None
        self._looked_at: object = None
        self._asked = Debounce(0.2)

    def draw(self) -> None:
        with ui.element("div").classes("tax-page"):
            with ui.column().classes("gap-4"):
                with ui.column().classes("gap-0 w-full"):
                    tag("h2", self.column, "text-xl font-semibold m-0 break-words")
                    tag("p", _facts(self.work, self.column), "m-0 muted")
                self.building = RulePanel(self.work, self.column, self.attempt, self.flatten)
            with ui.column().classes("gap-2 tax-side"):
                tag("h3", "The taxonomy, with its records", "text-lg font-semibold m-0")
                self._tree = ui.column().classes("w-full gap-2")
            with ui.column().classes("gap-2"):
                tag("h3", "What each level publishes", "text-lg font-semibold m-0")
                self._levels = StableList(ui.column().classes("w-full min-w-0"))
        self._said = StableList(self.building.below)
        with self._tree:
            ui.spinner(size="lg").props('aria-label="Building the tree"')
        live(self.work, self._changed, on={"plan", "data"})
        ui.timer(0, self._standing, once=True)

    def attempt(self, rule: Rule | None, problem: str | None) -> None:
        """Try a rule that was filled in, or say what is wrong with it."""
        if rule is not None and rule == rule_of(self.work, self.column):
            self._discard()
            return
        self.tried = rule
        self._bar(rule, problem)
        if rule is not None:
            background_tasks.create(self._trying(rule))

    async def flatten(self) -> None:
        """Take all groups away, as an edit that can be undone."""
        if self.tried is not None:
            self._discard()
        with notify_errors():
            await self.editor.open(self.work)
            await self.editor.do(self.work, "Took all groups away", lambda tree: tree.flat())

    def _changed(self) -> None:
        if self.tried is None:
            self.building.refresh()
            background_tasks.create(self._standing())

    async def _standing(self) -> None:
        """Show the taxonomy as it stands in the plan, to be arranged by hand."""
        mine = self._asked.begin()
        try:
            await self.editor.open(self.work)
            view = await self.work.taxonomy(self.column)
        except TaskError as error:
            if error.kind != "Cancelled" and self._is_wanted(mine):
                self._refused(str(error))
            return
        if not self._is_wanted(mine):
            return
        self._show_levels(view)
        if self.editor.edits is None:
            self._fixed(view, None)
        elif self.hand is None:
            self._empty_tree()
            with self._tree:
                self.hand = TreePanel(self.work, self.editor, self.editor.edits)
        else:
            self.hand.refresh()

    async def _trying(self, rule: Rule) -> None:
        """Show what a rule would make, without keeping it."""
        if not await self._asked.is_last():
            return
        mine = self._asked.begin()
        try:
            view = await self.work.taxonomy(self.column, rule)
            whole = await whole_tree(self.work, self.column, rule)
        except StudioError as error:
            cancelled = isinstance(error, TaskError) and error.kind == "Cancelled"
            if not cancelled and self._is_wanted(mine):
                self._bar(None, str(error))
            return
        if self._is_wanted(mine):
            self._show_levels(view)
            self._fixed(view, whole)

    def _is_wanted(self, asked: int) -> bool:
        """Whether an answer is still expected, and the page is still there."""
        return self._asked.is_current(asked) and not self._tree.is_deleted

    def _show_levels(self, view: TaxonomyView) -> None:
        self.building.tell(view)
        self._levels.show([ListEntry("levels", view, partial(levels_table, view))])

    def _fixed(self, view: TaxonomyView, whole: WholeTree | None) -> None:
        """Show a tree that is only looked at."""
        self.hand = None
        drawn = node_rows(view["tree"])
        if whole is not None and whole["nested"] is not None:
            tree = read_nested(whole["root"], whole["nested"])
            drawn = tree_rows(tree, whole["records"], whole["missing"])
        seen = drawn, whole is None
        if self._looked_at == seen:
            return
        self._empty_tree()
        self._looked_at = seen
        with self._tree:
            if whole is None:
                tag("p", "Too many values to be arranged by hand: use a rule or a file.", "m-0")
            TreeView(drawn, f"Tree of {self.column}", is_fixed=True)

    def _empty_tree(self) -> None:
        self._looked_at = None
        self._tree.clear()

    def _refused(self, why: str) -> None:
        self.hand = None
        self._empty_tree()
        with self._tree:
            tag("p", _sentence(why), "m-0").props("role=alert")
            tag("p", "Choose another way to build the tree.", "m-0 muted")

    def _bar(self, rule: Rule | None, problem: str | None) -> None:
        """Say that something is only tried, or why it cannot be."""
        seen = problem, rule is not None
        self._said.show([ListEntry("try", seen, partial(self._draw_bar, *seen))])

    def _draw_bar(self, problem: str | None, may_be_used: bool) -> Element:
        card = ui.card().props("flat bordered").classes("w-full gap-2 tax-try")
        with card:
            if problem is not None:
                tag("p", _sentence(problem), "m-0 break-words").props("role=alert")
            else:
                tag("p", "This is a preview: nothing is changed yet.", "m-0").props("role=status")
            with ui.row().classes("gap-2"):
                if may_be_used:
                    use = ui.button("Use it", icon="check", on_click=self._use)
                    use.props('no-caps unelevated data-testid="use-rule"')
                ui.button("Discard", on_click=self._discard).props("no-caps flat")
        return card

    async def _use(self) -> None:
        rule, self.tried = self.tried, None
        # What a try would still show is not to come between: the tree is about to be the same one.
        self._asked.begin()
        with self._tree, notify_errors():
            self._said.show([])
            await self.work.set_taxonomy(self.column, rule)

    def _discard(self) -> None:
        self.tried = None
        self._said.show([])
        self.building.reset()
        background_tasks.create(self._standing())


def _facts(work: Workbench, column: str) -> str:
    described = (work.description or {}).get("description", {})
    about = {c["name"]: c for c in described.get("columns", [])}.get(column)
    if about is None:
        return ""
    parts = [quantity(about["distinct"], "value"), quantity(described["records"], "record")]
    if about["missing"]:
        parts.append(f"{about['missing']:,} missing")
    return " · ".join(parts)


def _sentence(text: str) -> str:
    """Make a sentence of what was refused; where in the plan it would stand is plain to see."""
    text = re.sub(r"^[^\n:]*: \[columns\.[^\n]*?\] taxonomy: ", "", text)
    text = re.sub(r"-[0-9a-f]{10}(?=\.csv\b)", "", text.replace("taxonomies/", ""))
    text = re.sub(r"ask for padding \([^)]*\)", f"tick “{DIFFERENT}”", text)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
