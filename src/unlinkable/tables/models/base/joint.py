"""Joint: several promises under one name."""

from __future__ import annotations

import abc
from collections.abc import Mapping

import numpy as np

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

__all__ = ["Joint"]


class Joint(GroupModel):
    """A promise that is several promises of the same adversary at once, under one name."""

    @property
    @abc.abstractmethod
    def parts(self) -> Mapping[str, GroupModel]:
        """The promises, by the parameters that bound them; first the one that `level` measures."""

    @property
    def merging(self) -> Merging:
        return min(part.merging for part in self.parts.values())

    @property
    def relative(self) -> bool:
        return any(part.relative for part in self.parts.values())

    @property
    def least_size(self) -> int:
        return max(model.least_size for model in self.parts.values())

    def needs(self) -> frozenset[Columns]:
        return frozenset().union(*(part.needs() for part in self.parts.values()))

    def judge(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for part in self.parts.values():
            good &= part.judge(groups)
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Measure the first part where the others are kept; elsewhere nothing would do."""
        first, *others = self.parts.values()
        level, hopeless = first.level(groups), -np.inf if self.higher_is_safer else np.inf
        for other in others:
            level = np.where(other.judge(groups), level, hopeless)
        return level

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        lost = np.zeros(len(groups), np.int64)
        for part in self.parts.values():
            np.maximum(lost, part.least_suppressed(groups, limit), out=lost)
        return lost

    def reached(self, groups: Groups, level: float) -> Mapping[str, float | None]:
        """Name what the table reaches by each of its parameters alone."""
        found: dict[str, float | None] = {}
        for name, part in self.parts.items():
            sign = 1.0 if part.higher_is_safer else -1.0
            least = min(
                (float((sign * part.level(seen)).min()) for seen, _ in self.seen(groups)),
            )
            found[name] = sign * least
        return found

    def witness(self, groups: Groups, at: int) -> str:
        """State which parts are broken, or how close the group is to the bounds."""
        parts = self.parts.values()
        broken = [part for part in parts if not part.judge(groups)[at]] or parts
        return "; ".join(part.witness(groups, at) for part in broken)

    def consequences(self) -> tuple[GroupModel, ...]:
        return tuple(self.parts.values())
