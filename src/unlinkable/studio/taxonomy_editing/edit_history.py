"""EditHistory: the edits of a tree, in memory and in the project, to be undone after a restart.

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

from unlinkable.studio.contracts import Document, Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import private_folder, read_json, write_text
from unlinkable.studio.project import Project
from unlinkable.studio.taxonomy_editing.tree import Group, TaxonomyTree

__all__ = ["EditHistory", "Journal", "Step", "delete_edits", "load_edits", "origins", "save_edits"]

_MOST_KEPT = 200

Step = tuple[str, TaxonomyTree]
"""An edit in words, and the tree that it leads back, or forth, to."""


@define
class EditHistory:
    """A tree as it is now, and the way it came there.

    Attributes
    ----------
    tree
        The tree as it is.
    past, future
        What can be undone, and what can be done again, the nearest step last.
    is_whole
        Whether the past reaches back to where the edits began.
    """

    tree: TaxonomyTree
    past: list[Step] = field(factory=list)
    future: list[Step] = field(factory=list)
    is_whole: bool = True

    @property
    def last(self) -> str | None:
        """What was done last, in words, if it can be undone."""
        return self.past[-1][0] if self.past else None

    @property
    def next(self) -> str | None:
        """What was undone last, in words, if it can be done again."""
        return self.future[-1][0] if self.future else None

    @property
    def is_begin(self) -> bool:
        """Whether the tree is the one that the edits began with."""
        return self.is_whole and not self.past

    def do(self, words: str, tree: TaxonomyTree) -> bool:
        """Go on to another tree; whether it is another one."""
        if tree == self.tree:
            return False
        self.is_whole = self.is_whole and len(self.past) < _MOST_KEPT
        self.past = [*self.past[-_MOST_KEPT + 1 :], (words, self.tree)]
        self.future = []
        self.tree = tree
        return True

    def undo(self) -> str:
        """Go back by one edit, and say by which.

        Raises
        ------
        StudioError
            If there is none.
        """
        if not self.past:
            raise StudioError("there is nothing to undo")
        words, before = self.past[-1]
        self.past, self.future = self.past[:-1], [*self.future, (words, self.tree)]
        self.tree = before
        return words

    def redo(self) -> str:
        """Do again what was undone last, and say what.

        Raises
        ------
        StudioError
            If nothing was undone since the last edit.
        """
        if not self.future:
            raise StudioError("there is nothing to do again")
        words, after = self.future[-1]
        self.past, self.future = [*self.past, (words, self.tree)], self.future[:-1]
        self.tree = after
        return words


_LARGEST = 2_000_000
"""Characters of all groups in a file, beyond those of the tree as it is."""


@frozen
class Journal:
    """Edits, the rule that they began with, and the labels that it had made."""

    edits: EditHistory
    origin: Rule | None
    made: frozenset[str] = frozenset()


def save_edits(project: Project, column: str, standing: object, journal: Journal) -> None:
    """Write the edits of a column, for as long as what it stands on is the same."""
    edits, shelf = journal.edits, _GroupTable()
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


def load_edits(project: Project, column: str, standing: object) -> Journal | None:
    """Read the edits of a column; None if there are none, or they stand on something else."""
    found = read_json(_file(project, column))
    if not isinstance(found, dict) or found.get("standing") != _digest(standing):
        return None
    try:
        return Journal(_read(found), found["origin"], frozenset(found["made"]))
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def delete_edits(project: Project, column: str) -> None:
    """Delete the edits of a column."""
    _file(project, column).unlink(missing_ok=True)


def origins(project: Project) -> Iterator[Rule]:
    """Give the rules that edits began with, which undoing leads back to."""
    for file in _folder(project).glob("*.json"):
        found = read_json(file)
        if isinstance(found, dict) and isinstance(found.get("origin"), dict):
            yield found["origin"]


@define
class _GroupTable:
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


def _read(document: Document) -> EditHistory:
    groups: list[Group] = []
    for label, children in document["groups"]:
        below = (c if isinstance(c, str) else groups[c] for c in children)
        groups.append(Group(str(label), tuple(below)))

    def steps(key: str) -> list[Step]:
        return [(str(words), TaxonomyTree(groups[at])) for words, at in document[key]]

    now = TaxonomyTree(groups[document["now"]])
    return EditHistory(now, steps("past"), steps("future"), bool(document["is_whole"]))


def _folder(project: Project) -> Path:
    return private_folder(project.folder / "edits")


def _file(project: Project, column: str) -> Path:
    stem = re.sub(r"[^\w-]+", "-", column).strip("-")[-60:] or "column"
    return _folder(project) / f"{stem}-{_digest(column)}.json"


def _digest(value: object) -> str:
    text = json.dumps(value, default=str, sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
