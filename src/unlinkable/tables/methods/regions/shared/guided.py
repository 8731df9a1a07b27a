"""Guided cutting: what methods have in common that cut regions for the sake of some targets."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, Self

from attrs import evolve

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.shared.cuts import Penalty, unevenness
from unlinkable.tables.methods.regions.shared.cutting import CuttingMethod
from unlinkable.tables.methods.regions.shared.workload import Workload
from unlinkable.tables.methods.shared.targets import target_columns
from unlinkable.typing import Columns

__all__ = ["GuidedMethod", "are_targets"]


def are_targets(instance: object, attribute: Any, value: Columns | None) -> None:
    """Refuse a list of columns that names none."""
    if value is not None and not value:
        raise ParameterError(f"{attribute.name} must name a column: leave it out, or name one")


class GuidedMethod(CuttingMethod):
    """A search that cuts regions where the halves tell the most of some targets."""

    @property
    @abc.abstractmethod
    def targets(self) -> Columns | None:
        """The columns to be told; None until the method is bound to a table."""

    @abc.abstractmethod
    def counted(self, targets: Columns) -> list[Columns]:
        """Say which columns are counted together."""

    @abc.abstractmethod
    def workload(self, finest: Groups, targets: Columns) -> Workload:
        """Say what is left of these targets by a cut."""

    @property
    def ties(self) -> Penalty:
        return unevenness

    def bind(self, schema: Schema) -> Self:
        renew: Callable[..., Self] = evolve
        return renew(self, targets=target_columns(schema, self.targets))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return frozenset(self.counted(target_columns(schema, self.targets)))

    def penalty(self, finest: Groups, task: Task) -> Penalty:
        if self.targets is None:
            raise SchemaError(
                f"{self} does not know what is to be told: name the columns with targets=..., or "
                "bind it to the table"
            )
        return self.workload(finest, self.targets)
