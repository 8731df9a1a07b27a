"""Best: local recoding with the lowest loss that can be reached.

For everybody who does not care how. A sweep over the lattice puts every record into the cheapest
cell that it can share with enough others; Mondrian cuts the same table where that loses the least.
Where labels of the taxonomy are asked for, records then bid for all cells of the lattice at once.
The best of these is improved: records move to groups where they cost less, groups whose records are
better off elsewhere are given up, and a few neighbouring groups at a time are taken apart and put
together in another way, which is kept if it loses less.

Where only the sizes of groups count, a queue that is cut whenever there are enough records makes
groups that are as small as may be. But groups that look alike are one, so that the order matters;
several are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import InfeasibleError, UnlinkableError
from unlinkable.kernels.local_recoding import chunks
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.regions.mondrian import Mondrian
from unlinkable.tables.methods.regions.shared.auction import Auction
from unlinkable.tables.methods.regions.shared.exchange import Exchange
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.options import Labels, Split, as_labels
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.regions.shared.sweep import swept
from unlinkable.tables.methods.shared.feasible import not_found
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray

__all__ = ["Best", "queues"]

_AFTER_AUCTION = 0.3
"""The share of the effort that is spent on rebuilding groups that an auction has found."""


@frozen
class Best(Search):
    """The least loss that can be reached by local recoding, for any promise, in the time given.

    Records that are equal on all columns stay together, and nobody is left out; groups may overlap,
    so that a value can be published beside one that covers it. The metric of the task says what a
    loss is; if it does not add up over cells, groups are improved by the normalized certainty
    penalty, and of several results the one is taken that the metric likes best.

    A promise that cannot be judged a group at a time, or that groups which overlap may break
    together, is served by the better of `mondrian` and `optimal`. So is one that all records
    together break.

    Parameters
    ----------
    labels
        What groups show in place of values: ``intervals``, the smallest ranges around the people in
        them, or the lowest labels of the ``taxonomy`` that cover them all.
    time
        Seconds to spend on the search; reading, checking and writing come on top. Improvement goes
        on until then. If not given, it ends after an effort that depends on the table alone: the
        same seed gives the same release on any machine.

    Cost
    ----
    For n distinct records, d columns and v nodes of the lattice, O(n d v) at worst for the sweep,
    which passes over nodes where tables are large. With labels of the taxonomy and a promise about
    sizes, an auction of cells follows: at most 4 million rows are listed in cells, and it looks at
    about n v k^0.8 / 8 of them for groups of k. Where that is too little for several rounds of bids
    there is no auction. Improvement looks at a record about
    n k v^2 / 100,000 times for groups of k, at least 4 million and at most 1.6 billion times. What
    Mondrian with the best cuts takes comes on top.

    Raises
    ------
    UnsupportedError
        If neither `mondrian` nor `optimal` can keep the promise.
    InfeasibleError
        If no release keeps the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.Best(), seed=0).solution
    >>> sorted(zip(found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()))
    [(0, 3), (3, 2), (5, 2)]
    """

    name: ClassVar[str] = "best"
    reference: ClassVar[str] = "local recoding by sweeping the lattice and rebuilding groups"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization
    stoppable: ClassVar[bool] = True

    labels: Labels = field(default=Labels.INTERVALS, converter=as_labels)
    time: float | None = field(default=None, validator=is_seconds)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        if not _is_exchangeable(privacy):
            refusals = [_refusal(method, privacy, may_suppress) for method in self._others()]
            if all(refusals):
                raise refusals[0]  # type: ignore[misc]

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find groups that lose little.

        Effort: ``candidates`` compared; for promises that are judged a group at a time also nodes
        ``swept``; where there was an auction, ``cells_listed``, rounds of ``bids`` for them and
        ``cells_opened``; ``rounds`` of single ``moves``, ``groups_given_up``, ``regions_tried`` and
        ``regions_rebuilt``, and ``groups_judged`` where sizes do not tell.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        stop_rule = StopRule.of(task, None, self.time)
        effort = Counter(candidates=0)
        best, least = None, np.inf
        for partition in self._candidates(finest, privacy, task, stop_rule, effort):
            effort["candidates"] += 1
            loss = task.metric.loss(Shown.of(partition, task.attributes))
            if best is None or loss < least:
                best, least = partition, loss
        if best is None:
            tried = "none of the methods that it compares looks at every release"
            raise not_found(self, finest, privacy, task, tried=tried, instead="optimal")
        return Solution(best, effort, is_complete=not stop_rule.is_over())

    def _candidates(
        self,
        finest: Groups,
        privacy: All,
        task: Task,
        stop_rule: StopRule,
        effort: Counter[str],
    ) -> Iterator[Partition]:
        """Make the releases that are compared."""
        is_kept_by_all = finest.n_records > 0 and privacy.holds(Partition.whole(finest).groups())
        if not (_is_exchangeable(privacy) and is_kept_by_all):
            yield from self._by_others(finest, privacy, stop_rule.limits(task))
            return
        judge = Judge.of(finest, privacy)
        cells = task.metric if isinstance(task.metric, CellMetric) else NormalizedCertaintyPenalty()
        cut = self._cut(finest, privacy, evolve(task, metric=cells), stop_rule)
        yield cut
        if stop_rule.is_over():
            return
        in_taxonomy = self.labels is Labels.TAXONOMY
        landscape = Landscape.of(finest, task.attributes, cells, in_taxonomy=in_taxonomy)
        labels, n_parts, effort["swept"] = swept(finest, judge, landscape, stop_rule, task.progress)
        labels, n_parts = _with_the_rest(finest, judge, labels, n_parts)
        start = self._shown(finest, labels, n_parts, task)
        yield start
        if stop_rule.is_over():
            return
        losses = [cells.loss(Shown.of(p, task.attributes)) for p in (start, cut)]
        if losses[1] < losses[0]:
            labels, n_parts = cut.labels, cut.n_parts
        share = 1.0
        if in_taxonomy and judge.sizes_suffice:
            auction, before = Auction(finest, landscape, judge.least, effort), labels
            labels, n_parts = auction.run(labels, n_parts, stop_rule, task.progress)
            share = 1.0 if labels is before else _AFTER_AUCTION
        exchange = Exchange(finest, judge, landscape, effort, share)
        labels = exchange.run(labels, n_parts, stop_rule, task.rng, task.progress)
        yield self._shown(finest, labels, int(labels.max()) + 1, task)
        if cells is not task.metric and judge.sizes_suffice:
            for small in self._small(finest, judge, cut, task):
                if stop_rule.is_over():
                    return
                yield small

    def _cut(self, finest: Groups, privacy: All, task: Task, stop_rule: StopRule) -> Partition:
        """Cut the table where that loses the least; at medians if half of the time is not enough.

        There may be no group yet in a large table that is cut one generation after the other.
        """
        found = self._mondrian().search(finest, privacy, stop_rule.half().limits(task))
        if not found.is_complete and not stop_rule.is_over():
            at_medians = evolve(self._mondrian(), split=Split.MEDIAN)
            found = at_medians.search(finest, privacy, stop_rule.limits(task))
        return found.partition

    def _small(
        self, finest: Groups, judge: Judge, cut: Partition, task: Task
    ) -> Iterator[Partition]:
        """Make groups that are as small as may be, for metrics that see nothing else."""
        along_cuts = np.argsort(cut.labels, kind="stable").astype(np.int32)
        yield self._shown(finest, *chunks(along_cuts, finest.sizes, judge.least), task)
        for order in queues(finest, task.attributes):
            yield self._shown(finest, *chunks(order, finest.sizes, judge.least), task)

    def _shown(self, finest: Groups, labels: CodeArray, n_parts: int, task: Task) -> Partition:
        """Give groups the names that are asked for."""
        tight = Partition.tight(finest, labels, n_parts).inhabited()
        return tight.publishable(task.attributes, in_taxonomy=self.labels is Labels.TAXONOMY)

    def _mondrian(self) -> Mondrian:
        return Mondrian(split=Split.BEST, labels=self.labels, along="order")

    def _others(self) -> list[Search]:
        """Methods that serve promises for which records cannot be exchanged."""
        return [Mondrian(labels=self.labels), Mondrian(), Optimal()]

    def _by_others(self, finest: Groups, privacy: All, task: Task) -> Iterator[Partition]:
        refusals: list[UnlinkableError] = []
        for i, method in enumerate(self._others()):
            if task.is_stopped() and len(refusals) < i:
                return
            try:
                yield method.search(finest, privacy, task).partition
            except UnlinkableError as error:
                refusals.append(error)
        is_refused = len(refusals) == len(self._others())
        if is_refused and not isinstance(refusals[-1], InfeasibleError):
            raise refusals[-1]


def _is_exchangeable(privacy: All) -> bool:
    """Whether a group can be judged by itself, and groups that look alike are good together."""
    is_safe = privacy.merging is not Merging.UNSAFE
    return privacy.local and is_safe and not any(m.judges_absence for m in privacy.models)


def _refusal(method: Search, privacy: All, may_suppress: bool) -> UnlinkableError | None:
    try:
        method.require(privacy, may_suppress=may_suppress)
    except UnlinkableError as error:
        return error
    return None


def _with_the_rest(
    finest: Groups, judge: Judge, labels: CodeArray, n_parts: int
) -> tuple[CodeArray, int]:
    """Put records that found no company together with the dearest groups, as many as it takes.

    All records together keep the promise, so that it is kept at the latest then.
    """
    rest = labels < 0
    n_joined = 1
    while rest.any():
        first = max(n_parts - n_joined, 0)
        together = rest | (labels >= first)
        one = np.where(together, 0, -1).astype(np.int32)
        if judge.keeps(finest.merge(one, 1, (), np.empty((1, 0), np.int32))).all():
            return np.where(together, np.int32(first), labels), first + 1
        n_joined *= 2
    return labels, n_parts


def queues(finest: Groups, attributes: Sequence[Attribute]) -> Iterator[CodeArray]:
    """Order distinct records by their values, and by the levels of the taxonomies from the top.

    Columns with many values come first; then each column comes first once.
    """
    by_values = np.argsort([-a.taxonomy.n for a in attributes], kind="stable")
    most = max((len(a.taxonomy.levels) for a in attributes), default=0)
    for first in range(len(attributes)):
        columns = np.roll(by_values, -first).tolist()
        yield _sorted([finest.keys[:, j] for j in columns])
        yield _sorted(
            [
                attributes[j].taxonomy.levels[level].blocks[finest.keys[:, j]]
                for level in reversed(range(most))
                for j in columns
                if level < len(attributes[j].taxonomy.levels)
            ]
        )


def _sorted(columns: Sequence[CodeArray]) -> CodeArray:
    """Order rows by the first column, then by the second, and so on."""
    return np.lexsort(columns[::-1]).astype(np.int32)
