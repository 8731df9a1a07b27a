"""TaxonomyTree: a taxonomy as it is edited: groups within groups, and values in them.

A tree is never changed: every edit gives another one, which shares all that stays the same with the
one before. Undoing an edit is therefore nothing but keeping the tree that was there.

Labels are unique in a tree, be they of groups or of values, because a published label must mean one
thing. So a label is also how a node is named.

Rules call groups ``{Dancer, Writer}``, ``[20-40)``, ``105**`` or ``2024-03``. Such a label is
published, and recipients believe it. So when a value comes or goes, the group is named by the set
of its values, until it is given a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from unlinkable.studio.errors import StudioError

__all__ = ["Group", "Node", "TaxonomyTree", "is_descriptive", "relabel", "set_label"]


@frozen
class Group:
    """A label, and the groups and values (texts) under it."""

    label: str
    children: tuple[Node, ...]


Node: TypeAlias = Group | str


@define(frozen=True, slots=False)
class TaxonomyTree:
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

    def move(self, labels: Collection[str], to: str) -> TaxonomyTree:
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

    def gather(self, labels: Collection[str], name: str) -> TaxonomyTree:
        """Make a new group of nodes, in the nearest group that holds them all.

        Raises
        ------
        StudioError
            If nothing is chosen, or the name is empty or taken.
        """
        chosen = self._topmost(labels)
        return self._with_group(chosen, Group(self._free(name), tuple(self._nodes(chosen))))

    def merge(self, labels: Collection[str], name: str) -> TaxonomyTree:
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

    def split(self, labels: Collection[str], name: str) -> TaxonomyTree:
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

    def flat(self) -> TaxonomyTree:
        """Take all groups away."""
        values = tuple(label for label in self.parents if label not in self.by_label)
        return TaxonomyTree(Group(self.root.label, values))

    def ungroup(self, label: str) -> TaxonomyTree:
        """Take a group away; what was in it takes its place.

        Raises
        ------
        StudioError
            If it is no group, or the root.
        """
        if label not in self.by_label or label == self.root.label:
            raise StudioError(f"{label!r} is no group that could be dissolved")
        return TaxonomyTree(_spliced(self.root, label, self.by_label[label].children))

    def rename(self, label: str, name: str) -> TaxonomyTree:
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
            return TaxonomyTree(evolve(self.root, label=name))
        renamed = evolve(self.by_label[label], label=name)
        return TaxonomyTree(_spliced(self.root, label, (renamed,)))

    def _with_group(self, chosen: list[str], group: Group) -> TaxonomyTree:
        """Put a group in the place of what it is made of."""
        paths = [self.above(label) for label in chosen]
        place = next(label for label in paths[0] if all(label in path for path in paths))
        first = [chosen[0], *paths[0]]
        return self._rebuilt(set(chosen), place, [group], before=first[first.index(place) - 1])

    def _rebuilt(
        self, without: set[str], to: str, added: list[Node], before: str | None = None
    ) -> TaxonomyTree:
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

        return TaxonomyTree(rebuild(self.root))

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


_DESCRIPTIVE = re.compile(r"\{.*\}|\[.*\)|<.*|>=.*", re.DOTALL)

_MUST_QUOTE = re.compile(r'[,{}"]|^\s|\s$|^$')


def relabel(before: TaxonomyTree, after: TaxonomyTree, made: Collection[str] = ()) -> TaxonomyTree:
    """Give telling labels to the groups whose values are others than before.

    That is: to groups with sets and intervals for labels, and with labels that a rule has ``made``.

    Examples
    --------
    >>> tree = TaxonomyTree(Group("*", (Group("{a, b}", ("a", "b")), "c")))
    >>> relabel(tree, tree.move(["c"], "{a, b}")).by_label["{a, b, c}"].children
    ('a', 'b', 'c')
    """

    def inside(group: Group) -> tuple[Node, ...]:
        return tuple(n for c in group.children for n in (tell(c) if isinstance(c, Group) else (c,)))

    def tell(group: Group) -> tuple[Node, ...]:
        known = before.by_label.get(group.label)
        if known is group:
            return (group,)
        told = Group(group.label, inside(group))
        if known is None or not (group.label in made or is_descriptive(group.label)):
            return (told,)
        values = list(_in_order(told))
        if set(values) == set(_in_order(known)):
            return (told,)
        # One value, or one group of the same values, tells all there is to tell.
        label = set_label(values)
        same = any(isinstance(c, Group) and c.label == label for c in told.children)
        return told.children if same or len(values) == 1 else (Group(label, told.children),)

    return TaxonomyTree(Group(after.root.label, inside(after.root)))


def is_descriptive(label: str) -> bool:
    """Whether a label is a set or an interval, which tells what is in a group.

    Examples
    --------
    >>> [is_descriptive(label) for label in ("{a, b}", "[20-40)", ">=80", "Artist")]
    [True, True, True, False]
    """
    return _DESCRIPTIVE.fullmatch(label) is not None


def set_label(values: Iterable[str]) -> str:
    """Write values as a set, as releases do.

    Examples
    --------
    >>> print(set_label(["Dancer", "Writer, retired"]))
    {Dancer, "Writer, retired"}
    """
    members = (json.dumps(v, ensure_ascii=False) if _MUST_QUOTE.search(v) else v for v in values)
    return f"{{{', '.join(members)}}}"


def _in_order(group: Group) -> Iterator[str]:
    """Give the values of a group as they stand in the tree, and so in the domain."""
    for child in group.children:
        if isinstance(child, Group):
            yield from _in_order(child)
        else:
            yield child
