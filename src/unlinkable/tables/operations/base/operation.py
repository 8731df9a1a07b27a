"""Operation: one way to change data, and what it declares."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from typing import ClassVar, Self

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError
from unlinkable.noise import Ledger
from unlinkable.registry import Registered
from unlinkable.tables.data import Frame, Schema, Side, Table
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = [
    "Operation",
    "Perturbation",
    "Scheme",
    "as_positions",
    "as_texts",
    "columns_that",
    "marked",
]


@frozen
class Operation(Registered):
    """Something that may be done to data before it is published.

    A small frozen value: its fields are the public parameters. Secrets (keys, seeds of noise) are
    never fields; they are handed to the verb that needs them, so that an operation can be printed,
    compared and written to a plan.
    """

    entry_kind: ClassVar[str] = "operation"
    truthful: ClassVar[bool]
    """Whether every published record is still true of the person it came from."""


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


def as_texts(values: Iterable[str]) -> tuple[str, ...]:
    """Take texts in any form."""
    return tuple(values)


def as_positions(values: Iterable[int]) -> tuple[int, ...]:
    """Take positions of records in any form."""
    return tuple(int(value) for value in values)


@frozen
class Scheme(Operation, abc.ABC):
    """A way of generalizing or suppressing values."""

    truthful: ClassVar[bool] = True

    @abc.abstractmethod
    def apply(self, recoding: Recoding) -> Recoding:
        """Do it.

        Raises
        ------
        SchemaError
            If there is no such column.
        ParameterError
            If what is to be done is not of this kind.
        """

    @classmethod
    @abc.abstractmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        """Say what of a recoding this scheme does not allow; nothing if it is of this kind."""

    @classmethod
    @abc.abstractmethod
    def count(cls, recoding: Recoding) -> int:
        """Count the recodings of this kind that the table could have."""


def columns_that(
    recoding: Recoding,
    are_fine: Callable[[Taxonomy, CodeArray, CodeArray, CodeArray], bool],
    said: str,
) -> list[str]:
    """Say something of every column whose values and ranges are not as they should be."""
    kept = recoding.kept
    return [
        f"{name!r} {said}"
        for j, name in enumerate(recoding.columns)
        if not are_fine(
            recoding.taxonomies[j],
            recoding.codes[kept, j],
            recoding.lo[kept, j],
            recoding.hi[kept, j],
        )
    ]


def marked(recoding: Recoding, records: tuple[int, ...]) -> BoolArray:
    """Mark records that are given by their positions, the first of which is 0.

    Raises
    ------
    ParameterError
        If there is no such record.
    """
    n = recoding.kept.size
    for position in records:
        if not 0 <= position < n:
            raise ParameterError(f"there is no record {position} among {n}, counted from 0")
    chosen = np.zeros(n, bool)
    chosen[list(records)] = True
    return chosen
