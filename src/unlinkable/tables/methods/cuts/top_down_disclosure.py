"""Top-down disclosure (TDD): tell one value after the other, as long as the promise survives.

All values of all columns are suppressed first. In each step one value is disclosed in all records
that hold it: the one that tells most of the class for each unit of anonymity that it costs [1]_
[2]_. Made for confidence bounding: if some values tell too much of a victim, so do all that are
told beside them.

References
----------
.. [1] K. Wang, B. C. M. Fung, P. S. Yu. "Handicapping attacker's confidence: an alternative to
   k-anonymization." KAIS 11(3), 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.2.3.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.methods.cuts.shared.column_refinement import ByValues, ColumnRefinement
from unlinkable.tables.methods.cuts.shared.top_down import TopDown, refuse_overlap
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import ValueSuppression
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Taxonomy

__all__ = ["TopDownDisclosure"]


@frozen
class TopDownDisclosure(TopDown):
    """Disclose values, the most telling first, while the promise survives.

    A value is shown in all records that hold it, or in none, where ``*`` stands for it; taxonomies
    play no part, and a missing value is a value like any other. At the end no single value more can
    be disclosed (for promises that survive merging groups). Nobody is left out, whatever share of
    the records may be suppressed.

    Parameters
    ----------
    score
        Which step is the best, of all that keep the promise: the one that tells most of what is to
        be predicted (``information-gain``), the one that tells most of it for the privacy that it
        costs (``igpl``), the one that changes most how many people can be distinguished
        (``discernibility``), or the one that brings the loss down most (``loss``; the metric of the
        task must add up over cells). If not given, igpl if the table has a target column, and
        discernibility if it has none.
    target
        The column that is to be predicted from the release. If not given, the one whose role is
        target, else the one sensitive column.
    squares
        For the score discernibility: whether it is counted by the squared sizes of the groups
        ``before`` a step or ``after`` it, or by the ``reduction`` from the first to the second.
    beneficial
        Whether to disclose nothing on columns whose hidden records all have the same value in the
        target column, because that predicts nothing.
    steps, time
        After how many steps, or seconds, to stop and return what was found; only in the end if not
        given.

    Cost
    ----
    O(n) for the n distinct records whose value is still suppressed, for each value that is checked;
    times the number of columns where the score depends on groups (igpl and discernibility).

    Raises
    ------
    UnsupportedError
        If all records together break a promise that merging may break, the promise compares groups
        with a population, the score is loss and the metric does not add up over cells, or the score
        is igpl and there are too many quasi-identifiers to keep count of.
    InfeasibleError
        If all records together break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"job": ["cook", "cook", "clerk", "judge"]}, quasi="job")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.TopDownDisclosure()).solution
    >>> print(found.trace[0])
    Step(column='job', lo=0, hi=3, parts=(1,), score=8.0)
    >>> len(found.trace), found.partition.sizes.tolist()
    (1, [2, 2])
    """

    name: ClassVar[str] = "top-down-disclosure"
    reference: ClassVar[str] = "Wang, Fung and Yu 2007"
    scheme: ClassVar[type[Scheme]] = ValueSuppression

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        refuse_overlap(self, privacy)

    def refinement_of(self, taxonomy: Taxonomy) -> type[ColumnRefinement]:
        return ByValues
