"""What a manifest says of columns, one form each. What format 1 says never changes again."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import (
    Field,
    model_validator,
)

from unlinkable.errors import BundleError
from unlinkable.release.plan import Form, Many
from unlinkable.tables.taxonomies import Kind, Taxonomy, taxonomy_from_json

__all__ = ["PublishedColumn", "PublishedLevel", "PublishedTaxonomy"]


Value = str | int | float
"""A value of a domain, or the end of an interval."""


class PublishedLevel(Form):
    """One level of a taxonomy, from left to right.

    Attributes
    ----------
    starts
        The position of the first value of every node.
    labels
        What the nodes are called, if they have names.
    lower, upper
        Where the nodes begin and end, if a rule says so; None for an open end.
    """

    starts: Many[int] = Field(description="say where its nodes begin")
    labels: Many[str] | None = None
    lower: Many[Value | None] | None = None
    upper: Many[Value | None] | None = None


class PublishedTaxonomy(Form):
    """How the published values of a column lie to each other.

    Attributes
    ----------
    type
        What the values are.
    values
        The finest values that are told, from left to right; none if they are too many to list.
        Which other values the original had is not told.
    missing
        Whether a missing value is published.
    levels
        The levels between the values and the root.
    root
        What everything together is called.
    """

    type: Literal["text", "int64", "uint64", "float64", "date", "time"] = Field(
        description="say what the values are"
    )
    values: Many[Value] = Field(description="list the values")
    missing: bool = Field(description="say whether a missing value is published")
    levels: Many[PublishedLevel] = Field(description="list the levels below the root")
    root: str = Field(description="name the root")

    @model_validator(mode="after")
    def _is_a_tree(self) -> Self:
        try:
            self.taxonomy()
        except BundleError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def kind(self) -> Kind:
        """What sort of values there are."""
        kinds = {"text": Kind.CATEGORY, "date": Kind.DATE, "time": Kind.DATE}
        return kinds.get(self.type, Kind.NUMBER)

    def taxonomy(self) -> Taxonomy:
        """Give the taxonomy that is told.

        Raises
        ------
        BundleError
            If it is none.
        """
        told = self.model_dump(mode="json")
        levels = [{k: v for k, v in level.items() if v is not None} for level in told["levels"]]
        return taxonomy_from_json({**told, "levels": levels})


class PublishedColumn(Form):
    """A column that recipients get.

    The roles ``bucket``, ``count`` and ``made`` are for columns that a method adds (format 2).
    """

    name: str = Field(description="name the column")
    role: Literal[
        "identifier",
        "quasi-identifier",
        "sensitive",
        "target",
        "insensitive",
        "weight",
        "bucket",
        "count",
        "made",
    ] = Field(description="say what it says about a person")
    taxonomy: PublishedTaxonomy | None = None
    treatment: Literal["pseudonym", "mask"] | None = None

    @model_validator(mode="after")
    def _names_nobody(self) -> Self:
        if (self.role == "identifier") != (self.treatment is not None):
            raise ValueError(
                "an identifier is published with a treatment (pseudonym or mask) or not at all, "
                "and nothing else has one"
            )
        return self
