"""Telling labels: groups that are called by what is in them are called anew when that changes.

Rules call groups ``{Dancer, Writer}``, ``[20-40)``, ``105**`` or ``2024-03``. Such a label is
published, and recipients believe it. So when a value comes or goes, the group is called by the set
of its values, until somebody gives it a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator

from unlinkable.studio.by_hand.tree import Group, HandTree, Node

__all__ = ["is_telling", "set_label", "told_anew"]

_TELLING = re.compile(r"\{.*\}|\[.*\)|<.*|>=.*", re.DOTALL)
_MUST_QUOTE = re.compile(r'[,{}"]|^\s|\s$|^$')


def told_anew(before: HandTree, after: HandTree, made: Collection[str] = ()) -> HandTree:
    """Give telling labels to the groups whose values are others than before.

    That is: to groups with sets and intervals for labels, and with labels that a rule has ``made``.

    Examples
    --------
    >>> tree = HandTree(Group("*", (Group("{a, b}", ("a", "b")), "c")))
    >>> told_anew(tree, tree.move(["c"], "{a, b}")).by_label["{a, b, c}"].children
    ('a', 'b', 'c')
    """

    def inside(group: Group) -> tuple[Node, ...]:
        return tuple(n for c in group.children for n in (tell(c) if isinstance(c, Group) else (c,)))

    def tell(group: Group) -> tuple[Node, ...]:
        known = before.by_label.get(group.label)
        if known is group:
            return (group,)
        told = Group(group.label, inside(group))
        if known is None or not (group.label in made or is_telling(group.label)):
            return (told,)
        values = list(_in_order(told))
        if set(values) == set(_in_order(known)):
            return (told,)
        # One value, or one group of the same values, tells all there is to tell.
        label = set_label(values)
        same = any(isinstance(c, Group) and c.label == label for c in told.children)
        return told.children if same or len(values) == 1 else (Group(label, told.children),)

    return HandTree(Group(after.root.label, inside(after.root)))


def is_telling(label: str) -> bool:
    """Whether a label is a set or an interval, which tells what is in a group.

    Examples
    --------
    >>> [is_telling(label) for label in ("{a, b}", "[20-40)", ">=80", "Artist")]
    [True, True, True, False]
    """
    return _TELLING.fullmatch(label) is not None


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
