"""The tree of a taxonomy, edited by hand: every edit is saved at once and can be undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import TreeNode
from unlinkable.studio.pages.formatting import join_words
from unlinkable.studio.pages.live import notify_errors
from unlinkable.studio.taxonomy_editing.editor import EditHistory, TaxonomyEditor
from unlinkable.studio.taxonomy_editing.tree import Group, TaxonomyTree
from unlinkable.studio.workbench import Workbench

__all__ = ["TreePanel", "TreeView", "ask_group", "ask_name", "node_rows", "shorten", "tree_rows"]

_NOTE = 1
"""What is shown and no node of the tree."""

Row = list[Any]
"""A node: its label, records, values, children (0: it is a value), and `_NOTE` or nothing."""


class TreeView(ui.element, component="tree_view.js"):
    """A tree whose rows can be opened, searched, chosen and dragged."""

    def __init__(self, drawn: Row, name: str, *, is_fixed: bool) -> None:
        super().__init__()
        self._props["tree"] = drawn
        self._props["name"] = name
        self._props["fixed"] = is_fixed
        self._props["search-label"] = "Search values and groups"
        self.classes("w-full")

    def show(self, drawn: Row) -> None:
        """Draw another tree; what is open stays open."""
        self._props["tree"] = drawn
        self.update()

    def reveal(self, label: str) -> None:
        """Scroll to a node and put the focus on it."""
        self.run_method("reveal", label)

    def forget_chosen(self) -> None:
        """Choose nothing."""
        self.run_method("forget")

    def on_choose(self, handler: Callable[[Sequence[str]], None]) -> None:
        """Have a function called with the labels that are chosen."""
        self.on("choose", lambda event: handler([str(label) for label in event.args]))

    def on_act(self, handler: Callable[[str, str, Sequence[str]], Awaitable[None]]) -> None:
        """Have a function called with what is to be done, with which node, and what is chosen."""

        async def act(event: GenericEventArguments) -> None:
            asked = event.args
            await handler(asked["what"], asked["label"], asked["chosen"])

        self.on("act", act)

    def on_drop(self, handler: Callable[[Sequence[str], str], Awaitable[None]]) -> None:
        """Have a function called when nodes are dropped on another one."""

        async def drop(event: GenericEventArguments) -> None:
            await handler(event.args["chosen"], event.args["to"])

        self.on("drop", drop)


def tree_rows(tree: TaxonomyTree, records: Mapping[str, int], missing: int) -> Row:
    """Give a whole tree as it is drawn, groups first, with the records under every node."""

    def draw(group: Group) -> Row:
        groups = [draw(child) for child in group.children if isinstance(child, Group)]
        values = [c for c in group.children if isinstance(c, str)]
        below = groups + [[value, records.get(value, 0), 1, 0] for value in values]
        return [group.label, sum(n[1] for n in below), sum(n[2] for n in below), below]

    drawn = draw(tree.root)
    if missing:
        drawn[1] += missing
        drawn[3].append(["missing: always stands apart", missing, 0, 0, _NOTE])
    return drawn


def node_rows(node: TreeNode) -> Row:
    """Give a tree of which only a part is listed as it is drawn."""
    if not node["level"]:
        return [node["label"], node["records"], 1, 0]
    below = [node_rows(child) for child in node["children"]]
    if node["more"]:
        below.append([f"and {node['more']:,} more under {node['label']}", None, 0, 0, _NOTE])
    return [node["label"], node["records"], node["values"], below]


_LONGEST = 60


def shorten(label: str) -> str:
    """Cut a label to what can be read at a glance.

    Examples
    --------
    >>> shorten("Dancer"), len(shorten("{" + "Dancer, " * 50))
    ('Dancer', 60)
    """
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


async def ask_name(title: str, action: str, value: str = "", hint: str = "") -> str | None:
    """Ask for a name; None if it is left alone."""
    with ui.dialog() as dialog, ui.card().classes("w-96 max-w-full"):
        ui.label(title).classes("text-lg")
        if hint:
            ui.label(hint).classes("text-sm muted")
        field = ui.input("Name", value=value).props("outlined autofocus").classes("w-full")
        field.on("keydown.enter", lambda: dialog.submit(field.value))
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")
            ui.button(action, on_click=lambda: dialog.submit(field.value)).props("no-caps")
    found = await dialog
    dialog.delete()
    return None if found is None else str(found)


async def ask_group(title: str, tree: TaxonomyTree, without: Sequence[str]) -> str | None:
    """Ask for one of the groups of a tree; None if it is left alone."""
    barred = set(without)
    options = {
        label: " / ".join(map(shorten, [*reversed(tree.above(label)), label]))
        for label in tree.by_label
        if label not in barred and barred.isdisjoint(tree.above(label))
    }
    with ui.dialog() as dialog, ui.card().classes("w-96 max-w-full"):
        ui.label(title).classes("text-lg")
        field = ui.select(options, label="Group", with_input=True)
        field.props("outlined autofocus").classes("w-full")
        with ui.row().classes("w-full justify-end"):
            ui.button("Cancel", on_click=lambda: dialog.submit(None)).props("flat no-caps")
            ui.button("Move", on_click=lambda: dialog.submit(field.value)).props("no-caps")
    found = await dialog
    dialog.delete()
    return None if found is None else str(found)


_HINT = "Choose values, or drag one onto another."


class TreePanel:
    """A tree with a bar of what can be done to it."""

    def __init__(self, work: Workbench, editor: TaxonomyEditor, edits: EditHistory) -> None:
        self.work, self.editor, self.edits = work, editor, edits
        self.chosen: Sequence[str] = []
        self._said = _HINT
        with ui.row().classes("w-full items-center gap-1 tax-bar") as bar:
            bar.props('role=toolbar aria-label="Arrange the tree"')
            self.undo_button = _button("undo", "Undo", self.undo)
            self.redo_button = _button("redo", "Redo", self.redo)
            ui.separator().props("vertical")
            self.some = {
                "gather": self._button("create_new_folder", "Group…", "gather"),
                "move": self._button("drive_file_move", "Move to…", "move"),
                "merge": self._button("merge", "Merge…", "merge"),
                "split": self._button("call_split", "Split off…", "split"),
                "rename": self._button("edit", "Rename…", "rename"),
            }
        self.note = ui.label(_HINT).classes("text-sm muted ellipsis max-w-full")
        self.note.props("role=status")
        name = f"Tree of {editor.column}: arrow keys move, Space chooses, Enter opens a menu"
        self.view = TreeView(self._drawn(), name, is_fixed=False)
        self.view.on_choose(self._choose)
        self.view.on_act(self._act)
        self.view.on_drop(self.drop)
        self.view.on("undo", self.undo)
        self.view.on("redo", self.redo)
        self.refresh()

    def refresh(self) -> None:
        """Draw the tree as it is now."""
        if self.editor.edits is not None:
            self.edits = self.editor.edits
        self.view.show(self._drawn())
        self._bar()

    async def act(self, what: str, label: str = "", chosen: Sequence[str] = ()) -> None:
        """Do something with nodes, after asking what there is to ask."""
        chosen = chosen or self.chosen
        verbs = {
            "move": self._move,
            "gather": self._gather,
            "merge": self._merge,
            "split": self._split,
            "rename": self._rename,
            "ungroup": self._ungroup,
        }
        await verbs[what](label, chosen)

    async def drop(self, chosen: Sequence[str], to: str) -> None:
        """Move nodes to the group that they were dropped on, or into which.

        Values that stand together already become a group of their own.
        """
        tree = self.edits.tree
        is_value = to in tree.parents and to not in tree.by_label
        if is_value and {tree.parents.get(c) for c in chosen} == {tree.parents[to]}:
            with self.view:
                await self._gather("", [c for c in chosen if c != to] + [to])
            return
        group = to if to in tree.by_label else tree.parents.get(to)
        if group is not None:
            await self._do(
                f"Moved {self._named(chosen)} to {shorten(group)}", lambda t: t.move(chosen, group)
            )

    async def undo(self) -> None:
        """Undo the last edit."""
        with notify_errors():
            self._say(f"Undone: {await self.editor.undo(self.work)}")

    async def redo(self) -> None:
        """Do again what was undone."""
        with notify_errors():
            self._say(f"Again: {await self.editor.redo(self.work)}")

    async def _act(self, what: str, label: str, chosen: Sequence[str]) -> None:
        with self.view:
            await self.act(what, label, chosen)

    async def _move(self, label: str, chosen: Sequence[str]) -> None:
        to = await ask_group(f"Move {self._named(chosen)} to", self.edits.tree, chosen)
        if to is not None:
            await self._do(
                f"Moved {self._named(chosen)} to {shorten(to)}", lambda t: t.move(chosen, to)
            )

    async def _gather(self, label: str, chosen: Sequence[str]) -> None:
        name = await ask_name("New group", "Make the group", hint=f"of {self._named(chosen)}")
        if name is not None:
            made = f"Made the group {shorten(name)}"
            if await self._do(made, lambda t: t.gather(chosen, name)):
                self.view.forget_chosen()
                self.view.reveal(" ".join(name.split()))

    async def _merge(self, label: str, chosen: Sequence[str]) -> None:
        groups = [c for c in chosen if c in self.edits.tree.by_label]
        hint = f"{self._named(chosen)} become one group."
        name = await ask_name("Merge", "Merge", groups[0] if groups else "", hint)
        if name is not None and await self._do(
            f"Merged {self._named(chosen)}", lambda t: t.merge(chosen, name)
        ):
            self.view.forget_chosen()
            self.view.reveal(" ".join(name.split()))

    async def _split(self, label: str, chosen: Sequence[str]) -> None:
        hint = f"{self._named(chosen)}, beside the group that they are in now"
        name = await ask_name("Split off a new group", "Split off", hint=hint)
        if name is not None and await self._do(
            f"Split off {shorten(name)}", lambda t: t.split(chosen, name)
        ):
            self.view.forget_chosen()
            self.view.reveal(" ".join(name.split()))

    async def _rename(self, label: str, chosen: Sequence[str]) -> None:
        label = label or chosen[0]
        name = await ask_name(f"Rename {shorten(label)}", "Rename", label)
        if name is not None and await self._do(
            f"Renamed {shorten(label)} to {shorten(name)}", lambda t: t.rename(label, name)
        ):
            self.view.reveal(" ".join(name.split()))

    async def _ungroup(self, label: str, chosen: Sequence[str]) -> None:
        await self._do(f"Dissolved {shorten(label)}", lambda t: t.ungroup(label))

    async def _do(self, words: str, edit: Callable[[TaxonomyTree], TaxonomyTree]) -> bool:
        with notify_errors():
            if await self.editor.do(self.work, words, edit):
                self._say(words)
                return True
        return False

    def _say(self, words: str) -> None:
        self.refresh()
        self.note.text = self._said = words

    def _choose(self, chosen: Sequence[str]) -> None:
        self.note.text = f"{len(chosen):,} chosen" if chosen else self._said
        self.chosen = chosen
        self._bar()

    def _bar(self) -> None:
        last, next_ = self.edits.last, self.edits.next
        self.undo_button.set_enabled(last is not None)
        self.redo_button.set_enabled(next_ is not None)
        tree, n = self.edits.tree, len(self.chosen)
        groups = sum(1 for label in self.chosen if label in tree.by_label)
        homes = {tree.parents.get(label) for label in self.chosen}
        fitting = {
            "gather": n > 0,
            "move": n > 0,
            "merge": n > 1 and groups > 0,
            "split": len(homes) == 1 and homes.isdisjoint({None, tree.root.label}),
            "rename": n == 1 and groups == 1,
        }
        for what, button in self.some.items():
            button.set_enabled(fitting[what])

    def _drawn(self) -> list[object]:
        return tree_rows(self.edits.tree, self.editor.records, self.editor.missing)

    def _button(self, icon: str, text: str, what: str) -> ui.button:
        return _button(icon, text, lambda: self.act(what))

    def _named(self, chosen: Sequence[str]) -> str:
        if len(chosen) == 1:
            return shorten(chosen[0])
        groups = sum(1 for label in chosen if label in self.edits.tree.by_label)
        parts = [(groups, "group"), (len(chosen) - groups, "value")]
        return join_words([quantity(n, word) for n, word in parts if n])


def _button(icon: str, text: str, action: Callable[[], object]) -> ui.button:
    return ui.button(text, icon=icon, on_click=action).props("flat dense no-caps")
