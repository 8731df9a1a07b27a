"""Fitness: how good a chromosome is, by the promise and by the loss of its release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from unlinkable.kernels.taxonomy_cuts import BitArray
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.bases import Bases
from unlinkable.tables.methods.cuts.shared.genome import Cut, Genome
from unlinkable.tables.methods.cuts.shared.meters import meter_for
from unlinkable.tables.methods.cuts.shared.rows import Grouped, Rows
from unlinkable.tables.methods.cuts.shared.sizes import good_sizes
from unlinkable.tables.methods.cuts.shared.ties import rounded
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, Columns

__all__ = ["Fitness", "Rank"]

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
