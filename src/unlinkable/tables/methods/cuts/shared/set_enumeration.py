"""Set enumeration: every set of splits, and the proof that most of them need not be looked at.

A reach is the head set and the tail set of the literature. It is cut down before it is divided: a
split is dropped if no table that makes it can be better than the best release so far, and made if
no table without it can. What is left is divided by one split into the tables that make it and those
that do not, until nothing is left.

The incumbent is the best release so far; a first one is found by climbing from a coarse table.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from time import monotonic

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.taxonomy_cuts import try_splits
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.head_judging import Finding, HeadJudge
from unlinkable.tables.methods.cuts.shared.reach import Reach, Rows
from unlinkable.tables.methods.cuts.shared.reach_bounds import CostFloor, floor_for
from unlinkable.tables.methods.cuts.shared.split_sets import SplitSets
from unlinkable.tables.methods.shared.portions import portions
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.methods.shared.suppression import Allowance, Losses, RecordLosses
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Incumbent", "SetEnumeration"]

_NEAR = 5
"""A split may be exchanged for one of this many before and after it."""

_NOISE = 1e-12
"""The rounding error of a loss, as a share of it."""


@define(eq=False, frozen=True)
class HeadLosses(Losses):
    """The loss of suppressing groups of the coarsest table of a reach, by a monotone metric.

    Attributes
    ----------
    costs
        The bounds of the metric.
    reach
        The reach.
    """

    costs: CostFloor
    reach: Reach

    def of(self, keep: BoolArray) -> float:
        return self.costs.loss(self.reach, keep)


class Incumbent:
    """Keeps the release with the least loss of those that it is offered; of equals the first.

    Attributes
    ----------
    head
        Its splits; None if there is no release yet.
    loss
        Its loss.
    keep
        The groups that it keeps.
    n_measured
        How many releases were measured.
    """

    def __init__(
        self, finest: Groups, splits: SplitSets, judge: HeadJudge, costs: CostFloor, rows: Rows
    ) -> None:
        self.head: BoolArray | None = None
        self.keep: BoolArray | None = None
        self.loss = np.inf
        self.n_measured = 0
        self._doubts: dict[bytes, tuple[float, BoolArray]] = {}
        self._finest, self._splits, self._judge, self._costs = finest, splits, judge, costs
        self._rows = rows

    @property
    def least(self) -> float:
        """The loss that a better release must stay below."""
        return self.loss - (_NOISE * abs(self.loss) if np.isfinite(self.loss) else 0.0)

    @property
    def is_proven(self) -> bool:
        """Whether it is certain that no other release is better, or that none exists."""
        return not any(map(self._may_be_better, self._doubts.values()))

    def settle(self, stop_rule: StopRule) -> None:
        """Try more sets of groups to suppress where one may lose less than the release."""
        doubts = sorted(self._doubts.values(), key=lambda doubt: doubt[0])
        allowance = Allowance(is_over=stop_rule.is_over)
        self._doubts.clear()
        for floor, head in doubts:
            if self._may_be_better((floor, head)):
                reach = self._reach(head)
                self.offer(reach, self.look(reach, allowance))

    def look(self, reach: Reach, allowance: Allowance | None = None) -> Finding:
        """Judge the coarsest table of a reach, and remember if there may be a better release."""
        finding = self._find(reach, allowance)
        if finding.floor < self.least:
            self._doubts[reach.head.tobytes()] = finding.floor, reach.head
        return finding

    def _may_be_better(self, doubt: tuple[float, BoolArray]) -> bool:
        return self.head is None or doubt[0] < self.least

    def _find(self, reach: Reach, allowance: Allowance | None) -> Finding:
        # If suppressing good groups never pays, sets are compared by the metric; otherwise as few
        # records as possible are suppressed, and the floor covers the rest.
        is_thrifty = self._judge.limit == 0 or self._costs.is_monotone
        if self._judge.is_bare:
            finding = self._judge.find_by_size(reach.head_sizes)
        else:
            groups = self._splits.partition(self._finest, reach.head).groups()
            losses = HeadLosses(self._costs, reach) if is_thrifty else RecordLosses(groups.sizes)
            most = self.loss if is_thrifty else np.inf
            finding = self._judge.find(groups, losses, most, allowance)
        if is_thrifty or not (finding.is_release or finding.floor < np.inf):
            return finding
        return evolve(finding, floor=self._costs.floor_of_head(reach, finding.gone))

    def offer(self, reach: Reach, finding: Finding | None = None) -> bool:
        """Keep the coarsest table of a reach if it is a better release; return whether it was."""
        finding = finding or self.look(reach)
        if not finding.is_release:
            return False
        self.n_measured += 1
        loss = self._costs.loss(reach, finding.keep)
        if self.head is not None and loss >= self.least:
            return False
        self.head, self.loss, self.keep = reach.head, loss, finding.keep
        return True

    def climb(self, start: BoolArray, stop_rule: StopRule) -> None:
        """Make, undo or exchange single splits as long as that gives a better release."""
        self._offer(start)
        head, is_better = start, True
        while is_better:
            is_better = False
            for v in range(len(self._splits)):
                for tried in self._neighbours(head, v):
                    if stop_rule.is_over():
                        return
                    if self._offer(tried):
                        head, is_better = tried, True
                        break

    def _offer(self, head: BoolArray) -> bool:
        return self.offer(self._reach(head))

    def _reach(self, head: BoolArray) -> Reach:
        return Reach(self._splits, head, ~head, self._rows)

    def _neighbours(self, head: BoolArray, v: int) -> Iterator[BoolArray]:
        """Yield a set with a split if it lacks it, without it or with another one if it has it."""
        if not head[v]:
            # A split needs all splits above it in its taxonomy, and takes those below with it when
            # undone.
            yield head | self._splits.with_needed(self._splits.only(v))
            return
        rest = head & ~self._splits.with_needing(self._splits.only(v))
        yield rest
        for u in range(max(v - _NEAR, 0), min(v + _NEAR + 1, len(self._splits))):
            if u != v and not rest[u]:
                yield rest | self._splits.with_needed(self._splits.only(u))


_OFTEN = 0.05
"""Seconds between two reports of progress."""

_UNBROKEN = 1 << 25
"""Rows that are visited between two looks at the clock, or those of one split."""


class _OutOfTimeError(Exception):
    """The time is up in the middle of a look at a reach."""


@define(eq=False, frozen=True)
class _Trials:
    """What is known of the splits of a tail.

    Attributes
    ----------
    splits
        Which.
    made, given_up
        What every table loses at least that makes the split, and that does not.
    n_apart
        How many records are in groups of the coarsest table that it splits.
    """

    splits: CodeArray
    made: FloatArray
    given_up: FloatArray
    n_apart: CountArray


class SetEnumeration:
    """One search: which reaches are left, and the best release so far.

    Attributes
    ----------
    best
        The release that loses the least so far.
    effort
        How many reaches were ``looked_at``, and how many of those were given up because they are
        ``bounded`` (they lose too much) or ``hopeless`` (no release is among them); how many splits
        were ``dropped`` from a tail and ``made`` in a head without dividing the reach.
    """

    def __init__(
        self,
        finest: Groups,
        privacy: All,
        task: Task,
        splits: SplitSets,
        stop_rule: StopRule,
        *,
        best_first: bool,
    ) -> None:
        self.effort = dict.fromkeys(("looked_at", "bounded", "hopeless", "dropped", "made"), 0)
        self.judge = HeadJudge.of(finest, privacy, task)
        self._costs = floor_for(finest, self.judge, task, splits)
        self._finest, self._task, self._stop_rule = finest, task, stop_rule
        self._splits, self._best_first = splits, best_first
        # Equal groups that show less are never better, unless promises look at single columns.
        self._is_free = privacy.local and bool(finest.sizes.all())
        rows = Rows.of(finest, self._costs.target)
        self.best = Incumbent(finest, splits, self.judge, self._costs, rows)
        self._top = _of_no_concern(finest, privacy, task, splits)
        self._root = Reach(splits, self._top, ~self._top, rows)
        self._left: list[tuple[float, int, Reach]] = []
        self._n_put = 0
        self._told = 0.0

    def run(self, *starts: BoolArray) -> bool:
        """Climb from some sets, then go through all of them; tell whether that came to its end."""
        for start in starts:
            self.best.climb(start | self._top, self._stop_rule)
        self._put(self._root)
        while self._left:
            reach = self._take()
            if reach.floor >= self.best.least:
                self.effort["bounded"] += 1
                continue
            if not self._stop_rule.allows_another():
                break
            self._tell()
            self.effort["looked_at"] += 1
            try:
                cut = self._cut_down(reach)
            except _OutOfTimeError:
                break
            if cut is not None:
                self._divide(*cut)
        else:
            self.best.settle(self._stop_rule)
            return self.best.is_proven or not self._stop_rule.is_over()
        if self.best.head is None:
            # However short the time is: the coarsest table may be a release.
            self.best.offer(self._root)
        return False

    def release(self) -> Partition | None:
        """Publish the best release, told as precisely as its groups allow; None if there is none.

        A split that splits no group costs nothing: what is shown gets narrower.
        """
        if self.best.head is None or self.best.keep is None:
            return None
        reach = evolve(self._root, head=self.best.head, tail=~self.best.head)
        while self._is_free and not self._stop_rule.is_over():
            is_open = np.flatnonzero(self._splits.is_open(reach.head)).astype(np.int32)
            nothing = np.zeros(reach.rows.sizes.size)
            gone = self.best.look(reach).gone
            try:
                _, found = self._try(reach, is_open, gone, (nothing, nothing), 0.0)
            except _OutOfTimeError:
                break
            if not (found[1] == 0).any():
                break
            reach = reach.beside(self._splits.only(*is_open[found[1] == 0]))
        before = self._splits.partition(self._finest, self.best.head)
        partition = self._splits.partition(self._finest, reach.head)
        # Groups that are left out may be split: their parts are left out.
        is_kept = np.zeros(partition.n_parts, bool)
        is_kept[partition.labels] = self.best.keep[before.labels]
        return partition.suppress(~is_kept)

    def _cut_down(self, reach: Reach) -> tuple[Reach, _Trials] | None:
        """Take all off a reach that cannot be better; None if nothing is left."""
        reach, head, finding = reach.settled(), None, None
        while True:
            if finding is None or reach.head is not head:
                head, finding = reach.head, self.best.look(reach)
                if finding.is_hopeless:
                    self.effort["hopeless"] += 1
                    return None
                self.best.offer(reach, finding)
            gone = finding.gone[reach.labels]
            rows = self._costs.rows(reach)
            floor = max(reach.floor, self._costs.floor(reach, gone, rows))
            if floor < self.best.least and self._is_finest_good(reach, finding):
                self.best.offer(evolve(reach, head=reach.all, tail=self._splits.none))
            if floor >= self.best.least or not reach.tail.any():
                self.effort["bounded"] += 1
                return None
            reach = evolve(reach, floor=floor)
            changed, trials = self._try_all(reach, finding.gone, gone, rows)
            if trials is not None:
                return reach, trials
            reach = changed

    def _is_finest_good(self, reach: Reach, finding: Finding) -> bool:
        """Whether it may be worth while to judge the finest table of a reach, too."""
        if not self.judge.is_bare:
            return bool(reach.tail.any())
        kept = reach.rows.sizes[~finding.gone[reach.labels]]
        return bool((kept >= self.judge.least).all())

    def _try_all(
        self, reach: Reach, lost: BoolArray, gone: BoolArray, rows: tuple[FloatArray, FloatArray]
    ) -> tuple[Reach, _Trials | None]:
        """Try all splits of a tail; give the reach without what that settles, or what was found."""
        tail = np.flatnonzero(reach.tail).astype(np.int32)
        made, found = self._try(reach, tail, lost, rows, reach.floor)
        n_lost = int(reach.rows.sizes[gone].sum())
        drop = (made >= self.best.least) | (found[0] + n_lost > self.judge.limit)
        # What is split off and left out would keep the promise together with the rest.
        if self._costs.forgives and self.judge.is_bare:
            drop |= (found[2] == 1) & (found[1] > 0) & ~self._is_needed(reach, tail)
        if drop.any():
            less = reach.without(self._splits.only(*tail[drop]))
            self.effort["dropped"] += int(reach.tail.sum() - less.tail.sum())
            return less.settled(), None
        must = np.zeros(tail.size, bool)
        if self._is_free:
            must = (found[1] == 0) & self._splits.is_open(reach.head)[tail]
        given_up = np.zeros(tail.size)
        if not must.any():
            given_up = self._costs.without(reach, gone, rows, tail)
            must = given_up >= self.best.least
        if must.any():
            more = reach.beside(self._splits.only(*tail[must]))
            self.effort["made"] += int(reach.tail.sum() - more.tail.sum())
            return more, None
        return reach, _Trials(tail, made, given_up, found[1])

    def _try(
        self,
        reach: Reach,
        splits: CodeArray,
        lost: BoolArray,
        rows: tuple[FloatArray, FloatArray],
        floor: float,
    ) -> tuple[FloatArray, CountArray]:
        floors = np.full(splits.size, floor)
        found = np.zeros((3, splits.size), np.int64)
        heads = (*reach.by_head, lost)
        rules, codes, sizes = self._splits.rules, reach.rows.codes, reach.rows.sizes
        for some in portions(np.full(splits.size, sizes.size), _UNBROKEN):
            if self._stop_rule.is_over():
                raise _OutOfTimeError
            part = np.ascontiguousarray(found[:, some])
            try_splits(
                splits[some], rules, codes, sizes, rows, heads, self.judge.least, floors[some], part
            )
            found[:, some] = part
        return floors, found

    def _is_needed(self, reach: Reach, splits: CodeArray) -> BoolArray:
        """Tell which splits others of the tail need."""
        above = self._splits.above[reach.tail]
        return self._splits.only(*above[above >= 0])[splits]

    def _divide(self, reach: Reach, trials: _Trials) -> None:
        """Divide a reach by the split that says most, whether it is made or not."""
        is_open = self._splits.is_open(reach.head)[trials.splits]
        at = np.flatnonzero(is_open)
        made, given_up = trials.made[at], trials.given_up[at]
        least, most = np.minimum(made, given_up), np.maximum(made, given_up)
        # Of equals the first one: what is sorted last counts most.
        i = at[np.lexsort((-np.arange(at.size), trials.n_apart[at], most, least))[-1]]
        split = self._splits.only(trials.splits[i])
        with_it = evolve(reach.beside(split), floor=max(reach.floor, float(trials.made[i])))
        without = evolve(reach.without(split), floor=max(reach.floor, float(trials.given_up[i])))
        for half in sorted((without, with_it), key=lambda part: -part.floor):
            self._put(half)

    def _put(self, reach: Reach) -> None:
        self._n_put += 1
        if self._best_first:
            # Rows are made again from the finest: there may be very many reaches at once.
            reach = evolve(reach, rows=self._root.rows)
            heappush(self._left, (reach.floor, -self._n_put, reach))
        else:
            self._left.append((0.0, 0, reach))

    def _take(self) -> Reach:
        return heappop(self._left)[2] if self._best_first else self._left.pop()[2]

    def _tell(self) -> None:
        """Tell how far the search is, now and then."""
        now = monotonic()
        if now - self._told > _OFTEN:
            self._told = now
            n = self.effort["looked_at"]
            words = f"{n} nodes looked at, {len(self._left)} left, loss {self.best.loss:.6g}"
            self._task.progress(n / (n + len(self._left) + 1), words)


def _of_no_concern(finest: Groups, privacy: All, task: Task, splits: SplitSets) -> BoolArray:
    """Find the splits of columns that no promise looks at: telling all of these breaks none."""
    if not task.metric.monotone or any(m.judges_absence for m in privacy.models):
        return splits.none
    seen = {name for m in privacy.models for name in m.knows(finest.columns).columns}
    is_unseen = np.array([name not in seen for name in finest.columns], bool)
    return is_unseen[splits.column]
