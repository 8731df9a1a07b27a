"""Improved greedy: one step up after the other, each to the neighbour closest to the promise.

Datafly raises the attribute with the most values, whether or not that helps. Algorithm 3.1 of
Babu's thesis [1]_ tries all attributes, and takes the step that brings the most.

How close a node is to keeping a promise is the level of its worst group after as many of the worst
ones were left out as allowed, measured in the unit of the parameter of the promise: for k-anonymity
the size of the smallest group (section 3.3).

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Algorithm 3.1 and Theorem 3.2.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import define, field, frozen

from unlinkable.errors import InfeasibleError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Step, Task
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.survey import LatticeSearch, Survey
from unlinkable.tables.methods.shared.feasible import infeasible, require_feasible, require_safe
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import FloatArray

__all__ = ["ImprovedGreedy", "Nearness", "reached"]


@frozen
class ImprovedGreedy(LatticeSearch):
    """Raise the attribute that brings the table closest to the promise, and repeat.

    How close a table is to k-anonymity is measured by its smallest group, after the smallest groups
    were left out as far as allowed. For other promises it is the level of the worst group
    in the same way: the least diversity, the largest distance. Of several promises, the one that
    is farthest from what was asked for counts. If several attributes bring it equally close, the
    one with the most different values in the table as generalized so far is raised; of attributes
    with equally many, the first.

    If several steps reach the promise, the one that goes farthest beyond it is taken. The metric is
    not asked: the result is neither minimal nor of least loss. The trace of the solution has a step
    for every attribute that was raised: the whole column, where the nodes of its new level begin,
    and how close the table then is.

    Cost
    ----
    A node for every attribute at every step: at most r h for r attributes and h steps, h being the
    sum of the heights of the taxonomies.

    Raises
    ------
    UnsupportedError
        If groups that keep the promise may break it together: a step up is then no step closer.
    InfeasibleError
        If there are too few records for the promise, or no node on the way keeps it.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m",
    ...     "m"]}, quasi=["job", "sex"])
    >>> found = ul.anonymize(staff, privacy=ul.KAnonymity(2), method=ul.ImprovedGreedy()).solution
    >>> found.node, [(step.column, step.score) for step in found.trace]
    ({'job': 1, 'sex': 0}, [('job', 2.0)])
    """

    name: ClassVar[str] = "improved-greedy"
    reference: ClassVar[str] = "Babu 2013"

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Go up until a node keeps the promise.

        Effort: of all ``nodes`` some were ``checked``, as a step or to compare with one, and the
        others are ``unvisited``; ``groups`` were added up.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, task)
        walk = _Walk(self.survey(finest, privacy, task))
        node = walk.run()
        survey = walk.survey
        if node is None and survey.judge.is_monotone:
            raise infeasible(finest, privacy, task)
        if node is None:
            raise InfeasibleError(
                f"{self} went up to the top, and found no release on its way that keeps {privacy} "
                f"with at most {survey.judge.limit} records left out: use the method optimal, "
                "which looks at other nodes too, or allow more suppression"
            )
        effort = survey.effort_on_the_way(walk.n_checked)
        return survey.solution(node, effort, trace=walk.trace)


@define(eq=False)
class _Walk:
    """Goes up on one path."""

    survey: Survey
    n_checked: int = 0
    trace: list[Step] = field(factory=list)

    def run(self) -> Node | None:
        """Find the first release on the way; None if there is none up to the top."""
        lattice, node = self.survey.lattice, self.survey.lattice.bottom
        n_steps = sum(lattice.heights)
        is_release, _ = self._look(node)
        while not is_release and node != lattice.top:
            distinct = self.survey.rollup.margins.distinct
            tried = [(up, *self._look(up)) for up in lattice.generalizations(node)]
            # A release beats every node that is none; among equals the one closest to the promise
            # wins.
            closest = max((good, near) for _, good, near in tried)
            best = [up for up, good, near in tried if (good, near) == closest]
            raised = {up: _raised(node, up) for up in best}
            # The number of values before the step decides between attributes that bring it equally
            # close.
            node = max(best, key=lambda up: distinct[raised[up]][up[raised[up]] - 1])
            is_release, near = closest
            self._note(raised[node], node, near)
            words = f"{self.n_checked} nodes checked, {sum(node)} of {n_steps} steps up"
            self.survey.task.progress(sum(node) / n_steps, words)
        return node if is_release else None

    def _look(self, node: Node) -> tuple[bool, float]:
        """Tell whether a node is a release, and how close it is to one."""
        self.n_checked += 1
        groups, finding = self.survey.look(node)
        return finding.is_release, Nearness(self.survey)(groups)

    def _note(self, column: int, node: Node, near: float) -> None:
        attribute = self.survey.task.attributes[column]
        starts = attribute.taxonomy.levels[node[column]].starts
        parts = tuple(starts[:-1].tolist())
        self.trace.append(Step(attribute.name, 0, int(starts[-1]), parts, near))


def _raised(low: Node, high: Node) -> int:
    """Tell which attribute is at a higher level."""
    return next(j for j, (a, b) in enumerate(zip(low, high, strict=True)) if a < b)


@define(eq=False, frozen=True)
class Nearness:
    """Measures how close nodes are to a promise; more is closer.

    For one promise, that is the level that it reaches (its negative, if lower is safer). Levels of
    several promises have different units: each is divided by what was asked for, and the promise
    that is farthest from being kept counts.

    Attributes
    ----------
    survey
        What is searched.
    """

    survey: Survey

    def __call__(self, node: NodeGroups) -> float:
        """Measure a node."""
        privacy, limit = self.survey.judge.privacy, self.survey.judge.limit
        groups = self.survey.rollup.groups(node, keyed=not privacy.local, counted=True)
        models = privacy.models
        if len(models) == 1:
            return reached(models[0], groups, limit)
        return min((_share(m, reached(m, groups, limit)) for m in models), default=np.inf)


def reached(model: GroupModel, groups: Groups, limit: int) -> float:
    """Return the level of the worst group after suppressing the worst ones as far as allowed.

    Whole groups are suppressed, from the worst one up, as long as that is at most ``limit``
    records. Groups without records cannot be suppressed. Levels where lower is safer are negated:
    more is better.
    """
    if not model.judges_absence and not groups.sizes.all():
        groups = groups.select(groups.sizes > 0)
    levels = _levels(model, groups)
    order = np.argsort(levels, kind="stable")
    sizes = groups.sizes[order]
    # An empty group counts as more than the limit, so the scan cannot go past it.
    gone = np.cumsum(np.where(sizes > 0, sizes, limit + 1))
    return float(levels[order[int(np.searchsorted(gone, limit, side="right"))]])


def _levels(model: GroupModel, groups: Groups) -> FloatArray:
    """Measure the worst that an adversary may see of each group; more is better."""
    sign = 1.0 if model.higher_is_safer else -1.0
    levels = np.full(len(groups), np.inf)
    for seen, parent in model.seen(groups):
        levels = np.minimum(levels, (sign * model.level(seen))[parent])
    return levels


def _share(model: GroupModel, level: float) -> float:
    """Divide what is reached by what is asked for, or the other way round if lower is safer."""
    asked = float(getattr(model, model.parameter))
    part, whole = (level, asked) if model.higher_is_safer else (asked, -level)
    return part / whole if whole > 0 else np.inf
