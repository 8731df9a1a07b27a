"""The tree of a column, arranged by hand: every edit is kept at once and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from unlinkable.studio.by_hand.edits import Edits
from unlinkable.studio.by_hand.tree import HandTree
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.said import counted, listed
from unlinkable.studio.pages.taxonomies.desk import HandDesk
from unlinkable.studio.pages.taxonomies.dialogs import ask_group, ask_name, brief
from unlinkable.studio.pages.taxonomies.tree_view import TreeView, drawn_tree
from unlinkable.studio.workbench import Workbench

__all__ = ["HandPanel"]

_HINT = "Choose values, or drag one onto another."


class HandPanel:
    """A tree with a bar of what can be done to it."""

    def __init__(self, work: Workbench, desk: HandDesk, edits: Edits) -> None:
        self.work, self.desk, self.edits = work, desk, edits
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
        name = f"Tree of {desk.column}: arrow keys move, Space chooses, Enter opens a menu"
        self.view = TreeView(self._drawn(), name, is_fixed=False)
        self.view.on_choose(self._choose)
        self.view.on_act(self._act)
        self.view.on_drop(self.drop)
        self.view.on("undo", self.undo)
        self.view.on("redo", self.redo)
        self.refresh()

    def refresh(self) -> None:
        """Draw the tree as it is now, whoever has changed it."""
        if self.desk.edits is not None:
            self.edits = self.desk.edits
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
                f"Moved {self._named(chosen)} to {brief(group)}", lambda t: t.move(chosen, group)
            )

    async def undo(self) -> None:
        """Undo the last edit."""
        with told():
            self._say(f"Undone: {await self.desk.undo(self.work)}")

    async def redo(self) -> None:
        """Do again what was undone."""
        with told():
            self._say(f"Again: {await self.desk.redo(self.work)}")

    async def _act(self, what: str, label: str, chosen: Sequence[str]) -> None:
        with self.view:
            await self.act(what, label, chosen)

    async def _move(self, label: str, chosen: Sequence[str]) -> None:
        to = await ask_group(f"Move {self._named(chosen)} to", self.edits.tree, chosen)
        if to is not None:
            await self._do(
                f"Moved {self._named(chosen)} to {brief(to)}", lambda t: t.move(chosen, to)
            )

    async def _gather(self, label: str, chosen: Sequence[str]) -> None:
        name = await ask_name("New group", "Make the group", hint=f"of {self._named(chosen)}")
        if name is not None:
            made = f"Made the group {brief(name)}"
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
            f"Split off {brief(name)}", lambda t: t.split(chosen, name)
        ):
            self.view.forget_chosen()
            self.view.reveal(" ".join(name.split()))

    async def _rename(self, label: str, chosen: Sequence[str]) -> None:
        label = label or chosen[0]
        name = await ask_name(f"Rename {brief(label)}", "Rename", label)
        if name is not None and await self._do(
            f"Renamed {brief(label)} to {brief(name)}", lambda t: t.rename(label, name)
        ):
            self.view.reveal(" ".join(name.split()))

    async def _ungroup(self, label: str, chosen: Sequence[str]) -> None:
        await self._do(f"Dissolved {brief(label)}", lambda t: t.ungroup(label))

    async def _do(self, words: str, edit: Callable[[HandTree], HandTree]) -> bool:
        with told():
            if await self.desk.do(self.work, words, edit):
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
        return drawn_tree(self.edits.tree, self.desk.records, self.desk.missing)

    def _button(self, icon: str, text: str, what: str) -> ui.button:
        return _button(icon, text, lambda: self.act(what))

    def _named(self, chosen: Sequence[str]) -> str:
        if len(chosen) == 1:
            return brief(chosen[0])
        groups = sum(1 for label in chosen if label in self.edits.tree.by_label)
        parts = [(groups, "group"), (len(chosen) - groups, "value")]
        return listed([counted(n, word) for n, word in parts if n])


def _button(icon: str, text: str, action: Callable[[], object]) -> ui.button:
    return ui.button(text, icon=icon, on_click=action).props("flat dense no-caps")
