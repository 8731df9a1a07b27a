"""Weighted draws for all rows of a table at once."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["curve", "draw", "seeded"]

Knots = tuple[tuple[float, float], ...]
"""Corners (x, y) of a curve of straight lines, by rising x."""


def seeded(n: int, seed: int) -> np.random.Generator:
    """Begin to make up a table of ``n`` records: the same numbers give the same table.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is negative or no whole number.
    """
    for name, value in (("n", n), ("seed", seed)):
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise ParameterError(f"{name} must be a whole number, got {value!r}")
        if value < 0:
            raise ParameterError(f"{name} must be at least 0, got {value}")
    return np.random.default_rng(seed)


def curve(knots: Knots, length: int) -> FloatArray:
    """Read a curve at 0, 1, ..., length - 1; before the first and after the last knot it is flat.

    Examples
    --------
    >>> curve(((1, 0.0), (3, 1.0)), 5).tolist()
    [0.0, 0.0, 0.5, 1.0, 1.0]
    """
    xs, ys = zip(*knots, strict=True)
    values: FloatArray = np.interp(np.arange(length), xs, ys)
    return values


def draw(rng: np.random.Generator, weights: FloatArray, kinds: CodeArray) -> CodeArray:
    """Draw a column index for every record, by the weights in the row of the record's kind.

    A column of weight 0 is never drawn. Takes O(m log m) time with a table of m weights and
    O(n log m) for n records.

    Examples
    --------
    >>> weights = np.array([[0.0, 1.0, 0.0], [3.0, 0.0, 0.0]])
    >>> draw(np.random.default_rng(0), weights, np.array([0, 1, 0], np.int32)).tolist()
    [1, 0, 1]
    """
    n_kinds, n_columns = weights.shape
    sums = np.cumsum(weights, axis=1)
    # Row i of the cumulated shares is lifted to [i, i + 1], so that one sorted array and one
    # search serve all rows.
    steps = (sums / sums[:, -1:] + np.arange(n_kinds)[:, None]).ravel()
    # The factor keeps kind + share below kind + 1 when it is rounded.
    shares = rng.random(len(kinds)) * (1 - 1e-9)
    found = np.searchsorted(steps, kinds + shares, side="right")
    columns: CodeArray = (found - kinds.astype(np.int64) * n_columns).astype(np.int32)
    return columns
