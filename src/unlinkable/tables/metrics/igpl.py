"""IGPL: the information that is gained for each unit of privacy that is lost.

The step that tells most may cost all anonymity at once, and leave nothing for the others. Dividing
by what a step costs finds steps that tell much and cost little [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, P. S. Yu. "Anonymizing classification data for privacy preservation."
   IEEE TKDE 19(5), 2007. Equations 4.7 and 4.10 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import is_flag
from unlinkable.tables.metrics.base.metric import Measurement
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.information_gain import InformationGain
from unlinkable.tables.metrics.minimal_distortion import MinimalDistortion
from unlinkable.tables.metrics.shared.class_metric import Gain, TradeOff, anonymity

__all__ = ["IGPL"]


@frozen
class IGPL(TradeOff):
    r"""Information gained per unit of privacy lost, from the top of all taxonomies down to here.

    :math:`IG / (PL + 1)`. A release is taken for one large step down from the table in which all
    values are at the top and all records in one group. IG is what it gains: bits told of the class
    of a record (`information-gain`), or steps that published values are below the top
    (`minimal-distortion`). PL is the anonymity it loses: the number of all records less that of the
    smallest group. A record that is suppressed gains nothing; if all are, no anonymity is lost.

    Parameters
    ----------
    gain
        What counts as information: ``information`` on the class, or ``distortion`` for tables
        without a class.
    target
        The column with the class. If not given, the one whose role is target, else the one
        sensitive column.
    counts_privacy
        Whether privacy counts. If not, PL is taken for 0: what is left is the gain alone.

    Range
    -----
    From 0, nothing is gained. Higher is better. It has no unit and no natural maximum: it is good
    for comparing steps in a search, and releases of the same table.

    Merging
    -------
    Not monotone: merging groups may raise it or lower it. With classes {y}, {y} and {n, n} it is 1
    / (3 + 1); with the first two groups merged nothing is lost and the smallest group has two
    records: 1 / (2 + 1). With all merged, it is 0.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "clerk", "clerk"], "rich": ["n", "n", "y", "y"]},
    ...     quasi="job", target="rich")
    >>> finest = count(people, IGPL().needs(people.schema)).finest
    >>> as_it_is = Shown.of(Partition.at_levels(finest, people.attributes, [0]), people.attributes)
    >>> IGPL().value(as_it_is) == 1 / (2 + 1)
    True
    >>> IGPL("distortion").value(as_it_is) == 4 / (2 + 1)
    True
    """

    name: ClassVar[str] = "igpl"
    reference: ClassVar[str] = "Fung, Wang and Yu 2007"
    higher_is_better: ClassVar[bool] = True

    counts_privacy: bool = field(default=True, validator=is_flag, kw_only=True)

    def found(self, shown: Shown) -> Measurement:
        """Measure, with what is gained and the privacy that is lost."""
        gained, n = self._gained(shown), shown.n_records
        lost = n - anonymity(shown.sizes, n) if self.counts_privacy else 0
        return Measurement(gained / (lost + 1), {"gain": gained, "privacy loss": float(lost)})

    def _gained(self, shown: Shown) -> float:
        if self.gain is Gain.INFORMATION:
            return InformationGain(self.column(shown)).value(shown)
        kept = 0.0
        for j, attribute in enumerate(shown.attributes):
            taxonomy = attribute.taxonomy
            top = MinimalDistortion().cells(taxonomy, np.array([0]), np.array([taxonomy.n]))
            steps = top - MinimalDistortion().cells(taxonomy, shown.lo[:, j], shown.hi[:, j])
            kept += float(steps @ shown.weights) * attribute.importance
        return kept
