"""Information gain: how much a release says of the class of records.

As a measure, of a whole release: what the published quasi-identifier tells of the class. As a score
of steps in a search: what it tells more once a value is replaced by its children [1]_ [2]_.

References
----------
.. [1] J. R. Quinlan. "C4.5: programs for machine learning." Morgan Kaufmann, 1993.
.. [2] B. C. M. Fung, K. Wang, P. S. Yu. "Top-down specialization for information and privacy
   preservation." ICDE 2005. Equations 4.8 and 4.9 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.release import Measurement
from unlinkable.tables.groups import Histogram
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.shared.class_metric import ClassMetric, bits_beyond, entropy
from unlinkable.typing import CountArray, FloatArray

__all__ = ["InformationGain", "information_gains"]


@frozen
class InformationGain(ClassMetric):
    r"""How many bits the published quasi-identifier tells of the class of a record, on average.

    :math:`E(T) - \sum_g \frac{|g|}{|T|} E(g)` over the groups g of a release that leaves nothing
    out, where :math:`E(x) = -\sum_c p_c \log_2 p_c` and :math:`p_c` is the share of class c in x.
    Record by record that is the mean of :math:`\log_2(p / q)`, where p is the share of the record's
    class in its group and q that in the whole table. A record that is suppressed tells nothing, and
    counts 0: of it, nobody knows more than the whole table says.

    Parameters
    ----------
    target
        The column with the class. If not given, the one whose role is target, else the one
        sensitive column.

    Range
    -----
    From 0, groups have the classes in the same shares as the whole table, or nothing is published,
    to the entropy of the class, which is at most log2 of the number of classes: each group has one
    class and nothing is suppressed. Higher is better.

    Merging
    -------
    It never rises when groups are merged: for groups of a and b records, c and d of which have a
    class, the logarithmic sum inequality says that c log(c/a) + d log(d/b) is at least (c + d)
    log((c + d) / (a + b)). Nor does it when a whole group is suppressed: what a group adds is |g| /
    |T| times a relative entropy, which is never negative. Leaving out some records of a group can
    raise it: {y, n} tells nothing of a table with as many y as n, and {y} without the n does.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "clerk", "clerk"], "rich": ["n", "n", "y", "y"]},
    ...     quasi="job", target="rich")
    >>> metric = InformationGain()
    >>> finest = count(people, metric.needs(people.schema)).finest
    >>> as_it_is = Partition.at_levels(finest, people.attributes, [0])
    >>> metric.value(Shown.of(as_it_is, people.attributes))
    1.0
    >>> metric.value(Shown.of(Partition.whole(finest), people.attributes))
    0.0
    """

    name: ClassVar[str] = "information-gain"
    reference: ClassVar[str] = "Quinlan 1993; Fung, Wang and Yu 2005"
    higher_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)

    target: str | None = None

    @property
    def monotone(self) -> bool:
        return True

    def found(self, shown: Shown) -> Measurement:
        """Measure, with the entropy of the class and the share of it that is gained."""
        counts = self.counts(shown)
        groups, whole = counts.groups, counts.whole
        told = bits_beyond(groups, np.zeros(groups.n_groups, np.int32), whole)
        gain, before = float(told.sum()) / (counts.n_records or 1), entropy(whole.counts)
        share = gain / before if before else 0.0
        return Measurement(gain, {"entropy of the class": before, "share told": share})


def information_gains(above: CountArray, starts: CountArray, below: CountArray) -> FloatArray:
    r"""Measure how many bits each split of a value says of the class of the records that hold it.

    :math:`E(T[v]) - \sum_c \frac{|T[c]|}{|T[v]|} E(T[c])` over the children c of v. A child
    without records adds nothing, and a value without records tells nothing.

    Parameters
    ----------
    above
        ``above[s, c]`` counts the records of class c that hold value s.
    starts, below
        Rows ``starts[s]:starts[s + 1]`` of ``below`` count the same for the children of s. They add
        up to ``above[s]``.

    Examples
    --------
    >>> jobs, children = np.array([[5, 6]]), np.array([[5, 1], [0, 5]])
    >>> information_gains(jobs, np.array([0, 2]), children).round(4).tolist()
    [0.6395]
    """
    value_of = np.repeat(np.arange(len(above), dtype=np.int32), np.diff(starts))
    told = bits_beyond(_sparse(below), value_of, _sparse(above))
    gains: FloatArray = np.bincount(value_of, told, len(above)) / np.maximum(above.sum(axis=1), 1)
    return gains


def _sparse(counts: CountArray) -> Histogram:
    row, values = np.nonzero(counts)
    indptr = np.searchsorted(row, np.arange(len(counts) + 1))
    return Histogram(indptr, values.astype(np.int32), counts[row, values], counts.shape[1])
