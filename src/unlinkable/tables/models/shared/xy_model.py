"""What promises about two sets of columns have in common: what X tells of Y."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Self

from attrs import evolve

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.groups import Knowledge
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.shared.known_columns import knowing, refuse_none
from unlinkable.typing import Columns

__all__ = ["XYModel", "refuse_unfit"]


def refuse_unfit(x: Columns | None, y: Columns) -> None:
    """Refuse sets of columns that are empty, name a column twice, or share one.

    Raises
    ------
    ParameterError
        If they are so.
    """
    refuse_none("x", x)
    if not y:
        raise ParameterError("y must name at least one column")
    named = [*(x or ()), *y]
    if double := [name for name in y if named.count(name) > 1]:
        raise ParameterError(
            f"column {double[0]!r} is named twice: x is what is known, y what is to stay hidden, "
            "and a column can be one of them"
        )


class XYModel(GroupModel):
    """A promise about the values on columns Y of those who look alike on columns X.

    X is a part of the quasi-identifier. Y is any other column, or several that are taken together:
    sensitive ones, the owner, or quasi-identifying ones outside X. The latter are published less
    precisely by a search, which then cannot tell how many values are left: tables can be checked
    for such a promise, and none is searched for.
    """

    @property
    @abc.abstractmethod
    def y(self) -> Columns:
        """The columns whose values are to stay hidden."""

    @property
    @abc.abstractmethod
    def x(self) -> Columns | None:
        """The columns that are known; None for the whole quasi-identifier."""

    @property
    @abc.abstractmethod
    def _blurred(self) -> Columns:
        """The columns of Y that a search would generalize, once that is known."""

    @property
    def local(self) -> bool:
        return self.x is None

    @property
    def unsearchable(self) -> str | None:
        if not self._blurred:
            return None
        return (
            f"its y has {', '.join(map(repr, self._blurred))}, which is quasi-identifying and "
            "would be generalized, too: check a table as it stands, or give the column another role"
        )

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        knowing(self, self.x, context.quasi)
        blurred = tuple(name for name in self.y if name in context.quasi)
        if self.x is None and blurred:
            raise SchemaError(
                f"{self} is about what the whole quasi-identifier tells of {blurred[0]!r}, which "
                "is part of it: name the columns of x"
            )
        renew: Callable[..., Self] = evolve
        return (renew(self, blurred=blurred),)

    def knows(self, columns: Columns) -> Knowledge:
        return knowing(self, self.x, columns)

    def is_about(self, goal: SensitiveGoal) -> bool:
        return self.y == (goal.column,) and super().is_about(goal)
