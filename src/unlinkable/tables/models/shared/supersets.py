"""Natural supersets: the records that are like a group in some respects."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unlinkable.errors import SchemaError
from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.models.shared.distribution_distance import Reference
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["MOST_COLUMNS", "supersets"]

MOST_COLUMNS = 16
"""Sets of more columns than this are too many to look at."""

_CELLS = 1 << 22
"""The greatest number of counts of supersets that are held at a time."""


def supersets(
    groups: Groups, column: str, n: int, is_open: BoolArray
) -> Iterator[tuple[BoolArray, Reference]]:
    """Yield for sets of columns the records that show the same on them as a group.

    Sets of columns are examined from none on, one more column at a time, as long as there is a
    group whose superset has at least ``n`` records: with more columns it only shrinks. Each time
    comes a mask of such groups, and what they are to be compared with.

    Parameters
    ----------
    groups
        All groups. On no column, the superset is the whole table that they are compared with.
    column
        The sensitive column.
    n
        The least number of records.
    is_open
        The groups to look at. Those that are unmarked in the meantime are not examined any more.

    Raises
    ------
    SchemaError
        If there are too many columns.
    """
    if len(groups.columns) > MOST_COLUMNS:
        raise SchemaError(
            f"groups are compared with supersets on each set of {len(groups.columns)} columns, and "
            f"at most {MOST_COLUMNS} columns can be tried: name fewer quasi-identifying columns"
        )
    whole = groups.whole[column,]
    if int(whole.sum()) < n or not is_open.any():
        return
    yield is_open.copy(), Reference.whole(whole, int(is_open.sum()))
    waiting = [(np.zeros(len(groups), np.int32), 1, 0)]
    while waiting:
        labels, n_labels, first = waiting.pop()
        for j in range(first, len(groups.columns)):
            finer, found = number_rows(np.column_stack([labels, groups.keys[:, j]]))
            sizes = sum_by_label(groups.sizes, finer, found.size)
            is_large = is_open & (sizes[finer] >= n)
            if is_large.any():
                waiting.append((finer, found.size, j + 1))
                if found.size > n_labels:
                    yield from _compared(groups, column, finer, is_large)


def _compared(
    groups: Groups, column: str, labels: CodeArray, marked: BoolArray
) -> Iterator[tuple[BoolArray, Reference]]:
    """Yield the marked groups, some at a time, with the counts of all that have their label."""
    hidden = groups.histograms[column,]
    wanted = np.zeros(int(labels.max()) + 1, bool)
    wanted[labels[marked]] = True
    number = np.where(wanted, np.cumsum(wanted) - 1, -1)[labels]
    n_sets, width = int(wanted.sum()), hidden.n_values
    step = max(_CELLS // width, 1)
    for start in range(0, n_sets, step):
        many = min(step, n_sets - start)
        is_here = (number >= start) & (number < start + many)
        row = np.where(is_here, number - start, -1)[hidden.row]
        cells = np.where(row >= 0, row * width + hidden.values, -1)
        counts = sum_by_label(hidden.counts, cells, many * width).reshape(many, width)
        mask = is_here & marked
        yield mask, Reference(counts, (number[mask] - start).astype(np.int32))
