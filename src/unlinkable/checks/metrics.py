"""What metrics claim: the bounds that searches rely on."""

from __future__ import annotations

import numpy as np

from unlinkable.checks.contract import require
from unlinkable.tables.metrics.base import CellMetric, SizeMetric
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, CountArray

__all__ = ["check_cells", "check_floor", "check_suppressed"]

_ROUNDING = 1e-12
"""Floats may be off by this much."""


def check_cells(metric: CellMetric, taxonomy: Taxonomy) -> None:
    """Check all ranges of a small domain: a value alone loses least, a wider range no less.

    The least is nothing, unless the metric says that it charges for values as they were.
    """
    lo, hi = _ranges(taxonomy.n)
    loss = metric.cells(taxonomy, lo, hi)
    alone = loss[hi - lo == 1]
    is_free = bool((alone == 0).all()) or metric.charges_values
    require(is_free, f"{metric} charges for a value as it was")
    for a in range(lo.size):
        wider = (lo <= lo[a]) & (hi >= hi[a])
        falls = bool((loss[wider] < loss[a] - _ROUNDING).any())
        require(not falls, f"{metric} falls from {loss[a]} when a range grows")


def check_suppressed(metric: CellMetric, taxonomy: Taxonomy) -> None:
    """Check that no cell loses more than one that is left out."""
    loss = metric.cells(taxonomy, *_ranges(taxonomy.n))
    most = metric.suppressed(taxonomy)
    holds = bool((loss <= most + _ROUNDING).all())
    require(holds, f"a cell loses {loss.max(initial=0)} by {metric}, and a suppressed one {most}")


def check_floor(
    metric: SizeMetric,
    sizes: CountArray,
    parent: CodeArray,
    n_suppressed: int,
    may_suppress: int,
) -> None:
    """Check that no coarser release loses less than the floor.

    ``parent`` says which groups are merged, -1 which are left out, together no more records than
    ``may_suppress``; ``n_suppressed`` others were left out before.
    """
    n_parents = int(parent.max(initial=-1)) + 1
    kept = np.bincount(parent[parent >= 0], sizes[parent >= 0], n_parents).astype(np.int64)
    left_out = int(sizes[parent < 0].sum())
    require(left_out <= may_suppress, "more is left out than may be")
    floor = metric.floor(sizes, may_suppress, n_suppressed)
    loss = metric.of_sizes(kept[kept > 0], left_out + n_suppressed)
    require(
        floor <= loss + _ROUNDING, f"a release loses {loss} by {metric}, below its floor {floor}"
    )


def _ranges(n: int) -> tuple[CodeArray, CodeArray]:
    lo, hi = np.triu_indices(n)
    return lo.astype(np.int32), (hi + 1).astype(np.int32)
