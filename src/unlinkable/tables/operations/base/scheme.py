"""Scheme: a kind of recoding that keeps every record true.

A scheme is three things: something that can be done (`apply`), a rule that recodings obey or break
(`flaws`), and a space of possible recodings (`count`) that a search would have to look through.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError
from unlinkable.tables.operations.base.operation import Operation
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Scheme", "as_positions", "as_texts", "columns_that", "marked"]


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
