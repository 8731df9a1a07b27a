"""Prices: what it costs to show a range, looked up instead of computed.

Greedy clustering asks for the loss of hundreds of millions of boxes. A metric that adds up over
cells has one number for every range of every column; so they are computed once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from attrs import define

from unlinkable.kernels.local_recoding import Levels, Prices
from unlinkable.tables.groups import Groups, nameable
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric
from unlinkable.tables.taxonomies import Attribute, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["MOST_BINS", "Landscape", "PriceList", "PricedRecords", "list_prices", "mean_prices"]

Cells: TypeAlias = Callable[[Taxonomy, CodeArray, CodeArray], FloatArray]
"""What cells that show ranges of codes cost."""

MOST_BINS = 512
"""Ranges of a column with more values are priced by the bins of neighbours that they begin and end
in."""


class PriceList(NamedTuple):
    """Prices of ranges, see `unlinkable.kernels.local_recoding.greedy_clusters`."""

    bins: CodeArray
    table: FloatArray
    plan: CountArray


@define(eq=False, frozen=True)
class PricedRecords:
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


_MOST_CODES = 1024
"""A column with more values is searched in so many stretches of them."""

_MOST_NODES = 1 << 14
"""Nodes of the lattice that are swept over; of a larger one, levels are left out."""


@define(eq=False, frozen=True)
class Landscape:
    """The costs of ranges and levels on every column.

    A column with very many values is cut into stretches, each taken for one value: what is found is
    then judged and published by the values themselves, and only the search sees less.

    Attributes
    ----------
    keys
        By row and column the stretch that the value of a distinct record lies in.
    prices
        What every range of stretches costs.
    levels, losses
        The levels of the taxonomies, and what a value costs there.
    costs
        By column and level: what a record costs there on average.
    """

    keys: CodeArray
    prices: Prices
    levels: Levels
    losses: FloatArray
    costs: tuple[FloatArray, ...]

    @classmethod
    def of(
        cls,
        finest: Groups,
        attributes: Sequence[Attribute],
        metric: CellMetric,
        *,
        in_taxonomy: bool,
    ) -> Self:
        """Price all ranges by a metric, as they would be published."""
        keys = np.empty_like(finest.keys)
        prices, blocks, losses, costs, n_codes = [], [], [], [], []
        for j, attribute in enumerate(attributes):
            begins = _stretches(attribute.taxonomy.n)
            ends = np.append(begins[1:], np.int32(attribute.taxonomy.n))
            keys[:, j] = np.searchsorted(begins, finest.keys[:, j], side="right") - 1
            prices.append(_ranges(attribute, begins, ends, metric, in_taxonomy))
            levels = attribute.taxonomy.levels
            blocks.append(np.concatenate([level.blocks[begins] for level in levels]))
            each = np.stack(
                [
                    attribute.importance
                    * metric.cells(attribute.taxonomy, level.lo[begins], level.hi[begins])
                    for level in levels
                ]
            )
            losses.append(each.ravel())
            shares = np.bincount(keys[:, j], finest.weights, begins.size)
            costs.append((each * shares).sum(axis=1))
            n_codes.append(begins.size)
        counts = np.array(n_codes, np.int64)
        heights = np.array([len(a.taxonomy.levels) for a in attributes], np.int64)
        return cls(
            keys,
            Prices(np.concatenate(prices), _starts(counts**2), counts),
            Levels(np.concatenate(blocks), _starts(heights * counts), counts, heights),
            np.concatenate(losses),
            tuple(costs),
        )

    def nodes(self) -> CodeArray:
        """List nodes of the lattice by what records cost there, the least first.

        Of a lattice that is too large, some levels are left out, those in between first; if every
        column is down to two levels, the list ends where it gets too long.
        """
        chosen = [list(range(costs.size)) for costs in self.costs]
        while np.prod([float(len(levels)) for levels in chosen]) > _MOST_NODES:
            longest = max(chosen, key=len)
            if len(longest) <= 2:
                return _cheapest(self.costs)
            del longest[len(longest) // 2]
        grid = np.meshgrid(*chosen, indexing="ij")
        nodes = np.stack([levels.ravel() for levels in grid], axis=1).astype(np.int32)
        total = sum(costs[nodes[:, j]] for j, costs in enumerate(self.costs))
        return np.ascontiguousarray(nodes[np.argsort(total, kind="stable")])


def _stretches(n: int) -> CodeArray:
    """Give the first code of every stretch."""
    if n <= _MOST_CODES:
        return np.arange(n, dtype=np.int32)
    return np.unique(np.arange(_MOST_CODES) * n // _MOST_CODES).astype(np.int32)


def _ranges(
    attribute: Attribute,
    begins: CodeArray,
    ends: CodeArray,
    metric: CellMetric,
    in_taxonomy: bool,
) -> FloatArray:
    """Price the ranges from each stretch to each; those that end before they begin are free."""
    n = begins.size
    first, last = np.triu_indices(n)
    lo, hi = nameable(
        begins[first][:, None], ends[last][:, None], [attribute], in_taxonomy=in_taxonomy
    )
    prices = np.zeros(n * n)
    cells = metric.cells(attribute.taxonomy, lo[:, 0], hi[:, 0])
    prices[first * n + last] = attribute.importance * cells
    return prices


def _starts(lengths: CountArray) -> CountArray:
    starts: CountArray = np.cumsum(lengths) - lengths
    return starts


def _cheapest(costs: Sequence[FloatArray]) -> CodeArray:
    """List the cheapest ways to leave columns at the bottom or to raise them to the top."""
    rises = [float(c[-1] - c[0]) for c in costs]
    order = np.argsort(rises, kind="stable").tolist()
    top = [c.size - 1 for c in costs]
    # Sets of columns by the sum of their rises: each leads to those that add or shift the last one.
    heap: list[tuple[float, int, tuple[int, ...]]] = [(0.0, -1, ())]
    found: list[tuple[int, ...]] = []
    while heap and len(found) < _MOST_NODES:
        total, last, raised = heapq.heappop(heap)
        found.append(raised)
        if last + 1 < len(order):
            step = rises[order[last + 1]]
            heapq.heappush(heap, (total + step, last + 1, (*raised, order[last + 1])))
            if raised:
                shifted = (*raised[:-1], order[last + 1])
                heapq.heappush(heap, (total - rises[raised[-1]] + step, last + 1, shifted))
    nodes = np.zeros((len(found) + 1, len(costs)), np.int32)
    for i, raised in enumerate(found):
        nodes[i, list(raised)] = [top[j] for j in raised]
    nodes[-1] = top
    return nodes
