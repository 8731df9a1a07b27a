"""HandTree: a taxonomy as somebody arranges it: groups within groups, and values in them.

A tree is never changed: every edit gives another one, which shares all that stays the same with the
one before. Taking an edit back is therefore nothing but keeping the tree that was there.

Labels are unique in a tree, be they of groups or of values, because a published label must mean one
thing. So a label is also how a node is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from unlinkable.studio.errors import StudioError

__all__ = ["Group", "HandTree", "Node"]


@frozen
class Group:
    """A label, and the groups and values (texts) under it."""

    label: str
    children: tuple[Node, ...]


Node: TypeAlias = Group | str


@define(frozen=True, slots=False)
class HandTree:
    """A taxonomy as it was arranged by hand.

    Attributes
    ----------
    root
        The group of everything. No other group is empty.
    """

    root: Group = field()

    @cached_property
    def parents(self) -> dict[str, str | None]:
        """The group that every label stands in, None for the root, from the root down."""
        found: dict[str, str | None] = {self.root.label: None}
        for group in self.groups():
            for child in group.children:
                found[_label(child)] = group.label
        return found

    @cached_property
    def by_label(self) -> dict[str, Group]:
        """All groups, by their labels."""
        return {group.label: group for group in self.groups()}

    def groups(self, top: Group | None = None) -> Iterator[Group]:
        """Give a group (the root, if none is given) and all groups in it, from the top down."""
        stack = [top or self.root]
        while stack:
            group = stack.pop()
            yield group
            stack.extend(child for child in reversed(group.children) if isinstance(child, Group))

    def values(self, top: Group | None = None) -> Iterator[str]:
        """Give the values of a group and of all groups in it."""
        for group in self.groups(top):
            yield from (child for child in group.children if isinstance(child, str))

    def above(self, label: str) -> list[str]:
        """Name the groups that a node stands in, the nearest one first and the root last."""
        found: list[str] = []
        at = self.parents[self._known(label)]
        while at is not None:
            found.append(at)
            at = self.parents[at]
        return found

    def move(self, labels: Collection[str], to: str) -> HandTree:
        """Put nodes into a group. Groups that become empty vanish.

        Raises
        ------
        StudioError
            If there is no such group, or it is one of the nodes or inside one of them.
        """
        chosen = self._topmost(labels)
        if to not in self.by_label:
            raise StudioError(f"{to!r} is no group: choose a group to move to")
        if inside := next((c for c in chosen if c in (to, *self.above(to))), None):
            raise StudioError(f"{inside!r} cannot be moved into itself")
        staying = [c for c in chosen if self.parents[c] == to]
        moved = self._nodes([c for c in chosen if c not in staying])
        return self._rebuilt({_label(node) for node in moved}, to, moved) if moved else self

    def gather(self, labels: Collection[str], name: str) -> HandTree:
        """Make a new group of nodes, in the nearest group that holds them all.

        Raises
        ------
        StudioError
            If nothing is chosen, or the name is empty or taken.
        """
        chosen = self._topmost(labels)
        return self._with_group(chosen, Group(self._free(name), tuple(self._nodes(chosen))))

    def merge(self, labels: Collection[str], name: str) -> HandTree:
        """Make one group out of several: what was in them is in it, and they are gone.

        Values that are chosen beside them join it. It may have the name of one of them.

        Raises
        ------
        StudioError
            If fewer than two nodes are chosen, none of them a group, or the name is taken.
        """
        chosen = self._topmost(labels)
        nodes = self._nodes(chosen)
        groups = [node for node in nodes if isinstance(node, Group)]
        if len(nodes) < 2 or not groups:
            raise StudioError("choose at least two to merge, one of them a group")
        name = self._free(name, except_for={group.label for group in groups})
        parts = (node.children if isinstance(node, Group) else (node,) for node in nodes)
        return self._with_group(chosen, Group(name, tuple(c for part in parts for c in part)))

    def split(self, labels: Collection[str], name: str) -> HandTree:
        """Take nodes out of their group, as a new group beside it.

        Raises
        ------
        StudioError
            If they are no part of one group, or the name is empty or taken.
        """
        chosen = self._topmost(labels)
        group = self.parents[chosen[0]]
        beside = None if group is None else self.parents[group]
        if group is None or beside is None or {self.parents[c] for c in chosen} != {group}:
            raise StudioError("choose some of what is in one group: it becomes a group beside it")
        if len(chosen) == len(self.by_label[group].children):
            raise StudioError("leave something in the group, or rename it")
        made = Group(self._free(name), tuple(self._nodes(chosen)))
        return self._rebuilt(set(chosen), beside, [made], before=group)

    def flat(self) -> HandTree:
        """Take all groups away."""
        values = tuple(label for label in self.parents if label not in self.by_label)
        return HandTree(Group(self.root.label, values))

    def ungroup(self, label: str) -> HandTree:
        """Take a group away; what was in it takes its place.

        Raises
        ------
        StudioError
            If it is no group, or the root.
        """
        if label not in self.by_label or label == self.root.label:
            raise StudioError(f"{label!r} is no group that could be dissolved")
        return HandTree(_spliced(self.root, label, self.by_label[label].children))

    def rename(self, label: str, name: str) -> HandTree:
        """Call a group, or the root, something else.

        Raises
        ------
        StudioError
            If it is a value, or the new name is empty or taken.
        """
        if label not in self.by_label:
            raise StudioError(f"{label!r} is a value of the data: only groups can be renamed")
        name = self._free(name, except_for={label})
        if label == self.root.label:
            return HandTree(evolve(self.root, label=name))
        renamed = evolve(self.by_label[label], label=name)
        return HandTree(_spliced(self.root, label, (renamed,)))

    def _with_group(self, chosen: list[str], group: Group) -> HandTree:
        """Put a group in the place of what it is made of."""
        paths = [self.above(label) for label in chosen]
        place = next(label for label in paths[0] if all(label in path for path in paths))
        first = [chosen[0], *paths[0]]
        return self._rebuilt(set(chosen), place, [group], before=first[first.index(place) - 1])

    def _rebuilt(
        self, without: set[str], to: str, added: list[Node], before: str | None = None
    ) -> HandTree:
        def rebuild(group: Group) -> Group:
            kept: list[Node] = []
            for child in group.children:
                if group.label == to and _label(child) == before:
                    kept.extend(added)
                if _label(child) in without:
                    continue
                below = rebuild(child) if isinstance(child, Group) else child
                if not isinstance(below, Group) or below.children:
                    kept.append(below)
            if group.label == to and before is None:
                kept.extend(added)
            same = len(kept) == len(group.children) and all(map(_is, kept, group.children))
            return group if same else Group(group.label, tuple(kept))

        return HandTree(rebuild(self.root))

    def _topmost(self, labels: Collection[str]) -> list[str]:
        chosen = {self._known(label) for label in labels} - {self.root.label}
        if not chosen:
            raise StudioError("choose some values or groups first")
        found = [label for label in self.parents if label in chosen]
        return [label for label in found if chosen.isdisjoint(self.above(label))]

    def _nodes(self, labels: Iterable[str]) -> list[Node]:
        return [self.by_label.get(label, label) for label in labels]

    def _known(self, label: str) -> str:
        if label not in self.parents:
            raise StudioError(f"there is no {label!r} in the tree any more")
        return label

    def _free(self, name: str, except_for: Collection[str] = ()) -> str:
        name = " ".join(name.split())
        if not name:
            raise StudioError("give the group a name")
        if name in self.parents and name not in except_for:
            what = "group" if name in self.by_label else "value"
            raise StudioError(f"there is a {what} called {name!r} already: choose another name")
        return name


def _label(node: Node) -> str:
    return node if isinstance(node, str) else node.label


def _is(one: object, other: object) -> bool:
    return one is other


def _spliced(group: Group, label: str, instead: tuple[Node, ...]) -> Group:
    children: list[Node] = []
    for child in group.children:
        if not isinstance(child, Group):
            children.append(child)
        elif child.label == label:
            children.extend(instead)
        else:
            children.append(_spliced(child, label, instead))
    same = len(children) == len(group.children) and all(map(_is, children, group.children))
    return group if same else Group(group.label, tuple(children))
