"""What promises about the distance between groups and others have in common."""

from __future__ import annotations

import abc
from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar, Self

from attrs import evolve

from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.distribution_distance import DistributionDistance
from unlinkable.tables.models.shared.given_distances import GivenDistances
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import Columns

__all__ = ["ClosenessModel"]


class ClosenessModel(SensitiveModel):
    """A promise that what groups hide is at most ``t`` away from what others hide."""

    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    parameter: ClassVar[str] = "t"
    higher_is_safer: ClassVar[bool] = False

    @property
    @abc.abstractmethod
    def t(self) -> Fraction:
        """The largest distance."""

    @property
    @abc.abstractmethod
    def distance(self) -> GroundDistance:
        """By which distance."""

    @property
    @abc.abstractmethod
    def ground(self) -> str | None:
        """The side table with the distances between values, if they are given."""

    @property
    @abc.abstractmethod
    def _given(self) -> GivenDistances | None:
        """What the side table says; None until it was read."""

    @property
    def relative(self) -> bool:
        return True

    @property
    def sources(self) -> Columns:
        return () if self.ground is None else (self.ground,)

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        bound = super().bind(context)
        if self.ground is None:
            return bound
        renew: Callable[..., Self] = evolve
        given = GivenDistances.read(context.side.open(self.ground))
        return tuple(renew(model, given=given) for model in bound)

    def prepared_distance(self, groups: Groups) -> DistributionDistance:
        """Make the distance ready for the table that groups are compared with."""
        hidden, whole = self.hidden(groups), groups.whole[self.column,]
        return self.distance.prepare(self.column, hidden, whole, self._given)

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as short a distance, by whatever name, and all else is the same."""
        if not isinstance(other, type(self)) or self.distance.plain is not other.distance.plain:
            return False
        renew: Callable[..., Self] = evolve
        return self.t <= other.t and renew(self, t=other.t, distance=other.distance) == other

    def refuse_invalid_values(self) -> None:
        """Refuse parameters that do not go together."""
        if self.distance.is_share and self.t > 1:
            raise ParameterError(f"t must be at most 1, got {self.t}")
        if self.distance is GroundDistance.GIVEN and self.ground is None:
            raise ParameterError(
                "the distance is given, and ground does not say where: name a side table with the "
                "columns from, to and distance"
            )
        if self.distance is not GroundDistance.GIVEN and self.ground is not None:
            raise ParameterError(
                f"ground is a side table for the distance given, and the distance is "
                f"{self.distance}: leave ground out, or write distance=given"
            )
