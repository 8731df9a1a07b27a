"""Raising: what happens to the cells of a recursive histogram that break a promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Raising"]


@define(eq=False, frozen=True)
class Raising:
    """Cells that break a promise go back to the larger cells that they were cut out of.

    Both verbs give a label for each of the finest groups, -1 for those that are left out, and the
    number of labels; each label keeps the promise, given that all records together do.

    Attributes
    ----------
    finest, privacy
        What is in the cells, and what they must keep.
    cubes
        The cells.
    effort
        What it took so far.
    """

    finest: Groups
    privacy: All
    cubes: Subcubes
    effort: Counter[str]

    def whole_cells(self) -> tuple[CodeArray, int]:
        """Undo the division of every cell of which a part breaks the promise."""
        parent, depth = self.cubes.parent, self.cubes.depth
        # `at` is the cell that a row is published in, `up` the cell around it on this level.
        at, up = self.cubes.cells.copy(), self.cubes.cells.copy()
        for level in range(int(depth.max()), 0, -1):
            is_shown = depth[at] == level
            is_bad = is_shown & ~self._keeps(np.where(is_shown, at, -1))
            undone = np.zeros(self.cubes.n, bool)
            undone[parent[at[is_bad]]] = True
            self.effort["raised"] += np.unique(at[is_bad]).size
            up = np.where(depth[up] == level, parent[up], up)
            at = np.where(undone[up], up, at)
        return _numbered(at)

    def leftovers(self, may_suppress: int) -> tuple[CodeArray, int]:
        """Put the records of cells that break the promise together, in the cell around them.

        Those for which no cell is large enough are left out, if so many may be. Otherwise the
        records that are left over in a cell join the smallest group within it where that helps.
        """
        if may_suppress:
            labels, n_parts = _numbered(self._placed(join=False))
            if n_parts > 0 and int(self.finest.sizes[labels < 0].sum()) <= may_suppress:
                self.effort["groups_judged"] += n_parts
                if self.privacy.holds(self._groups(labels, n_parts).alone()):
                    return labels, n_parts
        labels, n_parts = _numbered(self._placed(join=True))
        if (labels < 0).any():
            return np.zeros_like(labels), 1
        return labels, n_parts

    def _placed(self, *, join: bool) -> CodeArray:
        """Find a group for every row, level by level; -1 if there is none."""
        parent, depth, n = self.cubes.parent, self.cubes.depth, self.cubes.n
        up = self.cubes.cells.copy()
        labels = np.where(self._keeps(up), up, -1)
        self.effort["raised"] += np.unique(up[labels < 0]).size
        for level in range(int(depth.max()) - 1, -1, -1):
            up = np.where(depth[up] > level, parent[up], up)
            here = depth[up] == level
            # What is left over in a cell is apart from all cells: its label is n + cell.
            rest = np.where(here & (labels < 0), up, -1)
            labels = np.where(self._keeps(rest), rest + n, labels)
            if join and (here & (labels < 0)).any():
                rest = np.where(here, self._with_smallest(up, labels), -1)
                labels = np.where(self._keeps(rest), rest + n, labels)
        return labels

    def _with_smallest(self, up: CodeArray, labels: CodeArray) -> CodeArray:
        """Give the cell of all rows that are left over in it, and of the smallest group in it."""
        numbered, n_groups = _numbered(labels)
        if not n_groups:
            return np.where(labels < 0, up, -1)
        sizes = sum_by_label(self.finest.sizes, numbered, n_groups)
        around = np.empty(n_groups, np.int32)
        around[numbered[labels >= 0]] = up[labels >= 0]
        order = np.lexsort((np.arange(n_groups), sizes, around))
        is_first = np.diff(around[order], prepend=-1) > 0
        joins = np.zeros(n_groups + 1, bool)
        joins[order[is_first]] = True
        has_rest = np.zeros(self.cubes.n, bool)
        has_rest[up[labels < 0]] = True
        return np.where((labels < 0) | (joins[numbered] & has_rest[up]), up, -1)

    def _keeps(self, labels: CodeArray) -> BoolArray:
        """Tell for every row whether the rows with the same label keep the promise; not for -1."""
        numbered, n = _numbered(labels)
        self.effort["groups_judged"] += n
        good = self.privacy.judge(self._groups(numbered, n))
        return np.append(good, False)[numbered]

    def _groups(self, labels: CodeArray, n: int) -> Groups:
        keys = np.arange(n, dtype=np.int32)[:, None]
        return self.finest.merge(labels, n, self.finest.columns[:1], keys)


def _numbered(labels: CodeArray) -> tuple[CodeArray, int]:
    """Number the labels that occur from 0, in their order; -1 stays."""
    found, numbers = np.unique(labels, return_inverse=True)
    if found.size and found[0] == -1:
        return numbers.astype(np.int32) - np.int32(1), found.size - 1
    return numbers.astype(np.int32), found.size
