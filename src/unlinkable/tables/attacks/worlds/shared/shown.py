"""What the people of a group show, to say who they are."""

from __future__ import annotations

import numpy as np

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import keep_rows, texts_of
from unlinkable.typing import CodeArray

__all__ = ["Shown"]


class Shown:
    """The columns on which all records of a group are alike, by group.

    Examples
    --------
    >>> import polars as pl
    >>> told = Target(pl.DataFrame({"job": ["cook", "clerk"], "ill": [1, 2]}), ("job",), ("ill",))
    >>> Shown(told, told.counted().labels).of(1)
    {'job': 'clerk'}
    """

    def __init__(self, target: Target, labels: CodeArray) -> None:
        self._target = target
        self._first = np.zeros(int(labels.max(initial=-1)) + 1, np.int64)
        self._first[labels[::-1]] = np.arange(labels.size - 1, -1, -1)

    def of(self, group: int) -> dict[str, str]:
        """Give what the people of a group show; the empty text for what is missing."""
        row = keep_rows(self._target.frame, self._first[[group]])
        return {name: texts_of(row, name)[0] or "" for name in self._target.alike}
