"""Bucket problem: the records that are put into buckets, and the promises about buckets.

Records are dealt out in two ways. `deal_distinct` takes one record of each of the l most frequent
values, again and again [1]_; it has the most buckets in which no value comes twice. `deal_evenly`
sorts records by value and deals them out like cards; the values of every bucket are then as
frequent as in the whole table, or within one record of that, whatever the number of buckets is.

References
----------
.. [1] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006. Figure 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define, evolve, field

from unlinkable.kernels.buckets import bucketing, order_by_label, part_clashing
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = [
    "BucketProblem",
    "Proposal",
    "deal_distinct",
    "deal_evenly",
    "largest_cap",
    "merge_broken",
    "separate",
    "trim",
]

_PASSES, _TRIALS = 4, 24
"""How often all records are looked at, and how many others each that clashes is tried against."""


def largest_cap(counts: CountArray, l: int) -> int:  # noqa: E741
    r"""Find how often a value may occur at most, if others are cut down to that as well.

    The largest :math:`x` with :math:`l x \le \sum_v \min(c_v, x)`: with every value cut down to x
    records, no value has more than one in ``l`` of what is left, and no other way to get there
    leaves out less. 0 if there are fewer than l values.

    Examples
    --------
    Of seven, two and one records, five of the first value have to go before it has one in two.

    >>> largest_cap(np.array([7, 2, 1]), 2), largest_cap(np.array([3, 3, 2, 2]), 3)
    (3, 3)
    """
    low, high = 0, int(counts.max(initial=0))
    while low < high:
        # What is left minus l x is concave in x and 0 at 0: it is positive up to one point only.
        middle = (low + high + 1) // 2
        if l * middle <= int(np.minimum(counts, middle).sum()):
            low = middle
        else:
            high = middle - 1
    return low


def trim(codes: CodeArray, n_values: int, cap: int, rng: np.random.Generator) -> CodeArray:
    """Leave out random records of values that occur more than ``cap`` times: their code is -1."""
    by_value, starts = bucketing.order_by_label(rng.permutation(codes.size), codes, n_values)
    place = np.arange(by_value.size) - np.repeat(starts[:-1], np.diff(starts))
    out = codes.copy()
    out[by_value[place >= cap]] = -1
    return out


def deal_distinct(
    codes: CodeArray,
    n_values: int,
    l: int,  # noqa: E741
    rng: np.random.Generator,
) -> tuple[CodeArray, int, int]:
    """Form buckets of a record of each of the l most frequent values, while there are l values.

    Records that are left then join a bucket that does not have their value; where no value has more
    than one in l records there are at most l - 1 of them, and such a bucket for each.

    Parameters
    ----------
    codes
        The value of each record; -1 if it is left out.
    n_values
        The number of codes.
    l
        How many different values a bucket has at least.
    rng
        Chooses the records.

    Returns
    -------
    tuple
        The bucket of each record, the number of buckets, and how many records joined later.
    """
    by_value, starts = bucketing.order_by_label(rng.permutation(codes.size), codes, n_values)
    counts = np.diff(starts)
    falling = np.argsort(-counts, kind="stable").astype(np.int32)
    taken, _ = bucketing.take_largest(falling, counts[falling], l)
    labels, used = bucketing.fill_buckets(taken, l, by_value, starts, codes.size)
    n_buckets, n_left = taken.size // l, by_value.size - taken.size
    begin = rng.integers(max(n_buckets, 1), size=n_left)
    bucketing.place_left_over(labels, by_value, starts, used, n_buckets, begin)
    return labels, n_buckets, n_left


def separate(
    labels: CodeArray,
    n_buckets: int,
    lead: CodeArray,
    n_values: int,
    others: Sequence[CodeArray],
    rng: np.random.Generator,
) -> CodeArray:
    """Exchange records of the same value between buckets, so that fewer share other values.

    What buckets have on the leading column stays as it is. On the other columns, two records of a
    bucket that share a value clash; a record that does changes places with one that has the same
    leading value, if fewer records clash then.
    """
    kept = np.flatnonzero(labels >= 0)
    members, first = bucketing.order_by_label(kept, labels, n_buckets)
    by_value, starts = bucketing.order_by_label(kept, lead, n_values)
    state = rng.integers(1 << 63, size=1).astype(np.uint64)
    hidden = np.ascontiguousarray(np.column_stack(list(others)))
    return part_clashing(
        labels, members, first, lead, by_value, starts, hidden, _PASSES, _TRIALS, state
    )


def deal_evenly(order: CountArray, n_buckets: int, n_records: int) -> CodeArray:
    """Deal records out to buckets in turns, in the order given; -1 for all others.

    Examples
    --------
    >>> deal_evenly(np.array([3, 0, 1, 2]), 2, 5).tolist()
    [1, 0, 1, 0, -1]
    """
    labels = np.full(n_records, -1, np.int32)
    labels[order] = np.arange(order.size) % n_buckets
    return labels


def merge_broken(
    groups: Groups, privacy: All, rng: np.random.Generator
) -> tuple[CodeArray, int] | None:
    """Merge buckets that break a promise with others, until none does.

    A bucket that breaks it goes together with a random one that keeps it, or with another like
    itself if these are more. Where groups that keep a promise keep it together, nothing else has to
    be merged.

    Returns
    -------
    tuple | None
        Where each bucket goes, and how many there are then; None if all together break it.
    """
    parent, n = np.arange(len(groups), dtype=np.int32), len(groups)
    while not (good := privacy.good(groups)).all():
        if n == 1:
            return None
        bad, others = np.flatnonzero(~good), np.flatnonzero(good)
        goes, n_pairs = np.arange(n), min(bad.size, others.size)
        goes[bad[:n_pairs]] = rng.permutation(others)[:n_pairs]
        rest = bad[n_pairs:]
        goes[rest] = rest[np.arange(rest.size) // 2 * 2]
        there, numbers = np.unique(goes, return_inverse=True)
        step = numbers.astype(np.int32)
        n, parent = there.size, step[parent]
        keys = np.arange(n, dtype=np.int32)[:, None]
        groups = groups.merge(step, n, groups.columns, keys)
    return parent, n


_NEAR = 64
"""How many buckets are most is found up to one in so many: each step of the search takes a look at
all records."""

_FEW_BAD = 8
"""If at most one in so many buckets breaks a promise, these are merged."""


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
        cap = largest_cap(self.counts, least)
        left = trim(self.codes, self.counts.size, cap, self.task.rng)
        return evolve(self, kept=left >= 0)

    def anatomized(self, least: int) -> tuple[Proposal, bool]:
        """Form buckets of different leading values, and tell whether all keep the promises."""
        labels, n, n_joined = deal_distinct(self.codes, self.counts.size, least, self.task.rng)
        if self.others:
            hidden = [self.table.codes(name) for name in self.others]
            labels = separate(labels, n, self.codes, self.counts.size, hidden, self.task.rng)
        good = self.judged(self.grouped(labels, n))
        return Proposal(labels, n, n_joined), bool(good.all())

    def mended(self, proposal: Proposal) -> Proposal | None:
        """Merge the buckets that break a promise with others; None if all together break it."""
        groups = self.grouped(proposal.buckets, proposal.n_buckets)
        merged = merge_broken(groups, self.privacy, self.task.rng)
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
            proposal = Proposal(deal_evenly(order, trial, len(self.table)), trial)
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
        """Sort records by what they hide, the leading column first; equal ones at random."""
        order = self.task.rng.permutation(len(self.table))
        for name in reversed(self.others):
            order, _ = order_by_label(order, self.table.codes(name), self.table.taxonomy(name).n)
        order, _ = order_by_label(order, self.codes, self.counts.size)
        return order


def _counts(table: Table, name: str) -> CountArray:
    return np.bincount(table.codes(name), minlength=table.taxonomy(name).n)
