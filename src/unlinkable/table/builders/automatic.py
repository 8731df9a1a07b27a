"""Auto: a binary tree over numbers, made from how often they occur."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from unlinkable.table.builders.base import Observed, TaxonomyBuilder, stack
from unlinkable.table.taxonomy import Taxonomy

__all__ = ["Auto"]


@frozen
class Auto(TaxonomyBuilder):
    """Halve the values into equally frequent parts, again and again."""

    by_hidden: bool = False

    def build(self, observed: Observed) -> Taxonomy:
        n = observed.domain.n_present
        levels = []
        depth = max(int(np.ceil(np.log2(max(n, 1)))), 1)
        for d in range(depth - 1, 0, -1):
            cum = np.cumsum(observed.counts[:n]) - observed.counts[:n]
            part = (cum * (1 << d) // max(int(observed.counts[:n].sum()), 1)).astype(np.int32)
            blocks = np.unique(part, return_inverse=True)[1].astype(np.int32)
            levels.append((blocks, None))
        return stack(observed.name, observed.domain, levels)
