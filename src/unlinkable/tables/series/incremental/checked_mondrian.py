"""Mondrian that cuts only where people who were always together stay enough and mixed enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

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
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import BoolArray, CountArray

__all__ = ["CheckedMondrian"]


@frozen
class CheckedMondrian(Mondrian):
    """Mondrian with one more condition on every cut.

    People who were in the same groups of all earlier releases are of one kind, and so are the
    newcomers. A cut that parts people of a kind must leave k of them on both sides, and no value
    with a share above c on either. Then every kind of all releases together keeps (k, c), if it did
    before:

    *Difference.* What is left when groups of one release are taken away from groups of another is a
    union of kinds. Sizes add up, and the share of a value is a mean of its shares.

    *Record tracing.* People of a kind can have each other's values in all releases, so a record
    with a value can be anybody's in the kinds that have it: at least k people, and its share is a
    mean of the shares in these kinds.

    The intersection attack may still find somebody, since values that several groups have in common
    need not be those of a kind. It has not in any experiment. Like all attacks that the policy
    guards against, it is run on every release before it is published, and so the condition has to
    be good, not proved.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    channels
        What was published before.

    Cost
    ----
    That of `Mondrian` where it judges all cuts, and one pass over the records of a region for each
    column.

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
        """Cut the table into as many groups as keep the promise and break no kind."""
        found = super().search(finest, privacy, task)
        if found.partition.n_parts == 1:
            # No cut was allowed: perhaps because not even this can be published.
            self.channels.require_whole()
        is_told_alike = found.partition.n_parts <= found.effort["cuts_made"]
        if is_told_alike and not self.channels.is_safe(found.partition.labels):
            raise UnsupportedError(
                f"{self}: groups that show the same are one group, and that group opens a channel "
                "to earlier releases. Use mondrian with its defaults, and fill in missing values, "
                "or use optimal"
            )
        return found

    def bisection(
        self, layout: RegionLayout, judge: Judge, penalty: Penalty | None, effort: Counter[str]
    ) -> Bisection:
        allow = self.channels.allow
        return _Checked(layout, judge, penalty, self.strict, effort, self.ties, allow=allow)

    def __str__(self) -> str:
        return str(self.policy)


@define(eq=False, frozen=True)
class _Checked(Bisection):
    """Chooses among the cuts that are allowed."""

    allow: Callable[[Cuts], BoolArray] = field(kw_only=True)

    def _at_medians(self, regions: Regions) -> tuple[CountArray, CountArray, BoolArray]:
        """Cut the widest column that has an allowed cut, as evenly as can be."""
        middle, lower = self._try_all(regions, unevenness, by_column=True)
        return middle, lower, middle < 0

    def _try_all(
        self,
        regions: Regions,
        penalty: Penalty,
        *,
        by_column: bool,
        only: Callable[[Cuts], BoolArray] | None = None,
    ) -> tuple[CountArray, CountArray]:
        return super()._try_all(regions, penalty, by_column=by_column, only=self.allow)
