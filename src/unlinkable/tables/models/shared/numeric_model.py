"""What promises about a sensitive column of numbers have in common."""

from __future__ import annotations

from unlinkable.errors import SchemaError
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.taxonomies import Domain, Kind, Scale, scale_of

__all__ = ["NumericModel"]


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
