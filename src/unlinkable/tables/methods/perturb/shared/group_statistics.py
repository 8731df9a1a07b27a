"""Group statistics: all that condensation keeps of records, and the points it makes of that.

A group of records is known by how many they are, by the sums of their values, and by the sums of
products of any two of them [1]_: hence by mean and covariance. Points are made along the directions
in which the group varies independently.

References
----------
.. [1] C. C. Aggarwal, P. S. Yu. "A condensation approach to privacy preserving data mining." EDBT
   2004. C. C. Aggarwal. "Data Mining: The Textbook." Springer 2015. Section 20.3.1.4.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.counting import count, sum_floats_by_label
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["GroupStatistics"]

_ZERO = 1e-13
"""Variances of less than this share of the largest are rounding."""


@define(eq=False, frozen=True)
class GroupStatistics:
    """Counts, means and covariances of groups.

    Attributes
    ----------
    counts
        How many records each group has.
    means
        A row for each group.
    covariances
        A matrix for each group: sums of products over the number of records, not one less.

    Examples
    --------
    >>> points = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]])
    >>> kept = GroupStatistics.of(points, np.zeros(3, np.int32), 1)
    >>> kept.sums.tolist(), kept.products.round(9).tolist()
    ([[9.0, 15.0]], [[[35.0, 59.0], [59.0, 101.0]]])
    """

    counts: CountArray
    means: FloatArray
    covariances: FloatArray

    @classmethod
    def of(cls, points: FloatArray, labels: CodeArray, n: int) -> Self:
        """Add up the points of every group."""
        counts, d = count(labels, n), points.shape[1]
        means, covariances = np.empty((n, d)), np.empty((n, d, d))
        for i in range(d):
            means[:, i] = sum_floats_by_label(points[:, i].copy(), labels, n) / counts
        off = points - means[labels]
        for i in range(d):
            for j in range(i, d):
                products = sum_floats_by_label(off[:, i] * off[:, j], labels, n)
                covariances[:, i, j] = covariances[:, j, i] = products / counts
        return cls(counts, means, covariances)

    def __len__(self) -> int:
        return self.counts.size

    @property
    def sums(self) -> FloatArray:
        """The sum of every column, for each group."""
        sums: FloatArray = self.counts[:, None] * self.means
        return sums

    @property
    def products(self) -> FloatArray:
        """The sum of products of any two columns, for each group."""
        outer = self.means[:, :, None] * self.means[:, None, :]
        products: FloatArray = self.counts[:, None, None] * (self.covariances + outer)
        return products

    def generate(self, rng: np.random.Generator) -> tuple[FloatArray, CodeArray]:
        r"""Make as many points for every group as it has records, and tell the group of each.

        Columns are scaled to the same variance. Along the eigenvector of variance
        :math:`\lambda_j` points are uniform over a range of :math:`\sqrt{12 \lambda_j}`,
        independently. Then they are moved a little so that the mean and the covariance of the
        points of a group are *exactly* those of the group: what was drawn is centred, the
        directions are made orthogonal one after the other, the one of most variance first, and
        scaled. That needs more points than directions, which groups of records always have. If a
        group was split off a stream and has no more records than columns, its mean is exact and its
        covariance is so in expectation.
        """
        labels = np.repeat(np.arange(len(self), dtype=np.int32), self.counts)
        scales = self._scales()
        values, vectors = np.linalg.eigh(self.covariances / (scales[:, None] * scales))
        values, vectors = values[:, ::-1], vectors[:, :, ::-1]
        values = np.where(values > _ZERO * values[:, :1], values, 0.0)
        points = np.empty((labels.size, self.means.shape[1]))
        start = np.cumsum(self.counts) - self.counts
        for size in np.unique(self.counts).tolist():
            at = np.flatnonzero(self.counts == size)
            drawn = _standard(rng, at.size, size, (values[at] > 0).sum(axis=1), values.shape[1])
            turned = (drawn * np.sqrt(values[at])[:, None, :]) @ vectors[at].transpose(0, 2, 1)
            rows = start[at][:, None] + np.arange(size)
            points[rows] = turned * scales + self.means[at][:, None, :]
        return points, labels

    def _scales(self) -> FloatArray:
        """Give the standard deviation of each column over all groups; 1 where nothing varies."""
        shares = self.counts / max(self.counts.sum(), 1)
        off = self.means - shares @ self.means
        variances = np.einsum("gii->gi", self.covariances) + np.square(off)
        spread = np.sqrt(np.maximum(shares @ variances, 0.0))
        return np.where(spread > 0, spread, 1.0)


def _standard(
    rng: np.random.Generator, n_groups: int, size: int, ranks: CountArray, d: int
) -> FloatArray:
    """Draw points of mean 0 for groups of one size, of variance 1 where that can be exact."""
    drawn: FloatArray = (rng.random((n_groups, size, d)) - 0.5) * np.sqrt(12.0)
    drawn -= drawn.mean(axis=1, keepdims=True)
    if size < 2:
        return drawn
    loose: FloatArray = drawn * np.sqrt(size / (size - 1))
    width = min(d, size - 1)
    straight, upper = np.linalg.qr(drawn[:, :, :width])
    sign = np.where(np.diagonal(upper, axis1=1, axis2=2) < 0, -1.0, 1.0)
    exact = np.zeros_like(drawn)
    exact[:, :, :width] = straight * (sign * np.sqrt(size))[:, None, :]
    return np.where((ranks <= width)[:, None, None], exact, loose)
