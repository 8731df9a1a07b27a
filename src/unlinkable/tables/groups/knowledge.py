"""Knowledge: what an adversary may know of a victim."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from attrs import frozen

from unlinkable.typing import Columns

__all__ = ["Knowledge"]


@frozen
class Knowledge:
    """The victim's values on some of ``columns``: on all, or on any ``at_most`` of them.

    Examples
    --------
    >>> list(Knowledge(("job", "sex", "age"), at_most=2).combinations())
    [('job', 'sex'), ('job', 'age'), ('sex', 'age')]
    >>> list(Knowledge(("job", "sex")).combinations())
    [('job', 'sex')]
    """

    columns: Columns
    at_most: int | None = None

    @property
    def n_combinations(self) -> int:
        """Number of the longest column sets to look at."""
        width = len(self.columns)
        return comb(width, width if self.at_most is None else min(self.at_most, width))

    def combinations(self, *, shorter: bool = False) -> Iterator[Columns]:
        """Yield the column sets to look at.

        Knowing fewer columns merges the groups that more columns tell apart. A promise that
        survives merging therefore needs the longest combinations only; any other promise asks for
        the ``shorter`` ones as well.
        """
        width = len(self.columns)
        most = width if self.at_most is None else min(self.at_most, width)
        least = 1 if shorter and self.at_most is not None else most
        for length in range(least, most + 1):
            yield from combinations(self.columns, length)
