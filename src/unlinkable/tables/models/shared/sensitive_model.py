"""What promises about a sensitive column have in common."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Self

import numpy as np
from attrs import evolve

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.model import GroupModel, ValueNormalizer
from unlinkable.tables.models.shared.listed_values import Values, normalize_values, unseen_in
from unlinkable.tables.taxonomies import Domain, Kind, Scale, scale_of
from unlinkable.typing import Columns

__all__ = ["NumericModel", "SensitiveModel"]

_MOST_LISTED = 4
"""So many values of a group are listed one by one."""


class SensitiveModel(GroupModel):
    """A promise about the values that groups hide in one sensitive column.

    A missing value is a value like any other, different from all others: that somebody's diagnosis
    is not known is something to learn. Values are counted by record, also where people own several.
    """

    @property
    @abc.abstractmethod
    def sensitive(self) -> str | None:
        """The sensitive column; None until the promise is bound to a table."""

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        sensitive = context.sensitive
        if self.sensitive is not None:
            if self.sensitive not in sensitive:
                raise SchemaError(
                    f"{unknown('sensitive column', self.sensitive, sensitive)} for {self}"
                )
            return (self,)
        if not sensitive:
            raise SchemaError(
                f"{self} is about a sensitive column, and the table has none: "
                "say which column nobody may find out"
            )
        renew: Callable[..., Self] = evolve
        return tuple(renew(self, sensitive=name) for name in sensitive)

    def with_normalized_values(self, normalize: ValueNormalizer) -> Self:
        if self.listed is None:
            return self
        renew: Callable[..., Self] = evolve
        return renew(self, values=normalize_values(self.listed, (self.column,), normalize))

    def needs(self) -> frozenset[Columns]:
        return frozenset({(self.column,)})

    @property
    def column(self) -> str:
        """The sensitive column, which must be known by now."""
        if self.sensitive is None:
            raise SchemaError(
                f"{self} does not say which sensitive column it is about: bind it to a table, "
                "or name the column"
            )
        return self.sensitive

    def describe(self, groups: Groups, at: int) -> str:
        """State how many records of a group have which value, the most frequent first."""
        hidden = self.hidden(groups)
        row = slice(hidden.indptr[at], hidden.indptr[at + 1])
        values, counts = hidden.values[row], hidden.counts[row]
        first = np.argsort(-counts, kind="stable")[:_MOST_LISTED]
        texts = [f"{hidden.text(int(values[i])) or 'missing'} {int(counts[i])}" for i in first]
        more = [f"{values.size - first.size} more values"] if values.size > first.size else []
        return f"{self.column}: {', '.join([*texts, *more])}"

    @property
    def listed(self) -> Values | None:
        """The values that the promise is about; None if it is about all."""
        return getattr(self, "values", None)

    def unseen(self, groups: Groups) -> str:
        if self.listed is None:
            return ""
        return unseen_in(self.hidden(groups), self.listed, repr(self.column))

    def hidden(self, groups: Groups) -> Histogram:
        """Give the counts of the sensitive values in each group."""
        try:
            return groups.histograms[self.column,]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {self.column!r}, which were not counted: "
                "count the table with what the promise needs"
            ) from None


class NumericModel(SensitiveModel):
    """A promise about how far apart the numbers are that groups hide in one sensitive column.

    Numbers are the decimals that were written. Dates are numbers of days. What a missing value
    means is for each promise to say.
    """

    def domain(self, groups: Groups) -> Domain:
        """Give the numbers or dates of the sensitive column."""
        taxonomy = self.hidden(groups).taxonomy
        if taxonomy is None or taxonomy.domain.kind is Kind.CATEGORY:
            raise SchemaError(
                f"{self} is about numbers or dates, and {self.column!r} holds categories: name "
                "another sensitive column, or read this one as numbers"
            )
        return taxonomy.domain

    def scale(self, groups: Groups) -> Scale:
        """Give the numbers or dates of the sensitive column as whole steps."""
        return scale_of(self.column, self.domain(groups))

    def amount(self, groups: Groups, number: float) -> str:
        """Write a distance, with its unit where that is known."""
        return f"{number:.6g}{' days' if self.domain(groups).kind is Kind.DATE else ''}"
