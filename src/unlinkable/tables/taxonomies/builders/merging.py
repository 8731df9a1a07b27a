"""Merging categories, from the values up to a few groups."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import TaxonomyError
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["merge_alike", "merge_rare"]

_MOST_COMPARED = 2048
"""Beyond this many categories, comparing all pairs takes too long and too much memory."""


def merge_rare(counts: CountArray, groups: int) -> list[CodeArray]:
    """Merge the rarest values, then the next rarest, and so on, level by level.

    Returns for every level, up to but without the root, the node of each value. O(n log n) in all.

    Examples
    --------
    >>> [nodes.tolist() for nodes in merge_rare(np.array([1, 50, 2, 9]), 2)]
    [[0, 1, 0, 1]]
    """
    levels: list[CodeArray] = []
    node, weights = np.arange(len(counts)), np.asarray(counts, np.int64)
    while len(weights) > groups:
        parent = np.empty(len(weights), np.int64)
        parent[np.argsort(weights, kind="stable")] = np.arange(len(weights)) // groups
        node, weights = parent[node], np.bincount(parent, weights).astype(np.int64)
        levels.append(node.astype(np.int32))
    return levels


def merge_alike(name: str, counts: CountArray, hidden: FloatArray, groups: int) -> list[CodeArray]:
    r"""Merge the values with the most similar distributions of sensitive values, level by level.

    On every level, pairs of nodes are taken in the order of

    .. math:: \frac{w_i w_j}{w_i + w_j} \cdot \tfrac12 \sum_s |p_i(s) - p_j(s)|

    with :math:`w` records and distributions :math:`p`, and merged as long as a node has no more
    than ``groups`` children. O(n² log n) for n values.
    """
    if len(counts) > _MOST_COMPARED:
        raise TaxonomyError(
            f"column {name!r} has {len(counts)} values, too many to compare their sensitive values "
            f"pair by pair (at most {_MOST_COMPARED}): merge by frequency, or give a taxonomy"
        )
    levels: list[CodeArray] = []
    node, weights, shares = np.arange(len(counts)), counts.astype(float), hidden
    while len(weights) > groups:
        parent = _join_nearest(weights, shares, groups)
        n_parents = int(parent.max()) + 1
        mass = np.zeros((n_parents, shares.shape[1]))
        np.add.at(mass, parent, shares * weights[:, None])
        weights = np.bincount(parent, weights)
        shares = mass / weights[:, None]
        node = parent[node]
        levels.append(node.astype(np.int32))
    return levels


def _join_nearest(weights: FloatArray, shares: FloatArray, groups: int) -> CountArray:
    """Put the nearest nodes together, at most ``groups`` of them each; number what comes out."""
    n = len(weights)
    one, other = np.triu_indices(n, 1)
    distance = np.zeros((n, n))
    for share in shares.T:
        distance += np.abs(share[:, None] - share) / 2
    cost = distance[one, other] * weights[one] * weights[other] / (weights[one] + weights[other])
    nearest = np.argsort(cost, kind="stable")
    leader = list(range(n))
    members = [[i] for i in range(n)]
    for i, j in zip(one[nearest].tolist(), other[nearest].tolist(), strict=True):
        a, b = leader[i], leader[j]
        if a != b and len(members[a]) + len(members[b]) <= groups:
            for k in members[b]:
                leader[k] = a
            members[a] += members[b]
    return np.unique(leader, return_inverse=True)[1].astype(np.int64)
