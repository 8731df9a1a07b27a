"""Perturbation: an operation that replaces values by others, record by record.

Published records are then no longer true of the people they came from; what is kept is what they
say together. A perturbation can be used wherever a method can: ``additive-noise(scale=2)``.
"""

from __future__ import annotations

import abc
from typing import ClassVar, Self

import numpy as np
from attrs import frozen

from unlinkable.noise import Ledger
from unlinkable.tables.data import Frame, Schema, Side, Table
from unlinkable.tables.operations.base.operation import Operation

__all__ = ["Perturbation"]


@frozen
class Perturbation(Operation, abc.ABC):
    """Something that replaces values by others."""

    truthful: ClassVar[bool] = False
    keeps_rows: ClassVar[bool] = True
    """Whether each record that comes out is one that went in, in its place."""

    def bind(self, schema: Schema) -> Self:
        """Fill in which columns are meant, where that was left to their roles.

        Raises
        ------
        SchemaError
            If there is no such column.
        """
        return self

    def opened(self, side: Side) -> Self:
        """Read the files that its parameters name."""
        return self

    def told(self, table: Table) -> dict[str, float | str]:
        """Say what recipients have to know besides the parameters, such as the scale of noise."""
        return {}

    @abc.abstractmethod
    def apply(self, table: Table, rng: np.random.Generator) -> Frame:
        """Give the records with other values, with all columns of the table.

        Each is in its place, unless records are made up (`keeps_rows`).

        Raises
        ------
        SchemaError, UnsupportedError
            If a column is not of a kind that this can be done to.
        """

    def ledger(self, table: Table) -> Ledger | None:
        """Write down the noise, if all that is published of a person is paid for; else None."""
        return None
