"""Where clusters that cannot stay by themselves go."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.point_tree import build, nearest
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["homes_of"]


@njit(cache=True, nogil=True)
def homes_of(centres: FloatArray, may_stay: BoolArray) -> CodeArray:
    """Send every cluster that may not stay to the one whose centre is nearest.

    In the order of their numbers; of two that are as near, to the one of the smaller number. A
    cluster that another was sent to stays where it is for now. Whoever goes to one that has gone
    follows it there. There must be two clusters at least. O(c log c) where the tree over the
    centres tells them apart.

    Gives for every cluster the one that it is part of from now on.
    """
    n = may_stay.size
    tree = build(centres, np.arange(n))
    home = np.arange(n).astype(np.int32)
    is_host = np.zeros(n, np.bool_)
    rows, apart = np.empty(2, np.int64), np.empty(2)
    for c in range(n):
        if may_stay[c] or is_host[c]:
            continue
        nearest(tree, centres[c], 2, rows, apart)
        # The farther of the two is on top.
        host = home[rows[0] if rows[1] == c else rows[1]]
        home[c] = host
        is_host[host] = True
    return home
