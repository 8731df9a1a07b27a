"""HDTDS: top-down specialization of tables with many columns, for adversaries who know a few.

Protection against an adversary who knows all of forty columns costs nearly all of the data.
LKC-privacy protects against adversaries who know at most L values, and this search [1]_ finds a
release that keeps it: as top-down specialization, and with nothing in it that grows with the number
of combinations of L columns. The gain of a step is computed once; its records are reached by links;
and combinations are checked only for the best candidate, and only those that the step could have
changed.

References
----------
.. [1] N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee. "Anonymizing healthcare data: a case study
   on the blood transfusion service." KDD 2009. Section 6.3 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.methods.cuts.shared.guides import Score
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization

__all__ = ["HDTDS"]


@frozen
class HDTDS(TopDownSpecialization):
    """Replace values by their children, the most telling first, with no regard to what that costs.

    It is `top-down-specialization` with scores that need no anonymity of quasi-identifiers: there
    are as many of these as combinations of L columns. For recipients who want to predict a class,
    the step with the highest information gain is the best; for those with no fixed purpose, the one
    that reduces discernibility most. Made for lkc-privacy; it serves every other promise, too.

    Parameters
    ----------
    score
        Which step is the best, of all that keep the promise: the one that gains the most
        information on the target column (``information-gain``), the one that gains the most for the
        privacy that it costs (``igpl``), the one that distinguishes the most records
        (``discernibility``), or the one that reduces the loss most (``loss``; the metric of the
        task must add up over cells). If not given, information-gain if the table has a target
        column, and discernibility if it has none.
    target
        The column that is to be predicted from the release. If not given, the one whose role is
        target, else the one sensitive column.
    squares
        For the score discernibility: whether it is counted by the squared sizes of the groups
        ``before`` a step or ``after`` it, or by the ``reduction`` from the first to the second.
    beneficial
        Whether to leave values coarse whose people all have the same value in the target column,
        because more precision there predicts nothing.
    steps, time
        The maximum number of steps, or seconds; the state by then is returned. No limit if not
        given.
    numbers
        Whether intervals of numbers and dates are ``split`` where that is best, or refined along
        their ``taxonomy``.

    Cost
    ----
    O(n) for the n distinct records that hold the value of a step (times the number of columns if
    the score is discernibility), and one check of the promise for every candidate that is the best
    at its time.

    Raises
    ------
    UnsupportedError
        If all records together break a promise that merging may break, or the score is loss and the
        metric does not add up over cells.
    InfeasibleError
        If all records together break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"job": ["cook", "cook", "clerk", "clerk"], "sex": ["f", "m", "f",
    ...     "m"]}, quasi=["job", "sex"])
    >>> promise = ul.LKCPrivacy(l=1, k=2, c=1)
    >>> found = ul.anonymize(people, privacy=promise, method=ul.HDTDS()).solution
    >>> found.partition.n_parts, [step.column for step in found.trace]
    (4, ['job', 'sex'])
    """

    name: ClassVar[str] = "hdtds"
    reference: ClassVar[str] = "Mohammed et al. 2009"
    with_classes: ClassVar[Score] = Score.INFORMATION_GAIN
