"""Manifest: what recipients are told of a release, in ``release.json``.

It says what was published, what is promised, on what the promises rest, what was lost, and the
digest of every file. It holds nothing of where the records came from: no name or digest of the
source, no seed, no paths, no times (somebody who knows all records but one could test guesses).
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from unlinkable.errors import DataError
from unlinkable.noise import Ledger
from unlinkable.release.bundle import MANIFEST, SignedForm
from unlinkable.release.plan import Many
from unlinkable.tables.publishing.bundles.manifest_sections import (
    Figure,
    Promise,
    PublicFile,
    PublishedColumn,
)

__all__ = ["FORMAT", "Manifest", "MaskedManifest", "Treatment"]

FORMAT = 4
"""The newest format of manifests."""

_MOST_PROMISES = 200
"""So many promises a release may make: each of them has to be judged."""


def _day(value: object) -> object:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError(f"must be a day, like 2026-01-31, got {value!r}") from None


def _events(value: object) -> object:
    if value is not None:
        try:
            Ledger.from_json(value)
        except DataError as error:
            raise ValueError(str(error)) from None
    return value


def _no_events(value: object) -> object:
    if value not in ([], ()):
        raise ValueError("format 1 has no noise: the list must be empty")
    return value


class Manifest(SignedForm):
    """What recipients are told of a release whose values are generalized: formats 1 and 3.

    Both say the same. From format 3 on the private half has a digest of its own, and is signed if
    the manifest is: nobody can take that back without changing the manifest.

    Attributes
    ----------
    created
        The day on which it was made.
    version
        The version of this library that made it.
    records, groups
        How many records are published, and how many groups they form.
    suppressed
        Share of the records that were left out.
    columns
        What is published, with roles, and taxonomies as far as they are published.
    models
        What is promised, with what is known about it.
    method, optimal, node
        How the release was found, whether nothing of its kind loses less, and the level of every
        column if all its values are on the same one.
    metrics
        What was lost, by metrics in written form.
    noise
        The ledger of noise events: empty, nothing in this format uses noise.
    files
        Digests of all other files of the public half.
    """

    formats: ClassVar[tuple[int, ...]] = (1, 3)
    """The formats that are read; the last of them is written."""

    format: int = 3
    created: Annotated[date, BeforeValidator(_day)] = Field(description="give the day")
    version: str = Field(description="give the version of unlinkable")
    records: int = Field(ge=0, description="give the number of published records")
    groups: int = Field(ge=0, description="give the number of groups")
    suppressed: float = Field(ge=0, le=1, description="give the share that was left out")
    columns: Many[PublishedColumn] = Field(description="list what is published")
    models: Many[Promise] = Field(description="list what is promised", max_length=_MOST_PROMISES)
    method: str = Field(description="say how the release was found")
    optimal: bool | None = None
    node: dict[str, int] | None = None
    metrics: dict[str, Figure] = Field(default_factory=dict)
    noise: Annotated[Many[object], BeforeValidator(_no_events)] = ()
    files: Many[PublicFile] = Field(description="list the files")

    @model_validator(mode="after")
    def _lists_nothing_twice(self) -> Self:
        for noun, names in (
            ("column", [column.name for column in self.columns]),
            ("file", [file.name for file in self.files]),
        ):
            if twice := [name for name, n in Counter(names).items() if n > 1]:
                raise ValueError(f"the {noun} {twice[0]!r} is listed twice")
        if any(file.name == MANIFEST for file in self.files):
            raise ValueError("a manifest cannot hold its own digest in the list of files")
        if self.format not in self.formats:
            raise ValueError(f"the format must be one of {self.formats}, got {self.format}")
        return self

    @property
    def covers_private(self) -> bool:
        """Whether the private half has a digest of its own, and is signed if this is."""
        return self.format >= Manifest.formats[-1]


Treatment = Literal["bucketized", "perturbed", "generalized", "projected"]
"""What was done to values that were not all generalized alike."""


class MaskedManifest(Manifest):
    """What recipients are told of a release whose records were not all generalized alike.

    Formats 2 and 4, which differ as formats 1 and 3 do.

    Attributes
    ----------
    treatment
        What was done: hidden values are told for whole buckets, values were replaced, they were
        made coarser, but those of newcomers by themselves, or each different row is told once.
    buckets
        The column that tells in which bucket a record is; the second table has it, too.
    counts
        The column that tells for how many people a record stands.
    told
        What else one has to know to make use of the release, such as the scale of noise.
    noise
        The ledger of all noise, for promises about noise.
    """

    formats: ClassVar[tuple[int, ...]] = (2, 4)

    format: int = 4
    treatment: Treatment = Field(description="say what was done")
    buckets: str | None = None
    counts: str | None = None
    told: dict[str, Figure | str] = Field(default_factory=dict)
    noise: Annotated[dict[str, object] | None, PlainValidator(_events)] = None  # type: ignore[assignment]

    @property
    def ledger(self) -> Ledger | None:
        """All noise that was spent."""
        return None if self.noise is None else Ledger.from_json(self.noise)
