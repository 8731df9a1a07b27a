"""Cutting regions where a promise concerns what several of them show together.

An adversary who knows only some columns sees regions merged that look alike on these. Whether a cut
is good then depends on all other regions. So cuts are tried out: a whole generation of them is
judged as it would be published, and where it breaks the promise, smaller and smaller parts of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from attrs import define, evolve

from unlinkable.kernels.splitting import halve
from unlinkable.tables.groups import Groups, nameable, number_rows
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout, Regions
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import BoolArray, CountArray, Progress

__all__ = ["JointBisection"]

_WORK = 1 << 22
"""Groups that may be judged in a round before batches of cuts are given up as a whole."""

_LOOKS = 1 << 26
"""Groups that may be judged in all, each on every set of columns that an adversary may know.
Then every batch of cuts that breaks the promise is given up as a whole."""


@define(eq=False, frozen=True)
class JointBisection:
    """One way of cutting regions for a promise that is judged on all of them at once.

    Attributes
    ----------
    layout, privacy
        What is cut, and what the release must keep.
    attributes, in_taxonomy
        What regions are called when they are published.
    strict
        Whether records with equal values stay together.
    effort
        What it took so far.
    is_stopped
        Whether the search was asked to end with what there is.
    """

    layout: RegionLayout
    privacy: All
    attributes: tuple[Attribute, ...]
    in_taxonomy: bool
    strict: bool
    effort: Counter[str]
    is_stopped: Callable[[], bool]

    def run(self, regions: Regions, progress: Progress) -> Regions:
        """Cut regions that keep the promise until no cut is good any more, or it is stopped.

        Every region is cut as evenly as can be on one column after the other. When all were tried
        and any was cut, what was given up is tried again: other regions may look like it by now.
        """
        n_before = 0
        while len(regions) > n_before:
            n_before = len(regions)
            regions.last[:] = -1
            is_open = np.ones(len(regions), bool)
            while is_open.any() and not self.is_stopped():
                regions, is_open = self._round(regions, is_open)
                progress(0.0, f"{len(regions)} regions")
        progress(1.0, f"{len(regions)} regions")
        return regions

    def _round(self, regions: Regions, is_open: BoolArray) -> tuple[Regions, BoolArray]:
        """Cut open regions on their next column; tell which regions are still open."""
        open_ = regions.select(is_open)
        middle, lower, n_tried = halve(
            *self.layout.rows,
            open_.start,
            open_.end,
            open_.sizes,
            open_.lo,
            open_.hi,
            open_.last,
            *self.layout.axes,
            1,
            self.strict,
        )
        can = middle >= 0
        cut, closed = open_.select(can), regions.select(~is_open)
        halves = self.layout.halves(cut, middle[can], lower[can])
        closed = Regions.together([closed, open_.select(~can)])
        is_good = self._largest(closed, cut, halves)
        self.effort["rounds"] += 1
        self.effort["cuts_tried"] += n_tried
        self.effort["cuts_made"] += int(is_good.sum())
        waits, made = cut.select(~is_good), halves.select(np.repeat(is_good, 2))
        still_open = np.arange(len(closed) + len(waits) + len(made)) >= len(closed)
        return Regions.together([closed, waits, made]), still_open

    def _largest(self, closed: Regions, cut: Regions, halves: Regions) -> BoolArray:
        """Find cuts that can be made together, by halving what cannot.

        In the end cuts are tried one by one; where regions are so many that this would take too
        long, in batches.
        """
        groups = self._published(Regions.together([closed, cut, halves]))
        good = np.zeros(len(cut), bool)
        waiting = [np.flatnonzero(self._have_a_chance(groups, len(closed) + len(cut)))]
        smallest = len(cut) * len(groups) // _WORK + 1
        most = _LOOKS // self._n_sets()
        while waiting and not self.is_stopped():
            batch = waiting.pop()
            if not batch.size:
                continue
            trial = good.copy()
            trial[batch] = True
            marks = np.concatenate([np.ones(len(closed), bool), ~trial, np.repeat(trial, 2)])
            kept = self._keeps(groups.select(marks))
            if kept.all():
                good = trial
            elif batch.size > smallest and self.effort["groups_judged"] <= most:
                is_kept = np.zeros(len(good), bool)
                is_kept[trial] = kept[kept.size - 2 * int(trial.sum()) :].reshape(-1, 2).all(axis=1)
                waiting += _two_parts(batch, is_kept[batch])
        return good

    def _n_sets(self) -> int:
        """Count the sets of columns on which groups are looked at when they are judged."""
        known = [model.knows(self.layout.finest.columns) for model in self.privacy.models]
        return sum(k.n_combinations for k in known)

    def _published(self, regions: Regions) -> Groups:
        """Give regions with what they would show."""
        lo, hi = nameable(regions.lo, regions.hi, self.attributes, in_taxonomy=self.in_taxonomy)
        keys = [number_rows(np.column_stack(r))[0] for r in zip(lo.T, hi.T, strict=True)]
        groups = self.layout.groups(regions.start, regions.end, regions.sizes)
        return evolve(groups, columns=self.layout.finest.columns, keys=np.column_stack(keys))

    def _have_a_chance(self, groups: Groups, n_regions: int) -> BoolArray:
        """Tell which cuts may be good beside some of the others.

        A promise that absorbs whatever is merged in, and that a half breaks even together with all
        regions and halves that look like it, is broken by the cut in any case.
        """
        absorbing = All(m for m in self.privacy.models if m.merging is Merging.ABSORBS)
        self.effort["groups_judged"] += len(groups)
        kept: BoolArray = absorbing.good(groups)[n_regions:].reshape(-1, 2).min(axis=1)
        return kept

    def _keeps(self, groups: Groups) -> BoolArray:
        """Judge groups by what they show; those that look alike all over keep it together too."""
        self.effort["groups_judged"] += len(groups)
        return self.privacy.good(groups)


def _two_parts(batch: CountArray, is_kept: BoolArray) -> list[CountArray]:
    """Cut a batch in two: what broke the promise, and what did not and is tried first."""
    if is_kept.all() or not is_kept.any():
        is_kept = np.arange(batch.size) < batch.size // 2
    return [batch[~is_kept], batch[is_kept]]
