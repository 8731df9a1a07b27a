"""Column sets: all sets of columns in turn, and how many groups and uniques each makes.

Sets are visited so that every set comes after all of its subsets, and each is reached by adding one
column to a set whose groups are at hand. Records that are alone on some columns stay alone on more:
they are skipped, so that the work shrinks as people are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from attrs import define

from unlinkable.kernels.lkc import refine
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Keys", "SetCounts", "n_sets", "walk"]


@define(eq=False, frozen=True)
class Keys:
    """Distinct combinations of values, column by column.

    Columns are ordered from the least to the most telling one: the walk adds telling ones first.

    Attributes
    ----------
    codes
        By column, the code of every combination.
    widths
        By column, a bound on its codes.
    order
        By column, its place in the table.
    """

    codes: tuple[CodeArray, ...]
    widths: tuple[int, ...]
    order: tuple[int, ...]

    @classmethod
    def of(cls, keys: CodeArray) -> Keys:
        """Take a matrix of codes apart, a row for each combination."""
        counts = [np.bincount(keys[:, j], minlength=1) for j in range(keys.shape[1])]
        telling = [int((c > 0).sum()) for c in counts]
        order = sorted(range(len(telling)), key=lambda j: (telling[j], j))
        return cls(
            tuple(np.ascontiguousarray(keys[:, j]) for j in order),
            tuple(counts[j].size for j in order),
            tuple(order),
        )


@define(eq=False, frozen=True)
class SetCounts:
    """How many groups and uniques a set of columns makes.

    Attributes
    ----------
    columns
        Places of the columns in the table, rising.
    n_groups
        Number of combinations of their values.
    n_unique
        Number of records that no other record looks like.
    pairs
        Twice the number of pairs of records that look alike.
    least
        Size of the smallest group.
    """

    columns: tuple[int, ...]
    n_groups: int
    n_unique: int
    pairs: int
    least: int


@define(eq=False, frozen=True)
class _At:
    """Where the walk is: what is not yet alone, and what is told of the rest."""

    columns: tuple[int, ...]
    elements: CodeArray
    sizes: CountArray
    starts: CountArray
    alone: SetCounts


def n_sets(n_columns: int, largest: int) -> int:
    """Count the sets of at most ``largest`` columns.

    Examples
    --------
    >>> n_sets(8, 8), n_sets(10, 4)
    (255, 385)
    """
    return sum(comb(n_columns, size) for size in range(1, largest + 1))


def walk(rows: CodeArray, sizes: CountArray, largest: int) -> Iterator[SetCounts]:
    """Visit all sets of at most ``largest`` columns, every set after its subsets.

    Parameters
    ----------
    rows
        Distinct combinations of codes, a column for each column.
    sizes
        Number of records of each combination.
    largest
        The largest number of columns in a set.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 0]], np.int32)
    >>> [(s.columns, s.n_groups, s.n_unique) for s in walk(rows, np.array([1, 1, 1]), 2)]
    [((0,), 2, 1), ((1,), 2, 1), ((0, 1), 3, 3)]
    """
    if not len(rows):
        return
    keys = Keys.of(rows)
    nobody = SetCounts((), 0, 0, 0, int(sizes.sum()))
    everyone = np.arange(len(rows), dtype=np.int32)
    start = _At((), everyone, sizes, np.array([0, len(rows)]), nobody)
    yield from _below(keys, start, rows.shape[1], largest)


def _below(keys: Keys, at: _At, lowest: int, left: int) -> Iterator[SetCounts]:
    """Visit the sets that add columns before ``lowest``: numbered in binary, they come in order."""
    for j in range(lowest if left else 0):
        elements, sizes, starts, group_sizes, alone = refine(
            at.elements, at.sizes, at.starts, keys.codes[j], keys.widths[j]
        )
        columns = tuple(sorted((*at.columns, keys.order[j])))
        rest = _add(at.alone, columns, alone)
        yield _add(rest, columns, group_sizes)
        yield from _below(keys, _At(columns, elements, sizes, starts, rest), j, left - 1)


def _add(before: SetCounts, columns: tuple[int, ...], group_sizes: CountArray) -> SetCounts:
    """Count further groups of these sizes."""
    return SetCounts(
        columns,
        before.n_groups + group_sizes.size,
        before.n_unique + int((group_sizes == 1).sum()),
        before.pairs + int((group_sizes * (group_sizes - 1)).sum()),
        min(before.least, int(group_sizes.min(initial=before.least))),
    )
