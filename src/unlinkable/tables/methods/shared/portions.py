"""Portions: a long list of work, cut into parts that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unlinkable.typing import CountArray

__all__ = ["portions"]


def portions(costs: CountArray, most: int) -> Iterator[slice]:
    """Cut a list into slices that cost at most so much each, or have one entry."""
    so_far = np.cumsum(costs)
    begin = paid = 0
    while begin < costs.size:
        end = max(begin + 1, int(np.searchsorted(so_far, paid + most, side="right")))
        yield slice(begin, end)
        begin, paid = end, int(so_far[end - 1])
