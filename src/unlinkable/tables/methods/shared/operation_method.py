"""Operations in place of a method: noise, swapping and the like, as they are."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.noise import Budget, Ledger, price
from unlinkable.tables.data import Schema, Side, Table, keep_rows, publishable_columns
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Method, Task
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.operations.base import Perturbation

__all__ = ["Operating", "as_method"]

CLOSE = 1e-9
"""Prices are rounded up when they are added: this much more, relative to the bound, is no more."""


@frozen
class Operating(RecordMethod):
    """Do one operation to the records, and publish what comes out.

    Nothing is promised of what records show; where all that is published of a person is noise, a
    promise about noise can be made, and is judged from the ledger.

    Attributes
    ----------
    operation
        What is done.
    """

    needs_promise: ClassVar[bool] = False

    operation: Perturbation = field()

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the operation is called."""
        return self.operation.name

    @property
    def reference(self) -> str:  # type: ignore[override]
        """Where the operation is defined."""
        return self.operation.reference

    def bind(self, schema: Schema) -> Self:
        return type(self)(self.operation.bind(schema))

    def opened(self, side: Side) -> Self:
        return type(self)(self.operation.opened(side))

    def refusal(self, model: GroupModel) -> str | None:
        if isinstance(model, NoiseModel):
            return None
        return (
            "it replaces values one by one, and puts no records together: promise nothing, or use "
            "mdav, anatomize or a method that generalizes"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        ledger = self.operation.ledger(table)
        budget = privacy.budget(len(table))
        if budget is not None:
            self._require_price(ledger, budget, privacy)
        frame = self.operation.apply(table, task.rng).select(publishable_columns(table))
        rows = np.arange(len(table)) if self.operation.keeps_rows else None
        if ledger is not None:
            # The order of the records may tell of their values, and nothing has paid for it.
            frame, rows = keep_rows(frame, task.rng.permutation(frame.height)), None
        return MaskedRecords(frame, rows, ledger=ledger, told=self.operation.told(table))

    def _require_price(self, ledger: Ledger | None, budget: Budget, privacy: All) -> None:
        """Refuse noise without a price, or with one that is too high.

        Raises
        ------
        UnsupportedError, InfeasibleError
            If it is so.
        """
        if ledger is None:
            raise UnsupportedError(
                f"{self} leaves columns as they are, or its noise has no known price: {privacy} "
                "needs noise on all that is published"
            )
        spent = price(ledger).at(budget.delta)
        if spent > budget.epsilon * (1 + CLOSE):
            raise InfeasibleError(
                f"{self} costs epsilon = {spent:.6g}, and {budget.epsilon:g} may be spent for "
                f"{privacy}: use more noise"
            )

    def __str__(self) -> str:
        return str(self.operation)


def as_method(method: Method | Perturbation) -> Method:
    """Take a method as it is, and an operation for the method that does it and nothing else."""
    return Operating(method) if isinstance(method, Perturbation) else method
