"""Classification metric: how many records have another class than most of their group.

A recipient who predicts the class of a record can do no better than the most
frequent class of its group. A release may be coarse and as good for that as the original [1]_.

References
----------
.. [1] V. S. Iyengar. "Transforming data to satisfy privacy constraints." KDD 2002. Equations 4.5
   and 4.6 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.shared.class_metric import ClassMetric

__all__ = ["ClassificationMetric"]


@frozen
class ClassificationMetric(ClassMetric):
    r"""The share of records that are left out or have another class than most of their group.

    :math:`CM = \frac{1}{|T|} \sum_{r \in T} penalty(r)`, where the penalty is 1 if r is suppressed
    or its class is not the most frequent one of its group, else 0. Which of two equally frequent
    classes counts makes no difference.

    Parameters
    ----------
    target
        The column with the class. If not given, the one whose role is target, else the one
        sensitive column.

    Range
    -----
    From 0, all records of a group have the same class and none is suppressed, to 1, all are
    suppressed. Without suppression it stays below 1: at worst it is the share of records that do
    not have the most frequent class of the table.

    Merging
    -------
    It never falls when groups are merged: the most frequent class of a union occurs in it at most
    as often as the most frequent classes of its parts together. Nor does it when a record is
    suppressed: that costs 1, and the others of its group gain no more than that, for the most
    frequent class of the rest occurs in it no more often than before.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "cook", "clerk"], "rich": ["n", "n", "y", "y"]},
    ...     quasi="job", target="rich")
    >>> metric = ClassificationMetric()
    >>> finest = count(people, metric.needs(people.schema)).finest
    >>> as_it_is = Partition.at_levels(finest, people.attributes, [0])
    >>> metric.value(Shown.of(as_it_is, people.attributes))
    0.25
    >>> metric.value(Shown.of(Partition.whole(finest), people.attributes))
    0.5
    """

    name: ClassVar[str] = "classification-metric"
    reference: ClassVar[str] = "Iyengar 2002"

    target: str | None = None

    @property
    def monotone(self) -> bool:
        return True

    def found(self, shown: Shown) -> Measurement:
        """Measure, with the shares of suppressed records, and of those in the minority."""
        groups, n = self.counts(shown).groups, shown.n_records or 1
        n_minority = int(groups.counts.sum()) - int(groups.peak.sum())
        cost = (shown.n_suppressed + n_minority) / n
        shares = {"left out": shown.n_suppressed / n, "in the minority": n_minority / n}
        return Measurement(cost, shares)
