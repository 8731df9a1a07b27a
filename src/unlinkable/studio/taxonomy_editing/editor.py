"""TaxonomyEditor: a taxonomy that is edited by hand, the same one in all tabs.

The tree is in the plan after every edit. The edits, for undoing, are in the folder of the project;
they are dropped if the column is given another taxonomy meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from attrs import define, evolve, field

from unlinkable.studio.contracts import Rule, WholeTree
from unlinkable.studio.errors import StudioError
from unlinkable.studio.project import Project
from unlinkable.studio.taxonomy_editing.edit_history import (
    EditHistory,
    Journal,
    delete_edits,
    load_edits,
    save_edits,
)
from unlinkable.studio.taxonomy_editing.tree import TaxonomyTree, is_descriptive, relabel
from unlinkable.studio.taxonomy_editing.tree_files import drop_unused, read_nested, save_tree
from unlinkable.studio.workbench import Workbench

__all__ = ["TaxonomyEditor", "editor_of", "rule_of", "whole_tree"]


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
        async with self._lock:
            edits = evolve(self._open_edits())
            words = edits.undo()
            await self._keep(work, edits)
            return words

    async def redo(self, work: Workbench) -> str:
        """Do again what was undone last, and say what."""
        async with self._lock:
            edits = evolve(self._open_edits())
            words = edits.redo()
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
