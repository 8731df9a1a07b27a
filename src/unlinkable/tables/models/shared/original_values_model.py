"""What promises have in common that look at people as they were before anything was generalized."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from attrs import evolve

from unlinkable.errors import SchemaError
from unlinkable.tables.groups import Groups, Histogram, number_rows
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, Columns

__all__ = ["OriginalValuesModel", "columns_of", "shows_originals"]


class OriginalValuesModel(SensitiveModel):
    """A promise about adversaries who know the original quasi-identifying values of everybody.

    Whoever has these from elsewhere knows which people are in a group, and how they differ.
    """

    about_originals: ClassVar[bool] = True

    _quasi: Columns | None
    """The quasi-identifying columns; None until the promise is bound to a table."""

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        renew: Callable[..., Self] = evolve
        return tuple(renew(model, quasi=context.quasi) for model in super().bind(context))

    @property
    def quasi(self) -> Columns:
        """The quasi-identifying columns, which must be known by now."""
        if not self._quasi:
            raise SchemaError(
                f"{self} does not know the quasi-identifying columns: bind it to a table that has "
                "some"
            )
        return self._quasi

    def counted(self, groups: Groups, columns: Columns) -> Histogram:
        """Give the counts of the original values of these columns in each group."""
        try:
            return groups.histograms[columns]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, columns))} together, which were "
                "not counted: count the table with what the promise needs"
            ) from None


def shows_originals(counted: Histogram, n_columns: int) -> bool:
    """Whether the people of every group are alike on the first columns that were counted."""
    codes = np.column_stack([codes for _, codes in columns_of(counted)[:n_columns]])
    who, _ = number_rows(codes)
    first = np.repeat(counted.indptr[:-1], counted.distinct)
    return bool((who[counted.values] == who[counted.values[first]]).all())


def columns_of(counted: Histogram) -> tuple[tuple[Taxonomy, CodeArray], ...]:
    """Give for each column that was counted its taxonomy, and its code in every code."""
    if counted.taxonomy is None:
        return counted.parts
    return ((counted.taxonomy, np.arange(counted.n_values, dtype=np.int32)),)
