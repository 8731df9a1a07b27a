"""Clusters: the structure of the original records, and that of the published ones."""

from __future__ import annotations

import abc
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from attrs import define, field, frozen
from attrs.validators import optional
from numpy.typing import NDArray

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.extras import load_extra
from unlinkable.kernels.counting import tally
from unlinkable.params import Choice, as_columns, at_least
from unlinkable.release import Measurement
from unlinkable.tables.data import Table
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import (
    Generalized,
    Perturbed,
    Published,
    chosen_columns,
    known_rows,
)
from unlinkable.tables.metrics.shared.features import Features, Sort, Unchanged, encode
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = [
    "AXES",
    "ClusterMetric",
    "Clustering",
    "Contingency",
    "Labels",
    "axis_scales",
    "find_clusters",
]

_USUAL = 5
"""How many clusters are looked for if nobody says."""

_STARTS = 10
"""How often an algorithm starts anew, of which the best result is taken."""


class Clustering(Choice, noun="algorithm"):
    """How clusters are found."""

    K_MEANS = "k-means"
    """Around centers: each record goes to the nearest, which is the mean of its records."""
    BISECTING = "bisecting-k-means"
    """By halving: the cluster that scatters most is cut in two, again and again."""
    MIXTURE = "gaussian-mixture"
    """As bell-shaped clouds, each as wide in every direction as its records are."""


def find_clusters(
    points: NDArray[np.floating[Any]],
    n_clusters: int,
    algorithm: Clustering,
    seed: int = 0,
    sizes: CountArray | None = None,
) -> CodeArray:
    """Put points into clusters, the same ones whenever it is asked with the same seed.

    There are fewer clusters than asked for if there are fewer different points. With ``sizes``,
    each point stands for so many records; one that stands for none goes where it is nearest.

    Raises
    ------
    DataError
        If scikit-learn is not installed.

    Examples
    --------
    >>> points = np.array([[0.0], [0.1], [9.0], [9.1]])
    >>> labels = find_clusters(points, 2, Clustering.K_MEANS)
    >>> labels[0] == labels[1], labels[1] == labels[2], labels[2] == labels[3]
    (np.True_, np.False_, np.True_)
    """
    if len(points) < 2:
        return np.zeros(len(points), np.int32)
    start = int(np.random.default_rng(seed).integers(2**32))
    n = min(n_clusters, len(points) if sizes is None else max(np.count_nonzero(sizes), 1))
    cluster = load_extra("sklearn.cluster", "ml", "clusters")
    match algorithm:
        case Clustering.K_MEANS:
            model = cluster.KMeans(n, n_init=_STARTS, random_state=start)
        case Clustering.BISECTING:
            model = cluster.BisectingKMeans(n, n_init=_STARTS, random_state=start)
        case Clustering.MIXTURE:
            mixture = load_extra("sklearn.mixture", "ml", "clusters")
            model = mixture.GaussianMixture(n, covariance_type="diag", random_state=start)
    # Several threads would add up in any order, and ties would then fall now here and now there.
    one_thread = load_extra("threadpoolctl", "ml", "clusters").threadpool_limits(1)
    with one_thread, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if sizes is None:
            return np.asarray(model.fit_predict(points), np.int32)
        counted = sizes > 0 if sizes.any() else np.ones(sizes.size, bool)
        some, times = points[counted], sizes[counted]
        if algorithm is Clustering.MIXTURE:
            model.fit(np.repeat(some, times, axis=0))
        else:
            model.fit(some, sample_weight=times.astype(float))
        return np.asarray(model.predict(points), np.int32)


@frozen
class ClusterMetric(Metric):
    """A comparison of the clusters of the original records with those of the published ones.

    The original records are clustered, and by the same algorithm the published ones; those in both
    are compared. A record is a point in a space in which every column counts the same: it has one
    axis for a column of numbers or dates, where an interval lies at its middle, and one for every
    value of a column of categories, where a range lies on the axes of all its values, on each by
    its share; the axes of a column are scaled together so that their variances in the original add
    up to 1. How wide a range is does not matter to where it lies.
    """

    purpose: ClassVar[Purpose] = Purpose.TASK
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Perturbed)
    makes_no_sense: ClassVar[str] = (
        "it clusters records, and which sensitive value is whose is not told"
    )

    n_clusters: int | None = field(default=None, validator=optional(at_least(1)))
    algorithm: Clustering = field(default=Clustering.K_MEANS, converter=Clustering)
    clusters: str | None = None
    columns: Columns | None = field(default=None, converter=as_columns)
    seed: int = field(default=0, validator=at_least(0))

    @abc.abstractmethod
    def compare(self, both: Contingency) -> float:
        """State how much of the one structure is found again in the other."""

    def details(self, both: Contingency) -> dict[str, float]:
        """Give the numbers that help to read the result."""
        return {
            "records compared": float(both.n_compared),
            "natural clusters": float(both.natural_sizes.size),
            "query clusters": float(both.query_sizes.size),
        }

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        rows = known_rows(self, published)
        columns = self._columns(published)
        before = encode(Unchanged.of(published.original), columns)
        scales = axis_scales(before)
        natural = self._natural(published.original, before, scales)
        if not (natural[rows] >= 0).any():
            raise UnsupportedError(
                f"{self} compares records that have a natural cluster, and none was published"
            )
        if progress is not None:
            progress(0.5, "original records clustered")
        given = _USUAL if self.clusters is None else len(np.unique(natural[natural >= 0]))
        n_clusters = self.n_clusters or given
        query = self._query(encode(published, columns), scales, rows, n_clusters)
        both = Contingency.of(natural[rows], query)
        return Measurement(self.compare(both), self.details(both))

    def _columns(self, published: Published) -> Columns:
        given = () if self.clusters is None else (self.clusters,)
        if self.columns is not None and self.clusters in self.columns:
            raise SchemaError(
                f"column {self.clusters!r} tells the natural clusters: do not cluster by it"
            )
        columns = chosen_columns(published, self.columns, besides=given)
        if not columns:
            raise UnsupportedError(f"{self} has no published column to cluster the records by")
        return columns

    def _natural(self, original: Table, before: Features, scales: FloatArray) -> CodeArray:
        """Find the natural clusters, or read those that are given; -1 for records in none."""
        if self.clusters is None:
            points = _points(before, scales)
            return find_clusters(points, self.n_clusters or _USUAL, self.algorithm, self.seed)
        if self.clusters not in original.schema.names:
            raise SchemaError(unknown("column", self.clusters, original.schema.names))
        codes = original.codes(self.clusters)
        missing = original.taxonomy(self.clusters).domain.missing
        return np.where(codes == missing, np.int32(-1), codes)

    def _query(
        self, after: Features, scales: FloatArray, rows: CountArray, n_clusters: int
    ) -> CodeArray:
        """Cluster the published records, in whatever order they were published."""
        order = np.argsort(rows, kind="stable")
        query = np.empty(rows.size, np.int32)
        points = _points(after, scales)[order]
        query[order] = find_clusters(points, n_clusters, self.algorithm, self.seed)
        return query


AXES = (Sort.MIDPOINT, Sort.MISSING, Sort.VALUE)
"""Features that tell where a record lies, and not how exactly that is known."""


def _points(features: Features, scales: FloatArray) -> NDArray[np.floating[Any]]:
    points: NDArray[np.floating[Any]] = features.of_sort(*AXES).values * scales
    return points


def axis_scales(before: Features, sizes: CountArray | None = None) -> FloatArray:
    """Scale axes so that the variances of each column's add up to 1 in the original.

    With ``sizes``, each row stands for so many records.
    """
    axes = before.of_sort(*AXES)
    if sizes is None:
        variances = axes.values.var(axis=0, dtype=float)
    else:
        mean = np.average(axes.values, axis=0, weights=sizes)
        variances = np.average((axes.values - mean) ** 2, axis=0, weights=sizes)
    _, column = np.unique(np.array(axes.columns), return_inverse=True)
    total = np.bincount(column, variances)[column]
    return np.where(total > 0, 1 / np.sqrt(np.where(total > 0, total, 1.0)), 1.0)


Labels: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]
"""The cluster of each record, as a number; a negative number if it is in none."""


@define(eq=False, frozen=True)
class Contingency:
    """The records that a natural cluster :math:`C_i` and a query cluster :math:`K_j` share.

    Only what is not zero is kept: there are never more entries than records.

    Attributes
    ----------
    natural, query
        The numbers i and j of each entry.
    common
        Number of records in both clusters, :math:`n_{ij}`.
    natural_sizes, query_sizes
        Number of compared records in each cluster: :math:`|C_i|` and :math:`|K_j|`.
    """

    natural: CodeArray
    query: CodeArray
    common: CountArray
    natural_sizes: CountArray
    query_sizes: CountArray

    @classmethod
    def of(cls, natural: Labels, query: Labels) -> Self:
        """Compare the clusters of the same records in two structures.

        A record that is in no cluster of one of them (a negative number) is not compared, and does
        not count in the sizes of the other's clusters either. O(n) for n records.

        Raises
        ------
        ParameterError
            If the structures are not about the same records, clusters are not numbered, or no
            record is in both.

        Examples
        --------
        >>> both = Contingency.of([0, 0, 0, 1, 1, -1], [1, 1, 2, 2, 2, 2])
        >>> both.common.tolist(), both.natural_sizes.tolist(), both.query_sizes.tolist()
        ([2, 1, 2], [3, 2], [2, 3])
        """
        before, after = _numbers(natural), _numbers(query)
        if before.shape != after.shape:
            raise ParameterError(
                f"one cluster structure has {before.size} records and the other {after.size}: give "
                "the cluster of every record in both, -1 where it was left out"
            )
        compared = (before >= 0) & (after >= 0)
        if not compared.any():
            raise ParameterError("no record is in a cluster of both structures: nothing to compare")
        rows, n_rows = _consecutive(before[compared])
        codes, n_codes = _consecutive(after[compared])
        indptr, values, counts = tally(rows, codes, n_rows, n_codes)
        return cls(
            np.repeat(np.arange(n_rows, dtype=np.int32), np.diff(indptr)),
            values,
            counts,
            np.bincount(rows, minlength=n_rows),
            np.bincount(codes, minlength=n_codes),
        )

    @property
    def n_compared(self) -> int:
        """Number of records that are in a cluster of both structures."""
        return int(self.natural_sizes.sum())


def _numbers(labels: Labels) -> NDArray[np.integer[Any]]:
    given = np.asarray(labels)
    if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
        raise ParameterError(
            "clusters must be one whole number for each record; number them first, for instance by "
            "numpy.unique(clusters, return_inverse=True)"
        )
    return given.astype(np.int64)


def _consecutive(labels: NDArray[np.integer[Any]]) -> tuple[CodeArray, int]:
    """Number clusters from 0 without gaps."""
    if int(labels.max()) > labels.size:
        labels = np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(labels)
    numbers = (np.cumsum(sizes > 0) - 1).astype(np.int32)
    return numbers[labels], int(numbers[-1]) + 1
