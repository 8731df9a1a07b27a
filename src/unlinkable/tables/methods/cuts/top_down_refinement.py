"""Top-down refinement (TDR): generalize, suppress and discretize in one search.

Not every column has a taxonomy. Columns that have one are specialized along it; of those that have
none, single values are disclosed; and numbers are cut into intervals. All three are steps of one
search, which always does the best of them that the promise survives [1]_, [2]_: for one
quasi-identifier or for several, each with its own k.

References
----------
.. [1] B. C. M. Fung, K. Wang, P. S. Yu. "Anonymizing classification data for privacy preservation."
   IEEE TKDE 19(5), 2007.
.. [2] B. C. M. Fung, K. Wang, L. Wang, P. C. K. Hung. "Privacy-preserving data publishing for
   cluster analysis." Data & Knowledge Engineering 68(6), 2009. Section 7.2.3 in Fung, Wang, Fu, Yu:
   "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.tables.methods.cuts.shared.column_refinement import (
    AlongTree,
    BySplits,
    ByValues,
    ColumnRefinement,
)
from unlinkable.tables.methods.cuts.shared.guides import Numbers
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Kind, Taxonomy

__all__ = ["TopDownRefinement"]


@frozen
class TopDownRefinement(TopDown):
    """Refine each column as suits it, the most telling step first, while the promise survives.

    Categories with a taxonomy are specialized along it. Of categories without one, whose values
    have nothing but ``*`` above them, one value is disclosed at a time. Numbers and dates are cut
    into intervals, each at its best split or, where that breaks the promise, not at all. At the end
    no single further step keeps the promise (for promises that survive merging groups). Nobody is
    left out, whatever share of the records may be suppressed.

    Parameters
    ----------
    score
        Which step is the best, of all that keep the promise: the one that tells most of what is to
        be predicted (``information-gain``), the one that tells most of it for the privacy that it
        costs (``igpl``), the one that changes most how many people can be distinguished
        (``discernibility``), or the one that brings the loss down most (``loss``; the metric of the
        task must add up over cells). If not given, igpl if the table has a target column, and
        discernibility if it has none. The privacy that a step costs is the mean over all
        quasi-identifiers that contain its column.
    target
        The column that is to be predicted from the release. If not given, the one whose role is
        target, else the one sensitive column. For cluster analysis, that is the cluster of a
        record.
    squares
        For the score discernibility: whether it is counted by the squared sizes of the groups
        ``before`` a step or ``after`` it, or by the ``reduction`` from the first to the second.
    beneficial
        Whether to leave values coarse whose people all have the same value in the target column,
        because telling more of them predicts nothing.
    steps, time
        After how many steps, or seconds, to stop and return what was found; only in the end if not
        given.
    numbers
        Whether intervals of numbers and dates are ``split`` where that is best, or refined along
        their ``taxonomy``; see `top-down-specialization`.

    Cost
    ----
    O(n) for the n distinct records that hold the value of a step, times the number of columns where
    the score depends on groups (igpl and discernibility), and once more for each quasi-identifier
    that has some of the columns only. A disclosure reads all records whose value is suppressed.

    Raises
    ------
    UnsupportedError
        If all records together break a promise that merging may break, a column has no taxonomy and
        the promise compares groups with a population, the score is loss and the metric does not add
        up over cells, or the score is igpl and there are too many quasi-identifiers to keep count
        of.
    InfeasibleError
        If all records together break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 50, 51], "job": ["cook", "cook", "clerk", "judge"]},
    ...     quasi=["age", "job"])
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.TopDownRefinement()).solution
    >>> for step in found.trace:
    ...     print(step)
    Step(column='age', lo=0, hi=4, parts=(0, 2), score=8.0)
    Step(column='job', lo=0, hi=3, parts=(1,), score=0.0)
    """

    name: ClassVar[str] = "top-down-refinement"
    reference: ClassVar[str] = "Fung, Wang and Yu 2007; Fung et al. 2009"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization

    numbers: Numbers = field(default=Numbers.SPLIT, converter=Numbers)

    def refinement_of(self, taxonomy: Taxonomy) -> type[ColumnRefinement]:
        if taxonomy.domain.kind is Kind.CATEGORY:
            return AlongTree if taxonomy.height > 1 else ByValues
        return BySplits if self.numbers is Numbers.SPLIT else AlongTree
