"""Bottom-up generalization: from the original up, one node at a time, until the promise holds.

Each step replaces the children of one node by the node, in all records. The next step is the one
that loses the least information for each unit of privacy that it gains [1]_ [2]_.

References
----------
.. [1] K. Wang, P. S. Yu, S. Chakraborty. "Bottom-up generalization: a data mining solution to
   privacy protection." ICDM 2004.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 6.5.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import define, evolve, field, frozen

from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Step, Task
from unlinkable.tables.methods.cuts.shared.guides import (
    Guide,
    as_guide,
    class_asked,
    rounded,
    with_target,
)
from unlinkable.tables.methods.cuts.shared.headway import Headway, headway_for
from unlinkable.tables.methods.cuts.shared.information_loss import Forfeits, by_class, by_metric
from unlinkable.tables.methods.cuts.shared.tea import Generalization, TeaIndex
from unlinkable.tables.methods.shared.feasible import infeasible, require_feasible, require_safe
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.typing import Columns

__all__ = ["BottomUpGeneralization"]


@frozen(kw_only=True)
class BottomUpGeneralization(Search):
    r"""Generalize what loses the least for the privacy that it gains, until the promise holds.

    A generalization :math:`g` replaces the children of a node by the node. It is possible once all
    values under the node that occur in the table are published as its children. It is *critical* if
    it gains privacy: :math:`PG(g) = A_g(QID) - A(QID) > 0`, where A(QID) is the size of the
    smallest group. Of critical ones the one with the least :math:`IL(g) / PG(g)` is made; if there
    is none, the one with the least :math:`IL(g)`. Of equals, the one that gains more, then the
    first column and the node nearest to its root. It ends as soon as the promise holds.

    If the promise is about more than sizes, or records may be suppressed, the size of the smallest
    group does not measure the distance to it. Then the number of records in groups that break the
    promise takes its place: :math:`PG(g)` is the decrease of that number. The search ends as soon
    as they are no more than may be suppressed, and suppresses them.

    The result is minimal in this sense: nothing on the way to it kept the promise, so that without
    the last generalization it would not. An earlier one may turn out not to have been needed.

    Parameters
    ----------
    guide
        What the search keeps: what predicts the target column (``class``: IL is the information
        gain of the way back), or as much as possible by the ``metric`` of the task (IL is the rise
        of its loss). If not given, the class if the table has a target.
    target
        The column that is to be predicted from the release. If not given, the one whose role is
        target, else the one sensitive column.

    Cost
    ----
    Trying a generalization and making it takes O(q d) for the q groups that it concerns and d
    columns, however many groups there are. For a promise about sizes at most d of them are tried in
    each step, if IL does not depend on what was done before: towards a class, or by a metric that
    adds up over cells. For other promises all that concern a broken group are, at most d times all
    groups in each step.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together: then going up may lead away from it.
    InfeasibleError
        If the promise does not hold even when all records are in one group.

    Examples
    --------
    >>> import unlinkable as ul
    >>> jobs = ul.Tree({"Artist": ["Dancer", "Writer"], "Office": ["Clerk", "Lawyer"]})
    >>> people = ul.as_table({"job": ["Dancer", "Writer", "Clerk", "Clerk", "Lawyer", "Lawyer"]},
    ...     quasi="job", taxonomies={"job": jobs})
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.BottomUpGeneralization()).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.hi.ravel().tolist()
    ([0, 2, 3], [2, 3, 4])
    >>> [(step.column, step.lo, step.hi) for step in found.trace]
    [('job', 0, 2)]
    """

    name: ClassVar[str] = "bottom-up-generalization"
    reference: ClassVar[str] = "Wang, Yu and Chakraborty 2004"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization

    guide: Guide | None = field(default=None, converter=as_guide)
    target: str | None = None

    def bind(self, schema: Schema) -> Self:
        guide, target = with_target(schema, self.guide, self.target)
        return evolve(self, guide=guide, target=target)

    def needs(self, schema: Schema) -> frozenset[Columns]:
        _, target = with_target(schema, self.guide, self.target)
        return frozenset() if target is None else frozenset({(target,)})

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Go up until the promise holds.

        Effort: ``steps`` made, ``critical`` ones among them, generalizations that were ``tried``
        for the privacy that they gain, and ``groups`` that these concerned.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, task)
        index = TeaIndex(finest, task.attributes)
        limit = min(task.may_suppress(finest.n_records), finest.n_records - 1)
        climb = _Climb(index, headway_for(index, privacy, limit), self._forfeits(index, task))
        trace = []
        while not climb.headway.is_there:
            best = climb.best()
            if best is None:
                raise _at_the_top(self, finest, privacy, task)
            trace.append(climb.make(*best, task))
        partition = index.partition().suppress(~climb.headway.keep)
        effort = {
            "steps": len(trace),
            "critical": climb.n_critical,
            "tried": climb.n_tried,
            "groups": climb.n_groups,
        }
        return Solution(partition, effort, trace=tuple(trace))

    def _forfeits(self, index: TeaIndex, task: Task) -> Forfeits:
        target = class_asked(self.guide, self.target)
        if target is not None:
            return by_class(index, target)
        return by_metric(index, task.attributes, task.metric)


@define(eq=False)
class _Climb:
    """The way up.

    Attributes
    ----------
    index, headway, forfeits
        The groups, how far they are from the promise, and the losses of generalizations.
    n_critical, n_tried, n_groups
        Counts of the work done.
    """

    index: TeaIndex
    headway: Headway
    forfeits: Forfeits
    n_critical: int = 0
    n_tried: int = 0
    n_groups: int = 0
    n_steps: int = 0

    def best(self) -> tuple[Generalization, float] | None:
        """Find the next generalization, with its ILPG; None at the top."""
        # Only candidates can be critical, so the others need not be tried for the privacy they
        # gain.
        critical = []
        for node in self.headway.candidates.tolist():
            step = self.index.look(node)
            self.n_tried += 1
            self.n_groups += step.rows.size
            gain = self.headway.gain(step)
            if gain > 0:
                critical.append((rounded(self.forfeits.of(node) / gain), -gain, node))
        if critical:
            self.n_critical += 1
            score, _, node = min(critical)
            return self.index.look(node), score
        # No single step gains privacy, but several together may. So the cheapest one is made, which
        # brings the search closer to the root, where the promise holds if anywhere.
        is_open = np.flatnonzero(self.index.is_open).tolist()
        if not is_open:
            return None
        _, node = min((rounded(self.forfeits.of(node)), node) for node in is_open)
        return self.index.look(node), float("inf")

    def make(self, step: Generalization, score: float, task: Task) -> Step:
        """Generalize, and return the step for the trace."""
        # Both read the groups as they were before the step, so they follow before the index
        # changes.
        self.headway.follow(step)
        self.forfeits.follow(step)
        self.index.apply(step)
        self.n_steps += 1
        n_left = self.index.n_left
        task.progress(
            self.n_steps / (self.n_steps + n_left), f"{self.n_steps} generalizations, {n_left} left"
        )
        tree, first = self.index.trees[step.column], int(self.index.starts[step.column])
        node = step.node - first
        return Step(
            task.attributes[step.column].name,
            int(tree.lo[node]),
            int(tree.hi[node]),
            tuple(tree.lo[tree.children(node)].tolist()),
            score,
        )


def _at_the_top(
    method: BottomUpGeneralization, finest: Groups, privacy: All, task: Task
) -> InfeasibleError:
    """Explain that there is no release, or that none was found on the way."""
    if not task.may_suppress(finest.n_records) or (
        privacy.merging is Merging.ABSORBS and not privacy.relative
    ):
        # Merging only helps here, so the top is a release if anything is.
        return infeasible(finest, privacy, task)
    return InfeasibleError(
        f"{method} came to the top without a release that keeps {privacy} and leaves out at most "
        f"{task.may_suppress(finest.n_records)} of {finest.n_records} records: allow more "
        "suppression, ask for less, or use optimal, which tries all nodes"
    )
