"""Alignment: cuts that part no group of the last release."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.kernels.splitting import count_open
from unlinkable.tables.methods.regions import Cuts
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Alignment"]


@define(eq=False, frozen=True)
class Alignment:
    """The groups of an earlier release, by the finest groups that have members of theirs.

    Attributes
    ----------
    indptr, groups
        For each finest group the earlier groups of its records, as lists one after the other.
    n_groups
        How many earlier groups there are.
    """

    indptr: CountArray
    groups: CodeArray
    n_groups: int

    @classmethod
    def of(cls, finest: CodeArray, groups: CodeArray) -> Self:
        """Put records in order.

        Parameters
        ----------
        finest
            The finest group of each record.
        groups
            The earlier group of each record, -1 if it was in none.
        """
        known = groups >= 0
        n_finest, n_groups = int(finest.max(initial=-1)) + 1, int(groups.max(initial=-1)) + 1
        pairs = np.unique(finest[known].astype(np.int64) * max(n_groups, 1) + groups[known])
        where, which = np.divmod(pairs, max(n_groups, 1))
        indptr = np.searchsorted(where, np.arange(n_finest + 1)).astype(np.int64)
        return cls(indptr, which.astype(np.int32), n_groups)

    def respected(self, cuts: Cuts) -> BoolArray:
        """Tell which cuts have all members of every earlier group on one side."""
        order = cuts.layout.rows.order
        n_open = count_open(cuts.rows, cuts.starts, order, self.indptr, self.groups, self.n_groups)
        respected: BoolArray = n_open[cuts.starts[cuts.item] + cuts.below] == 0
        return respected
