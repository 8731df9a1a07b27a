"""The kernels once more, in plain Python: what they say, with no regard for how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import log

import numpy as np

from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "bounding_boxes",
    "count",
    "entropies",
    "least_removed",
    "merge_tallies",
    "number_keys",
    "rows_of",
    "smallest_covering_box",
    "steps",
    "steps_with_missing",
    "sum_by_label",
    "sum_largest",
    "surplus",
    "tally",
]

Row = dict[int, int]
Box = list[tuple[int, int]]


def rows_of(indptr: CountArray, values: CodeArray, counts: CountArray) -> list[Row]:
    """Read a CSR matrix, and see to it that its rows rise."""
    rows = []
    for first, end in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        codes = values[first:end].tolist()
        assert codes == sorted(set(codes))
        rows.append(dict(zip(codes, counts[first:end].tolist(), strict=True)))
    assert indptr[0] == 0
    assert indptr[-1] == values.size == counts.size
    return rows


def number_keys(keys: Sequence[int]) -> tuple[list[int], list[int]]:
    """Number keys in the order in which they first appear."""
    order = list(dict.fromkeys(keys))
    return [order.index(key) for key in keys], [list(keys).index(key) for key in order]


def count(labels: Sequence[int], n_groups: int) -> list[int]:
    """Count the members of every group."""
    return [list(labels).count(g) for g in range(n_groups)]


def sum_by_label(amounts: Sequence[float], labels: Sequence[int], n_groups: int) -> list[float]:
    """Add up the amounts of every group."""
    pairs = list(zip(amounts, labels, strict=True))
    return [sum(amount for amount, label in pairs if label == g) for g in range(n_groups)]


def tally(labels: Sequence[int], codes: Sequence[int], n_groups: int) -> list[Row]:
    """Count the codes of every group."""
    pairs = list(zip(labels, codes, strict=True))
    return [dict(Counter(code for label, code in pairs if label == g)) for g in range(n_groups)]


def merge_tallies(rows: Sequence[Row], parent: Sequence[int], n_parents: int) -> list[Row]:
    """Add up the rows of every parent."""
    merged: list[Counter[int]] = [Counter() for _ in range(n_parents)]
    for row, p in zip(rows, parent, strict=True):
        if p >= 0:
            merged[p].update(row)
    return [dict(row) for row in merged]


def bounding_boxes(
    keys: Sequence[Sequence[int]], labels: Sequence[int], n_groups: int, n_columns: int
) -> list[Box]:
    """Put a box around the members of every group; [0, 0) if there are none."""
    boxes = []
    for g in range(n_groups):
        members = [key for key, label in zip(keys, labels, strict=True) if label == g]
        columns = [[key[j] for key in members] for j in range(n_columns)]
        boxes.append([(min(c), max(c) + 1) if c else (0, 0) for c in columns])
    return boxes


def smallest_covering_box(keys: Sequence[Sequence[int]], boxes: Sequence[Box]) -> list[int]:
    """Look for the box around each row whose widths add up to the least."""

    def covers(box: Box, key: Sequence[int]) -> bool:
        pairs = zip(box, key, strict=True)
        return all(code >= 0 and lo <= code < hi for (lo, hi), code in pairs)

    def width(g: int) -> int:
        return sum(hi - lo for lo, hi in boxes[g])

    around = [[g for g, box in enumerate(boxes) if covers(box, key)] for key in keys]
    return [min(found, key=width, default=-1) for found in around]


def entropies(rows: Sequence[Sequence[int]]) -> list[float]:
    """Take the entropy of the shares of every row."""
    return [-sum(c / sum(row) * log(c / sum(row)) for c in row if c) for row in rows]


def sum_largest(rows: Sequence[Sequence[int]], how_many: int) -> list[int]:
    """Add up the first of the falling counts."""
    return [sum(sorted(row, reverse=True)[:how_many]) for row in rows]


def least_removed(row: Sequence[int], keeps: Callable[[list[int]], bool]) -> int:
    """Try all that can be left of a row; nothing at all is always good."""
    rest = product(*(range(c + 1) for c in row))
    return min(sum(row) - sum(left) for left in rest if not any(left) or keeps(list(left)))


def surplus(rows: Sequence[Sequence[int]], whole: Sequence[int]) -> list[int]:
    """Add up what each row has too much of, times its size and that of the whole."""
    return [sum(max(e, 0) for e in _excess(row, whole)) for row in rows]


def steps(rows: Sequence[Sequence[int]], whole: Sequence[int]) -> list[int]:
    """Add up what is carried past each place."""
    return [sum(map(abs, np.cumsum(_excess(row, whole)).tolist())) for row in rows]


def steps_with_missing(rows: Sequence[Sequence[int]], whole: Sequence[int]) -> list[int]:
    """Try all ways in which the last place can take from, or give to, the others."""
    return [_with_missing(_excess(row, whole)) for row in rows]


def _with_missing(excess: list[int]) -> int:
    *inner, apart = excess
    sign = 1 if apart > 0 else -1
    best: int = min(
        sum(map(abs, np.cumsum([e + sign * t for e, t in zip(inner, taken, strict=True)]).tolist()))
        for taken in _ways(abs(apart), len(inner))
    )
    return best + abs(apart) * max(len(inner) - 1, 1)


def _ways(amount: int, places: int) -> list[tuple[int, ...]]:
    """Distribute an amount over places."""
    if places == 0:
        return [()] if amount == 0 else []
    if places == 1:
        return [(amount,)]
    return [(t, *rest) for t in range(amount + 1) for rest in _ways(amount - t, places - 1)]


def _excess(row: Sequence[int], whole: Sequence[int]) -> list[int]:
    return [c * sum(whole) - w * sum(row) for c, w in zip(row, whole, strict=True)]
