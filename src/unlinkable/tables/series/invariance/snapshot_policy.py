"""Snapshot policies: people come and go, and groups are made for one sensitive column."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from attrs import evolve

from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.data import Schema
from unlinkable.tables.methods.perturb import only_sensitive
from unlinkable.tables.series.policy import Policy, Request

__all__ = ["SnapshotPolicy"]


class SnapshotPolicy(Policy):
    """A policy that publishes one record of everybody who is there, by a method of its own.

    Attributes
    ----------
    sensitive
        The column that is protected, and the only one that is published beside the
        quasi-identifier. If not given, the only sensitive one.
    """

    needs_promise: ClassVar[bool] = False
    groups_people: ClassVar[bool] = True

    sensitive: str | None

    def bind(self, schema: Schema) -> Self:
        if not schema.quasi:
            raise SchemaError(f"{self.name} puts people together by quasi-identifiers: name some")
        chosen = only_sensitive(schema, self.sensitive, f"{self.name} publishes")
        renew: Callable[..., Self] = evolve
        return renew(self, sensitive=chosen)

    def column_of(self, request: Request) -> str:
        """Name the column that is protected in a table that can be treated.

        Raises
        ------
        SchemaError
            If it is not clear which column is meant.
        UnsupportedError
            If a method was asked for, or somebody has several records.
        """
        if request.method is not None:
            raise UnsupportedError(
                f"{self.name} makes releases by a method of its own, and {request.method} was "
                "asked for: leave the method out"
            )
        if np.unique(request.people).size != request.people.size:
            raise UnsupportedError(
                f"{self.name} takes one record of each person in a release, and some have several"
            )
        column = self.bind(request.table.schema).sensitive
        assert column is not None
        return column
