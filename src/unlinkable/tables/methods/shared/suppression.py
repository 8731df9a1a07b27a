"""Suppression: which groups of a table to leave out so that the others keep a promise.

If a group is judged by itself, groups that break the promise go, and no others. If it is compared
with the published table, or if an adversary sees several groups as one, every group that goes may
mend others or break them: leaving out one bad group may be enough for all, and so may leaving out
a good one. Then sets of groups are tried, those that lose the least first, until one keeps the
promise. What a promise says of all releases (`least_suppressed`) rules out most sets unseen. The
number of sets that are tried is bounded, and where that is not enough, the result says so.

A search over many tables takes for each of them a set that is found quickly. Where that leaves a
doubt whether another set is better than the best of all tables, it tries more in the end.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import All, Merging
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Allowance", "Choice", "Losses", "RecordLosses", "choose", "is_settled_at_once", "kept"]

_MOST_GROUPS = 1 << 16
"""The most groups that are judged while sets are tried in one search."""

_FEW = 16
"""To judge a table of fewer groups takes as long as one of so many."""

_NOISE = 1e-12
"""What rounding may do to a loss, as a share of it."""


def _never() -> bool:
    """Go on to the end."""
    return False


@define(eq=False)
class Allowance:
    """How many more groups may be judged while sets of them are tried.

    Attributes
    ----------
    left
        So many.
    is_over
        Whether the search was stopped.
    """

    left: int = _MOST_GROUPS
    is_over: Callable[[], bool] = _never


class Losses(abc.ABC):
    """What a table loses if some of its groups are left out; leaving out more never loses less."""

    @abc.abstractmethod
    def of(self, keep: BoolArray) -> float:
        """Measure what is lost if these groups are kept."""

    def beside(self, keep: BoolArray, more: CodeArray) -> FloatArray:
        """Bound from below what is lost if one more group is left out, for each of some groups."""
        return np.full(more.size, self.of(keep))


@define(eq=False, frozen=True)
class RecordLosses(Losses):
    """The number of records that are left out."""

    sizes: CountArray

    def of(self, keep: BoolArray) -> float:
        return float(self.sizes[~keep].sum())

    def beside(self, keep: BoolArray, more: CodeArray) -> FloatArray:
        return self.of(keep) + self.sizes[more].astype(float)


@define(eq=False, frozen=True)
class Choice:
    """Which groups to keep.

    Attributes
    ----------
    keep
        The groups to keep. If they are no release, what is left of the table once no more breaks
        the promise, however much that leaves out.
    is_release
        Whether these keep the promise, with no more records left out than allowed.
    floor
        What a better set loses at least, if there may be one; infinite if there is none.
    is_impossible
        Whether it is proved that no set keeps the promise, whatever it loses.
    """

    keep: BoolArray
    is_release: bool
    floor: float = np.inf
    is_impossible: bool = False


def is_settled_at_once(privacy: All) -> bool:
    """Whether every group is judged by itself, so that exactly the bad ones go."""
    return privacy.local and not privacy.relative


def kept(groups: Groups, privacy: All, gone: BoolArray | None = None) -> BoolArray:
    """Tell which groups can be published if all others are left out.

    Leaving groups out changes what a group is compared with, and what an adversary who knows only
    some columns sees. So of the groups that break the promise the smaller half is left out, and the
    rest is judged again, until nothing more has to go. That need not be the best that can be done.

    Parameters
    ----------
    groups, privacy
        What to look at, and the promise.
    gone
        Groups that are left out in any case.
    """
    keep = np.ones(len(groups), bool) if gone is None else ~gone
    while keep.any():
        good = privacy.good(_rest(groups, keep))
        if good.all():
            break
        bad = np.flatnonzero(keep)[~good]
        if not is_settled_at_once(privacy):
            bad = bad[np.argsort(groups.sizes[bad], kind="stable")][: (bad.size + 1) // 2]
        keep[bad] = False
        if is_settled_at_once(privacy):
            break
    return keep


def choose(
    groups: Groups,
    privacy: All,
    limit: int,
    losses: Losses,
    *,
    most: float = np.inf,
    allowance: Allowance | None = None,
) -> Choice:
    """Find the groups to leave out so that the others keep a promise and the least is lost.

    Of equal losses, the set with fewer records is taken.

    Parameters
    ----------
    groups, privacy
        What to look at, and the promise.
    limit
        How many records may be left out: not all.
    losses
        What is lost.
    most
        Sets that lose more than this are of no use.
    allowance
        How much may be tried, of which half is taken at most. If not given, only a set is tried
        that is found quickly.
    """
    if limit == 0 or is_settled_at_once(privacy):
        # If nothing may be left out, nothing is judged again without it.
        keep = privacy.good(groups)
        is_release = int(groups.sizes[~keep].sum()) <= limit
        return Choice(keep, is_release, is_impossible=not is_release)
    return _Search(groups, privacy, limit, losses, most).run(allowance or Allowance(0))


def _rest(groups: Groups, keep: BoolArray) -> Groups:
    """Take the groups that are kept for the whole table."""
    return groups if keep.all() else groups.select(keep).alone()


class _Branch(NamedTuple):
    """The sets that leave out some groups, and of a list of others one or more from a place on.

    Attributes
    ----------
    loss, n
        What the first of these sets loses at least, and how many records it leaves out.
    order
        Which branch came first.
    gone
        The groups that all of them leave out.
    more, losses
        The others, in the order of what is lost at least with each.
    at
        The place.
    """

    loss: float
    n: int
    order: int
    gone: BoolArray
    more: CodeArray
    losses: FloatArray
    at: int


class _Search:
    """One search for the best set: which sets are left, and the best one so far."""

    def __init__(
        self, groups: Groups, privacy: All, limit: int, losses: Losses, most: float
    ) -> None:
        self._groups, self._privacy, self._limit = groups, privacy, limit
        self._losses, self._most = losses, most
        # A group that breaks one of these breaks it whatever others are left out.
        self._steady = All(
            m
            for m in privacy.models
            if not m.relative and (m.local or m.merging is Merging.ABSORBS)
        )
        self._keep: BoolArray | None = None
        self._loss, self._n = np.inf, 0
        self._left: list[_Branch] = []
        self._order = count()

    def run(self, allowance: Allowance) -> Choice:
        """Try sets in the order of what they lose at least, until none of the others is better."""
        nobody = np.zeros(len(self._groups), bool)
        gone = self._closed(nobody)
        if gone is None:
            return Choice(nobody, False, is_impossible=True)
        if self._losses.of(~gone) > self._most:
            return Choice(~gone, False)
        rest = ~gone
        if not self._try(gone, np.arange(len(self._groups), dtype=np.int32)):
            rest = kept(self._groups, self._privacy, gone)
            self._offer(rest)
        floor, cost, reserve = np.inf, max(len(self._groups), _FEW), allowance.left // 2
        while self._left and self._is_open(self._left[0]):
            if allowance.left - cost < reserve or allowance.is_over():
                floor = self._left[0].loss
                break
            allowance.left -= cost
            self._follow(heappop(self._left))
        if self._keep is not None:
            return Choice(self._keep, True, floor)
        return Choice(rest, False, floor, is_impossible=min(floor, self._most) == np.inf)

    def _follow(self, branch: _Branch) -> None:
        """Try the first set of a branch, and put back the others."""
        self._put(branch.gone, branch.more, branch.losses, branch.at + 1)
        tried = branch.gone.copy()
        tried[branch.more[branch.at]] = True
        free = branch.more[branch.at + 1 :]
        gone = self._closed(tried)
        if gone is None:
            return
        added = gone & ~tried
        added[free] = False
        # What has to go and may not is left out in another branch.
        if not added.any():
            self._try(gone, free[~gone[free]])

    def _try(self, gone: BoolArray, free: CodeArray) -> bool:
        """Judge a table without some groups; if it breaks the promise, others may go as well."""
        if bool(self._privacy.good(_rest(self._groups, ~gone)).all()):
            self._offer(~gone)
            return True
        sizes = self._groups.sizes
        spare = self._limit - int(sizes[gone].sum())
        more = free[(sizes[free] > 0) & (sizes[free] <= spare) & ~gone[free]]
        losses = self._losses.beside(~gone, more)
        order = np.lexsort((sizes[more], losses))
        self._put(gone, more[order], losses[order], 0)
        return False

    def _put(self, gone: BoolArray, more: CodeArray, losses: FloatArray, at: int) -> None:
        if at < more.size:
            n = int(self._groups.sizes[gone].sum() + self._groups.sizes[more[at]])
            loss = float(losses[at])
            heappush(self._left, _Branch(loss, n, next(self._order), gone, more, losses, at))

    def _is_open(self, branch: _Branch) -> bool:
        """Whether a branch may hold something better."""
        if branch.loss > min(self._most, self._loss + _noise(self._loss)):
            return False
        return branch.loss < self._loss - _noise(self._loss) or branch.n < self._n

    def _offer(self, keep: BoolArray) -> None:
        """Take a set if it is better."""
        n, loss = int(self._groups.sizes[~keep].sum()), self._losses.of(keep)
        if n > self._limit or loss > min(self._most, self._loss + _noise(self._loss)):
            return
        if loss < self._loss - _noise(self._loss) or n < self._n:
            self._keep, self._loss, self._n = keep, min(loss, self._loss), n

    def _closed(self, gone: BoolArray) -> BoolArray | None:
        """Add the groups that go in every release without some groups; None if these are too many.

        What goes whole or not at all, and must lose something, goes.
        """
        sizes = self._groups.sizes
        while (spare := self._limit - int(sizes[gone].sum())) >= 0:
            rest = _rest(self._groups, ~gone)
            must = (self._privacy.least_suppressed(rest, spare) > 0) | ~self._steady.good(rest)
            must &= rest.sizes > 0
            if not must.any():
                return gone
            gone = gone.copy()
            gone[np.flatnonzero(~gone)[must]] = True
        return None


def _noise(loss: float) -> float:
    return _NOISE * abs(loss) if abs(loss) < np.inf else 0.0
