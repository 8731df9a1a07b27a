"""Greedy personalized anonymization: what people guard is blurred, and only as far as they ask.

Quasi-identifying values are specialized step by step, as long as that is worth it: the smaller
the groups become, the more of the sensitive values in them have to be generalized, because
a person in the group wants them guarded [1]_, [2]_. It is the one method that publishes sensitive
values generalized, cell by cell.

What splitting a group on a column would gain is computed once, when the group is formed.

References
----------
.. [1] X. Xiao, Y. Tao. "Personalized privacy preservation." SIGMOD 2006. Section 5.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.2.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.params import at_least, positive
from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.methods.base.search import ColumnCells, Search, Solution, Step, Task
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.methods.regions.shared.guarded_cells import GuardedCells, Guards
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Attribute, Kind
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["GreedyPersonalized", "Specializing"]


@frozen
class GreedyPersonalized(Search):
    """Specialize quasi-identifying values, and blur the sensitive ones that people guard.

    At first all records show the roots of all quasi-identifiers. In every step one node of one
    column is replaced by its children, for all records that show it. In each group that comes of
    it, sensitive values are generalized until everybody's guard is respected: all records of a
    group with the same value alike, but for those whose own guard covers it. The step is made that
    lowers the loss most, that of the sensitive column included, among those after which all
    promises can be kept; when none lowers it, the search ends.

    In a group, as long as some guard is breached, some of its records go up in the taxonomy of the
    sensitive column: if a single move will do, the one that loses least; else the one that takes
    most from what is too likely, against what it loses. At last whatever went up in vain comes down
    again.

    The loss is that of the guiding metric, summed over the columns by importance; a metric that
    does not add up over cells leaves that to iloss. Nobody is left out, whatever share may be
    suppressed.

    Parameters
    ----------
    weight
        How much a loss on the sensitive column weighs, against quasi-identifiers of importance 1.
    steps
        How many steps may be made.
    time
        How many seconds the search may take.

    Serves
    ------
    Plans with ``personalized-privacy``, for one sensitive column of categories, beside promises
    that are not about that column: these decide how far quasi-identifiers may be specialized.

    Cost
    ----
    Every step looks at each group that is new, and at what would come of it on each column: O(g v)
    entries for g groups in all, each of v different sensitive values, d times over; and in groups
    that break the promise v times the height of the taxonomy as many for every move.

    Raises
    ------
    UnsupportedError
        If nothing is promised about guards, or if another promise is about the same column.
    InfeasibleError
        If all records in one group break a promise, however sensitive values are generalized.

    Examples
    --------
    >>> import unlinkable as ul
    >>> ills = ul.Tree({"infection": ["hiv", "sars"], "injury": ["burn", "cut"]})
    >>> ward = ul.as_table({"sex": ["f", "f", "m", "m"], "ill": ["hiv", "burn", "cut", "burn"],
    ...     "mind": ["hiv", None, None, None]}, quasi="sex", sensitive="ill", guard="mind",
    ...     taxonomies={"ill": ills})
    >>> promise = ul.PersonalizedPrivacy(0.25, sensitive="ill", guard="mind")
    >>> found = ul.anonymize(ward, privacy=promise, method=ul.GreedyPersonalized()).solution
    >>> cells = found.cells["ill"]
    >>> found.partition.n_parts, (cells.hi - cells.lo).tolist()
    (2, [2, 1, 1, 1])
    """

    name: ClassVar[str] = "greedy-personalized"
    reference: ClassVar[str] = "Xiao and Tao 2006"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization
    stoppable: ClassVar[bool] = True

    weight: float = field(default=1.0, validator=positive)
    steps: int | None = field(default=None, validator=optional(at_least(0)))
    time: float | None = field(default=None, validator=is_seconds)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        guards = [m for m in privacy.models if isinstance(m, Guards)]
        if not guards:
            raise UnsupportedError(
                f"{self} generalizes what people want guarded, and {privacy} is not about that: "
                "promise personalized-privacy, or use another method"
            )
        about = {name for m in guards for names in m.needs() for name in names}
        for model in privacy.models:
            if model not in guards and any(about & {*names} for names in model.needs()):
                raise UnsupportedError(
                    f"{self} publishes sensitive values generalized, and {model} counts them as "
                    "they are: promise it with another method, which leaves them as they are"
                )
        if len({m.guarded[0] for m in guards}) > 1:
            raise UnsupportedError(
                f"{self} generalizes one sensitive column, and {privacy} guards several: use "
                "mondrian, which leaves them as they are"
            )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Specialize as long as that lowers the loss.

        The effort counts ``steps``, nodes that were ``tried``, groups whose sensitive values were
        fitted (``groups_fitted``) and in how many forms (``groups_judged``), and the records whose
        sensitive value was ``generalized``. The trace has every step, and how much it lowered the
        mean loss of a record.
        """
        stop_rule = StopRule.of(task, self.steps, self.time)
        self.require(privacy, may_suppress=task.suppression > 0)
        others = All(m for m in privacy.models if not isinstance(m, Guards))
        guards = All(m for m in privacy.models if isinstance(m, Guards))
        _require_start(finest, others, task)
        effort = Counter(steps=0, tried=0, groups_fitted=0, groups_judged=0, generalized=0)
        metric = task.metric if isinstance(task.metric, CellMetric) else ILoss()
        self._require_categories(finest, guards)
        cells = GuardedCells.of(finest, guards, metric, self.weight, effort)
        specializing = Specializing(finest, task.attributes, metric, cells, others)
        if not specializing.is_feasible:
            raise InfeasibleError(
                f"all records in one group break {guards}, however the values of "
                f"{cells.columns[0]!r} are generalized: allow a larger probability"
            )
        trace: list[Step] = []
        while (
            step := specializing.best(stop_rule.is_over)
        ) is not None and stop_rule.allows_another():
            trace.append(specializing.make(step))
            task.progress(0.0, f"{specializing.n_parts} groups")
        partition = specializing.partition()
        shown = _generalization(cells, partition)
        is_wide = shown.hi - shown.lo > 1
        counts = partition.groups().histograms[cells.columns].counts
        effort["steps"], effort["generalized"] = len(trace), int(counts[is_wide].sum())
        task.progress(1.0, f"{partition.n_parts} groups")
        return Solution(
            partition,
            effort,
            trace=tuple(trace),
            is_complete=not (stop_rule.ended_early or stop_rule.is_over()),
            cells={cells.columns[0]: shown},
        )

    def _require_categories(self, finest: Groups, guards: All) -> None:
        for model in guards.models:
            assert isinstance(model, Guards)
            taxonomy, _ = finest.histograms[model.guarded].parts[0]
            if (kind := taxonomy.domain.kind) is not Kind.CATEGORY:
                raise UnsupportedError(
                    f"{self} publishes nodes among the values of {model.guarded[0]!r}, which are "
                    f"{kind.value}s: make categories of them first"
                )


def _require_start(finest: Groups, others: All, task: Task) -> None:
    """Refuse a table that breaks a promise about quasi-identifiers as one group."""
    if not finest.n_records or not others.holds(Partition.whole(finest).groups()):
        raise infeasible(finest, others, evolve(task, suppression=Fraction(0)))


def _generalization(cells: GuardedCells, partition: Partition) -> ColumnCells:
    """Say what the sensitive column shows, for every value and guard that occurs in a part."""
    groups = partition.groups()
    shown = cells.show(groups)
    counted = groups.histograms[cells.columns]
    (_, values), (_, wanted) = counted.parts
    width = 2 * cells.tree.leaf_of.size
    key = counted.row.astype(np.int64) * width + cells.kinds[counted.values]
    at = np.searchsorted(shown.row.astype(np.int64) * width + shown.kind, key)
    node = shown.node[at]
    return ColumnCells(
        cells.columns[1],
        counted.row,
        values[counted.values],
        wanted[counted.values],
        cells.tree.lo[node],
        cells.tree.hi[node],
    )


_TINY = 1e-9
"""A step that lowers the mean loss of a record by less is none."""

Candidate = tuple[int, int, float]
"""A column, a node of it, and by how much the loss rises if it is replaced by its children."""


class Specializing:
    """A cut through the taxonomy of every quasi-identifier, and the groups that it makes.

    Attributes
    ----------
    attributes
        The quasi-identifying columns.
    is_feasible
        Whether all records in one group keep the promise about what is guarded.
    """

    def __init__(
        self,
        finest: Groups,
        attributes: Sequence[Attribute],
        metric: CellMetric,
        cells: GuardedCells,
        others: All,
    ) -> None:
        self._finest, self.attributes = finest, attributes
        self._cells, self._others = cells, others
        self._trees = [Tree.of(a.taxonomy) for a in attributes]
        self._prices = [
            a.importance * metric.cells(a.taxonomy, tree.lo, tree.hi)
            for a, tree in zip(attributes, self._trees, strict=True)
        ]
        n, d = len(finest), len(attributes)
        self._nodes = np.zeros((n, d), np.int32)
        self._labels = np.zeros(n, np.int32)
        self._is_dead = [np.zeros(len(tree), bool) for tree in self._trees]
        lost, good = self._fit(self._labels, 1)
        self.is_feasible = bool(good.all())
        self._lost = lost
        self._rises, self._can = self._look_ahead(np.ones(1, bool))

    @property
    def n_parts(self) -> int:
        """Number of groups."""
        return self._lost.size

    def partition(self) -> Partition:
        """Give the groups that hold records, with the nodes that they show."""
        first = np.unique(self._labels, return_index=True)[1]
        lo, hi = (
            np.column_stack([ends[self._nodes[first, j]] for j, ends in enumerate(side)])
            for side in ([t.lo for t in self._trees], [t.hi for t in self._trees])
        )
        return Partition(self._finest, self._labels, lo, hi).inhabited()

    def best(self, is_over: Callable[[], bool]) -> Candidate | None:
        """Find the step that lowers the loss most and keeps all promises; None if none does.

        None is looked for once the time is over.
        """
        for j, node, rise in sorted(self._candidates(), key=lambda found: round(found[2], 9)):
            if is_over():
                break
            self._cells.effort["tried"] += 1
            if self._keeps(j, node):
                return j, node, rise
            if self._others.merging is not Merging.UNSAFE:
                self._is_dead[j][node] = True
        return None

    def make(self, candidate: Candidate) -> Step:
        """Replace a node by its children, for all records that show it."""
        j, node, rise = candidate
        labels, is_new, first = self._split(j, node)
        tree = self._trees[j]
        rows = self._nodes[:, j] == node
        self._nodes[rows, j] = self._children(j)[rows]
        old = self._labels[first]
        self._labels = labels
        self._lost, self._rises, self._can = self._lost[old], self._rises[old], self._can[old]
        lost, _ = self._fit(*_only(labels, is_new))
        self._lost[is_new] = lost
        self._rises[is_new], self._can[is_new] = self._look_ahead(is_new)
        below = tree.children(node)
        return Step(
            self.attributes[j].name,
            int(tree.lo[node]),
            int(tree.hi[node]),
            tuple(tree.lo[below].tolist()),
            -rise,
        )

    def _candidates(self) -> list[Candidate]:
        """List the steps that lower the loss and after which guards can be respected."""
        first = np.unique(self._labels, return_index=True)[1]
        whole = float(self._finest.weights.sum()) or 1.0
        found = []
        for j, tree in enumerate(self._trees):
            node = self._nodes[first, j]
            rise = np.bincount(node, self._rises[:, j], len(tree)) / whole
            is_there = np.bincount(node, minlength=len(tree)) > 0
            cannot = np.bincount(node, ~self._can[:, j], len(tree)) > 0
            may = is_there & ~cannot & ~self._is_dead[j] & ~tree.is_leaf & (rise < -_TINY)
            found += [(j, v, float(rise[v])) for v in np.flatnonzero(may).tolist()]
        return found

    def _keeps(self, j: int, node: int) -> bool:
        """Whether the other promises, which hold now, still do after a step."""
        if not self._others.models:
            return True
        labels, is_new, first = self._split(j, node)
        keys = self._nodes[first]
        keys[is_new, j] = self._children(j)[first[is_new]]
        columns = self._finest.columns
        groups = self._finest.merge(labels, is_new.size, columns, keys)
        return self._others.survives(groups, is_new, columns[j])

    def _split(self, j: int, node: int) -> tuple[CodeArray, BoolArray, CountArray]:
        """Number groups after a step; tell which are new, and a row of each."""
        rows: BoolArray = self._nodes[:, j] == node
        child = np.where(rows, self._children(j), 0)
        labels, first = number_rows(np.column_stack([self._labels, child]))
        return labels, rows[first], first

    def _children(self, j: int) -> CodeArray:
        """For every row the child of its node that it would show; the node itself if a value."""
        tree, node = self._trees[j], self._nodes[:, j]
        child = tree.leaf_of[self._finest.keys[:, j]]
        while (up := (child != node) & (tree.parent[child] != node)).any():
            child = np.where(up, tree.parent[child], child)
        return child

    def _look_ahead(self, parts: BoolArray) -> tuple[FloatArray, BoolArray]:
        """Work out how the loss of groups rises if each is split on each column, and if it can."""
        rows = np.flatnonzero(parts[self._labels])
        number = (np.cumsum(parts) - 1).astype(np.int32)
        own = number[self._labels[rows]]
        n, d = int(parts.sum()), len(self._trees)
        rises, can = np.zeros((n, d)), np.ones((n, d), bool)
        weights = self._finest.weights[rows]
        for j in range(d):
            child = self._children(j)[rows]
            price = self._prices[j][child] - self._prices[j][self._nodes[rows, j]]
            halves, first = number_rows(np.column_stack([own, child]))
            labels = np.full(self._labels.size, -1, np.int32)
            labels[rows] = halves
            lost, good = self._fit(labels, first.size)
            parent = own[first]
            rises[:, j] = np.bincount(own, weights * price, n)
            rises[:, j] += np.bincount(parent, lost, n) - self._lost[parts]
            can[:, j] = np.bincount(parent, ~good, n) == 0
        return rises, can

    def _fit(self, labels: CodeArray, n: int) -> tuple[FloatArray, BoolArray]:
        """Tell what groups lose on the sensitive column, and whether guards can be respected."""
        groups = self._finest.merge(labels, n, (), np.empty((n, 0), np.int32))
        shown = self._cells.show(groups)
        self._cells.effort["groups_fitted"] += n
        return self._cells.lost(groups, shown), shown.is_good


def _only(labels: CodeArray, parts: BoolArray) -> tuple[CodeArray, int]:
    """Number the marked parts alone; rows of others belong to none."""
    number = np.where(parts, np.cumsum(parts) - 1, -1).astype(np.int32)
    return number[labels], int(parts.sum())
