"""Densities: what boxes amount to at a point, where each is spread evenly or counts as a whole."""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.queries import sum_covering
from unlinkable.tables.groups import number_rows
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["density_at"]


def density_at(lo: CodeArray, hi: CodeArray, amounts: FloatArray, points: CodeArray) -> FloatArray:
    """Add up the amounts of the boxes ``[lo, hi)`` that cover each point. Boxes may overlap.

    Examples
    --------
    >>> lo, hi = np.array([[0], [2]], np.int32), np.array([[2], [3]], np.int32)
    >>> density_at(lo, hi, np.array([0.5, 4.0]), np.array([[1], [2], [3]], np.int32)).tolist()
    [0.5, 4.0, 0.0]
    """
    # Boxes that look alike are one: they would be examined again and again.
    same, first = number_rows(np.column_stack([lo, hi]))
    lo, hi = lo[first], hi[first]
    amounts = sum_floats_by_label(amounts, same, first.size)
    begins = np.empty_like(points)
    for j in range(lo.shape[1]):
        table = _begins(lo[:, j], hi[:, j], int(points[:, j].max(initial=0)) + 1)
        if table is None:
            return sum_covering(lo, hi, amounts, np.ascontiguousarray(points))
        begins[:, j] = table[points[:, j]]
    # Ranges that are apart are known by where they begin, and so are boxes: a point is in one box.
    box, _ = number_rows(np.vstack([lo, begins]) + np.int32(1))
    return np.append(amounts, 0.0)[np.minimum(box[len(lo) :], len(lo))]


def _begins(lo: CodeArray, hi: CodeArray, n_codes: int) -> CodeArray | None:
    """Give for each code where the range begins that it is in, -1 if in none.

    None if there are ranges that are neither equal nor disjoint.
    """
    codes = np.arange(max(n_codes, int(hi.max(initial=0))), dtype=np.int32)
    ends = np.zeros(codes.size, np.int32)
    ends[lo] = hi
    first = np.flatnonzero(ends)
    if (ends[lo] != hi).any() or (ends[first[:-1]] > first[1:]).any():
        return None
    latest: CodeArray = np.maximum.accumulate(np.where(ends > 0, codes, np.int32(-1)))
    return np.where((latest >= 0) & (codes < ends[latest]), latest, np.int32(-1))
