"""Finding the rows of codes that are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unlinkable.kernels.counting import grouping
from unlinkable.typing import CodeArray, CountArray

__all__ = ["RowNumbers", "number_rows"]

_WIDEST = 1 << 63
"""No packed key may reach this."""

_DIRECT = 1 << 22
"""Up to this many possible keys a table of all of them beats hashing."""


class RowNumbers:
    """Numbers rows of codes that come in column by column.

    Equal rows get equal numbers; numbers run from 0 in the order in which rows first appear.
    """

    def __init__(self, n: int) -> None:
        self._keys: NDArray[np.uint64] = np.zeros(n, np.uint64)
        self._space = 1

    def add(self, codes: CodeArray, size: int) -> None:
        """Take in one more column with codes below ``size``."""
        self._make_room(size)
        grouping.append_code(self._keys, codes, size)
        self._space *= size

    def add_digits(self, numbers: CodeArray, codes: CodeArray, size: int) -> None:
        """Take in the column ``codes[numbers]`` without making it."""
        self._make_room(size)
        grouping.append_digit(self._keys, numbers, codes, size)
        self._space *= size

    def finish(self) -> tuple[CodeArray, CountArray]:
        """Give the number of every row, and where each number appears first."""
        small = self._space <= min(_DIRECT, 8 * max(self._keys.size, 1 << 10))
        labels, first = grouping.number_keys(self._keys, self._space if small else 0)
        return labels, first

    def _make_room(self, size: int) -> None:
        if self._space * max(size, 1) < _WIDEST:
            return
        labels, first = self.finish()
        self._keys = labels.astype(np.uint64)
        self._space = max(first.size, 1)


def number_rows(rows: CodeArray) -> tuple[CodeArray, CountArray]:
    """Number equal rows of a matrix of codes, and tell where each number appears first.

    Examples
    --------
    >>> labels, first = number_rows(np.array([[1, 2], [0, 2], [1, 2]], np.int32))
    >>> labels.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    numbers = RowNumbers(len(rows))
    sizes = rows.max(axis=0, initial=0) + 1
    for j in range(rows.shape[1]):
        numbers.add(np.ascontiguousarray(rows[:, j]), int(sizes[j]))
    return numbers.finish()
