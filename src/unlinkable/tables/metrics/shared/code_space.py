"""Code space: coded rows as points, so that searches can cluster records without seeing them.

A search sees distinct records as rows of codes, each with the number of records that it stands for,
and what it proposes as ranges of codes. Both become points as `ClusterMetric` describes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.metrics.shared.clusters import AXES, Clustering, axis_scales, find_clusters
from unlinkable.tables.metrics.shared.features import encode_codes
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["CodeSpace"]

_MOST_POINTS = 20_000
"""Of more rows than this, so many are clustered."""


@define(eq=False, frozen=True)
class CodeSpace:
    """A space in which every column counts the same.

    Attributes
    ----------
    attributes
        The columns.
    counts
        For every column the number of records that have each code.
    scales
        How long each axis is.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [20, 21, 60, 61]}, quasi="age")
    >>> keys, sizes = np.arange(4, dtype=np.int32)[:, None], np.array([1, 1, 1, 1])
    >>> space = CodeSpace.of(people.attributes, keys, sizes)
    >>> labels = space.clusters(keys, keys + 1, sizes, 2, Clustering.K_MEANS, seed=1)
    >>> labels[0] == labels[1], labels[1] == labels[2], labels[2] == labels[3]
    (np.True_, np.False_, np.True_)
    """

    attributes: tuple[Attribute, ...]
    counts: tuple[CountArray, ...]
    scales: FloatArray

    @classmethod
    def of(cls, attributes: Sequence[Attribute], keys: CodeArray, sizes: CountArray) -> Self:
        """Span a space by distinct records and their numbers."""
        counts = tuple(
            np.bincount(keys[:, j], sizes, a.taxonomy.n).astype(np.int64)
            for j, a in enumerate(attributes)
        )
        before = encode_codes(attributes, counts, keys, keys + np.int32(1))
        return cls(tuple(attributes), counts, axis_scales(before, sizes))

    def points(self, lo: CodeArray, hi: CodeArray) -> NDArray[np.floating[Any]]:
        """Place rows of ranges ``[lo, hi)``."""
        shown = encode_codes(self.attributes, self.counts, lo, hi)
        points: NDArray[np.floating[Any]] = shown.of_sort(*AXES).values * self.scales
        return points

    def clusters(
        self,
        lo: CodeArray,
        hi: CodeArray,
        sizes: CountArray,
        n_clusters: int,
        algorithm: Clustering,
        seed: int,
    ) -> CodeArray:
        """Put rows of ranges into clusters; each stands for so many records.

        Of very many rows, a sample is clustered, and every row goes where it is nearest.

        Raises
        ------
        DataError
            If scikit-learn is not installed.
        """
        points = self.points(lo, hi)
        if len(points) > _MOST_POINTS:
            some = np.random.default_rng(seed).choice(len(points), _MOST_POINTS, replace=False)
            counted = np.zeros_like(sizes)
            counted[some] = sizes[some]
            return find_clusters(points, n_clusters, algorithm, seed, counted)
        return find_clusters(points, n_clusters, algorithm, seed, sizes)
