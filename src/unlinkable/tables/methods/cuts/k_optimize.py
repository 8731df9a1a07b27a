"""K-Optimize: the cut through every taxonomy that loses the least, and the proof that none does.

Where full-domain generalization takes all values of a column to one level, a cut may publish the
ages of the old by decades and those of the young by years. There are far too many cuts to check
each. But a cut is a set of splits, every set of splits has a place in a tree, and bounds on whole
branches of that tree prune most of it unseen [1]_.

References
----------
.. [1] R. J. Bayardo, R. Agrawal. "Data privacy through optimal k-anonymization." ICDE 2005.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.1.1.3.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError
from unlinkable.params import at_least
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.set_enumeration import SetEnumeration
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets, as_boundaries
from unlinkable.tables.methods.shared.feasible import infeasible, not_found, require_feasible
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import BoolArray

__all__ = ["KOptimize"]

_FIRST = 200
"""This many nodes are searched among the cuts of the taxonomies, to start from a good one."""


@frozen
class KOptimize(Search):
    """Choose the splits of every column so that the least is lost; leave out the rest.

    A node of the tree has a *head*, the splits that are made, and a *tail*, those that may be made
    below it. It is a release of its own: groups that do not keep the promise are suppressed, up to
    the limit, or other sets of groups as in `Optimal`, if suppressing a group may mend others; a
    node that suppresses more is no release, and is searched below all the same. The loss anywhere
    below a node is bounded by what is suppressed at its head, which can only grow, and by the
    groups that result if all of the tail is split, which can only merge: under discernibility a
    record costs at least the size of that group, and at least k. A node is given up if that is no
    less than the best release so far.

    Single splits are tried in the same way. One that cannot be part of anything better is taken off
    the tail, with all that needs it, as published; one without which nothing can be better is put
    into the head, which is our own. So is a split that splits no group, and one that splits off
    only what is then suppressed is *useless*: without it the release is no worse. A node that is
    left is divided by the split whose two halves are bounded best, the better half first.

    The search starts from a good release: from nothing and single splits that are made, undone or
    exchanged as long as that pays. It has a release at any time, and can be stopped.

    Every promise is supported. What every finer table must suppress (`least_suppressed`) goes at
    the head; where nothing may be suppressed and good groups stay good together, a head that breaks
    the promise is given up; groups that are too small to keep it, whatever their hidden values, are
    known for k-anonymity and what implies it. For other promises, loss alone prunes nodes.

    Parameters
    ----------
    boundaries
        Where values of a column may be split. ``taxonomy``: where its taxonomy divides, so that its
        labels are published. ``numbers``: numbers and dates between any two values, categories by
        their taxonomy. ``values``: every column between any two values, categories in the order of
        their taxonomy; sets of values are then published. Missing values are split off first.
    steps
        The maximum number of nodes. The best release by then is returned, and is not called
        optimal. No limit if not given.
    time
        The maximum number of seconds, with the same consequence.

    Cost
    ----
    Exponential in the number of splits in the worst case. A node takes O(s n) for s splits in its
    tail and n groups that these separate. On Adult (30,162 records, taxonomies with 36 inner nodes
    for age alone), the best cut for discernibility is proved in less than a second with 5
    attributes and in a few seconds with 9, for k from 5 to 100. Numbers split anywhere have many
    more boundaries: there it usually stops with a good release and no proof.

    Raises
    ------
    UnsupportedError
        If the metric may fall as tables get coarser, so that nothing can be ruled out.
    InfeasibleError
        If no cut keeps the promise, or none was found before the search was stopped or among the
        sets of groups that were tried; the message says which.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 28, 34, 38, 39, 47, 49]}, quasi="age",
    ...     taxonomies={"age": ul.Intervals(10, 40)})
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.KOptimize(),
    ...     metric=ul.Discernibility()).solution
    >>> found.partition.sizes.tolist(), found.optimal
    ([3, 3, 2], True)
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.KOptimize("numbers"),
    ...     metric=ul.Discernibility()).solution
    >>> found.partition.sizes.tolist(), found.optimal
    ([2, 2, 2, 2], True)
    """

    name: ClassVar[str] = "k-optimize"
    reference: ClassVar[str] = "Bayardo and Agrawal 2005"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization
    stoppable: ClassVar[bool] = True

    boundaries: Boundaries = field(default=Boundaries.TAXONOMY, converter=as_boundaries)
    steps: int | None = field(default=None, validator=optional(at_least(1)))
    time: float | None = field(default=None, validator=is_seconds)

    def misfits(self, recoding: Recoding) -> list[str]:
        """List the columns that are recoded inconsistently; split columns must have nodes."""
        if self.boundaries is Boundaries.TAXONOMY:
            return super().misfits(recoding)
        found = []
        for j, (name, taxonomy) in enumerate(
            zip(recoding.columns, recoding.taxonomies, strict=True)
        ):
            lo, hi = recoding.ranges(j)
            order = np.argsort(lo)
            by_node = taxonomy.domain.kind is Kind.CATEGORY
            if self.boundaries is Boundaries.VALUES or not by_node:
                fits = bool((lo[order][1:] >= hi[order][:-1]).all())
                if not fits or not recoding.is_function_of_value(j):
                    found.append(f"{name!r} shows ranges that overlap")
            else:
                found += SubtreeGeneralization.flaws(_only(recoding, j))
        if not recoding.is_truthful:
            found.append("some records show ranges that do not hold their values")
        return found

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the set of splits that loses the least.

        Effort: of all ``splits``; nodes visited (``looked_at``); nodes given up because they lose
        too much (``bounded``) or because no release is below them (``hopeless``); splits
        ``dropped`` from a tail or ``made`` in a head without visiting nodes for it; releases
        ``measured``; and, if values are split anywhere, nodes visited among the cuts of the
        taxonomies (``first``).
        """
        stop_rule = StopRule.of(task, self.steps, self.time)
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, task)
        splits = SplitSets.of(task.attributes, self.boundaries)
        starts, n_first = self._starts(finest, privacy, task, splits, stop_rule)
        walk = SetEnumeration(finest, privacy, task, splits, stop_rule, best_first=False)
        is_complete = walk.run(splits.none, *starts)
        is_proven = is_complete and walk.best.is_proven
        partition = walk.release()
        if partition is None and is_proven:
            raise infeasible(finest, privacy, task)
        if partition is None and is_complete:
            tried = "it looked at every cut, and at some not at all sets of groups to leave out"
            raise not_found(self, finest, privacy, task, tried=tried, instead="mondrian")
        if partition is None:
            raise InfeasibleError(
                f"{self} was stopped before it found a release that keeps {privacy}, after "
                f"{walk.effort['looked_at']} nodes: allow more steps or time, allow more "
                "suppression, or use mondrian"
            )
        effort = {**walk.effort, "measured": walk.best.n_measured, "first": n_first}
        effort["splits"] = len(splits)
        return Solution(partition, effort, optimal=is_proven, is_complete=is_complete)

    def _starts(
        self, finest: Groups, privacy: All, task: Task, splits: SplitSets, stop_rule: StopRule
    ) -> tuple[list[BoolArray], int]:
        """Find a good cut through the taxonomies first, where there are more sets than these."""
        if self.boundaries is Boundaries.TAXONOMY:
            return [], 0
        # The cuts of the taxonomies are a small part of the search. A good release among them gives
        # a bound that prunes the large one from the beginning.
        nodes = SplitSets.of(task.attributes, Boundaries.TAXONOMY)
        few = evolve(stop_rule, most=_FIRST)
        walk = SetEnumeration(finest, privacy, task, nodes, few, best_first=False)
        walk.run(nodes.none)
        head = walk.best.head
        return [] if head is None else [splits.as_in(nodes, head)], walk.effort["looked_at"]


def _only(recoding: Recoding, j: int) -> Recoding:
    """Restrict a recoding to one column."""
    at = slice(j, j + 1)
    return evolve(
        recoding,
        columns=recoding.columns[at],
        taxonomies=recoding.taxonomies[at],
        codes=recoding.codes[:, at],
        lo=recoding.lo[:, at],
        hi=recoding.hi[:, at],
    )
