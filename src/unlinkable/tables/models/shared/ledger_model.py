"""What promises about noise have in common: they are judged from a ledger, not from records."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Self

import numpy as np
from attrs import evolve

from unlinkable.errors import SchemaError
from unlinkable.noise import Ledger
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.noise_model import NoiseModel
from unlinkable.tables.models.base.verdict import Basis
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["LedgerModel"]

_CLOSE = 1e-9
"""Costs are rounded up when they are added: this much more, relative to the bound, is no more."""


class LedgerModel(NoiseModel):
    """A promise about what noise was spent on a table.

    No published record shows whether it is kept. All groups share one verdict, which rests on the
    ledger being complete: every noisy number that was told, and every choice that was made by
    looking at the data.
    """

    @property
    @abc.abstractmethod
    def ledger(self) -> str | None:
        """The file with the ledger; None if it is the one of the release itself."""

    @property
    @abc.abstractmethod
    def _spent(self) -> Ledger | None:
        """The ledger, once it is open."""

    @abc.abstractmethod
    def cost(self, ledger: Ledger, n_records: int) -> float:
        """Price a ledger in the unit of the parameter."""

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def local(self) -> bool:
        return False

    @property
    def sources(self) -> Columns:
        return () if self.ledger is None else (self.ledger,)

    @property
    def unsearchable(self) -> str | None:
        return (
            "it is about noise, and putting records together adds none: use a method that "
            "publishes noisy counts"
        )

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        renew: Callable[..., Self] = evolve
        if self.ledger is not None:
            return (renew(self, spent=Ledger.load(context.side.path(self.ledger))),)
        return (renew(self, spent=context.ledger),)

    @property
    def opened(self) -> Ledger:
        """The ledger, which must be open by now."""
        if self._spent is None:
            raise SchemaError(
                f"{self} is judged from a ledger of noise, and there is none: name its file, like "
                'ledger="ledger.json", or use a method that publishes noisy counts'
            )
        return self._spent

    def level(self, groups: Groups) -> FloatArray:
        return np.full(len(groups), self.cost(self.opened, groups.n_records))

    def judge(self, groups: Groups) -> BoolArray:
        bound = float(getattr(self, self.parameter))
        return np.asarray(self.level(groups) <= bound * (1 + _CLOSE), bool)

    def reading(self, groups: Groups) -> str:
        return "" if self.opened.events else "the ledger is empty: it says that no noise was used"

    def basis(self, groups: Groups) -> Basis:
        return Basis.LEDGER
