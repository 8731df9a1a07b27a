"""How a tree is written down: as a rule of a plan, or as a hierarchy file if it is long."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from unlinkable.studio.by_hand.tree import Group, HandTree, Node
from unlinkable.studio.contracts import Rule

__all__ = ["csv_size", "read_nested", "to_csv", "to_rule"]


def read_nested(root: str, nested: object) -> HandTree:
    """Take nested tables and lists, as of a rule ``tree``, for what is under the root.

    A group that only repeats the label of what is in it, as levels do that are filled up, is left
    out, and so is one that has nothing in it. Labels stay whole: they are what is published.
    """
    seen = {root}
    return HandTree(Group(root, tuple(_distinct(_read(nested), seen))))


def to_rule(tree: HandTree) -> Rule:
    """Write a tree as a rule of a plan.

    Examples
    --------
    >>> to_rule(read_nested("*", {"Artist": ["Dancer", "Writer"], "Cook": {}}))
    {'tree': {'Artist': ['Dancer', 'Writer'], 'Cook': {}}, 'pad': True}
    """
    top: object = _nested(tree.root)
    is_named = tree.root.label != "*"
    if is_named or (len(tree.root.children) == 1 and isinstance(tree.root.children[0], Group)):
        top = {tree.root.label: top}
    is_even = len({len(path) for _, path in _paths(tree)}) == 1
    return {"tree": top} if is_even else {"tree": top, "pad": True}


def to_csv(tree: HandTree) -> str:
    r"""Write a tree as a hierarchy file: a row for every value, and its labels up to the root.

    A value that is less deep than others stands for itself on the levels between.

    Examples
    --------
    >>> to_csv(read_nested("*", {"Artist": ["Dancer", "Writer"], "Cook": {}}))
    'Dancer;Artist;*\nWriter;Artist;*\nCook;Cook;*\n'
    """
    paths = list(_paths(tree))
    depth = max((len(path) for _, path in paths), default=0)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    for value, path in paths:
        writer.writerow([value, *[value] * (depth - len(path)), *reversed(path)])
    return text.getvalue()


def csv_size(tree: HandTree) -> int:
    """Count the characters of a tree as a hierarchy file, about."""
    return sum(
        2 + len(value) + sum(len(label) + 1 for label in path) for value, path in _paths(tree)
    )


def _paths(tree: HandTree) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give every value with the labels above it, the root first."""
    stack: list[tuple[Node, tuple[str, ...]]] = [(tree.root, ())]
    while stack:
        node, path = stack.pop()
        if isinstance(node, str):
            yield node, path
        else:
            below = (*path, node.label)
            stack.extend((child, below) for child in reversed(node.children))


def _nested(group: Group) -> object:
    if all(isinstance(child, str) for child in group.children):
        return list(group.children)
    return {
        (child if isinstance(child, str) else child.label): (
            {} if isinstance(child, str) else _nested(child)
        )
        for child in group.children
    }


def _read(nested: object) -> Iterator[Node]:
    if isinstance(nested, Mapping):
        for label, below in nested.items():
            if isinstance(below, Mapping) and not below:
                yield str(label)
            else:
                yield Group(str(label), tuple(_read(below)))
    elif isinstance(nested, Sequence) and not isinstance(nested, str):
        for item in nested:
            if isinstance(item, (Mapping, list)):
                yield from _read(item)
            else:
                yield str(item)


def _distinct(nodes: Iterable[Node], seen: set[str]) -> Iterator[Node]:
    """Leave out groups that repeat a label or are empty, and values that come again."""
    for node in nodes:
        if isinstance(node, str):
            if node not in seen:
                seen.add(node)
                yield node
        elif node.label in seen or node.label in _labels(node.children):
            yield from _distinct(node.children, seen)
        else:
            seen.add(node.label)
            if below := tuple(_distinct(node.children, seen)):
                yield Group(node.label, below)


def _labels(nodes: Iterable[Node]) -> set[str]:
    return {node if isinstance(node, str) else node.label for node in nodes}
