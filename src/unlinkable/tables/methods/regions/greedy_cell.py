"""Greedy cell generalization: records that are near each other are put together, one by one.

Every record is generalized as little as its own neighbours allow, wherever in the table they are:
the same value may be shown precisely in one record and vaguely in the next [1]_. The same search,
with a bound on what groups may hide, is the local recoding of (alpha, k)-anonymity [2]_.

References
----------
.. [1] J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu. "Utility-based anonymization using
   local recoding." KDD 2006. Algorithms 1 and 2.
.. [2] R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang. "(alpha, k)-anonymity: an enhanced k-anonymity
   model for privacy-preserving data publishing." KDD 2006. Section 4, progressive local recoding.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.params import at_least
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.greedy_clusters import ClusterSearch, require_clusters
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.options import (
    Direction,
    Labels,
    as_direction,
    as_labels,
)
from unlinkable.tables.methods.regions.shared.range_prices import PricedRecords
from unlinkable.tables.methods.shared.feasible import require_feasible
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import CellGeneralization, MultidimensionalGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme

__all__ = ["GreedyCell"]


@frozen
class GreedyCell(Search):
    """Put records together with those with which they lose least, until all keep the promise.

    What a cluster of records loses is the loss of the box that it shows, by the guiding metric, for
    each of its records; a metric that does not add up over cells leaves that to the normalized
    certainty penalty. Putting two clusters together costs what they lose more than before.

    *Bottom-up*, every distinct record is a cluster. As long as some break the promise, each of
    these goes to the cluster with which that costs least. *Top-down*, all records are one cluster.
    It is parted around two records that are far from each other, found by going three times to the
    farthest one: every other record goes to the part that then loses less. Parts are parted again
    as long as one of two keeps the promise; those that break it go to the nearest cluster in the
    end, as bottom-up. Either way, clusters that have become large enough for two are parted where
    both halves keep the promise.

    Identical records stay together, and nobody is left out, whatever share may be suppressed.

    Parameters
    ----------
    direction
        ``bottom-up`` or ``top-down``.
    labels
        What clusters show: the least nodes of the ``taxonomy`` over their records, or the smallest
        ``intervals`` around them. Clusters that show the same are one group.
    reach
        With how many clusters before and after it a cluster is compared, in an order in which
        neighbours differ little: sorted by the columns, first by those on which records differ
        least. As long as there are no more clusters than that, all are compared.

    Cost
    ----
    Bottom-up O(n r d) for n distinct records, d columns and reach r in the first round, and about
    half as much in each round after it; with all pairs compared it would be O(n^2 d). Top-down
    O(n d) in each round, log2(n / smallest group) of them and up to ten times as many where parts
    are uneven; more than 16,384 distinct records are first cut into blocks of that many, in the
    same order, if every block keeps the promise.

    Losses are looked up: there is a table of at most 512 x 512 for every column, and ranges of
    columns with more values lose what the bins of values do that they begin and end in.

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
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.GreedyCell(labels="intervals"),
    ...     metric=ul.NormalizedCertaintyPenalty("length")).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 3, 5], [3, 2, 2])
    """

    name: ClassVar[str] = "greedy-cell"
    reference: ClassVar[str] = "Xu et al. 2006; Wong et al. 2006"
    scheme: ClassVar[type[Scheme]] = CellGeneralization

    direction: Direction = field(default=Direction.BOTTOM_UP, converter=as_direction)
    labels: Labels = field(default=Labels.TAXONOMY, converter=as_labels)
    reach: int = field(default=1000, validator=at_least(1))

    def misfits(self, recoding: Recoding) -> list[str]:
        """Say what is not cell generalization; intervals need not be nodes, but of one record."""
        if self.labels is Labels.TAXONOMY:
            return super().misfits(recoding)
        return MultidimensionalGeneralization.flaws(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_clusters(self, privacy)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Form clusters that keep the promise.

        The effort counts ``rounds``, pairs of clusters that were ``compared``, ``merges``,
        ``splits_tried`` and ``splits_made``, and ``groups_judged`` where sizes do not suffice.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, evolve(task, suppression=Fraction(0)))
        in_taxonomy = self.labels is Labels.TAXONOMY
        prices = PricedRecords.of(finest, task.attributes, task.metric, in_taxonomy=in_taxonomy)
        clustering = ClusterSearch(finest, prices, Judge.of(finest, privacy), task.progress)
        if self.direction is Direction.BOTTOM_UP:
            clusters = clustering.singles()
        else:
            clusters = clustering.split(clustering.blocks(), set_aside=True)
        clusters = clustering.merge(clusters, self.reach)
        clusters = clustering.split(clusters, set_aside=False)
        tight = Partition.tight(finest, clusters.labels, clusters.n)
        partition = tight.publishable(task.attributes, in_taxonomy=in_taxonomy)
        return Solution(partition, clustering.effort)
