"""ILPG: the information that is lost for each unit of privacy that is gained.

The mirror of `igpl`, for searches that start from the original and generalize [1]_.

References
----------
.. [1] K. Wang, P. S. Yu, S. Chakraborty. "Bottom-up generalization: a data mining solution to
   privacy protection." ICDM 2004. Equation 4.11 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import evolve, frozen

from unlinkable.tables.groups import Histogram
from unlinkable.tables.metrics.base.metric import Measurement
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.minimal_distortion import MinimalDistortion
from unlinkable.tables.metrics.shared.class_metric import Gain, TradeOff, anonymity, bits_beyond

__all__ = ["ILPG"]


@frozen
class ILPG(TradeOff):
    r"""Information lost per unit of privacy gained, from the original up to here.

    :math:`IL / PG`. A release is taken for one large generalization of the original. IL is what it
    loses: bits that the original quasi-identifier tells of the class of a record and the published
    one does not (`information-gain` of the original less that of the release), or steps up the
    taxonomies (`minimal-distortion`). PG is the anonymity it gains: the size of the smallest group
    less that of the smallest set of original records that are alike. A record that is suppressed
    loses all; if all are suppressed, anonymity is the number of all records.

    Parameters
    ----------
    gain
        What counts as information: ``information`` on the class, or ``distortion`` for tables
        without a class.
    target
        The column with the class. If not given, the one whose role is target, else the one
        sensitive column.

    Range
    -----
    From 0, nothing is lost; this includes the original itself, which loses and gains nothing.
    Infinite, something is lost and no privacy gained. Lower is better. It has no unit: it is good
    for comparing steps in a search, and releases of the same table. Of whole releases it likes
    those with large groups: once all information is lost, privacy can still grow.

    Merging
    -------
    Not monotone: merging groups may lower it or raise it. Of four records that differ, with classes
    y, n, y, n, merging the first two loses half a bit and gains nothing, for the others still stand
    alone: infinite. Merging the other two as well loses 1 bit and gains 1 record: 1. Merging all
    loses 1 bit and gains 3 records: 1/3.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "clerk", "clerk"], "rich": ["n", "n", "y", "y"]},
    ...     quasi="job", target="rich")
    >>> finest = count(people, ILPG().needs(people.schema)).finest
    >>> all_alike = Shown.of(Partition.whole(finest), people.attributes)
    >>> ILPG().value(all_alike) == 1 / (4 - 2)
    True
    >>> ILPG("distortion").value(all_alike) == 4 / (4 - 2)
    True
    """

    name: ClassVar[str] = "ilpg"
    reference: ClassVar[str] = "Wang, Yu and Chakraborty 2004"

    def found(self, shown: Shown) -> Measurement:
        """Measure, with what is lost and the privacy that is gained."""
        lost, n = self._lost(shown), shown.n_records
        gained = anonymity(shown.sizes, n) - anonymity(shown.finest.sizes, n)
        for_nothing = np.inf if lost else 0.0
        ratio = lost / gained if gained else for_nothing
        return Measurement(ratio, {"loss": lost, "privacy gain": float(gained)})

    def _lost(self, shown: Shown) -> float:
        if self.gain is Gain.DISTORTION:
            return MinimalDistortion().value(shown)
        counts = self.counts(shown)
        original = shown.finest.histograms[self.column(shown),]
        # Of a record that is suppressed nobody knows more than the whole table says.
        wholes = _stacked(counts.groups, counts.whole)
        whole_of = np.where(shown.labels < 0, counts.groups.n_groups, shown.labels)
        told = bits_beyond(original, whole_of.astype(np.int32), wholes)
        return float(told.sum()) / (counts.n_records or 1)


def _stacked(rows: Histogram, more: Histogram) -> Histogram:
    """Put the rows of another histogram below those of one."""
    return evolve(
        rows,
        indptr=np.append(rows.indptr, rows.indptr[-1] + more.indptr[1:]),
        values=np.append(rows.values, more.values),
        counts=np.append(rows.counts, more.counts),
    )
