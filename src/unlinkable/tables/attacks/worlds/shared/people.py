"""People of groups one by one, as those see them who learn from all groups at once."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.worlds import count_cells
from unlinkable.tables.attacks.worlds.shared.members import Members
from unlinkable.tables.groups import Histogram
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["People"]

_MOST_PAIRS = 1 << 23
"""So many pairs of a value and of what people show are learned at most."""


@define(eq=False, frozen=True)
class People:
    """The people of groups, in the order of their groups.

    Attributes
    ----------
    hidden
        The values of the groups.
    rows
        Where each person is in the table that he comes from.
    start
        Where each group begins, and where the last one ends.
    base
        Where the table of each group begins in arrays of people and values, and where the last one
        ends.
    values
        The values of groups, numbered through without gaps.
    cells
        What people show on each column, numbered through; -1 if it tells nothing.
    n_values
        How many values there are.
    columns
        Where the numbers of what is shown on each column begin, and where the last ones end.
    shown_by
        How many people show each of these.
    n_left_out
        How many things that people show were left out because there are too many.
    """

    hidden: Histogram
    rows: CountArray
    start: CountArray
    base: CountArray
    values: CodeArray
    cells: CodeArray
    n_values: int
    columns: CountArray
    shown_by: CountArray
    n_left_out: int

    @classmethod
    def of(cls, members: Members, columns: Columns) -> Self:
        """Take what members of groups show on some columns."""
        hidden, parts = members.hidden, members.parts
        order = np.argsort(parts, kind="stable")
        rows = order[np.searchsorted(parts[order], 0) :]
        sizes = np.bincount(parts[rows], minlength=hidden.n_groups)
        occurring, values = np.unique(hidden.values, return_inverse=True)
        coded = [members.table.codes(name)[rows] for name in columns]
        most = max(_MOST_PAIRS // max(occurring.size, 1), 1)
        cells, kept, n_left_out = _number(coded, most)
        return cls(
            hidden,
            rows,
            np.append(0, np.cumsum(sizes)),
            np.append(0, np.cumsum(sizes * hidden.distinct)),
            values.astype(np.int32),
            cells,
            occurring.size,
            kept,
            np.bincount(cells[cells >= 0], minlength=int(kept[-1])),
            n_left_out,
        )

    @property
    def n_cells(self) -> int:
        """Number of things that people show."""
        return self.shown_by.size

    @property
    def row_start(self) -> CountArray:
        """Where the row of every person begins, and where the last one ends."""
        width = np.repeat(self.hidden.distinct, np.diff(self.start))
        return np.append(0, np.cumsum(width))

    def counts(self, held: CodeArray) -> CountArray:
        """Count how many people with a value show what."""
        out = np.empty((self.n_cells, self.n_values), np.int64)
        count_cells(self.start, self.hidden.indptr, self.values, self.cells, held, out)
        return out


def _number(coded: list[CodeArray], most: int) -> tuple[CodeArray, CountArray, int]:
    """Number what people show on all columns through, without what only one person shows."""
    counted = [np.bincount(codes) for codes in coded]
    sizes = np.concatenate(counted) if counted else np.zeros(0, np.int64)
    is_kept = sizes > 1
    n_left_out = max(int(is_kept.sum()) - most, 0)
    if n_left_out:
        rarest = np.argsort(np.where(is_kept, sizes, sizes.max() + 1), kind="stable")
        is_kept[rarest[:n_left_out]] = False
    number = np.where(is_kept, np.cumsum(is_kept) - 1, -1).astype(np.int32)
    offsets = np.append(0, np.cumsum([c.size for c in counted])).astype(np.int64)
    cells = [number[codes + offset] for codes, offset in zip(coded, offsets[:-1], strict=True)]
    kept = np.append(0, np.cumsum(is_kept))[offsets]
    return np.ascontiguousarray(np.column_stack(cells)), kept, n_left_out
