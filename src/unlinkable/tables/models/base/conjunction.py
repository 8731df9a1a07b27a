"""All: every promise that is made about a release."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.noise import Budget
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.belief_model import BeliefModel
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.noise_model import NoiseModel
from unlinkable.tables.models.base.verdict import Verdict
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["All"]


def _as_tuple(models: Iterable[GroupModel]) -> tuple[GroupModel, ...]:
    return tuple(models)


@frozen
class All(GroupModel):
    """Several promises at once.

    It merges as its least tolerant part does, and is judged part by part.
    """

    name: ClassVar[str] = "all"
    reference: ClassVar[str] = ""
    parameter: ClassVar[str] = ""

    models: tuple[GroupModel, ...] = field(converter=_as_tuple)

    @property
    def merging(self) -> Merging:
        return min((m.merging for m in self.models), default=Merging.ABSORBS)

    @property
    def local(self) -> bool:
        return all(m.local for m in self.models)

    @property
    def relative(self) -> bool:
        return any(m.relative for m in self.models)

    @property
    def least_size(self) -> int:
        return max((m.least_size for m in self.models), default=1)

    def odds(self, alike: Groups) -> Iterable[tuple[str, CodeArray, FloatArray]]:
        """State how likely people are held to have hidden values, for each promise about that."""
        believing = (model for model in self.models if isinstance(model, BeliefModel))
        return chain.from_iterable(model.odds(alike) for model in believing)

    def budget(self, n_records: int) -> Budget | None:
        """State what noise may cost by the strictest promise about it; None if there is none."""
        asked = [m.budget(n_records) for m in self.models if isinstance(m, NoiseModel)]
        if not asked:
            return None
        return Budget(min(b.epsilon for b in asked), min(b.delta for b in asked))

    def bind(self, context: BindingContext) -> tuple[GroupModel, ...]:
        return tuple(bound for m in self.models for bound in m.bind(context))

    def prepared(self, finest: Groups) -> All:
        return All(m.prepared(finest) for m in self.models)

    def needs(self) -> frozenset[Columns]:
        return frozenset().union(*(m.needs() for m in self.models))

    def judge(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for model in self.models:
            seen, there = _those_judged(model, groups)
            good[there] &= model.judge(seen)
        return good

    def good(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for model in self.models:
            seen, there = _those_judged(model, groups)
            good[there] &= model.good(seen)
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        lost = np.zeros(len(groups), np.int64)
        for model in self.models:
            seen, there = _those_judged(model, groups)
            lost[there] = np.maximum(lost[there], model.least_suppressed(seen, limit))
        return lost

    def holds(self, groups: Groups) -> bool:
        return all(m.holds(_those_judged(m, groups)[0]) for m in self.models)

    def survives(self, groups: Groups, parts: BoolArray, column: str) -> bool:
        for model in self.models:
            seen, there = _those_judged(model, groups)
            if not model.survives(seen, parts[there], column):
                return False
        return True

    def level(self, groups: Groups) -> FloatArray:
        """Several promises have no common unit."""
        raise TypeError("a conjunction has no level of its own: ask its models")

    def verdicts(self, groups: Groups) -> tuple[Verdict, ...]:
        """Judge every part."""
        return tuple(m.verdict(_those_judged(m, groups)[0]) for m in self.models)

    def __str__(self) -> str:
        return " and ".join(map(str, self.models))


def _those_judged(model: GroupModel, groups: Groups) -> tuple[Groups, BoolArray | slice]:
    """Leave out groups that hold no records, unless the promise is about these as well."""
    if model.judges_absence or groups.sizes.all():
        return groups, slice(None)
    there: BoolArray = groups.sizes > 0
    return groups.select(there), there
