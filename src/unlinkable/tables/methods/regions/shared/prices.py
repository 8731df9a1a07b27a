"""Prices: what it costs to show a range, looked up instead of computed.

Greedy clustering asks for the loss of hundreds of millions of boxes. A metric that adds up over
cells has one number for every range of every column; so they are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups, nameable
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric
from unlinkable.tables.taxonomies import Attribute, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["MOST_BINS", "PriceList", "Prices", "list_prices", "mean_prices"]

Cells: TypeAlias = Callable[[Taxonomy, CodeArray, CodeArray], FloatArray]
"""What cells that show ranges of codes cost."""

MOST_BINS = 512
"""Ranges of a column with more values are priced by the bins of neighbours that they begin and end
in."""


class PriceList(NamedTuple):
    """Prices of ranges as kernels take them, see `unlinkable.kernels.local_recoding.gathering`."""

    bins: CodeArray
    table: FloatArray
    plan: CountArray


@define(eq=False, frozen=True)
class Prices:
    """Distinct records, and the price of every range on every column.

    Columns are arranged for searches that add up prices until they are too high: first those on
    which two records differ most, in price and on average.

    Attributes
    ----------
    keys
        The codes of the records on the columns, in that arrangement.
    order
        The records in an order in which neighbours differ little: sorted by the columns, that on
        which records differ least first.
    listed
        The prices.
    """

    keys: CodeArray
    order: CountArray
    listed: PriceList

    @classmethod
    def of(
        cls,
        finest: Groups,
        attributes: Sequence[Attribute],
        metric: GroupMetric,
        *,
        in_taxonomy: bool | BoolArray,
    ) -> Self:
        """Price ranges by what a cell that shows them loses, times the importance of the column.

        Where the metric does not add up over cells, the normalized certainty penalty is taken.
        ``in_taxonomy`` says whether nodes of the taxonomies are shown, on all columns or on each.
        """
        cells = metric if isinstance(metric, CellMetric) else NormalizedCertaintyPenalty()
        nodes = np.broadcast_to(in_taxonomy, len(attributes))
        listed = list_prices(attributes, cells.cells, in_taxonomy=nodes)
        arranged = np.argsort(-mean_prices(finest.keys, listed), kind="stable")
        keys = np.ascontiguousarray(finest.keys[:, arranged], np.int32)
        columns = [attributes[j] for j in arranged]
        listed = list_prices(columns, cells.cells, in_taxonomy=nodes[arranged])
        order = np.lexsort(keys.T) if columns else np.arange(len(keys))
        return cls(keys, order, listed)


def list_prices(
    attributes: Sequence[Attribute], cells: Cells, *, in_taxonomy: bool | BoolArray
) -> PriceList:
    """Price all ranges of columns, as they would be published, by what ``cells`` says."""
    nodes = np.broadcast_to(in_taxonomy, len(attributes)).tolist()
    bins = [_bins(a, in_taxonomy=is_node) for a, is_node in zip(attributes, nodes, strict=True)]
    tables = [
        _table(a, own, cells, in_taxonomy=is_node)
        for a, own, is_node in zip(attributes, bins, nodes, strict=True)
    ]
    n_codes = np.array([own.size for own in bins], np.int64)
    n_bins = np.array([len(table) for table in tables], np.int64)
    plan = np.column_stack([np.cumsum(n_codes) - n_codes, np.cumsum(n_bins**2) - n_bins**2, n_bins])
    return PriceList(
        bins=np.concatenate([np.empty(0, np.int32), *bins]),
        table=np.concatenate([np.empty(0), *(table.ravel() for table in tables)]),
        plan=plan,
    )


def _bins(attribute: Attribute, *, in_taxonomy: bool) -> CodeArray:
    """Number for every code of a column the bin that it lies in."""
    taxonomy = attribute.taxonomy
    if taxonomy.n <= MOST_BINS:
        return np.arange(taxonomy.n, dtype=np.int32)
    if in_taxonomy:
        return next(level.blocks for level in taxonomy.levels if level.n_nodes <= MOST_BINS)
    present = taxonomy.domain.n_present
    bins = np.arange(taxonomy.n) * (MOST_BINS - 1) // present
    return bins.astype(np.int32)


def _table(attribute: Attribute, bins: CodeArray, cells: Cells, *, in_taxonomy: bool) -> FloatArray:
    """Price the ranges from the beginning of a bin to the end of another one."""
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    ends = np.append(starts[1:], bins.size)
    first, last = np.triu_indices(starts.size)
    lo, hi = nameable(
        starts[first].astype(np.int32)[:, None],
        ends[last].astype(np.int32)[:, None],
        [attribute],
        in_taxonomy=in_taxonomy,
    )
    table = np.zeros((starts.size, starts.size))
    table[first, last] = attribute.importance * cells(attribute.taxonomy, lo[:, 0], hi[:, 0])
    return table


def mean_prices(keys: CodeArray, listed: PriceList) -> FloatArray:
    """Give for every column the mean price of the range between two rows drawn at random."""
    means = np.zeros(keys.shape[1])
    for j, (codes, prices, n) in enumerate(listed.plan.tolist()):
        share = np.bincount(listed.bins[codes + keys[:, j]], minlength=n) / max(len(keys), 1)
        table = listed.table[prices : prices + n * n].reshape(n, n)
        means[j] = 2 * share @ table @ share - share**2 @ table.diagonal()
    return means
