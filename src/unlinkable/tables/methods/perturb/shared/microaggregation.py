"""Clusters of near records: how they are formed by MDAV, and merged until each keeps a promise."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import numpy as np
from attrs import define

from unlinkable.errors import InfeasibleError
from unlinkable.kernels.clustering import build, cut_line, merge_targets, peel
from unlinkable.kernels.counting import count, sum_floats_by_label
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.typing import CodeArray, FloatArray, Progress

__all__ = [
    "Clusters",
    "cluster_refusal",
    "information_loss",
    "line_clusters",
    "mdav_clusters",
    "means_of",
    "merge_clusters",
    "require_size",
]

_FIRST_PAIRS = 16
"""Pairs of groups that are formed before the first report."""


@define(eq=False, frozen=True)
class Clusters:
    """Which records are together.

    Attributes
    ----------
    labels
        The cluster of every record; -1 if it is left out.
    n
        Number of clusters.
    effort
        What it took to form them.
    """

    labels: CodeArray
    n: int
    effort: Mapping[str, int]


def mdav_clusters(points: FloatArray, k: int, progress: Progress) -> Clusters:
    """Form groups of k, and one or none of up to 2k - 1, by maximum distance to the average.

    The tree over the points is built anew whenever half of them are gone.
    """
    n = len(points)
    labels, total = np.full(n, -1, np.int32), points.sum(axis=0)
    n_groups, n_compared, rows = 0, 0, np.arange(n)
    at_once = _FIRST_PAIRS
    while rows.size >= 3 * k:
        tree, half = build(points, rows), max(rows.size // 2, 3 * k)
        while (left := int(tree.left[0])) >= half:
            # Some pairs of groups at a time, so that there is time in between to be stopped.
            started = perf_counter()
            until = max(half, left - 2 * k * at_once + 1)
            n_groups, more = peel(points, tree, k, until, total, labels, n_groups)
            n_compared += more
            progress(1 - int(tree.left[0]) / n, f"{n_groups} groups")
            at_once = _next_pairs(at_once, perf_counter() - started)
        rows = np.flatnonzero(labels < 0)
    n_rounds = n_groups // 2
    if rows.size >= 2 * k:
        gaps = _squared(points[rows], total / rows.size)
        far = points[rows[np.argmax(gaps)]]
        # The point itself is nearest; equal ones count as it does, by their rows.
        near = np.argsort(_squared(points[rows], far), kind="stable")
        near = np.concatenate([[np.argmax(gaps)], near[near != np.argmax(gaps)]])
        labels[rows[near[:k]]] = n_groups
        n_groups, n_compared = n_groups + 1, n_compared + 2 * rows.size
        rows = np.flatnonzero(labels < 0)
    if rows.size:
        labels[rows] = n_groups
        n_groups += 1
    return Clusters(labels, n_groups, {"rounds": n_rounds, "compared": n_compared})


def _next_pairs(at_once: int, seconds: float) -> int:
    """Choose how many pairs of groups to form before the next report, to take about half a second.

    Which groups are formed does not depend on it.
    """
    if seconds > 0.5:
        return max(at_once // 2, 1)
    return at_once * 2 if seconds < 0.125 else at_once


def line_clusters(values: FloatArray, k: int) -> Clusters:
    """Form the groups of at least k numbers that differ least within themselves."""
    order = np.argsort(values, kind="stable")
    stretches, _ = cut_line(values[order], k)
    labels = np.empty(values.size, np.int32)
    labels[order] = stretches
    return Clusters(labels, int(stretches.max(initial=-1)) + 1, {"rounds": 0, "compared": 0})


def means_of(points: FloatArray, clusters: Clusters) -> FloatArray:
    """Give the mean of every cluster."""
    sizes = np.maximum(count(clusters.labels, clusters.n), 1)
    columns = [
        sum_floats_by_label(np.ascontiguousarray(column), clusters.labels, clusters.n) / sizes
        for column in points.T
    ]
    return np.column_stack([np.empty((clusters.n, 0)), *columns])


def information_loss(points: FloatArray, clusters: Clusters) -> float:
    """Give the sum of squares within clusters, out of that of all records."""
    kept = clusters.labels >= 0
    own, all_ = points[kept], points[kept].mean(axis=0) if kept.any() else 0.0
    total = float(np.square(own - all_).sum())
    within = float(np.square(own - means_of(points, clusters)[clusters.labels[kept]]).sum())
    return within / total if total > 0 else 0.0


def cluster_refusal(model: GroupModel) -> str | None:
    """Say why clusters of near records that are merged cannot keep a promise."""
    if (reason := model.unsearchable) is not None:
        return reason
    if model.merging is Merging.UNSAFE:
        return (
            "clusters are merged until they keep it, and two that do may break it together: "
            "use the method optimal, which checks every node"
        )
    if not model.local:
        return "it depends on what other groups show: use mondrian or optimal"
    if model.judges_absence or model.sources:
        return (
            "it compares published values with a population, and means of values are not found "
            "there: use mondrian or optimal"
        )
    return None


def require_size(table: Table, k: int, privacy: All) -> None:
    """Refuse a table that is no good even as one cluster.

    Raises
    ------
    InfeasibleError
        If it has too few records, or breaks the promise whatever is merged.
    """
    if not len(table):
        raise InfeasibleError("the table has no records: there is nothing to publish")
    if len(table) < k:
        raise InfeasibleError(
            f"the table has {len(table)} records, and groups need {k}: ask for smaller groups"
        )
    whole = count_parts(table, np.zeros(len(table), np.int32), 1, privacy.needs())
    for model in privacy.models:
        if not model.holds(whole):
            raise InfeasibleError(
                f"no groups of records keep {model}: {model.explain_failure(whole)}"
            )


def merge_clusters(
    table: Table, clusters: Clusters, centres: FloatArray, privacy: All, task: Task
) -> tuple[Clusters, CodeArray]:
    """Merge clusters that break a promise with the nearest others, until all keep it.

    After every round of merging, a cluster lies where most of its records do: at the mean of the
    centres, weighted by how many records each brought along. Also tells for each cluster which of
    the first ones took the others in.
    """
    labels, n, needs = clusters.labels, clusters.n, privacy.needs()
    groups = count_parts(table, labels, n, needs)
    promise = privacy.prepared(groups)
    host, n_merges, n_rounds = np.arange(n, dtype=np.int32), 0, 0
    sizes = groups.sizes.astype(float)
    while n > 1 and not (good := promise.good(groups)).all():
        targets = merge_targets(np.ascontiguousarray(centres), good)
        stays = targets == np.arange(n)
        number = (np.cumsum(stays) - 1).astype(np.int32)[targets]
        kept = labels >= 0
        labels = np.where(kept, number[labels], -1).astype(np.int32)
        host, n = host[stays], int(stays.sum())
        together = np.column_stack([np.bincount(number, c * sizes, minlength=n) for c in centres.T])
        sizes = np.bincount(number, sizes, minlength=n)
        centres = together / sizes[:, None]
        n_merges, n_rounds = n_merges + stays.size - n, n_rounds + 1
        task.progress(1.0, f"{n} clusters after merging")
        groups = count_parts(table, labels, n, needs)
    if not promise.good(groups).all():
        raise InfeasibleError(
            f"no groups of the records that are left keep {privacy}: ask for less"
        )
    effort = {**clusters.effort, "merges": n_merges, "merge_rounds": n_rounds}
    return Clusters(labels, n, effort), host


def _squared(points: FloatArray, at: FloatArray) -> FloatArray:
    """Give squared distances, added up column by column as the kernels do."""
    gaps = np.zeros(len(points))
    for column, value in zip(points.T, at, strict=True):
        gaps += (column - value) ** 2
    return gaps
