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

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.groups import Groups, Partition
from unlinkable.methods.base import Method, Solution, Task, infeasible
from unlinkable.methods.regions.bisection import Bisection
from unlinkable.methods.regions.ground import Ground
from unlinkable.methods.regions.judging import Judge
from unlinkable.methods.regions.loss import Loss
from unlinkable.methods.regions.options import (
    Along,
    Labels,
    Split,
    as_along,
    as_labels,
    as_split,
)
from unlinkable.methods.regions.trials import Trials
from unlinkable.params import is_flag
from unlinkable.privacy.base import All, Merging
from unlinkable.recoding.multidimensional_generalization import MultidimensionalGeneralization
from unlinkable.recoding.scheme import Scheme
from unlinkable.table.domain import Kind
from unlinkable.table.taxonomy import Attribute
from unlinkable.typing import BoolArray

__all__ = ["Mondrian"]


@frozen
class Mondrian(Method):
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
        Records with equal values on the column that is cut stay together, so that the smallest
        boxes never overlap. If false, they may be parted where the column cannot be cut otherwise;
        groups get smaller, and boxes may overlap. Records that are equal on all columns always stay
        together.
    split
        Where to cut: at the ``median`` of the widest column (if that breaks the promise, of the
        next, and in the end wherever it is kept), or at the ``best`` place on any column, where the
        halves lose the least by the metric of the task (by the normalized certainty penalty if that
        metric does not add up over cells).
    along
        Between which values: ``order``, any two; ``taxonomy``, categories only between the children
        of the least node over the group; ``labels``, whichever suits the labels: anywhere if these
        are intervals, and between children, for numbers too, if they are nodes of the taxonomy.
    labels
        What groups show: ``intervals``, or the least nodes of the ``taxonomy``. Groups that show
        the same nodes are one group.

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
    >>> from unlinkable.engines import count
    >>> from unlinkable.methods.base import Task
    >>> from unlinkable.privacy import KAnonymity
    >>> from unlinkable.privacy.base import All
    >>> from unlinkable.table import as_table
    >>> from unlinkable.utility import ILoss
    >>> people = as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    >>> task = Task(people.attributes, ILoss())
    >>> found = Mondrian().search(count(people).finest, All([KAnonymity(2)]), task)
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 3, 5], [3, 2, 2])
    """

    name: ClassVar[str] = "mondrian"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    strict: bool = field(default=True, validator=is_flag)
    split: Split = field(default=Split.MEDIAN, converter=as_split)
    along: Along = field(default=Along.LABELS, converter=as_along)
    labels: Labels = field(default=Labels.INTERVALS, converter=as_labels)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        is_told_alike = not self.strict or self.labels is Labels.TAXONOMY
        for model in privacy.models:
            if model.collective and self.split is Split.BEST:
                raise UnsupportedError(
                    f"{self} compares halves one by one, and {model} is about all groups together: "
                    "use mondrian without split, or optimal"
                )
            if model.judges_absence and model.relative and is_told_alike:
                raise UnsupportedError(
                    f"{self} makes groups that overlap, and {model} counts people who look like "
                    "several of them: use mondrian with its defaults, or optimal"
                )
            if model.merging is not Merging.UNSAFE:
                continue
            if not model.local:
                raise UnsupportedError(
                    f"{self} needs a promise that survives merging groups, or can be judged a "
                    f"group at a time, and {model} is neither: use the method optimal, which then "
                    "checks every node"
                )
            if is_told_alike:
                raise UnsupportedError(
                    f"{self} makes groups that look alike or overlap, and {model} may break when "
                    "they are taken together: use mondrian with its defaults, or optimal"
                )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Cut the table into as many groups as keep the promise."""
        self.require(privacy, may_suppress=task.suppression > 0)
        _require_whole(finest, privacy, task)
        attributes, in_taxonomy = task.attributes, self.labels is Labels.TAXONOMY
        ground = Ground.of(finest, attributes, self._follows_taxonomy(attributes))
        effort = Counter(rounds=0, cuts_tried=0, cuts_made=0, groups_judged=0)
        regions = ground.whole()
        if privacy.local or self.split is Split.BEST:
            loss = Loss(attributes, task.metric, in_taxonomy) if self.split is Split.BEST else None
            bisection = Bisection(ground, Judge.of(finest, privacy), loss, self.strict, effort)
            regions = bisection.run(regions, task.progress)
        if not privacy.local:
            trials = Trials(ground, privacy, attributes, in_taxonomy, self.strict, effort)
            regions = trials.run(regions, task.progress)
        tight = ground.partition(regions)
        partition = tight.publishable(attributes, in_taxonomy=in_taxonomy)
        self._refuse_overlap(privacy, tight, partition)
        return Solution(partition, effort)

    def _follows_taxonomy(self, attributes: Sequence[Attribute]) -> BoolArray:
        """Mark the columns that are cut between children of a node only."""
        numbers_too = self.along is Along.LABELS and self.labels is Labels.TAXONOMY
        follows = numbers_too or self.along is Along.TAXONOMY
        return np.array(
            [
                follows
                and a.taxonomy.height > 1
                and (numbers_too or a.taxonomy.domain.kind is Kind.CATEGORY)
                for a in attributes
            ],
            bool,
        )

    def _refuse_overlap(self, privacy: All, tight: Partition, shown: Partition) -> None:
        is_widened = not (np.array_equal(tight.lo, shown.lo) and np.array_equal(tight.hi, shown.hi))
        if privacy.merging is Merging.UNSAFE and is_widened:
            raise UnsupportedError(
                f"some groups mix missing with other values and show '*', which overlaps with "
                f"other groups, and {privacy} may break when these are taken together: fill in the "
                "missing values, or use optimal"
            )


def _require_whole(finest: Groups, privacy: All, task: Task) -> None:
    """Refuse a table that breaks the promise as one group, the first of all that are cut."""
    if not finest.n_records:
        raise infeasible(finest, privacy, task)
    whole = Partition.whole(finest).groups()
    for model in privacy.models:
        if not model.holds(whole):
            if model.merging is Merging.UNSAFE:
                raise UnsupportedError(
                    f"mondrian starts from all records in one group, which break {model}: use "
                    "optimal, which checks every node"
                )
            raise infeasible(finest, privacy, evolve(task, suppression=Fraction(0)))
