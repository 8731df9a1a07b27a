"""OKA: one pass of k-means, and clusters that are then evened out.

As many random records as there is room for groups begin a cluster each; all others join the closest
one, in sorted order, and move its centroid at once [1]_. Clusters that have become too large give
their farthest records to those that are too small. *Enhanced privacy* shows the same clusters by
the taxonomies [2]_.

References
----------
.. [1] J.-L. Lin, M.-C. Wei. "An efficient clustering method for k-anonymization." PAIS 2008.
.. [2] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Sections 4.2 and 4.3, Algorithm 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve, field, frozen

from unlinkable.kernels.local_recoding import MISSING, Points, Priced, adjust, assign
from unlinkable.params import at_least
from unlinkable.tables.groups import Groups, Partition, nameable
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.greedy_clusters import (
    Clusters,
    ClusterSearch,
    require_clusters,
)
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.options import Variant, as_variant
from unlinkable.tables.methods.regions.shared.range_prices import (
    PricedRecords,
    list_prices,
    mean_prices,
)
from unlinkable.tables.methods.shared.feasible import require_feasible
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Attribute, Domain, Kind, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["OKA", "MixedDistance"]


@frozen
class OKA(Search):
    r"""Cluster records around random ones in a single pass, and even the clusters out.

    The *wanted size* k is the least number of records that a group needs to keep the promise. If
    that is not a matter of size, records are taken in sorted order, so many at a time, and k is the
    first of 1, 2, 4, 8, ... for which half of these stretches keep it.

    1. :math:`\lfloor n/k \rfloor` records are drawn at random; each begins a cluster. All others,
       in sorted order, go to the closest cluster, whose centroid moves at once.
    2. Clusters of more than k records give up those that are farthest from the centroid, as long as
       k stay. Each of these goes to the closest cluster that has fewer than k, or if there is none,
       to the closest one.
    3. Clusters that still break the promise go to the one with which they lose least by the guiding
       metric, until all keep it.

    How far a record is from a cluster is a sum over the columns, times their importance: the
    difference from the mean, out of the length of the column, for numbers and dates; for categories
    the level of the least node over the record and all of the cluster, out of the height of the
    taxonomy. The centroid of categories is that node: it is what would be published.

    Identical records are one row, which moves as a whole, with its number of records as its weight
    in means and sizes: if several of them are drawn they begin one cluster, and a row is not given
    up where that would leave fewer than k. Nobody is left out, whatever share may be suppressed.

    Parameters
    ----------
    variant
        What clusters show. ``oka``: the smallest range around their records. ``enhanced``: a
        category that all records share stays, others become the least node of the taxonomy over
        them. The thesis shows the mean of numbers; no record needs to have it, so it would tell
        untruths about everybody. The smallest range is shown instead.
    reach
        With how many clusters before and after it, in sorted order, a record is compared. As long
        as there are no more clusters than that, all are compared. Records are sorted by the
        columns, first by those on which they differ least.

    Cost
    ----
    O(n min(n/k, r) d) for n distinct records, d columns and reach r.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together, or if it cannot be judged on a group
        by itself.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.OKA(), seed=0).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 3, 4], [3, 2, 2])
    """

    name: ClassVar[str] = "oka"
    reference: ClassVar[str] = "Lin and Wei 2008; Babu 2013"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    variant: Variant = field(default=Variant.OKA, converter=as_variant)
    reach: int = field(default=1000, validator=at_least(1))

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_clusters(self, privacy)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Form clusters that keep the promise.

        The effort counts ``seeds``, pairs of a record or cluster and a cluster that were
        ``compared``, distinct records that ``moved`` when clusters were evened out, ``merges`` of
        clusters, the ``rounds`` that these took, and ``groups_judged`` where sizes do not suffice.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, evolve(task, suppression=Fraction(0)))
        as_nodes = self._as_nodes(task.attributes)
        prices = PricedRecords.of(finest, task.attributes, task.metric, in_taxonomy=as_nodes)
        judge = Judge.of(finest, privacy)
        clustering = ClusterSearch(finest, prices, judge, task.progress)
        k = _wanted_size(clustering)
        seeds = _draw(finest, k, prices.order, task.rng)
        task.progress(0.0, f"{seeds.size} clusters to begin with")
        labels, n_compared, n_moved = self._cluster(finest, prices.order, seeds, k, task)
        clusters = clustering.merge(Clusters.numbered(labels, prices.order), self.reach)
        effort = clustering.effort
        found = {
            "seeds": seeds.size,
            "compared": n_compared + effort["compared"],
            "moved": n_moved,
            **{name: effort[name] for name in ("merges", "rounds", "groups_judged")},
        }
        return Solution(self._published(finest, clusters, task), found)

    def _as_nodes(self, attributes: Sequence[Attribute]) -> BoolArray:
        """Mark the columns that show nodes of their taxonomies."""
        kinds = [a.taxonomy.domain.kind for a in attributes]
        return np.array(
            [self.variant is Variant.ENHANCED and kind is Kind.CATEGORY for kind in kinds], bool
        )

    def _cluster(
        self, finest: Groups, order: CountArray, seeds: CountArray, k: int, task: Task
    ) -> tuple[CodeArray, int, int]:
        """Do the pass, and even the clusters out; count pairs compared and rows moved."""
        distance = MixedDistance.of(finest, task.attributes)
        rank = np.empty(order.size, np.int64)
        rank[order] = np.arange(order.size)
        place = np.searchsorted(rank[seeds], rank)
        points, priced, reach = distance.points, distance.priced, min(self.reach, order.size)
        labels, compared = assign(points, priced, seeds, order, place, reach)
        task.progress(0.5, f"{seeds.size} clusters to even out")
        labels, moved, more = adjust(points, priced, labels, seeds.size, place, k, reach)
        return labels, compared + more, moved.size

    def _published(self, finest: Groups, clusters: Clusters, task: Task) -> Partition:
        """Show categories by their taxonomies if that is asked for, and all else tightly."""
        tight = Partition.tight(finest, clusters.labels, clusters.n)
        lo, hi = nameable(tight.lo, tight.hi, task.attributes)
        for j in np.flatnonzero(self._as_nodes(task.attributes)).tolist():
            lo[:, j], hi[:, j] = task.attributes[j].taxonomy.widen(lo[:, j], hi[:, j])
        return tight.shown_as(lo, hi)


def _wanted_size(clustering: ClusterSearch) -> int:
    """Find how many records a cluster should have to keep the promise."""
    finest, judge, order = clustering.finest, clustering.judge, clustering.prices.order
    if judge.least > 1 or judge.sizes_suffice:
        return judge.least
    before = np.cumsum(finest.sizes[order]) - finest.sizes[order]
    size = 1
    while size < finest.n_records:
        stretch = np.empty(order.size, np.int64)
        stretch[order] = before // size
        stretches = Clusters.numbered(stretch, order)
        kept = clustering.kept(stretches.labels, np.ones(stretches.n, bool))
        if 2 * int(kept.sum()) >= stretches.n:
            return size
        size *= 2
    return finest.n_records


def _draw(finest: Groups, k: int, order: CountArray, rng: np.random.Generator) -> CountArray:
    """Draw one of k records, and give their rows in sorted order."""
    n = finest.n_records
    drawn = rng.choice(n, n // k, replace=False)
    rows = np.unique(np.searchsorted(np.cumsum(finest.sizes[order]), drawn, side="right"))
    return order[rows]


@define(eq=False, frozen=True)
class MixedDistance:
    """Rows as points, and what it takes to measure how far they are from clusters of others.

    Numbers and dates are as far apart as their difference, out of the length of the column.
    Categories are as far apart as the level of the least node over them is high, out of the height
    of the taxonomy; a missing value is as far as can be from all others. Each column counts as much
    as it is important.

    Attributes
    ----------
    points
        The rows.
    priced
        How far apart the categories of a range are.
    """

    points: Points
    priced: Priced

    @classmethod
    def of(cls, finest: Groups, attributes: Sequence[Attribute]) -> Self:
        """Measure rows on their columns."""
        kinds = [a.taxonomy.domain.kind for a in attributes]
        numbers = [j for j, kind in enumerate(kinds) if kind is not Kind.CATEGORY]
        categories = [j for j, kind in enumerate(kinds) if kind is Kind.CATEGORY]
        # A comparison ends as soon as it is too far: first come the columns that tell most apart.
        listed = list_prices([attributes[j] for j in categories], _heights, in_taxonomy=True)
        means = mean_prices(finest.keys[:, categories], listed)
        categories = [categories[i] for i in np.argsort(-means, kind="stable")]
        listed = list_prices([attributes[j] for j in categories], _heights, in_taxonomy=True)
        measured = [_normalized(attributes[j].taxonomy.domain)[finest.keys[:, j]] for j in numbers]
        n = len(finest)
        points = Points(
            np.ascontiguousarray(np.column_stack([np.empty((n, 0)), *measured])),
            np.array([attributes[j].importance for j in numbers], float),
            np.ascontiguousarray(finest.keys[:, categories], np.int32),
            finest.sizes,
        )
        return cls(points, Priced(*listed))


def _normalized(domain: Domain) -> FloatArray:
    """Place the values of a column between 0 and 1; the missing one is nowhere."""
    values = domain.as_numbers()
    first, last = (values[0], values[-1]) if values.size else (0.0, 0.0)
    length = last - first
    placed = (values - first) / length if length > 0 else np.zeros(values.size)
    return np.append(placed, MISSING) if domain.has_missing else placed


def _heights(taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
    """Give the level of the least node over each range, out of the height of the taxonomy."""
    levels: FloatArray = taxonomy.cover(lo, hi) / max(taxonomy.height, 1)
    return levels
