"""Top-down specialization (TDS): tell more and more, as long as the promise survives.

All values are at the top of their taxonomies first, so that everybody looks alike. In each step one
value is replaced by its children in all records that hold it: the one that tells most of the class
for each unit of anonymity that it costs [1]_ [2]_. Numbers need no taxonomy: their intervals are
cut where that tells most, and the tree grows as the search goes.

References
----------
.. [1] B. C. M. Fung, K. Wang, P. S. Yu. "Top-down specialization for information and privacy
   preservation." ICDE 2005.
.. [2] B. C. M. Fung, K. Wang, P. S. Yu. "Anonymizing classification data for privacy preservation."
   IEEE TKDE 19(5), 2007. Sections 5.1.2.5 and 6.2 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.tables.methods.cuts.shared.column_refinement import (
    AlongTree,
    BySplits,
    ColumnRefinement,
)
from unlinkable.tables.methods.cuts.shared.guides import Numbers
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Kind, Taxonomy

__all__ = ["TopDownSpecialization"]


@frozen
class TopDownSpecialization(TopDown):
    """Replace values by their children, the most telling first, while the promise survives.

    A step concerns all records that hold a value, so that a value is shown with the same precision
    everywhere and none covers another: classifiers can work with the release as with any table.
    Every state on the way is a release that keeps the promise, and at the end no single further
    step does (for promises that survive merging groups). An interval of numbers has one step only,
    its best split, as published: where that breaks the promise the interval stays as it is, though
    another cut might do; missing values are split off first. Nobody is left out, whatever share of
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
        Whether to leave values coarse whose people all have the same value in the target column,
        because telling more of them predicts nothing. If not, such steps are made in the end, and
        the release is as precise as it can be.
    steps, time
        After how many steps, or seconds, to stop and return what was found; only in the end if not
        given.
    numbers
        Whether intervals of numbers and dates are ``split`` where that is best, or refined along
        their ``taxonomy``. The best split has the highest information gain; without a class, it is
        the most even one, and with score loss the one that loses least. The lowest of equally good
        ones is taken; anonymity plays no part. Missing values are the first to be split off.

    Cost
    ----
    O(n) for the n distinct records that hold the value of a step, times the number of columns where
    the score depends on groups (igpl and discernibility). No other record is read.

    Raises
    ------
    UnsupportedError
        If all records together break a promise that merging may break, the score is loss and the
        metric does not add up over cells, or the score is igpl and there are too many
        quasi-identifiers to keep count of.
    InfeasibleError
        If all records together break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 50, 51], "rich": ["n", "n", "y", "y"]}, quasi="age",
    ...     target="rich")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.TopDownSpecialization()).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 2], [2, 2])
    >>> print(found.trace[0])
    Step(column='age', lo=0, hi=4, parts=(0, 2), score=0.3333333333333333)
    """

    name: ClassVar[str] = "top-down-specialization"
    reference: ClassVar[str] = "Fung, Wang and Yu 2005, 2007"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization

    numbers: Numbers = field(default=Numbers.SPLIT, converter=Numbers)

    def refinement_of(self, taxonomy: Taxonomy) -> type[ColumnRefinement]:
        is_split = self.numbers is Numbers.SPLIT and taxonomy.domain.kind is not Kind.CATEGORY
        return BySplits if is_split else AlongTree
