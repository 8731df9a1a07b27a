"""How a tree is stored: as a rule of the plan, or as a hierarchy file if it is long.

Hierarchy files are in ``taxonomies/`` and named by a digest of what is in them: a file that changes
is another file, so whatever was computed from a plan, and every run, notices.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from unlinkable.studio.contracts import Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import write_text
from unlinkable.studio.project import Project
from unlinkable.studio.taxonomy_editing.tree import Group, Node, TaxonomyTree

__all__ = ["BY_HAND", "csv_size", "read_nested", "save_hierarchy", "save_tree", "to_csv", "to_rule"]


def read_nested(root: str, nested: object) -> TaxonomyTree:
    """Take nested tables and lists, as of a rule ``tree``, for what is under the root.

    A group that only repeats the label of what is in it, as levels do that are filled up, is left
    out, and so is one that has nothing in it. Labels stay whole: they are what is published.
    """
    seen = {root}
    return TaxonomyTree(Group(root, tuple(_distinct(_read(nested), seen))))


def to_rule(tree: TaxonomyTree) -> Rule:
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


def to_csv(tree: TaxonomyTree) -> str:
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


def csv_size(tree: TaxonomyTree) -> int:
    """Count the characters of a tree as a hierarchy file, about."""
    return sum(
        2 + len(value) + sum(len(label) + 1 for label in path) for value, path in _paths(tree)
    )


def _paths(tree: TaxonomyTree) -> Iterator[tuple[str, tuple[str, ...]]]:
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


_LONGEST_IN_PLAN = 200
"""Values of a tree that stands in the plan."""

_LARGEST_IN_PLAN = 50_000
"""Characters of a tree that stands in the plan: groups may be called by all their values."""

_LARGEST = 16_000_000
"""Characters of a hierarchy file, which repeats the names of groups with every value."""

BY_HAND = "-by-hand"
"""How the names of files end that hold a tree arranged by hand, before the digest."""


def save_tree(project: Project, column: str, tree: TaxonomyTree) -> Rule:
    """Write a tree where it belongs, and give the rule that names it.

    Raises
    ------
    StudioError
        If its labels are too long to be kept.
    """
    size = csv_size(tree)
    if size <= _LARGEST_IN_PLAN and sum(1 for _ in tree.values()) <= _LONGEST_IN_PLAN:
        return to_rule(tree)
    if size > _LARGEST:
        raise StudioError(
            "the groups are called by all their values, which is too much to be kept: choose “By "
            "hand” and “Begin without groups”, or use a rule or a file"
        )
    return {"csv": save_hierarchy(project, f"{column}{BY_HAND}", to_csv(tree))}


def save_hierarchy(project: Project, column: str, text: str) -> str:
    """Write a hierarchy file, and give its name as it stands in a plan."""
    digest = sha256(text.encode()).hexdigest()[:10]
    stem = re.sub(r"[^\w-]+", "-", column).strip("-")[-60:] or "column"
    file = project.taxonomies / f"{stem}-{digest}.csv"
    if not file.is_file():
        write_text(file, text)
    return f"taxonomies/{file.name}"
