"""Rare cells: those that noise hides anyway are counted together.

Pairs of attributes with many cells are mostly noise. Cells whose own noisy count is no more than a
few deviations of its noise are put together before pairs are counted, and told apart again in the
records that are drawn, in the proportions of their own noisy counts [1]_. Only noisy counts decide,
so it costs nothing.

References
----------
.. [1] R. McKenna, G. Miklau, D. Sheldon. "Winning the NIST contest: a scalable and general approach
   to differentially private synthetic data." Journal of Privacy and Confidentiality 11(3), 2021.
   Section 3.3.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Rare"]

_DEVIATIONS = 3.0
"""A count of less than so many deviations is rare."""


@define(eq=False, frozen=True)
class Rare:
    """Which cells of an attribute are put together.

    Attributes
    ----------
    group_of
        For each cell its group. The rare cells are the last group, if there are any.
    is_rare
        Which cells these are.
    shares
        In which proportions they are told apart again, as a sum from the first on.

    Examples
    --------
    >>> rare = Rare.of(np.array([50, 2, 40, -3, 1]), deviation=2)
    >>> rare.group_of.tolist(), rare.n
    ([0, 2, 1, 2, 2], 3)
    >>> rare.merge(np.array([50, 2, 40, -3, 1])).tolist()
    [50, 40, 0]
    """

    group_of: CodeArray
    is_rare: BoolArray
    shares: FloatArray

    @classmethod
    def of(cls, noisy: CountArray, deviation: float) -> Rare:
        """Find the rare cells; none if there is just one of them."""
        is_rare = np.asarray(noisy < _DEVIATIONS * deviation, bool)
        if is_rare.sum() < 2:
            is_rare = np.zeros(len(noisy), bool)
        group_of = np.where(is_rare, (~is_rare).sum(), np.cumsum(~is_rare) - 1).astype(np.int32)
        weights = np.maximum(noisy[is_rare], 0).astype(np.float64)
        if not weights.sum() > 0:
            weights = np.ones(len(weights))
        return cls(group_of, is_rare, np.cumsum(weights) / weights.sum())

    @property
    def n(self) -> int:
        """Number of groups."""
        return int(self.group_of.max(initial=-1)) + 1

    def merge(self, counts: CountArray) -> CountArray:
        """Add up the counts of the cells of each group."""
        merged = np.zeros(self.n, np.int64)
        np.add.at(merged, self.group_of, counts)
        return merged

    def tell_apart(self, groups: CodeArray, rng: np.random.Generator) -> CodeArray:
        """Give for each record a cell of its group."""
        cells = np.empty(self.n, np.int32)
        cells[self.group_of] = np.arange(len(self.group_of), dtype=np.int32)
        found = cells[groups]
        if self.is_rare.any():
            at = np.flatnonzero(groups == self.n - 1)
            place = np.searchsorted(self.shares, rng.random(len(at)), side="right")
            rare = np.flatnonzero(self.is_rare)
            found[at] = rare[np.minimum(place, len(rare) - 1)]
        return found
