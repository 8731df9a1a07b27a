"""Journal: the edits of a tree in the project, so that they can be undone after a restart.

Trees share most of their groups with the ones before, and every group is written once. As many
steps are written as fit into a file of moderate size, the nearest ones first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from attrs import define, field, frozen

from unlinkable.studio.by_hand.edits import Edits, Step
from unlinkable.studio.by_hand.tree import Group, HandTree
from unlinkable.studio.contracts import Document, Rule
from unlinkable.studio.files import private_folder, read_json, write_text
from unlinkable.studio.project import Project

__all__ = ["Journal", "forget_edits", "keep_edits", "kept_edits", "origins"]

_LARGEST = 2_000_000
"""Characters of all groups in a file, beyond those of the tree as it is."""


@frozen
class Journal:
    """Edits, the rule that they began with, and the labels that it had made."""

    edits: Edits
    origin: Rule | None
    made: frozenset[str] = frozenset()


def keep_edits(project: Project, column: str, standing: object, journal: Journal) -> None:
    """Write the edits of a column, for as long as what it stands on is the same."""
    edits, shelf = journal.edits, _Shelf()
    now = shelf.put(edits.tree.root)
    shelf.room = _LARGEST
    past, future = shelf.steps(edits.past), shelf.steps(edits.future)
    document = {
        "standing": _digest(standing),
        "origin": journal.origin,
        "made": sorted(journal.made),
        "is_whole": edits.is_whole and len(past) == len(edits.past),
        "now": now,
        "past": past,
        "future": future,
        "groups": shelf.groups,
    }
    write_text(_file(project, column), json.dumps(document, default=str))


def kept_edits(project: Project, column: str, standing: object) -> Journal | None:
    """Read the edits of a column; None if there are none, or they stand on something else."""
    found = read_json(_file(project, column))
    if not isinstance(found, dict) or found.get("standing") != _digest(standing):
        return None
    try:
        return Journal(_read(found), found["origin"], frozenset(found["made"]))
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def forget_edits(project: Project, column: str) -> None:
    """Delete the edits of a column."""
    _file(project, column).unlink(missing_ok=True)


def origins(project: Project) -> Iterator[Rule]:
    """Give the rules that edits began with, which undoing leads back to."""
    for file in _folder(project).glob("*.json"):
        found = read_json(file)
        if isinstance(found, dict) and isinstance(found.get("origin"), dict):
            yield found["origin"]


@define
class _Shelf:
    """All groups of several trees, each of them once, those within others first."""

    groups: list[list[object]] = field(factory=list)
    room: int = 0
    _known: dict[int, int] = field(factory=dict)

    def put(self, group: Group) -> int:
        """Put a group on the shelf, unless it is there, and give its place."""
        if (known := self._known.get(id(group))) is not None:
            return known
        children = [c if isinstance(c, str) else self.put(c) for c in group.children]
        self.room -= len(group.label) + sum(len(c) if isinstance(c, str) else 8 for c in children)
        self.groups.append([group.label, children])
        place = self._known[id(group)] = len(self.groups) - 1
        return place

    def steps(self, steps: list[Step]) -> list[tuple[str, int]]:
        """Put the trees of the last steps there, as long as there is room."""
        found: list[tuple[str, int]] = []
        for words, tree in reversed(steps):
            if self.room <= 0:
                break
            found.append((words, self.put(tree.root)))
        return found[::-1]


def _read(document: Document) -> Edits:
    groups: list[Group] = []
    for label, children in document["groups"]:
        below = (c if isinstance(c, str) else groups[c] for c in children)
        groups.append(Group(str(label), tuple(below)))

    def steps(key: str) -> list[Step]:
        return [(str(words), HandTree(groups[at])) for words, at in document[key]]

    now = HandTree(groups[document["now"]])
    return Edits(now, steps("past"), steps("future"), bool(document["is_whole"]))


def _folder(project: Project) -> Path:
    return private_folder(project.folder / "edits")


def _file(project: Project, column: str) -> Path:
    stem = re.sub(r"[^\w-]+", "-", column).strip("-")[-60:] or "column"
    return _folder(project) / f"{stem}-{_digest(column)}.json"


def _digest(value: object) -> str:
    text = json.dumps(value, default=str, sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
