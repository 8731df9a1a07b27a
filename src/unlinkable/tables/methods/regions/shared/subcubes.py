"""Subcubes: a box of points, halved on every side again and again where points are dense."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Subcubes"]


@define(eq=False, frozen=True)
class Subcubes:
    """The cells of a recursive histogram, with all larger cells that they were cut out of.

    A cell is half-open on every side, ``lower <= x < upper``, but for the upper sides that it has
    in common with the whole box, which belong to it. Cells without points are not listed.

    Attributes
    ----------
    cells
        The smallest cell of every point.
    lower, upper
        The bounds of every cell, a column for each coordinate.
    parent
        The cell that each one was cut out of; -1 for the whole box, which is cell 0.
    depth
        Number of larger cells around each one that hold more points than it does.
    rounds
        How often cells were halved, all together.

    Examples
    --------
    >>> points = np.array([[0.5], [1.5], [2.5], [6.5]])
    >>> found = Subcubes.of(points, np.ones(4, np.int64), np.array([0.0]), np.array([8.0]), most=2)
    >>> leaves = np.unique(found.cells)
    >>> np.hstack([found.lower[leaves], found.upper[leaves]]).tolist()
    [[4.0, 8.0], [0.0, 2.0], [2.0, 4.0]]
    """

    cells: CodeArray
    lower: FloatArray
    upper: FloatArray
    parent: CodeArray
    depth: CodeArray
    rounds: int

    @classmethod
    def of(
        cls,
        points: FloatArray,
        counts: CountArray,
        lower: FloatArray,
        upper: FloatArray,
        *,
        most: int,
    ) -> Self:
        """Halve cells until none holds more than ``most``, or points that are all the same.

        A cell whose points all lie in one of its parts is replaced by that part. Points that are
        neighbours among the numbers of the machine count as the same.

        Parameters
        ----------
        points
            A row for each point.
        counts
            For how many each point counts. A point that counts for none is led to its cell, and
            has no say in where that is.
        lower, upper
            The bounds of the box; no point lies outside.
        most
            The most that a cell may hold.
        """
        cells = np.zeros(len(points), np.int32)
        lowers, uppers = lower[None].copy(), upper[None].copy()
        parent, depth = np.array([-1], np.int32), np.array([0], np.int32)
        rows, rounds = np.arange(len(points)), 0
        while rows.size:
            is_open = _dense(points[rows], counts[rows], cells[rows], len(parent), most)
            rows = rows[is_open[cells[rows]]]
            if not rows.size:
                break
            rounds += 1
            middle = _middle(lowers, uppers)
            above = points[rows] >= middle[cells[rows]]
            part, first = number_rows(np.column_stack([cells[rows], above]).astype(np.int32))
            old, sides = cells[rows][first], above[first]
            lo = np.where(sides, middle[old], lowers[old])
            hi = np.where(sides, uppers[old], middle[old])
            is_alone = np.bincount(old, minlength=len(parent))[old] == 1
            is_stuck = is_alone & (lo == lowers[old]).all(axis=1) & (hi == uppers[old]).all(axis=1)
            number = np.where(is_alone, old, len(parent) - 1 + np.cumsum(~is_alone))
            lowers[old[is_alone]], uppers[old[is_alone]] = lo[is_alone], hi[is_alone]
            lowers = np.concatenate([lowers, lo[~is_alone]])
            uppers = np.concatenate([uppers, hi[~is_alone]])
            parent = np.concatenate([parent, old[~is_alone].astype(np.int32)])
            depth = np.concatenate([depth, depth[old[~is_alone]] + np.int32(1)])
            cells[rows] = number[part]
            rows = rows[~is_stuck[part]]
        return cls(cells, lowers, uppers, parent, depth, rounds)

    @property
    def n(self) -> int:
        """Number of cells, large and small."""
        return len(self.parent)


def _middle(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Find the middle of every side; the lower end where no number lies between the two."""
    middle = lower / 2 + upper / 2
    return np.where((middle > lower) & (middle < upper), middle, lower)


def _dense(
    points: FloatArray, counts: CountArray, cells: CodeArray, n_cells: int, most: int
) -> BoolArray:
    """Mark the cells that hold too many points, not all of them the same."""
    held = np.bincount(cells, weights=counts, minlength=n_cells)
    counted = counts > 0
    first = np.zeros(n_cells, np.int64)
    first[cells[counted]] = np.flatnonzero(counted)
    differs = (points != points[first[cells]]).any(axis=1) & counted
    several = np.bincount(cells, weights=differs, minlength=n_cells) > 0
    return (held > most) & several
