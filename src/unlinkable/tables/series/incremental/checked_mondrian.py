"""Mondrian that cuts only where no attack on the series of releases finds anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from attrs import define, field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base import Solution, Task
from unlinkable.tables.methods.regions import (
    Bisection,
    Cuts,
    Judge,
    Mondrian,
    Penalty,
    RegionLayout,
    Regions,
    unevenness,
)
from unlinkable.tables.models.base import All
from unlinkable.tables.series.incremental.channels import Channels
from unlinkable.tables.series.incremental.guard import Guard
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import BoolArray, CountArray

__all__ = ["CheckedMondrian"]


@frozen
class CheckedMondrian(Mondrian):
    """Mondrian with one more condition on every cut.

    A cut is made if both halves keep the promise, and no attack that is guarded against finds
    anybody in the release as it is then, together with all earlier ones. What is judged is the
    whole partition at that moment: the difference attack combines groups. A cut that is refused is
    tried on the next column. If none is allowed, all records in one group are judged.

    Cuts of a generation are made one after the other, in the order of the regions, so that the
    result depends on nothing but the records and the past.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    channels
        What was published before.

    Cost
    ----
    That of `Mondrian`, and for each cut that keeps the promise one question to every watch.

    Raises
    ------
    InfeasibleError
        If even all records in one group open a channel.
    UnsupportedError
        If groups that look alike when they are published open a channel that they did not open
        while they were cut.
    """

    policy: Policy = field(kw_only=True)
    channels: Channels = field(kw_only=True, eq=False, repr=False)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Cut the table into as many groups as keep the promise and open no channel.

        The effort counts what `Mondrian` counts, and how many cuts each attack prevented.
        """
        found = super().search(finest, privacy, task)
        if found.partition.n_parts == 1:
            # No cut was allowed: perhaps because not even this can be published.
            self.channels.guard().require_whole()
        is_told_alike = found.partition.n_parts <= found.effort["cuts_made"]
        if is_told_alike and not self.channels.guard().is_safe(found.partition.labels):
            raise UnsupportedError(
                f"{self}: groups that show the same are one group, and that group opens a channel "
                "to earlier releases. Use mondrian with its defaults, and fill in missing values, "
                "or use optimal"
            )
        return found

    def bisection(
        self, layout: RegionLayout, judge: Judge, penalty: Penalty | None, effort: Counter[str]
    ) -> Bisection:
        guard = self.channels.guard()
        return _Checked(layout, judge, penalty, self.strict, effort, self.ties, guard=guard)

    def __str__(self) -> str:
        return str(self.policy)


@define(eq=False, frozen=True)
class _Checked(Bisection):
    """Cuts regions only where the guard agrees."""

    guard: Guard = field(kw_only=True)

    def _at_medians(self, regions: Regions) -> tuple[CountArray, CountArray, BoolArray]:
        """Cut fresh regions between earlier groups, and where that cannot be as Mondrian does."""
        middle, lower = np.full(len(regions), -1, np.int64), np.zeros(len(regions), np.int64)
        is_done = np.zeros(len(regions), bool)
        fresh = np.flatnonzero(regions.last < 0)
        # On the widest column that has a cut with two good halves that parts no earlier group.
        middle[fresh], lower[fresh] = self._try_all(
            regions.select(fresh),
            unevenness,
            by_column=True,
            only=self.guard.alignment.respected,
        )
        rest = np.flatnonzero(middle < 0)
        others = regions.select(rest)
        middle[rest], lower[rest], is_done[rest] = super()._at_medians(others)
        regions.last[rest] = others.last
        if self.judge.sizes_suffice:
            # Where sizes alone decide, no cut was judged, and none has been asked for yet.
            middle[rest] = self._allowed(others, middle[rest])
        return middle, lower, is_done

    def _keeps(self, regions: Regions, middle: CountArray, lower: CountArray) -> BoolArray:
        kept = super()._keeps(regions, middle, lower)
        return self._allowed(regions, np.where(kept, middle, -1)) >= 0

    def _try_all(
        self,
        regions: Regions,
        penalty: Penalty,
        *,
        by_column: bool,
        only: Callable[[Cuts], BoolArray] | None = None,
    ) -> tuple[CountArray, CountArray]:
        middle, lower = super()._try_all(regions, penalty, by_column=by_column, only=only)
        return self._allowed(regions, middle), lower

    def _allowed(self, regions: Regions, middle: CountArray) -> CountArray:
        """Make the cuts that open no channel, one after the other; -1 for the others."""
        order, part = self.layout.rows.order, self.guard.part
        made = np.full(middle.size, -1, np.int64)
        for g in np.flatnonzero(middle >= 0).tolist():
            found = part(int(regions.start[g]), int(middle[g]), int(regions.end[g]), order)
            if found is None:
                made[g] = middle[g]
            else:
                self.effort[f"prevented_by_{found}"] += 1
        return made
