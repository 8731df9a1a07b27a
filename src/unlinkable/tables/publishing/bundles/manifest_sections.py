"""The parts of a manifest, one form each. What format 1 says in them never changes again."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from unlinkable.containment import hash_file, is_plain_name
from unlinkable.errors import BundleError
from unlinkable.release.plan import Form, Many
from unlinkable.tables.taxonomies import Kind, Taxonomy, taxonomy_from_json

__all__ = [
    "Figure",
    "Hex",
    "Promise",
    "PublicFile",
    "PublishedColumn",
    "PublishedLevel",
    "PublishedTaxonomy",
    "Signature",
]


def _figure(value: object) -> int | float | None:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"must be a number, got {value!r}")
    return value


def _hex(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch("[0-9a-f]{64}", value):
        raise ValueError("must be a SHA-256 digest of 64 hexadecimal digits")
    return value


def _file_name(value: object) -> object:
    if isinstance(value, str) and not is_plain_name(value):
        raise ValueError(f"must be the name of a file beside the manifest, got {value!r}")
    return value


Figure = Annotated[int | float | None, PlainValidator(_figure)]
"""A number; None (null) where there is none, or where it is infinite."""

Hex = Annotated[str, BeforeValidator(_hex)]
"""A SHA-256 digest."""


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


class Promise(Form):
    """What is promised, and what is known about it.

    Attributes
    ----------
    model
        The model with its parameters, in written form.
    holds
        Whether it is kept.
    basis
        What the verdict rests on: ``counted``, ``estimated``, ``sufficient`` or ``ledger``.
    achieved
        The strongest parameter that the release reaches.
    rests_on
        What was looked at to judge it, in words.
    needs_private
        Whether the private half is needed to judge it again in full.
    refers
        Whether it refers to what only the holder has: without it, nothing can be judged.
    """

    model: str = Field(description="write the model with its parameters")
    holds: bool = Field(description="say whether it is kept")
    basis: Literal["counted", "estimated", "sufficient", "ledger"] = Field(
        description="say what it rests on"
    )
    achieved: dict[str, Figure] = Field(description="say what is reached")
    rests_on: str = ""
    needs_private: bool = False
    refers: bool = False

    @model_serializer(mode="wrap")
    def _without_what_is_not_so(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Leave out ``refers`` where it is false, as files did before there was such a thing."""
        told: dict[str, object] = write(self)
        return {key: value for key, value in told.items() if key != "refers" or value}


class PublicFile(Form):
    """A file of the public half.

    Attributes
    ----------
    name
        What it is called, beside the manifest.
    sha256, size
        The digest and the number of its bytes.
    rows
        The number of records in it; None for what is no table.
    """

    name: Annotated[str, BeforeValidator(_file_name)] = Field(description="name the file")
    sha256: Hex = Field(description="give its digest")
    size: int = Field(ge=0, description="give the number of its bytes")
    rows: int | None = Field(default=None, ge=0)

    @classmethod
    def of(cls, file: Path, rows: int | None = None) -> Self:
        """Look at a file.

        Raises
        ------
        BundleError
            If it cannot be read.
        """
        digest = hash_file(file.parent, file.name)
        return cls(name=file.name, sha256=digest, size=file.stat().st_size, rows=rows)


class Signature(Form):
    """The holder's signature.

    Attributes
    ----------
    algorithm
        How it was made.
    key
        The fingerprint of the public key that checks it.
    value
        The signature, in base64.
    """

    algorithm: Literal["ed25519"] = "ed25519"
    key: str = Field(description="give the fingerprint of the public key")
    value: str = Field(description="give the signature")
