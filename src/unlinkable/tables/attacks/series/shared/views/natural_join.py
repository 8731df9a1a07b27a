"""The natural join of views, and what it tells of people.

Every pair of rows that are equal on the columns which two views have in common matches, so that m
and n of them make m times n rows: some of these are false matches, of two people [1]_. Rows are
kept with their numbers, and never written out.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 8.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.data import Frame, number_together
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Figures", "JoinedRows", "figures", "join_details", "natural_join", "of_view"]

_MOST_ROWS = 1_000_000


@define(eq=False, frozen=True)
class JoinedRows:
    """Rows in numbers: what they show, and how often they are there.

    Attributes
    ----------
    columns, texts
        The columns, and what the numbers of each mean.
    rows, counts
        For every different row the number of its text on each column, and how often it is there.
    """

    columns: Columns
    texts: tuple[tuple[str | None, ...], ...]
    rows: CodeArray
    counts: CountArray

    def __len__(self) -> int:
        return int(self.counts.sum())

    def on(self, columns: Columns) -> JoinedRows:
        """Keep some columns only."""
        at = [self.columns.index(name) for name in columns]
        labels, first = number_rows(np.ascontiguousarray(self.rows[:, at]))
        counts = np.zeros(first.size, np.int64)
        np.add.at(counts, labels, self.counts)
        texts = tuple(self.texts[j] for j in at)
        return JoinedRows(columns, texts, self.rows[first][:, at], counts)

    def named(self) -> dict[tuple[str | None, ...], int]:
        """Give how often each row is there by its texts."""
        return {
            tuple(texts[code] for texts, code in zip(self.texts, row, strict=True)): count
            for row, count in zip(self.rows.tolist(), self.counts.tolist(), strict=True)
        }


@define(frozen=True)
class Figures:
    """How far some columns tell people apart, and give away another.

    Attributes
    ----------
    smallest
        The size of the smallest group of rows that are equal on them.
    surest
        The largest share of a value in any group; None if no sensitive column is there.
    """

    smallest: int
    surest: Fraction | None


def natural_join(frames: Sequence[Frame]) -> JoinedRows | None:
    """Join views one after the other, each with what it has in common with those before.

    Views that have nothing in common with the others are left out, and None is given if there are
    no two that have, or the join has more than a million different rows.

    Examples
    --------
    >>> from unlinkable.tables.data.reading import to_frame
    >>> first = to_frame({"age": [30, 30], "job": ["cook", "cook"]})[0]
    >>> then = to_frame({"job": ["cook", "clerk"], "ill": ["flu", "hiv"]})[0]
    >>> natural_join([first, then]).named()
    {('30', 'cook', 'flu'): 2}
    """
    left = list(range(1, len(frames)))
    joined, used = _rows_of(frames, 0), 0
    while left:
        near = [i for i in left if {*frames[i].columns} & {*joined.columns}]
        if not near:
            break
        left.remove(near[0])
        found = _join(joined, _rows_of(frames, near[0]))
        if found is None:
            return None
        joined, used = found, used + 1
    return joined if used else None


def figures(rows: JoinedRows, known: Columns, sensitive: Columns) -> Figures | None:
    """Measure groups of rows that are equal on what is known; None if they show nothing of it.

    Examples
    --------
    >>> from unlinkable.tables.data.reading import to_frame
    >>> told = natural_join([to_frame({"age": [30, 40], "job": ["cook", "cook"]})[0],
    ...     to_frame({"job": ["cook"], "ill": ["flu"]})[0]])
    >>> figures(told, ("age",), ("ill",))
    Figures(smallest=1, surest=Fraction(1, 1))
    """
    by = tuple(name for name in known if name in rows.columns)
    if not by or not len(rows):
        return None
    groups = rows.on(by)
    surest: Fraction | None = None
    for name in (n for n in sensitive if n in rows.columns and n not in by):
        both = rows.on((*by, name))
        labels, _ = number_rows(np.ascontiguousarray(both.rows[:, : len(by)]))
        sizes = np.zeros(int(labels.max()) + 1, np.int64)
        np.add.at(sizes, labels, both.counts)
        at = int(np.argmax(both.counts / sizes[labels]))
        share = Fraction(int(both.counts[at]), int(sizes[labels[at]]))
        surest = share if surest is None else max(surest, share)
    return Figures(int(groups.counts.min()), surest)


def of_view(frame: Frame) -> JoinedRows:
    """Take a view alone."""
    return _rows_of([frame], 0)


def join_details(
    views: Sequence[Frame], known: Columns, sensitive: Columns
) -> dict[str, int | float | str | None]:
    """Measure the natural join of the views, and each view alone."""
    joined = natural_join(views)
    told = None if joined is None else figures(joined, known, sensitive)
    alone = [one for view in views if (one := figures(of_view(view), known, sensitive)) is not None]
    surest = [one.surest for one in alone if one.surest is not None]
    return {
        "join_records": None if joined is None else len(joined),
        "join_smallest_group": None if told is None else told.smallest,
        "join_confidence": None if told is None or told.surest is None else float(told.surest),
        "alone_smallest_group": min((one.smallest for one in alone), default=None),
        "alone_confidence": float(max(surest)) if surest else None,
    }


def _rows_of(frames: Sequence[Frame], at: int) -> JoinedRows:
    """Give the different rows of a view, in numbers that mean the same in all views."""
    columns = tuple(frames[at].columns)
    rows = np.zeros((frames[at].height, len(columns)), np.int32)
    texts = []
    for j, name in enumerate(columns):
        showing = [i for i, frame in enumerate(frames) if name in frame.columns]
        numbers, own = number_together([frames[i] for i in showing], name)
        rows[:, j] = numbers[showing.index(at)]
        texts.append(tuple(own))
    labels, first = number_rows(rows)
    counts = np.bincount(labels, minlength=first.size).astype(np.int64)
    return JoinedRows(columns, tuple(texts), rows[first], counts)


def _join(left: JoinedRows, right: JoinedRows) -> JoinedRows | None:
    shared = [name for name in left.columns if name in right.columns]
    new = [j for j, name in enumerate(right.columns) if name not in shared]
    one, other = (
        side.rows[:, [side.columns.index(name) for name in shared]] for side in (left, right)
    )
    keys, _ = number_rows(np.ascontiguousarray(np.concatenate([one, other])))
    mine, theirs = keys[: len(one)], keys[len(one) :]
    order = np.argsort(theirs, kind="stable")
    lo, hi = (np.searchsorted(theirs[order], mine, side) for side in ("left", "right"))
    if int((hi - lo).sum()) > _MOST_ROWS:
        return None
    which, place = expand_stretches(lo, hi - lo)
    match = order[place]
    return JoinedRows(
        (*left.columns, *(right.columns[j] for j in new)),
        (*left.texts, *(right.texts[j] for j in new)),
        np.column_stack([left.rows[which], right.rows[match][:, new]]).astype(np.int32),
        left.counts[which] * right.counts[match],
    )
