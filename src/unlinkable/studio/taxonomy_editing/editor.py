"""TaxonomyEditor: a taxonomy that is edited by hand, the same one in all tabs, with undo and redo.

The tree is in the plan after every edit. The edits are in the folder of the project, to be undone
after a restart; they are dropped if the column is given another taxonomy meanwhile. Trees share
most of their groups with the ones before, and every group is written once. As many steps are
written as fit into a file of moderate size, the nearest ones first.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from weakref import WeakKeyDictionary

from attrs import define, evolve, field, frozen

from unlinkable.studio.contracts import Document, Rule, WholeTree
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import private_folder, read_json, write_text
from unlinkable.studio.project import Project
from unlinkable.studio.taxonomy_editing.tree import (
    Group,
    TaxonomyTree,
    is_descriptive,
    relabel,
)
from unlinkable.studio.taxonomy_editing.tree_files import read_nested, save_tree
from unlinkable.studio.workbench import Workbench

__all__ = [
    "EditHistory",
    "Journal",
    "Step",
    "TaxonomyEditor",
    "delete_edits",
    "drop_unused",
    "editor_of",
    "load_edits",
    "origins",
    "rule_of",
    "save_edits",
    "whole_tree",
]

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
            raise StudioError("there is nothing to redo")
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


@define(eq=False)
class TaxonomyEditor:
    """A taxonomy that is being arranged.

    Attributes
    ----------
    column
        Whose taxonomy it is.
    edits
        The tree and the way there; None if there are too many values, or before `open`.
    records, missing
        How many records every value has, and how many have none.
    """

    column: str
    edits: EditHistory | None = None
    records: dict[str, int] = field(factory=dict)
    missing: int = 0
    _origin: Rule | None = None
    _made: frozenset[str] = frozenset()
    _standing: tuple[object, ...] | None = None
    _lock: asyncio.Lock = field(factory=asyncio.Lock, repr=False)

    async def open(self, work: Workbench) -> None:
        """Take up the taxonomy as it stands in the plan, unless that is what is here already.

        Raises
        ------
        TaskError
            If the rule of the plan does not fit the data.
        """
        async with self._lock:
            standing = _standing(work, self.column)
            if self._standing == standing:
                return
            whole = await whole_tree(work, self.column, None)
            self.records, self.missing = whole["records"], whole["missing"]
            nested = whole["nested"]
            self.edits, self._origin = None, rule_of(work, self.column)
            if nested is not None:
                self.edits = EditHistory(read_nested(whole["root"], nested))
                self._made = _made(self._origin, self.edits.tree)
                await self._take_up(work.project, standing)
            self._standing = standing

    async def _take_up(self, project: Project, standing: object) -> None:
        """Go on with edits that were made before, if they led to this tree."""
        edits = self._open_edits()
        kept = await asyncio.to_thread(load_edits, project, self.column, standing)
        if kept is not None and set(kept.edits.tree.values()) == set(edits.tree.values()):
            self.edits, self._origin, self._made = kept.edits, kept.origin, kept.made
        else:
            await asyncio.to_thread(delete_edits, project, self.column)

    async def do(
        self, work: Workbench, words: str, edit: Callable[[TaxonomyTree], TaxonomyTree]
    ) -> bool:
        """Edit the tree and keep it; whether anything has changed.

        Raises
        ------
        StudioError
            If the edit makes no sense, or the tree cannot be kept; then nothing has changed.
        """
        async with self._lock:
            edits = evolve(self._open_edits())
            if not edits.do(words, relabel(edits.tree, edit(edits.tree), self._made)):
                return False
            await self._keep(work, edits)
            return True

    async def undo(self, work: Workbench) -> str:
        """Undo the last edit, and say which it was."""
        return await self._step(work, EditHistory.undo)

    async def redo(self, work: Workbench) -> str:
        """Do again what was undone last, and say what."""
        return await self._step(work, EditHistory.redo)

    async def _step(self, work: Workbench, step: Callable[[EditHistory], str]) -> str:
        async with self._lock:
            edits = evolve(self._open_edits())
            words = step(edits)
            await self._keep(work, edits)
            return words

    def _open_edits(self) -> EditHistory:
        if self.edits is None:
            raise StudioError("this column has too many values to be arranged by hand")
        return self.edits

    async def _keep(self, work: Workbench, edits: EditHistory) -> None:
        """Go on with other edits, if the data agree with the tree that they lead to."""
        project, rule = work.project, self._origin
        if not edits.is_begin:
            rule = await asyncio.to_thread(save_tree, project, self.column, edits.tree)
            await work.ask("taxonomy", column=self.column, rule=rule)
        await work.set_taxonomy(self.column, rule)
        self.edits, self._standing = edits, _standing(work, self.column)
        journal = Journal(edits, self._origin, self._made)
        await asyncio.to_thread(save_edits, project, self.column, self._standing, journal)
        await asyncio.to_thread(drop_unused, project)


_EDITORS: WeakKeyDictionary[Project, dict[str, TaxonomyEditor]] = WeakKeyDictionary()


def editor_of(work: Workbench, column: str) -> TaxonomyEditor:
    """Give the editor of a column, which all tabs share."""
    desks = _EDITORS.setdefault(work.project, {})
    return desks.setdefault(column, TaxonomyEditor(column))


def rule_of(work: Workbench, column: str) -> Rule | None:
    """Give the rule of a column as it stands in the plan, None for the default."""
    found: Rule | None = ((work.plan or {}).get("columns", {}).get(column) or {}).get("taxonomy")
    return found


async def whole_tree(work: Workbench, column: str, rule: Rule | None) -> WholeTree:
    """Build the whole tree of a column, by the rule of the plan or by one that is tried."""
    found: WholeTree = await work.ask(
        "whole_tree", replaces=f"whole tree {column}", column=column, rule=rule
    )
    return found


def _made(rule: Rule | None, tree: TaxonomyTree) -> frozenset[str]:
    """Name the groups that a rule has called so, as far as that cannot be seen from the label."""
    if rule is not None and ("tree" in rule or "csv" in rule):
        return frozenset()
    return frozenset(label for label in tree.by_label if not is_descriptive(label))


def _standing(work: Workbench, column: str) -> tuple[object, ...]:
    """Tell apart what a tree is made of: the data and how they are read, and the rule."""
    data = (work.plan or {}).get("data")
    described = (work.project.description or {}).get("description", {}).get("records")
    return data, described, rule_of(work, column)


_MADE_HERE = re.compile(r"[\w-]+-[0-9a-f]{10}\.csv")


def drop_unused(project: Project) -> None:
    """Delete the hierarchy files that were written here and that nothing needs any more.

    That is: no plan, no run, and no way back by undoing.
    """
    named = {str(rule.get("csv")) for rule in origins(project)}
    named |= _named(project.plan or {})
    for outcome in project.runs():
        named |= _named(outcome["plan"])
    for name in project.files("taxonomies"):
        if _MADE_HERE.fullmatch(name) and f"taxonomies/{name}" not in named:
            (project.taxonomies / name).unlink(missing_ok=True)


def _named(plan: Document) -> set[str]:
    columns = plan.get("columns", {}).values()
    return {str(column.get("taxonomy", {}).get("csv")) for column in columns}
