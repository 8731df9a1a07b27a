"""Boxes: what groups show, so that those that must be told apart are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import Attribute, write_ranges
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Box", "bounds_of", "extents", "points_of", "tell_apart", "write_boxes"]

_MOST_ROUNDS = 1000
"""So often groups that look alike are tried to be told apart."""

Box = tuple[CodeArray, CodeArray]
"""``[lo, hi)`` for every group and column, as two matrices."""


def points_of(table: Table) -> CodeArray:
    """Give the quasi-identifier of every record as a row of codes."""
    columns = [table.codes(name) for name in table.schema.quasi]
    return np.column_stack(columns).astype(np.int32)


def extents(attributes: Sequence[Attribute]) -> FloatArray:
    """Tell how many steps each column reaches."""
    return np.array([max(a.taxonomy.n - 1, 1) for a in attributes], float)


def bounds_of(points: CodeArray, group: CountArray, attributes: Sequence[Attribute]) -> Box:
    """Give the smallest range of every group on every column that can be written.

    A range with the missing value and others can only be everything.
    """
    order = np.argsort(group, kind="stable")
    heads = np.flatnonzero(np.diff(group[order], prepend=-1))
    lo = np.minimum.reduceat(points[order], heads, axis=0)
    hi = np.maximum.reduceat(points[order], heads, axis=0) + 1
    return _writable(lo.astype(np.int32), hi.astype(np.int32), attributes)


def tell_apart(
    box: Box,
    least: Box,
    kind: CountArray,
    attributes: Sequence[Attribute],
    rng: np.random.Generator,
) -> Box:
    """Widen ranges until groups of different kinds show different things.

    Groups that show the same are one group to everybody. Those of one kind may show the same. Of
    several kinds, all but one are told less precisely: by one value on some column, again and
    again, until they differ. A group that shows everything already starts again from the ranges
    that it must cover.

    Parameters
    ----------
    box, least
        What groups would show, and what they must cover.
    kind
        Groups of different kinds must differ.
    attributes
        The columns.
    rng
        Decides who gives way, and how.

    Raises
    ------
    InfeasibleError
        If that does not succeed: there are too few values to tell so many kinds apart.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 40, 50]}, quasi="age")
    >>> box = np.array([[0], [0]]), np.array([[1], [1]])
    >>> lo, hi = tell_apart(box, box, np.array([0, 1]), people.attributes, np.random.default_rng(0))
    >>> sorted(zip(lo.ravel().tolist(), hi.ravel().tolist()))
    [(0, 1), (0, 2)]
    """
    lo, hi = box[0].copy(), box[1].copy()
    n_codes = np.array([a.taxonomy.n for a in attributes], np.int32)
    for _ in range(_MOST_ROUNDS):
        mixed = rng.permutation(kind.size)
        shown, first = number_rows(np.concatenate([lo, hi], axis=1)[mixed])
        clash = mixed[kind[mixed] != kind[mixed][first][shown]]
        if not clash.size:
            return lo, hi
        can = np.concatenate([lo[clash] > 0, hi[clash] < n_codes], axis=1)
        is_stuck = ~can.any(axis=1)
        stuck, clash, can = clash[is_stuck], clash[~is_stuck], can[~is_stuck]
        lo[stuck], hi[stuck] = least[0][stuck], least[1][stuck]
        move = np.where(can, rng.random(can.shape), -1.0).argmax(axis=1)
        is_down, column = move < n_codes.size, move % n_codes.size
        lo[clash[is_down], column[is_down]] -= 1
        hi[clash[~is_down], column[~is_down]] += 1
        lo, hi = _writable(lo, hi, attributes)
    raise InfeasibleError(
        "the quasi-identifying columns have too few values to tell apart groups that must not be "
        "taken for one: publish more columns, or columns with more values"
    )


def write_boxes(box: Box, attributes: Sequence[Attribute]) -> list[NDArray[np.object_]]:
    """Write what groups show, column by column."""
    return [
        write_ranges(attribute.taxonomy, box[0][:, j], box[1][:, j])
        for j, attribute in enumerate(attributes)
    ]


def _writable(lo: CodeArray, hi: CodeArray, attributes: Sequence[Attribute]) -> Box:
    for j, attribute in enumerate(attributes):
        mixed = attribute.taxonomy.mixes_missing(lo[:, j], hi[:, j])
        lo[mixed, j] = 0
    return lo, hi
