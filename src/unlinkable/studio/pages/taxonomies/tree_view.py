"""TreeView: a taxonomy as a tree on the page, drawn and moved about in the browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from unlinkable.studio.by_hand.tree import Group, HandTree
from unlinkable.studio.contracts import TreeNode

__all__ = ["TreeView", "drawn_nodes", "drawn_tree"]

_NOTE = 1
"""What is shown and no node of the tree."""

Drawn = list[Any]
"""A node: its label, records, values, children (0: it is a value), and `_NOTE` or nothing."""


class TreeView(ui.element, component="tree_view.js"):
    """A tree whose rows can be opened, searched, chosen and dragged."""

    def __init__(self, drawn: Drawn, name: str, *, is_fixed: bool) -> None:
        super().__init__()
        self._props["tree"] = drawn
        self._props["name"] = name
        self._props["fixed"] = is_fixed
        self._props["search-label"] = "Search values and groups"
        self.classes("w-full")

    def show(self, drawn: Drawn) -> None:
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


def drawn_tree(tree: HandTree, records: Mapping[str, int], missing: int) -> Drawn:
    """Give a whole tree as it is drawn, groups first, with the records under every node."""

    def draw(group: Group) -> Drawn:
        groups = [draw(child) for child in group.children if isinstance(child, Group)]
        values = [c for c in group.children if isinstance(c, str)]
        below = groups + [[value, records.get(value, 0), 1, 0] for value in values]
        return [group.label, sum(n[1] for n in below), sum(n[2] for n in below), below]

    drawn = draw(tree.root)
    if missing:
        drawn[1] += missing
        drawn[3].append(["missing: always stands apart", missing, 0, 0, _NOTE])
    return drawn


def drawn_nodes(node: TreeNode) -> Drawn:
    """Give a tree of which only a part is listed as it is drawn."""
    if not node["level"]:
        return [node["label"], node["records"], 1, 0]
    below = [drawn_nodes(child) for child in node["children"]]
    if node["more"]:
        below.append([f"and {node['more']:,} more under {node['label']}", None, 0, 0, _NOTE])
    return [node["label"], node["records"], node["values"], below]
