"""Cluster merging: each cluster that may not stay alone joins the nearest one."""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.kernels.clustering.point_tree import build, nearest
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["merge_targets"]


@njit(cache=True, nogil=True)
def merge_targets(centres: FloatArray, may_stay: BoolArray) -> CodeArray:
    """Merge every cluster that may not stay alone into the one whose centre is nearest.

    Clusters are visited in the order of their numbers; of two equally near centres the one with the
    smaller number is taken. A cluster that another one joined stays where it is for now. A cluster
    that joins a merged one follows it to its target. There must be at least two clusters.
    O(c log c) where the tree over the centres tells them apart.

    Returns for every cluster the one that it is part of from now on.
    """
    n = may_stay.size
    tree = build(centres, np.arange(n))
    target = np.arange(n).astype(np.int32)
    is_host = np.zeros(n, np.bool_)
    rows, apart = np.empty(2, np.int64), np.empty(2)
    for c in range(n):
        # A cluster that hosts another may not move: the ones that joined it would be left behind.
        if may_stay[c] or is_host[c]:
            continue
        # The nearest centre is the cluster's own, so the two nearest are asked for.
        nearest(tree, centres[c], 2, rows, apart)
        # The farther of the two is on top.
        host = target[rows[0] if rows[1] == c else rows[1]]
        # ``target`` of the host is already final: a host never moves, and a merged cluster never
        # moves again.
        target[c] = host
        is_host[host] = True
    return target
