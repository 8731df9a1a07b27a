"""Cuts through taxonomies in plain Python: all of them, and the release that each gives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies.taxonomy import Taxonomy

__all__ = ["Range", "all_cuts", "children_of", "least_loss", "nodes_of", "published"]

Range = tuple[int, int]


def nodes_of(taxonomy: Taxonomy) -> list[Range]:
    """List the different ranges of codes that nodes cover, from the root down."""
    found: dict[Range, None] = {}
    for level in reversed(taxonomy.levels):
        for lo, hi in zip(level.starts[:-1].tolist(), level.starts[1:].tolist(), strict=True):
            found.setdefault((lo, hi))
    return list(found)


def children_of(nodes: Sequence[Range], node: Range) -> list[Range]:
    """List the largest smaller nodes under a node."""
    under = [v for v in nodes if v != node and node[0] <= v[0] and v[1] <= node[1]]
    return sorted(
        v for v in under if not any(v != w and w[0] <= v[0] and v[1] <= w[1] for w in under)
    )


def all_cuts(taxonomy: Taxonomy) -> list[tuple[Range, ...]]:
    """List all sets of nodes with exactly one on the way from each value to the root."""
    nodes = nodes_of(taxonomy)

    def under(node: Range) -> list[tuple[Range, ...]]:
        parts = [under(child) for child in children_of(nodes, node)]
        if not parts:
            return [(node,)]
        return [(node,), *(sum(choice, ()) for choice in product(*parts))]

    return under((0, taxonomy.n))


def published(finest: Groups, cuts: Sequence[Sequence[Range]]) -> Partition:
    """Show every record at the nodes of a cut, and put together what looks alike."""
    shown = [
        tuple(
            next(v for v in cut if v[0] <= code < v[1]) for code, cut in zip(row, cuts, strict=True)
        )
        for row in finest.keys.tolist()
    ]
    distinct = list(dict.fromkeys(shown))
    boxes = np.array(distinct, np.int32).reshape(len(distinct), len(cuts), 2)
    labels = np.array([distinct.index(row) for row in shown], np.int32)
    return Partition(finest, labels, boxes[:, :, 0].copy(), boxes[:, :, 1].copy())


def least_loss(
    finest: Groups,
    choices: Sequence[Sequence[Sequence[Range]]],
    privacy: All,
    task: Task,
    metric: GroupMetric,
) -> float | None:
    """Try all cuts, and give the least loss of a release; None if there is none."""
    n = finest.n_records
    limit = min(task.may_suppress(n), n - 1)
    losses = []
    for cuts in product(*choices):
        partition = published(finest, cuts)
        groups = partition.groups()
        release = partition.suppress(~(kept(groups, privacy) if limit else privacy.good(groups)))
        if release.n_suppressed <= limit:
            losses.append(metric.loss(Shown.of(release, task.attributes)))
    return min(losses, default=None)
