"""A promise, taken apart: what sizes alone can tell, and what must be counted."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.region_layout import unseen
from unlinkable.tables.models.base import All, Merging
from unlinkable.typing import BoolArray

__all__ = ["Judge"]


@define(eq=False, frozen=True)
class Judge:
    """Decides whether groups keep a promise, by their sizes first.

    Attributes
    ----------
    least
        No group of fewer records keeps the promise.
    rest
        What is left to judge in groups of at least that size.
    """

    least: int
    rest: All

    @classmethod
    def of(cls, finest: Groups, privacy: All) -> Self:
        """Find the size from which on a promise that is judged on sizes alone is kept.

        A promise that asks for no counts sees nothing but sizes, if the table has neither owners
        nor weights; and if a group that keeps it keeps it whatever is merged in, there is such a
        size. All records together must keep it.
        """
        if finest.owner is not None or not np.array_equal(finest.weights, finest.sizes):
            return cls(1, privacy)
        by_size = [m for m in privacy.models if m.merging is Merging.ABSORBS and not m.needs()]
        rest = All(m for m in privacy.models if m not in by_size)
        return cls(_least_size(finest, All(by_size)), rest)

    @property
    def sizes_suffice(self) -> bool:
        """Whether nothing is left to judge."""
        return not self.rest.models

    def keeps(self, groups: Groups) -> BoolArray:
        """Tell which groups keep the promise."""
        return (groups.sizes >= self.least) & self.rest.judge(groups)


def _least_size(finest: Groups, privacy: All) -> int:
    bad, good = 0, finest.n_records
    while good - bad > 1:
        size = np.array([(bad + good) // 2])
        if privacy.judge(unseen(finest, size, size.astype(float), {})).all():
            good = int(size[0])
        else:
            bad = int(size[0])
    return good
