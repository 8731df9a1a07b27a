"""Cells: the kinds of records that may lie behind a set of views.

Every row of a view is a set of records, those that show it; the records that its selection leaves
out are one more. One set from each view, intersected, is a cell, unless they contradict each other
[1]_. Every record of the table lies in one cell, and every published row has a record in one of its
cells.

References
----------
.. [1] C. Yao, X. S. Wang, S. Jajodia. "Checking for k-anonymity violation by views." VLDB 2005.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.attacks.series.shared.views.axes import Axis
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["MOST_CELLS", "Grid", "Rows", "cells_of"]

MOST_CELLS = 2_000_000
"""So many cells are looked at at most."""


@define(eq=False, frozen=True)
class Rows:
    """A view in numbers.

    Attributes
    ----------
    axes
        The axes that it shows, by their positions.
    texts
        For every row and axis the number of the text.
    counts
        How many records show each row.
    is_counted
        Whether that is told. If not, every row has at least one.
    inside
        Which atoms of an axis it selects, for the axes that its selection compares.
    """

    axes: tuple[int, ...]
    texts: CodeArray
    counts: CountArray
    is_counted: bool = False
    inside: tuple[tuple[int, BoolArray], ...] = ()

    @property
    def all_axes(self) -> set[int]:
        """The axes that decide whether a cell contradicts it."""
        return {*self.axes, *(axis for axis, _ in self.inside)}

    def selects(self, cells: CodeArray) -> BoolArray:
        """Tell which cells are selected."""
        chosen = np.ones(len(cells), bool)
        for axis, mask in self.inside:
            chosen &= mask[cells[:, axis]]
        return chosen


@define(eq=False, frozen=True)
class Grid:
    """All cells of a set of views.

    Attributes
    ----------
    cells
        For every cell its atom on each axis.
    witnesses
        For each view the pairs of a cell and a row that its records show.
    """

    cells: CodeArray
    witnesses: tuple[tuple[CountArray, CountArray], ...]

    def __len__(self) -> int:
        return len(self.cells)


def cells_of(axes: Sequence[Axis], views: Sequence[Rows]) -> Grid:
    """Intersect the sets of records of several views. O(c a) for c cells of a axes, on the way.

    Raises
    ------
    UnsupportedError
        If there are more than `MOST_CELLS`.

    Examples
    --------
    >>> from unlinkable.tables.attacks.series.shared.views.axes import read_axis
    >>> from unlinkable.tables.data.reading import to_frame
    >>> first = to_frame({"name": ["ann", "bob"], "job": ["cook", "clerk"]})[0]
    >>> then = to_frame({"job": ["cook", "clerk"], "ill": ["flu", "hiv"]})[0]
    >>> name, (a,), _ = read_axis("name", [first], [None])
    >>> job, (b, c), _ = read_axis("job", [first, then], [None, None])
    >>> ill, (d,), _ = read_axis("ill", [then], [None])
    >>> views = [Rows((0, 1), np.column_stack([a, b]), np.ones(2, int)),
    ...     Rows((1, 2), np.column_stack([c, d]), np.ones(2, int))]
    >>> len(cells_of([name, job, ill], views))
    2
    """
    expanded = [_expanded(axes, view) for view in views]
    cells, known = np.zeros((1, len(axes)), np.int32), set[int]()
    whole = [at for at, view in enumerate(views) if not view.inside]
    while whole:
        # A view that shares axes with those before keeps the cells few.
        at = max(whole, key=lambda i: (len(known & {*views[i].axes}), -len(expanded[i][1])))
        whole.remove(at)
        cells = _joined(cells, known, views[at], *expanded[at])
        known |= {*views[at].axes}
    cells = _extended(cells, known, axes, views, expanded)
    pairs = tuple(_witnesses(cells, v, *e) for v, e in zip(views, expanded, strict=True))
    return Grid(cells, pairs)


def _expanded(axes: Sequence[Axis], view: Rows) -> tuple[CodeArray, CountArray]:
    """Give the atoms of every row on the axes of a view, one after the other, and the rows."""
    row = np.arange(len(view.texts))
    atoms = np.zeros((row.size, 0), np.int32)
    for j, at in enumerate(view.axes):
        axis, text = axes[at], view.texts[row, j]
        which, place = _spread(axis.indptr[text], np.diff(axis.indptr)[text])
        new = axis.atoms[place]
        row, atoms = row[which], np.column_stack([atoms[which], new])
    return atoms.astype(np.int32), row


def _spread(starts: CountArray, lengths: CountArray) -> tuple[CountArray, CountArray]:
    """List the places of stretches one after the other.

    Raises
    ------
    UnsupportedError
        If these are more than `MOST_CELLS`.
    """
    if (n := int(lengths.sum())) > MOST_CELLS:
        raise UnsupportedError(
            f"the views tell {n:,} kinds of records apart, and at most {MOST_CELLS:,} are looked "
            "at: publish fewer or coarser columns, or views that have more columns in common"
        )
    return expand_stretches(starts, lengths)


def _joined(
    cells: CodeArray, known: set[int], view: Rows, atoms: CodeArray, row: CountArray
) -> CodeArray:
    """Join cells with the records of a view, on the axes that they have in common."""
    distinct = atoms[np.sort(number_rows(atoms)[1])] if view.axes else atoms[:1]
    shared = [j for j, at in enumerate(view.axes) if at in known]
    on = [view.axes[j] for j in shared]
    left, right = _keys(cells[:, on], distinct[:, shared])
    order = np.argsort(right, kind="stable")
    lo, hi = (np.searchsorted(right[order], left, side) for side in ("left", "right"))
    which, place = _spread(lo, hi - lo)
    found = cells[which].copy()
    found[:, list(view.axes)] = distinct[order[place]]
    return found


def _extended(
    cells: CodeArray, known: set[int], axes: Sequence[Axis], views: Sequence[Rows],
    expanded: Sequence[tuple[CodeArray, CountArray]],
) -> CodeArray:  # fmt: skip
    """Let further axes have any atom, and drop cells that a selecting view contradicts."""
    done: set[int] = set()
    missing = [at for at in range(len(axes)) if at not in known]
    # The axes of one selection after the other, so that cells are dropped as soon as possible.
    wanted = [at for view in views if view.inside for at in sorted(view.all_axes)]
    for at in [*dict.fromkeys([*(a for a in wanted if a in missing), *missing]), None]:
        if at is not None:
            which, place = _spread(
                np.zeros(len(cells), np.int64), np.full(len(cells), len(axes[at]))
            )
            cells = cells[which].copy()
            cells[:, at] = place
            known = known | {at}
        for i, view in enumerate(views):
            if view.inside and i not in done and view.all_axes <= known:
                done.add(i)
                shown, told = _keys(cells[:, list(view.axes)], expanded[i][0])
                cells = cells[~view.selects(cells) | np.isin(shown, told)]
    return cells


def _witnesses(
    cells: CodeArray, view: Rows, atoms: CodeArray, row: CountArray
) -> tuple[CountArray, CountArray]:
    """Pair the selected cells with the rows that their records may show."""
    chosen = np.flatnonzero(view.selects(cells))
    left, right = _keys(cells[chosen][:, list(view.axes)], atoms)
    order = np.argsort(right, kind="stable")
    lo, hi = (np.searchsorted(right[order], left, side) for side in ("left", "right"))
    which, place = _spread(lo, hi - lo)
    return chosen[which], row[order[place]]


def _keys(left: CodeArray, right: CodeArray) -> tuple[CodeArray, CodeArray]:
    """Number the rows of two matrices so that equal rows have equal numbers."""
    if not left.shape[1]:
        return np.zeros(len(left), np.int32), np.zeros(len(right), np.int32)
    labels, _ = number_rows(np.ascontiguousarray(np.concatenate([left, right]), np.int32))
    return labels[: len(left)], labels[len(left) :]
