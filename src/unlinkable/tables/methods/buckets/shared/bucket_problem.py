"""BucketProblem: the records that are to be put into buckets, and what is promised of these."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve, field

from unlinkable.kernels.buckets import order_by_label
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.buckets.shared import dealing
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["BucketProblem", "Proposal"]

_NEAR = 64
"""How many buckets are most is found up to one in so many: each step of the search takes a look at
all records."""

_FEW_BAD = 8
"""If at most one in so many buckets breaks a promise, it is worth while to merge these."""


@define(eq=False, frozen=True)
class Proposal:
    """Buckets that may be published.

    Attributes
    ----------
    buckets
        The bucket of each record; -1 if it is left out.
    n_buckets
        How many there are.
    n_joined
        How many records joined a bucket after it was formed.
    """

    buckets: CodeArray
    n_buckets: int
    n_joined: int = 0


@define(eq=False, slots=False)
class BucketProblem:
    """Records that are to be put into buckets.

    Attributes
    ----------
    table, privacy, task
        The records, what is promised of buckets, and what else is asked.
    kept
        Which records are to be published.
    lead
        The column that buckets are formed by: of those that the promises are about, the one with
        the most frequent value.
    others
        All other sensitive columns that the promises are about.
    n_judged
        How many buckets were judged so far.
    """

    table: Table
    privacy: All
    task: Task
    kept: BoolArray
    lead: str
    others: Columns
    n_judged: int = field(default=0)

    @classmethod
    def of(cls, table: Table, privacy: All, task: Task) -> Self:
        """Look which columns the promises are about."""
        sensitive = table.schema.sensitive
        meant = {name for names in privacy.needs() for name in names}
        columns = [name for name in sensitive if name in meant] or [sensitive[0]]
        peaks = [_counts(table, name).max(initial=0) for name in columns]
        lead = columns[int(np.argmax(peaks))]
        others = tuple(name for name in columns if name != lead)
        return cls(table, privacy, task, np.ones(len(table), bool), lead, others)

    @property
    def n(self) -> int:
        """Number of records that are to be published."""
        return int(self.kept.sum())

    @cached_property
    def codes(self) -> CodeArray:
        """The leading value of each record; -1 if it is left out."""
        return np.where(self.kept, self.table.codes(self.lead), np.int32(-1))

    @cached_property
    def counts(self) -> CountArray:
        """How often each leading value occurs."""
        return np.bincount(self.codes[self.kept], minlength=self.table.taxonomy(self.lead).n)

    @property
    def peak(self) -> int:
        """How often the most frequent leading value occurs."""
        return int(self.counts.max(initial=0))

    @property
    def n_values(self) -> int:
        """How many leading values occur."""
        return int((self.counts > 0).sum())

    @cached_property
    def whole(self) -> Groups:
        """All records in one bucket."""
        return self.grouped(np.where(self.kept, 0, -1).astype(np.int32), 1)

    def grouped(self, buckets: CodeArray, n_buckets: int) -> Groups:
        """Count what buckets hide."""
        return count_parts(self.table, buckets, n_buckets, self.privacy.needs())

    def judged(self, groups: Groups) -> BoolArray:
        """Tell which buckets keep the promises."""
        self.n_judged += len(groups)
        return self.privacy.good(groups)

    def trimmed(self, least: int) -> BucketProblem:
        """Leave out what is too much of the most frequent values for buckets of so many values."""
        cap = dealing.largest_cap(self.counts, least)
        left = dealing.trimmed(self.codes, self.counts.size, cap, self.task.rng)
        return evolve(self, kept=left >= 0)

    def anatomized(self, least: int) -> tuple[Proposal, bool]:
        """Form buckets of different leading values, and tell whether all keep the promises."""
        labels, n, n_joined = dealing.anatomized(self.codes, self.counts.size, least, self.task.rng)
        if self.others:
            hidden = [self.table.codes(name) for name in self.others]
            labels = dealing.parted(labels, n, self.codes, self.counts.size, hidden, self.task.rng)
        good = self.judged(self.grouped(labels, n))
        return Proposal(labels, n, n_joined), bool(good.all())

    def mended(self, proposal: Proposal) -> Proposal | None:
        """Merge the buckets that break a promise with others; None if all together break it."""
        groups = self.grouped(proposal.buckets, proposal.n_buckets)
        merged = dealing.mended(groups, self.privacy, self.task.rng)
        if merged is None:
            return None
        parent, n = merged
        labels = np.append(parent, np.int32(-1))[proposal.buckets]
        self.n_judged += n
        return Proposal(labels, n, proposal.n_joined)

    def dealt(self, most: int) -> Proposal | None:
        """Deal records out to as many buckets as keep the promises; None if all together do not.

        The search halves: that a number of buckets is too large does not prove that every larger
        one is, but hardly ever is it not.
        """
        if not self.n or not self.judged(self.whole).all():
            return None
        self.privacy = self.privacy.prepared(self.whole)
        order = self._sorted()
        best = Proposal(np.where(self.kept, 0, -1).astype(np.int32), 1)
        low, high, trial = 1, max(most, 1), max(most, 1)
        while low < high:
            proposal = Proposal(dealing.dealt(order, trial, len(self.table)), trial)
            good = self.judged(self.grouped(proposal.buckets, trial))
            if good.all():
                low = trial
            else:
                high = trial - 1
                few = bool((~good).sum() * _FEW_BAD <= good.size)
                proposal = (self.mended(proposal) if few else None) or best
            best = max(best, proposal, key=lambda found: found.n_buckets)
            if high - low <= low // _NEAR:
                break
            trial = (low + high + 1) // 2
        return best

    def _sorted(self) -> CountArray:
        """Sort records by what they hide, the leading column first; equal ones by chance."""
        order = self.task.rng.permutation(len(self.table))
        for name in reversed(self.others):
            order, _ = order_by_label(order, self.table.codes(name), self.table.taxonomy(name).n)
        order, _ = order_by_label(order, self.codes, self.counts.size)
        return order


def _counts(table: Table, name: str) -> CountArray:
    return np.bincount(table.codes(name), minlength=table.taxonomy(name).n)
