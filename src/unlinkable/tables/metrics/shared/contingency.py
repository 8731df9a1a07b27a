"""Contingency: how many records two cluster structures have in common, cluster by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import ParameterError
from unlinkable.kernels.counting import tally
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Contingency", "Labels"]

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
