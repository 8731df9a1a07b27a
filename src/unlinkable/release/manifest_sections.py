"""The parts of a manifest, one form each. They belong to format 1 and never change again."""

from __future__ import annotations

import hashlib
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from unlinkable.errors import BundleError
from unlinkable.release.form import Form, Many

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
    # A manifest may come from anybody: it must not make a verifier open files elsewhere.
    if isinstance(value, str) and not re.fullmatch(r"(?!\.{1,2}$)[^/\\:\0]{1,255}", value):
        raise ValueError(f"must be the name of a file beside the manifest, got {value!r}")
    return value


Figure = Annotated[int | float | None, PlainValidator(_figure)]
"""A number; None (null) where there is none, or where it is infinite."""

Hex = Annotated[str, BeforeValidator(_hex)]
"""A SHA-256 digest."""


class PublishedLevel(Form):
    """One level of a taxonomy, from left to right.

    Attributes
    ----------
    labels
        What its nodes are called.
    parents
        The position of each node's parent on the level above; none on the highest level.
    """

    labels: Many[str] = Field(description="list the labels of its nodes")
    parents: Many[int] = ()


class PublishedTaxonomy(Form):
    """How the published values of a column are generalized.

    Attributes
    ----------
    kind
        What the values are.
    levels
        From the finest level that is published to the root. No level below: which values the
        original had is not told by a taxonomy.
    """

    kind: Literal["category", "number", "date"] = Field(description="say what the values are")
    levels: Many[PublishedLevel] = Field(description="list the levels, the root last")

    @model_validator(mode="after")
    def _is_a_tree(self) -> Self:
        if not self.levels or len(self.levels[-1].labels) != 1 or self.levels[-1].parents:
            raise ValueError("the last level must be the root: one node without a parent")
        for below, above in pairwise(self.levels):
            parents, last = below.parents, len(above.labels) - 1
            steps = {right - left for left, right in pairwise(parents)}
            is_in_order = steps <= {0, 1} and parents[:1] == (0,) and parents[-1:] == (last,)
            if len(parents) != len(below.labels) or not is_in_order:
                raise ValueError("every node must have a parent, from left to right without gaps")
        return self


class PublishedColumn(Form):
    """A column that recipients get."""

    name: str = Field(description="name the column")
    role: Literal[
        "identifier", "quasi-identifier", "sensitive", "target", "insensitive", "weight"
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
        What the verdict rests on: ``counted``, ``sufficient`` or ``ledger``.
    achieved
        The strongest parameter that the release reaches.
    rests_on
        What was looked at to judge it, in words.
    needs_private
        Whether the private half is needed to judge it again.
    """

    model: str = Field(description="write the model with its parameters")
    holds: bool = Field(description="say whether it is kept")
    basis: Literal["counted", "sufficient", "ledger"] = Field(description="say what it rests on")
    achieved: dict[str, Figure] = Field(description="say what is reached")
    rests_on: str = ""
    needs_private: bool = False


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
        try:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                size = stream.tell()
        except OSError as error:
            raise BundleError(f"cannot read {file}: {error.strerror}") from None
        return cls(name=file.name, sha256=digest, size=size, rows=rows)


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
