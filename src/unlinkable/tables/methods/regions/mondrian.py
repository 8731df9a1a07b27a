"""Mondrian: halve the groups again and again, as long as both halves keep the promise.

Where full-domain generalization gives every record the same level of detail, Mondrian follows the
records: where they lie close together, ranges stay narrow [1]_. With all values distinct and k the
least size, groups have at most 2k - 1 records; where equal values stay together, at most
m + 2d(k - 1), for d columns and at most m identical records [2]_.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Mondrian multidimensional k-anonymity."
   ICDE 2006.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.3.1.3.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import is_flag
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.shared.options import (
    Along,
    Labels,
    Split,
    as_along,
    as_labels,
    as_split,
)
from unlinkable.tables.methods.regions.shared.region_cuts import Loss, Penalty
from unlinkable.tables.methods.regions.shared.region_search import CuttingMethod

__all__ = ["Mondrian"]


@frozen
class Mondrian(CuttingMethod):
    """Cut every group on its widest column; if a half would break the promise, on the next.

    How wide a group is on a column is measured against the whole table, times the importance of the
    column. Every group shows the smallest box around its records. No group can be cut once more, on
    any column and at any place where cuts are allowed, without breaking the promise.

    All groups of a generation are cut at once and judged by one call. Nobody is left out, whatever
    share of the records may be suppressed.

    A group in which some records miss a value that others have shows ``*`` on that column: as wide
    as can be. It is therefore cut early, and first between missing and present values.

    Parameters
    ----------
    strict
        Whether people with equal values on the column that is cut stay together, so that the ranges
        of groups never overlap. If false, they may be parted where the column cannot be cut
        otherwise; groups get smaller, and ranges may overlap. People who are equal on all columns
        always stay together.
    split
        Where a group is cut: in the middle (``median``) of the column on which it spreads most, or
        wherever the halves lose the least (``best``), which takes longer. A cut that would break
        the promise is made elsewhere: in the middle of the next column, and in the end anywhere.
        What is lost is counted by the metric of the task, or by the normalized certainty penalty if
        that does not add up over cells.
    along
        Between which values a group may be cut: any two (``order``); only where the taxonomy
        divides, for categories (``taxonomy``); or whichever suits what groups show (``labels``):
        anywhere for intervals, and where the taxonomy divides, for numbers too, for labels of the
        taxonomy.
    labels
        What groups show in place of values: ``intervals``, the smallest ranges around the people in
        them, or the lowest labels of the ``taxonomy`` that cover them all. Groups that show the
        same labels are one group.

    Cost
    ----
    O(r d n) for n finest groups, d columns and r rounds: about log2(n / smallest group) of them,
    and one more for every column that is tried in vain. ``best`` looks at every cut: O(d n) boxes
    of d columns in each round.

    A promise about some columns only (several quasi-identifiers) depends on what other groups show.
    It is judged on all groups at once, for smaller and smaller batches of cuts; only the most even
    cut of each column is tried (after ``best`` cuts whose halves keep it by themselves), and no
    group can be cut so any more. That takes seconds where other promises take milliseconds.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together, and groups may look alike or overlap.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.Mondrian()).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 3, 5], [3, 2, 2])
    """

    name: ClassVar[str] = "mondrian"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"

    strict: bool = field(default=True, validator=is_flag)
    split: Split = field(default=Split.MEDIAN, converter=as_split)
    along: Along = field(default=Along.LABELS, converter=as_along)
    labels: Labels = field(default=Labels.INTERVALS, converter=as_labels)

    @property
    def compares_cuts(self) -> bool:
        return self.split is Split.BEST

    def penalty(self, finest: Groups, task: Task) -> Penalty | None:
        if not self.compares_cuts:
            return None
        return Loss(task.attributes, task.metric, self.labels is Labels.TAXONOMY)
