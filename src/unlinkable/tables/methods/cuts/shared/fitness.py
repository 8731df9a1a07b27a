"""Fitness: how good a chromosome is, by the promise and by the loss of its release.

Meters compute the loss of a choice of cuts without writing the release out where that can be
avoided. Each agrees with the metric that it stands for; they differ in how much is computed.

The chromosomes of a population become more and more similar. Records that none of them
distinguishes are merged once, in a base, and not again for each of them.
"""

from __future__ import annotations

import abc
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np
from attrs import evolve

from unlinkable.kernels.counting import sum_left_out, sum_peaks
from unlinkable.kernels.taxonomy_cuts import BitArray
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.genome import Cut, Genome, Grouped, Rows
from unlinkable.tables.methods.cuts.shared.guides import rounded
from unlinkable.tables.methods.cuts.shared.sizes import good_sizes
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics import ClassificationMetric
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown, SizeMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = [
    "Bases",
    "CellMeter",
    "ClassMeter",
    "Fitness",
    "Meter",
    "MetricMeter",
    "Rank",
    "SizeMeter",
    "meter_for",
]

_OFTEN = 8
"""Rows are merged for chromosomes that were requested this often."""

_WORTH_IT = 0.75
"""They are used if no more than this share of them is left."""

_NOWHERE = -1
"""In place of a column: a chromosome splits nothing more on any of them."""


class Bases:
    """The rows to start from, for every chromosome.

    Attributes
    ----------
    finest
        The distinct records.
    """

    def __init__(self, finest: Groups, genome: Genome, needs: frozenset[Columns]) -> None:
        self.finest = Rows(finest, [c.gene_of.size for c in genome.columns])
        self._genome = genome
        hidden = {c: h for c, h in finest.histograms.items() if c in needs}
        self._counted = evolve(finest, histograms=hidden)
        self._bounds = np.ones(genome.size, np.uint8)
        self._asked: Counter[int] = Counter()
        self._bases: dict[int, Rows] = {}

    def bound(self, bits: BitArray) -> None:
        """Expect chromosomes that split nothing beyond these bits, or that on one column only."""
        if not np.array_equal(bits, self._bounds):
            self._bounds = bits.copy()
            self._asked.clear()
            self._bases.clear()

    def rows(self, bits: BitArray) -> Rows:
        """Return the smallest set of rows at hand that distinguishes all that a chromosome does."""
        column = self._column_beyond(bits)
        if column is None:
            return self.finest
        if column not in self._bases:
            self._asked[column] += 1
            # Merging costs as much as grouping the finest rows once, so it only pays for a column
            # that is requested often.
            if self._asked[column] < _OFTEN:
                return self.finest
            self._bases[column] = self._added_up(column)
        return self._bases[column]

    def _column_beyond(self, bits: BitArray) -> int | None:
        """Find the only column on which more is split than expected; None if there are several."""
        beyond = np.flatnonzero(bits > self._bounds)
        if not beyond.size:
            return _NOWHERE
        first, last = self._genome.column_of[beyond[[0, -1]]].tolist()
        return int(first) if first == last else None

    def _added_up(self, column: int) -> Rows:
        """Merge the records that the bounds, with all values of a column, do not distinguish."""
        # With all genes of the column set, these rows are fine enough for every chromosome that
        # goes beyond the bounds on this column only.
        bits = np.where(self._genome.column_of == column, 1, self._bounds).astype(np.uint8)
        grouped = self.finest.group(self._genome.cuts(bits))
        if len(grouped) > _WORTH_IT * len(self.finest):
            return self.finest
        counted, n = self._counted, len(grouped)
        keys = counted.keys[grouped.first]
        merged = counted.merge(grouped.labels, n, counted.columns, keys)
        return Rows(merged, np.diff(self.finest.firsts).tolist())


_MEMORY = 8192
"""The losses of this many cuts are remembered."""

_FEW = 64
"""Up to this many classes are counted in a dense table."""


class Meter(abc.ABC):
    """Measures what is lost.

    Attributes
    ----------
    needs
        The hidden columns that it looks at.
    """

    takes_sums: ClassVar[bool] = True
    """Whether rows may be sums of distinct records that are not told apart."""
    needs: frozenset[Columns] = frozenset()

    @abc.abstractmethod
    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        """Measure a release that leaves out all groups but those to keep, ``n_lost`` records."""


class CellMeter(Meter):
    """For losses that add up over cells.

    What a column loses is known from how often each value occurs. Records that are left out lose
    more, and only these are looked at.
    """

    def __init__(self, finest: Groups, attributes: Sequence[Attribute], metric: CellMetric) -> None:
        whole = Partition(
            finest, np.arange(len(finest), dtype=np.int32), finest.keys, finest.keys + np.int32(1)
        )
        shown = Shown.of(whole, attributes)
        total = shown.total_weight or 1.0
        self._shares = shown.importance * (metric.scale(shown) / total)
        self._weights = shown.before
        self._attributes = tuple(attributes)
        self._metric = metric
        self._costs: Callable[[int, Cut], tuple[float, FloatArray]]
        self._costs = lru_cache(_MEMORY)(self._cost)

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        costs = [self._costs(j, cut) for j, cut in enumerate(cuts)]
        lost = sum(loss for loss, _ in costs)
        # Without suppression the loss is a sum over columns, and no group is visited.
        if keep.all():
            return lost
        gaps = np.concatenate([gap for _, gap in costs])
        weights = rows.weights(grouped)
        return lost + float(sum_left_out(rows.codes, grouped.first, keep, weights, gaps))

    def _cost(self, column: int, cut: Cut) -> tuple[float, FloatArray]:
        """Compute the loss of a column, and for each code the extra loss if it is suppressed."""
        taxonomy, share = self._attributes[column].taxonomy, self._shares[column]
        cells = self._metric.cells(taxonomy, cut.starts[:-1], cut.starts[1:])
        weights = np.bincount(cut.blocks, self._weights[column], cut.n_blocks)
        gaps = (self._metric.suppressed(taxonomy) - cells) * share
        return float(cells @ weights) * share, gaps[cut.blocks]


class SizeMeter(Meter):
    """For losses that depend on the sizes of groups."""

    def __init__(self, metric: SizeMetric) -> None:
        self._metric = metric

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        return self._metric.of_sizes(grouped.sizes[keep], n_lost)


class ClassMeter(Meter):
    """For the classification metric: all records cost 1 but those with the class of their group."""

    def __init__(self, target: str) -> None:
        self.needs = frozenset({(target,)})
        self._target = target
        self._room = np.zeros(0, np.int64)

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        classes = rows.counted.histograms[self._target,]
        n = rows.counted.n_records
        if classes.n_values > _FEW:
            peaks = classes.merge(grouped.labels, len(grouped)).peak
            return (n - int(peaks[keep].sum())) / n
        if self._room.size < len(grouped) * classes.n_values:
            self._room = np.empty(len(rows) * classes.n_values, np.int64)
        peak = sum_peaks(
            grouped.labels,
            keep,
            classes.indptr,
            classes.values,
            classes.counts,
            classes.n_values,
            self._room,
        )
        return (n - int(peak)) / n


class MetricMeter(Meter):
    """For all other metrics: builds the whole partition."""

    takes_sums: ClassVar[bool] = False

    def __init__(self, attributes: Sequence[Attribute], metric: GroupMetric) -> None:
        self._attributes = tuple(attributes)
        self._metric = metric

    def loss(
        self, rows: Rows, cuts: Sequence[Cut], grouped: Grouped, keep: BoolArray, n_lost: int
    ) -> float:
        partition = rows.partition(grouped, cuts, keep)
        return self._metric.loss(Shown.of(partition, self._attributes))


def meter_for(finest: Groups, attributes: Sequence[Attribute], metric: GroupMetric) -> Meter:
    """Take the meter that has to look at least."""
    if isinstance(metric, ClassificationMetric) and metric.target is not None:
        return ClassMeter(metric.target)
    if not metric.higher_is_better:
        if isinstance(metric, CellMetric):
            return CellMeter(finest, attributes, metric)
        if isinstance(metric, SizeMetric):
            return SizeMeter(metric)
    return MetricMeter(attributes, metric)


_ROOM = 1 << 18
"""The ranks of this many chromosomes are remembered."""


class Rank(NamedTuple):
    """How good a chromosome is: the less, the better.

    Attributes
    ----------
    n_too_many
        How many records it would have to suppress beyond the limit. A release has 0, and is better
        than anything else, whatever it loses.
    loss
        The loss of the release. Of two that are no releases and exceed the limit equally, the one
        with fewer groups is better: it is nearer to the top.
    squares
        Of two releases that lose the same, the one with smaller groups is better, by the sum of
        their squared sizes: a class that is nearly constant does not discriminate between cuts.
    """

    n_too_many: int
    loss: float
    squares: float = 0.0


class Fitness:
    """Ranks chromosomes, and remembers them.

    Attributes
    ----------
    n_ranked, n_rows
        How many chromosomes were ranked, and how many rows were grouped for that.
    """

    def __init__(
        self, finest: Groups, genome: Genome, privacy: All, task: Task, metric: GroupMetric
    ) -> None:
        self.n_ranked = 0
        self.n_rows = 0
        self._genome = genome
        self._privacy = privacy
        self._needs = privacy.needs()
        self._n_records = n = finest.n_records
        self._limit = min(task.may_suppress(n), n - 1)
        self._good_sizes = good_sizes(finest, privacy)
        self._meter = meter_for(finest, task.attributes, metric)
        owner: frozenset[Columns] = frozenset({(finest.owner,)} if finest.owner else ())
        self._bases = Bases(finest, genome, self._needs | owner | self._meter.needs)
        self._known: dict[bytes, Rank] = {}

    def recall(self, bits: BitArray) -> Rank | None:
        """Return the rank of a chromosome that was ranked before."""
        return self._known.get(bits.tobytes())

    def rank(self, bits: BitArray) -> Rank:
        """Group the records by a chromosome, and judge and measure the result."""
        rows = self._bases.rows(bits) if self._meter.takes_sums else self._bases.finest
        cuts = self._genome.cuts(bits)
        grouped = rows.group(cuts)
        keep = self._keep(rows, grouped, cuts)
        n_lost = int(grouped.sizes.sum() - grouped.sizes[keep].sum())
        if n_lost > self._limit:
            rank = Rank(n_lost - self._limit, float(len(grouped)))
        else:
            loss = rounded(self._meter.loss(rows, cuts, grouped, keep, n_lost))
            sizes = grouped.sizes[keep].astype(float)
            rank = Rank(0, loss, float(sizes @ sizes) + n_lost * self._n_records)
        self.n_ranked += 1
        self.n_rows += len(rows)
        # Recent chromosomes are the ones that come again, so starting over costs little.
        if len(self._known) >= _ROOM:
            self._known.clear()
        self._known[bits.tobytes()] = rank
        return rank

    def expect(self, bits: BitArray) -> None:
        """Prepare for chromosomes that split nothing beyond these bits, or on one column only."""
        self._bases.bound(bits)

    def partition(self, bits: BitArray) -> Partition:
        """Return the release of a chromosome."""
        rows, cuts = self._bases.finest, self._genome.cuts(bits)
        grouped = rows.group(cuts)
        return rows.partition(grouped, cuts, self._keep(rows, grouped, cuts))

    def _keep(self, rows: Rows, grouped: Grouped, cuts: Sequence[Cut]) -> BoolArray:
        """Decide which groups can be published if all others are suppressed."""
        if self._good_sizes is not None:
            keep: BoolArray = self._good_sizes[grouped.sizes]
            return keep
        groups = rows.groups(grouped, cuts, self._needs)
        # Without suppression no group goes, so the others need not be judged again without it.
        return kept(groups, self._privacy) if self._limit else self._privacy.good(groups)
