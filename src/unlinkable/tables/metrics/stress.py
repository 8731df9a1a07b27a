"""Stress: how well a transformation keeps the distances between records.

Clusters are about distances. A transformation that keeps all of them, a rotation for instance,
keeps the clusters, however different its numbers look; stress tells how far it is from that.

References
----------
.. [1] J. B. Kruskal, M. Wish. "Multidimensional scaling." Sage 1978.
.. [2] S. R. M. Oliveira, O. R. Zaïane. "Privacy-preserving clustering to uphold business
   collaboration: a dimensionality reduction based transformation approach." IJISP 1(2), 2007.
   Equation 7.8 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.kernels.clustering import compare_distances
from unlinkable.params import Choice, as_columns, at_least, positive
from unlinkable.release import Measurement
from unlinkable.tables.data import Role, numbers_of
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import (
    Generalized,
    Perturbed,
    Published,
    chosen_columns,
    known_rows,
    numbers_before,
)
from unlinkable.typing import Columns, CountArray, FloatArray, Progress

__all__ = ["Denominator", "Stress", "stress"]


class Denominator(Choice):
    """Which distances the change of distances is measured in."""

    ORIGINAL = "original"
    """Those of the original records."""
    RELEASED = "released"
    """Those of the published records, as the names in Equation 7.8 of the book say."""


def stress(
    before: FloatArray,
    after: FloatArray,
    *,
    denominator: Denominator = Denominator.ORIGINAL,
    scale: float = 1.0,
) -> float:
    r"""Measure by how much the distances between records changed.

    :math:`\sum_{ij} (\hat d_{ij} - d_{ij})^2 / \sum_{ij} d_{ij}^2`, where :math:`d_{ij}` is the
    Euclidean distance of records i and j before and :math:`\hat d_{ij}` ``scale`` times the one
    after; the denominator adds up either. 0 if all distances were kept, also if all of them are 0.

    Parameters
    ----------
    before, after
        A row for each record, in the same order. Numbers of columns may differ.
    denominator
        Which distances to measure the change in.
    scale
        What to multiply distances after with. A random projection of m columns to r, by a matrix
        whose columns have length 1, needs :math:`\sqrt{m / r}`.

    Raises
    ------
    ParameterError
        If the matrices are not about the same records, or hold what is not a number.
    UnsupportedError
        If the distances of the denominator are all 0, and the others are not.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> quarter_turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    >>> stress(square, square @ quarter_turn)
    0.0
    >>> stress(square, square / 2)
    0.25
    """
    x, y = (np.ascontiguousarray(given, dtype=float) for given in (before, after))
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y):
        raise ParameterError(
            "stress compares two matrices with a row for each record: these have the shapes "
            f"{x.shape} and {y.shape}"
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ParameterError("stress needs a number in every cell: leave out incomplete records")
    errors, all_before, all_after = compare_distances(x, y, float(scale))
    total = all_before if denominator is Denominator.ORIGINAL else all_after
    if total == 0 and errors > 0:
        raise UnsupportedError(
            f"there is no stress if all {denominator.value} records are the same: their distances, "
            "by which it is divided, are all 0"
        )
    return errors / total if errors else 0.0


@frozen
class Stress(Metric):
    r"""How much the distances between records changed, in shares of what they were.

    :math:`\sum_{ij} (\hat d_{ij} - d_{ij})^2 / \sum_{ij} d_{ij}^2` over all pairs of published
    records, where :math:`d_{ij}` is the Euclidean distance of two original records and :math:`\hat
    d_{ij}` that of the published ones. Numbers and dates are compared, an interval by its middle;
    categories have no distances and are ignored. Columns are standardized, both times by mean and
    standard deviation of the original. A record that lacks one of the numbers before or after is
    not compared, nor is a suppressed one. Weights do not matter: records are counted.

    The book calls the distances in the denominator those of the transformed records, which seems to
    be a slip: the literature that it cites divides by the original ones, as here by default.

    Parameters
    ----------
    columns
        The columns to compare; all published ones with numbers or dates, except the target, if not
        given.
    projected
        The published columns to compare them with, if they are others: the axes of a projection.
        Their numbers are taken as they are.
    standardize
        Whether every column counts the same. If not, it counts by the numbers it holds.
    denominator
        Which distances to measure the change in: ``original`` or ``released``.
    scale
        What to multiply distances of the release with: sqrt(m / r) for a random projection of m
        columns to r by columns of length 1.
    sample
        The most records that are compared, each with all others. If there are more, so many of them
        are drawn, and the result is an estimate.
    seed
        Where the random numbers for that start.

    Range
    -----
    From 0, all distances are as they were. At 1 as much was changed as there was, for instance
    because all records were made the same; there is no greatest value.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 40, 50], "pay": [1.0, 2.0, 3.0]}, quasi=["age", "pay"])
    >>> noisy = as_table({"age": [30, 40, 50], "pay": [1.0, 2.5, 3.0]}, quasi=["age", "pay"])
    >>> release = Perturbed(people, noisy.frame, np.arange(3))
    >>> round(Stress().measure(release).value, 4)
    0.0199
    >>> Stress(columns="age").measure(release).value
    0.0
    """

    name: ClassVar[str] = "stress"
    reference: ClassVar[str] = "Oliveira and Zaïane 2007"
    purpose: ClassVar[Purpose] = Purpose.TASK
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Perturbed)
    makes_no_sense: ClassVar[str] = "it measures how far values moved, and here they did not"

    columns: Columns | None = field(default=None, converter=as_columns)
    projected: Columns | None = field(default=None, converter=as_columns)
    standardize: bool = True
    denominator: Denominator = field(default=Denominator.ORIGINAL, converter=Denominator)
    scale: float = field(default=1.0, converter=float, validator=positive)
    sample: int = field(default=10_000, validator=at_least(2))
    seed: int = field(default=0, validator=at_least(0))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        rows = known_rows(self, published)
        columns = self._columns(published)
        before, after = self._matrices(published, rows, columns)
        whole = np.flatnonzero(np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1))
        if whole.size < 2:
            raise UnsupportedError(
                f"{self} needs two records with a number in {', '.join(columns)}, and the release "
                f"has {whole.size}"
            )
        if whole.size > self.sample:
            drawn = np.random.default_rng(self.seed).choice(whole.size, self.sample, replace=False)
            whole = whole[np.sort(drawn)]
        value = stress(before[whole], after[whole], denominator=self.denominator, scale=self.scale)
        return Measurement(value, {"records compared": float(whole.size)})

    def _columns(self, published: Published) -> Columns:
        """Find the columns of the original that are compared."""
        schema = published.original.schema
        if self.projected is None:
            named = chosen_columns(published, self.columns)
        else:
            named = self.columns or schema.with_role(Role.QUASI, Role.SENSITIVE, Role.INSENSITIVE)
        ordered = tuple(name for name in named if published.is_ordered(name))
        if self.columns is not None and len(ordered) < len(named):
            category = next(name for name in named if name not in ordered)
            raise SchemaError(f"column {category!r} holds categories, which have no distances")
        if not ordered:
            raise UnsupportedError(
                f"{self} compares distances, and there is no column with numbers or dates to "
                "compare besides the target"
            )
        return ordered

    def _matrices(
        self, published: Published, rows: CountArray, columns: Columns
    ) -> tuple[FloatArray, FloatArray]:
        """Give the numbers of the compared columns, a row for each published record."""
        frame = published.frame
        numbers = np.column_stack([numbers_before(published.original, n) for n in columns])
        middle, width = np.zeros(len(columns)), np.ones(len(columns))
        if self.standardize:
            middle, width = _middle_and_width(numbers)
        before = (numbers[rows] - middle) / width
        if self.projected is None:
            shown = [np.add(*published.spans(name)) / 2 for name in columns]
            return before, (np.column_stack(shown) - middle) / width
        for name in self.projected:
            if name not in frame.columns:
                raise SchemaError(unknown("published column", name, frame.columns))
        return before, np.column_stack([numbers_of(frame, name) for name in self.projected])


def _middle_and_width(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Find mean and standard deviation of the numbers that are there; 1 if they do not differ."""
    there = np.isfinite(numbers)
    n = np.maximum(there.sum(axis=0), 1)
    middle = np.where(there, numbers, 0.0).sum(axis=0) / n
    spread = np.sqrt((np.where(there, numbers - middle, 0.0) ** 2).sum(axis=0) / n)
    return middle, np.where(spread > 0, spread, 1.0)
