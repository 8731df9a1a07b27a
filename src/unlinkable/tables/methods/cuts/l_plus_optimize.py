"""l+-Optimize: the cut that loses the least of those that bound what can be inferred.

References
----------
.. [1] J. Liu, K. Wang. "On optimal anonymization for l+-diversity." ICDE 2010.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.2.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import UnsupportedError
from unlinkable.params import at_least
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.set_enumeration import SetEnumeration
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets
from unlinkable.tables.methods.shared.feasible import infeasible, require_feasible, require_safe
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Scheme

__all__ = ["LPlusOptimize"]


@frozen
class LPlusOptimize(Search):
    """Enumerate the cuts in the order of what they lose at least, and stop at the first that holds.

    All cuts are in a tree: a branch holds those between a coarsest and a finest cut. No cut of a
    branch loses less than its finest one, and none keeps the promise if its coarsest one does not.
    The branch whose finest cut loses the least is looked at next, until the best release so far
    loses no more than any branch that is left. Single nodes are tried as in k-optimize: a node that
    is split in nothing better is not split, and one that is split in everything better is.

    It is published for confidence bounding, and serves every promise that good groups keep
    together: a coarser table then keeps what a finer one keeps. Nobody is left out, whatever share
    of the records may be suppressed: with records left out, a promise on shares may hold in a finer
    table and not in a coarser one, and nothing could be ruled out.

    The search starts from the top and from single nodes that are split as long as
    that pays, so that it has a release at any time, and can be stopped. What is shown are nodes of
    the taxonomies, numbers included.

    Parameters
    ----------
    steps
        How many branches may be looked at. The best release by then is returned, and is not called
        optimal. No limit if not given.
    time
        How many seconds the search may take, with the same consequence.

    Cost
    ----
    Exponential in the number of inner nodes in the worst case. A branch takes one look at its
    coarsest and one at its finest cut, and O(s n) for s inner nodes that may be split into their
    children and n groups of the finest cut. All branches that are left are kept in memory.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together, or the metric may fall as tables get
        coarser: nothing could be ruled out.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> jobs = ul.Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> job, ill = (["Engineer", "Lawyer", "Dancer", "Writer"], ["flu", "flu", "HIV", "flu"])
    >>> ward = ul.as_table({"job": job, "ill": ill}, quasi="job", sensitive="ill",
    ...     taxonomies={"job": jobs})
    >>> promise = ul.ConfidenceBounding("job -> ill = HIV <= 1/2")
    >>> found = ul.anonymize(ward, privacy=promise, method=ul.LPlusOptimize(),
    ...     metric=ul.MinimalDistortion()).solution
    >>> found.partition.lo.ravel().tolist(), found.optimal
    ([0, 1, 2], True)
    """

    name: ClassVar[str] = "l-plus-optimize"
    reference: ClassVar[str] = "Liu and Wang 2010"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization
    stoppable: ClassVar[bool] = True

    steps: int | None = field(default=None, validator=optional(at_least(1)))
    time: float | None = field(default=None, validator=is_seconds)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the cut that loses the least.

        Effort: of all ``nodes`` that have children; branches ``looked_at``; branches given up
        because they lose too much (``bounded``) or because no cut of them keeps the promise
        (``hopeless``); nodes ``dropped`` that are never told by their children, or ``made`` to be
        in all cuts of a branch; releases ``measured``.
        """
        stop_rule = StopRule.of(task, self.steps, self.time)
        self.require(privacy, may_suppress=task.suppression > 0)
        if not task.metric.monotone:
            raise UnsupportedError(
                f"{self} gives up cuts because coarser ones lose no less, and {task.metric} may "
                "fall as a table gets coarser: guide the search by minimal-distortion, "
                "discernibility, classification-metric or iloss, or use the method optimal"
            )
        task = evolve(task, suppression=Fraction(0))
        require_feasible(finest, privacy, task)
        splits = SplitSets.of(task.attributes, Boundaries.TAXONOMY)
        walk = SetEnumeration(finest, privacy, task, splits, stop_rule, best_first=True)
        is_proven = walk.run(splits.none)
        partition = walk.release()
        if partition is None:
            raise infeasible(finest, privacy, task)
        effort = {"nodes": len(splits), **walk.effort, "measured": walk.best.n_measured}
        return Solution(partition, effort, optimal=is_proven, is_complete=is_proven)
