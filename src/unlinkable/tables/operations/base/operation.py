"""Operation: one way to change data, as what it says of itself."""

from __future__ import annotations

import abc
from typing import ClassVar, Self

import numpy as np
from attrs import frozen

from unlinkable.noise import Ledger
from unlinkable.spelling import write_call
from unlinkable.tables.data import Frame, Schema, Side, Table

__all__ = ["Operation", "Perturbation"]


@frozen
class Operation:
    """Something that may be done to data before it is published.

    A small frozen value: its fields are the public parameters. Secrets (keys, seeds of noise) are
    never fields; they are handed to the verb that needs them, so that an operation can be printed,
    compared and written to a plan.
    """

    name: ClassVar[str]
    """What the operation is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""
    truthful: ClassVar[bool]
    """Whether every published record is still true of the person it came from."""

    def __str__(self) -> str:
        return write_call(self)


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
