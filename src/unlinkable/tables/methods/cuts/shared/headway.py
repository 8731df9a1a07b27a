"""Headway: how far a table that is generalized step by step is from its promise.

As published, that is A(QID), the size of the smallest group, and a generalization is *critical* if
it makes that larger. This is exact for a promise about sizes, if no record may be suppressed. For
other promises the distance is the number of records in groups that break it; then a generalization
is critical if it reduces that number.
"""

from __future__ import annotations

import abc

import numpy as np
from attrs import evolve

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.taxonomy_cuts import least_after
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.methods.cuts.shared.sizes import good_sizes
from unlinkable.tables.methods.cuts.shared.tea import Generalization, TeaIndex
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models.base import All, Merging
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Anonymity", "Broken", "Headway", "headway_for"]


class Headway(abc.ABC):
    """How far the groups of an index are from a promise."""

    @property
    @abc.abstractmethod
    def is_there(self) -> bool:
        """Whether the promise is kept, with no more records suppressed than allowed."""

    @property
    @abc.abstractmethod
    def keep(self) -> BoolArray:
        """Which of the living groups can be published."""

    @property
    @abc.abstractmethod
    def candidates(self) -> CodeArray:
        """The possible generalizations that may be critical."""

    @abc.abstractmethod
    def gain(self, step: Generalization) -> int:
        """Measure the privacy that a generalization gains: PG; critical ones gain more than 0."""

    @abc.abstractmethod
    def follow(self, step: Generalization) -> None:
        """Record a generalization that will be made."""


class Anonymity(Headway):
    """The size of the smallest group.

    A critical generalization makes every smallest group larger, hence an arbitrary one of them: it
    merges the value of this group with its siblings. There is at most one such on every column.
    """

    def __init__(self, index: TeaIndex, good: BoolArray) -> None:
        self._index = index
        self._good = good
        self._tally = np.bincount(index.sizes, minlength=good.size)
        self.least = int(np.argmax(self._tally[1:] > 0)) + 1
        """A(QID)."""

    @property
    def is_there(self) -> bool:
        return bool(self._good[self.least])

    @property
    def keep(self) -> BoolArray:
        return np.ones(int(self._index.lives.sum()), bool)

    @property
    def candidates(self) -> CodeArray:
        smallest = int(np.argmax(self._index.sizes == self.least))
        return self._index.above(np.array([smallest], np.int32))

    def gain(self, step: Generalization) -> int:
        # The tally counts groups by size, so the new minimum is found without visiting other
        # groups.
        old = self._index.sizes[step.rows]
        return int(least_after(self._tally, old, step.sizes, self.least)) - self.least

    def follow(self, step: Generalization) -> None:
        self.least += self.gain(step)
        np.subtract.at(self._tally, self._index.sizes[step.rows], 1)
        np.add.at(self._tally, step.sizes, 1)


class Broken(Headway):
    """The number of records in groups that break the promise, or have to go with those that do.

    Only generalizations that concern such a group are candidates: good groups stay good together.
    Groups that can be judged alone are judged alone; otherwise all of them are judged for every
    candidate.
    """

    def __init__(self, index: TeaIndex, privacy: All, limit: int) -> None:
        self._index = index
        self._privacy = privacy
        self._limit = limit
        self._good_sizes = good_sizes(index.finest, privacy)
        self._is_local = privacy.local and not (limit and privacy.relative)
        self._groups = _bare(index.finest, index.nodes, privacy)
        self._slots = np.arange(index.sizes.size, dtype=np.int32)
        """Where each of `_groups` is in the index."""
        self._keep = self._judge(self._groups)

    @property
    def n_broken(self) -> int:
        """The number of records that cannot be published."""
        return int(self._groups.sizes[~self._keep].sum())

    @property
    def is_there(self) -> bool:
        return self.n_broken <= self._limit if self._limit else bool(self._keep.all())

    @property
    def keep(self) -> BoolArray:
        return self._keep

    @property
    def candidates(self) -> CodeArray:
        return self._index.above(self._slots[~self._keep])

    def gain(self, step: Generalization) -> int:
        if not self._is_local:
            groups, _ = self._after(step)
            return self.n_broken - int(groups.sizes[~self._judge(groups)].sum())
        rows = self._places(step.rows)
        before = self._groups.sizes[rows][~self._keep[rows]].sum()
        good = self._judge(self._joined(step, rows))
        return int(before - step.sizes[~good].sum())

    def follow(self, step: Generalization) -> None:
        groups, slots = self._after(step)
        if self._is_local:
            rows = self._places(step.rows)
            is_good = np.zeros(self._index.sizes.size, bool)
            is_good[self._slots] = self._keep
            is_good[step.first] = self._judge(self._joined(step, rows))
            self._keep = is_good[slots]
        else:
            self._keep = self._judge(groups)
        self._groups, self._slots = groups, slots

    def _judge(self, groups: Groups) -> BoolArray:
        if self._good_sizes is not None:
            good: BoolArray = self._good_sizes[groups.sizes]
            return good
        # Without suppression no group goes, so the others need not be judged again without it.
        return kept(groups, self._privacy) if self._limit else self._privacy.good(groups)

    def _places(self, slots: CodeArray) -> CodeArray:
        """Find the positions of living groups of the index in `_groups`."""
        return np.searchsorted(self._slots, slots).astype(np.int32)

    def _joined(self, step: Generalization, rows: CodeArray) -> Groups:
        """Add up the groups that a generalization concerns, and no others."""
        n, groups = step.sizes.size, self._groups
        keys = self._index.nodes[step.first]
        keys[:, step.column] = step.node
        return evolve(
            groups,
            sizes=step.sizes,
            weights=sum_floats_by_label(groups.weights[rows], step.labels, n),
            histograms={
                c: _taken(h, rows).merge(step.labels, n) for c, h in groups.histograms.items()
            },
            keys=keys,
        )

    def _after(self, step: Generalization) -> tuple[Groups, CodeArray]:
        """Add up all groups as they will be, and return their positions in the index."""
        heirs = self._slots.copy()
        heirs[self._places(step.rows)] = step.first[step.labels]
        slots = self._slots[heirs == self._slots]
        keys = self._index.nodes[slots]
        keys[np.searchsorted(slots, step.first), step.column] = step.node
        parent = np.searchsorted(slots, heirs).astype(np.int32)
        return self._groups.merge(parent, slots.size, self._groups.columns, keys), slots


def headway_for(index: TeaIndex, privacy: All, limit: int) -> Headway:
    """Use the size of the smallest group if it is exact, and else the records in broken groups."""
    good = good_sizes(index.finest, privacy)
    if good is not None and not limit and privacy.merging is Merging.ABSORBS:
        return Anonymity(index, good)
    return Broken(index, privacy, limit)


def _bare(finest: Groups, nodes: CodeArray, privacy: All) -> Groups:
    """Reduce the groups to the histograms that the promise needs."""
    needed = privacy.needs() | ({(finest.owner,)} if finest.owner else set())
    histograms = {c: h for c, h in finest.histograms.items() if c in needed}
    return evolve(finest, histograms=histograms, keys=nodes.copy())


def _taken(histogram: Histogram, rows: CodeArray) -> Histogram:
    """Take some rows, in their order. O(entries taken)."""
    counts = histogram.distinct[rows]
    indptr = np.append(0, np.cumsum(counts))
    at = np.arange(indptr[-1]) + np.repeat(histogram.indptr[:-1][rows] - indptr[:-1], counts)
    return evolve(
        histogram, indptr=indptr, values=histogram.values[at], counts=histogram.counts[at]
    )
