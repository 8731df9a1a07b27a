"""Every way to tell the values of a column apart, written out, and searches through all of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.methods.lattice.setting import Setting
from tests.witness.methods import Problem, exhaustive_optimum
from tests.witness.metrics import Cell, Published
from tests.witness.models import Row
from tests.witness.promises import good_records
from tests.witness.tree import Tree
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray

__all__ = [
    "cuts_of",
    "intervals_of",
    "least_loss",
    "least_of_all",
    "n_ways",
    "published",
    "split_sets",
    "worst_fault",
]

Way = dict[Hashable, frozenset[Hashable]]
"""For every value all values that it is not told apart from."""


def cuts_of(tree: Tree) -> list[Way]:
    """List the cuts through a tree: each node as it is, or told by its children."""

    def ways(level: int, label: Hashable) -> list[Way]:
        leaves = frozenset(tree.leaves_under(level, label))
        whole: list[Way] = [dict.fromkeys(leaves, leaves)]
        if level == 0:
            return whole
        inside = dict.fromkeys(tree.generalize(leaf, level - 1) for leaf in sorted(leaves, key=str))
        if len(inside) == 1:
            return ways(level - 1, next(iter(inside)))
        parts = product(*(ways(level - 1, child) for child in inside))
        return whole + [{v: s for way in part for v, s in way.items()} for part in parts]

    return ways(tree.height, tree.labels(tree.height)[0])


def intervals_of(tree: Tree) -> list[Way]:
    """List the ways to put neighbouring values together; missing ones are alone, or with all."""
    leaves = tree.leaves
    present = [leaf for leaf in leaves if leaf is not None]
    found: list[Way] = [dict.fromkeys(leaves, frozenset(leaves))]
    for n_cuts in range(len(present)):
        for at in combinations(range(1, len(present)), n_cuts):
            if not at and len(present) == len(leaves):
                continue
            way: Way = {None: frozenset([None])} if None in leaves else {}
            for lo, hi in zip((0, *at), (*at, len(present)), strict=True):
                way |= dict.fromkeys(present[lo:hi], frozenset(present[lo:hi]))
            found.append(way)
    return found


@dataclass(frozen=True)
class _Cuts:
    """A problem whose nodes are not levels, but a way for every column."""

    problem: Problem
    ways: Mapping[str, Sequence[Way]]

    def nodes(self) -> list[dict[str, Way]]:
        return [dict(zip(self.ways, node, strict=True)) for node in product(*self.ways.values())]

    def kept(self, node: Mapping[str, Way]) -> list[tuple[int, Row]]:
        """Give the records that can be published, as they are then shown."""
        problem = self.problem
        kept: list[tuple[int, Row]] = [
            (i, {**row, **{a: node[a][row[a]] for a in problem.qid}})
            for i, row in enumerate(problem.rows)
        ]
        while True:
            good = good_records(problem.promises, [row for _, row in kept], problem.qid)
            if all(good):
                return kept
            kept = [one for one, is_good in zip(kept, good, strict=True) if is_good]

    def is_feasible(self, node: Mapping[str, Way]) -> bool:
        n = len(self.problem.rows)
        return n - len(self.kept(node)) <= min(self.problem.limit, n - 1)

    def publish(self, node: Mapping[str, Way]) -> list[Published]:
        release: list[Published] = [None] * len(self.problem.rows)
        for i, row in self.kept(node):
            release[i] = {a: Cell(row[a], len(node[a][self.problem.rows[i][a]])) for a in node}
        return release


def n_ways(ways: Mapping[str, Sequence[Way]]) -> int:
    """Count the combinations of ways."""
    return prod(map(len, ways.values()))


def least_loss(setting: Setting, ways: Mapping[str, Sequence[Way]]) -> float | None:
    """Find the least loss of all combinations of ways; None if none is a release."""
    problem = _Cuts(setting.problem, ways)
    _, least = exhaustive_optimum(problem, setting.plain_metric)  # type: ignore[arg-type]
    return None if least is None else float(least)


def published(random: RandomTable, solution: Solution) -> list[Row | None]:
    """Read what every record shows, as a set of values; None if it is left out."""
    labels = solution.partition.labels[count(table_of(random)).labels].tolist()
    lo, hi = solution.partition.lo, solution.partition.hi
    shown: list[Row | None] = []
    for row, label in zip(random.rows, labels, strict=True):
        ranges = {
            a: frozenset(random.trees[a].leaves[lo[label, j] : hi[label, j]])
            for j, a in enumerate(random.qid)
        }
        shown.append(None if label < 0 else {**row, **ranges})
    return shown


def worst_fault(setting: Setting, solution: Solution) -> str | None:
    """Say why a solution is no release of its setting; None if it is one."""
    shown = published(setting.random, solution)
    kept = [row for row in shown if row is not None]
    if len(shown) - len(kept) > setting.limit or not kept:
        return "leaves out too many"
    if not all(good_records([p for p, _ in setting.promised], kept, setting.random.qid)):
        return "breaks the promise"
    for row, record in zip(shown, setting.random.rows, strict=True):
        if row and any(record[a] not in row[a] for a in setting.random.qid):  # type: ignore[operator]
            return "is not true"
    return None


def split_sets(splits: SplitSets) -> list[BoolArray]:
    """List all sets of splits that hold with each split the one it needs."""
    found = []
    for bits in product([False, True], repeat=len(splits)):
        chosen = np.array(bits, bool)
        if all(splits.above[v] < 0 or chosen[splits.above[v]] for v in np.flatnonzero(chosen)):
            found.append(chosen)
    return found


def least_of_all(finest: Groups, privacy: All, task: Task, splits: SplitSets) -> float | None:
    """Measure every set of splits as the library does, one by one."""
    losses = []
    limit = min(task.may_suppress(finest.n_records), finest.n_records - 1)
    for chosen in split_sets(splits):
        whole = splits.partition(finest, chosen)
        part = whole.suppress(~kept(whole.groups(), privacy))
        if part.n_suppressed <= limit:
            losses.append(task.metric.loss(Shown.of(part, task.attributes)))
    return min(losses, default=None)
