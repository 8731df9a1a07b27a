"""Manifest: what recipients are told of a release, in ``release.json``.

It says what was published, what is promised, on what the promises rest, what was lost, and the
digest of every file. It holds nothing of where the data came from: no name or digest of the source,
no seed, no paths, no times (an adversary who knows all records but one could test guesses).

Every kind of data has a form of its own, with what it says besides.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from unlinkable.containment import hash_file, is_plain_name
from unlinkable.errors import DataError, UnlinkableError
from unlinkable.noise import Ledger
from unlinkable.registry import DEFAULT_KIND, Entry, look_up
from unlinkable.release.bundle.bundle_files import MANIFEST
from unlinkable.release.bundle.signed_form import SignedForm
from unlinkable.release.finding import Finding
from unlinkable.release.plan.form import Form, Many
from unlinkable.spelling import read_call

__all__ = [
    "FORMAT",
    "Figure",
    "Hex",
    "KindManifest",
    "Manifest",
    "NoiseEvents",
    "Promise",
    "PublicFile",
]

FORMAT = 5
"""The newest format of manifests."""

_MOST_PROMISES = 200
"""So many promises a release may make: each of them has to be judged."""


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


Figure = Annotated[int | float | None, PlainValidator(_figure)]
"""A number; None (null) where there is none, or where it is infinite."""

Hex = Annotated[str, BeforeValidator(_hex)]
"""A SHA-256 digest."""

NoiseEvents = Annotated[dict[str, object] | None, PlainValidator(_events)]
"""The ledger of all noise, for promises about noise."""


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

    @classmethod
    def all_of(cls, finding: Finding, rests_on: str) -> tuple[Self, ...]:
        """Tell of all promises that were judged on the published records alone."""
        keys = ("model", "holds", "basis", "achieved")
        verdicts = [{key: verdict[key] for key in keys} for verdict in finding.to_json()]
        return tuple(cls.model_validate({**said, "rests_on": rests_on}) for said in verdicts)

    @model_serializer(mode="wrap")
    def _without_what_is_not_so(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Leave out ``refers`` where it is false, as files did before there was such a thing."""
        document: dict[str, object] = write(self)
        return {key: value for key, value in document.items() if key != "refers" or value}


class PublicFile(Form):
    """A file of one half of a bundle.

    Attributes
    ----------
    name
        What it is called, beside the document that lists it.
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


class Manifest(SignedForm):
    """What recipients are told of a release, whatever kind of data it is about.

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
    models
        What is promised, with what is known about it.
    method, optimal
        How the release was made, and whether it is proved that nothing of its kind loses less.
    metrics
        What was lost, by metrics in written form.
    files
        Digests of all other files of the public half.
    """

    formats: ClassVar[tuple[int, ...]] = ()
    """The formats that are read; the last of them is written."""

    format: int
    created: Annotated[date, BeforeValidator(_day)] = Field(
        default_factory=lambda: datetime.now(UTC).date()
    )
    version: str = Field(default_factory=lambda: version("unlinkable"))
    records: int = Field(ge=0, description="give the number of published records")
    groups: int = Field(ge=0, description="give the number of groups")
    suppressed: float = Field(ge=0, le=1, description="give the share that was left out")
    models: Many[Promise] = Field(description="list what is promised", max_length=_MOST_PROMISES)
    method: str = Field(description="say how the release was found")
    optimal: bool | None = None
    metrics: dict[str, Figure] = Field(default_factory=dict)
    files: Many[PublicFile] = Field(description="list the files")

    @model_validator(mode="after")
    def _lists_nothing_twice(self) -> Self:
        for noun, names in self.listed().items():
            if twice := [name for name, n in Counter(names).items() if n > 1]:
                raise ValueError(f"the {noun} {twice[0]!r} is listed twice")
        if any(file.name == MANIFEST for file in self.files):
            raise ValueError("a manifest cannot hold its own digest in the list of files")
        if self.format not in self.formats:
            raise ValueError(f"the format must be one of {self.formats}, got {self.format}")
        return self

    def listed(self) -> dict[str, list[str]]:
        """Give the names that may occur only once, by what they are names of."""
        return {"file": [file.name for file in self.files]}

    @property
    def data_kind(self) -> str:
        """The kind of data that was published. Formats before 5 were for tables alone."""
        return DEFAULT_KIND

    @property
    def policy(self) -> Entry | None:
        """The policy of the series that the release is one of; None if a method made it.

        None, too, if what made it cannot be read here: a later version may know it.
        """
        try:
            return look_up("policy", read_call(self.method)[0])
        except UnlinkableError:
            return None

    @property
    def covers_private(self) -> bool:
        """Whether the private half has a digest of its own, and is signed if this is."""
        return True

    @property
    def n_suppressed(self) -> int | None:
        """Number of records that were left out; None if none is left to tell it from."""
        share = self.suppressed
        return round(self.records * share / (1 - share)) if share < 1 else None

    def summary(self, models: list[dict[str, object]]) -> dict[str, object]:
        """Give the main figures as ``verify --json`` prints them, with the verdicts found."""
        return {
            "records": self.records,
            "suppressed": self.n_suppressed,
            "groups": self.groups,
            "models": models,
            "metrics": dict(self.metrics),
            "method": self.method,
            "optimal": self.optimal,
        }


class KindManifest(Manifest):
    """What recipients are told of a release that names its kind of data: format 5.

    Attributes
    ----------
    kind
        The kind of data.
    noise
        The ledger of all noise, for promises about noise.
    """

    formats: ClassVar[tuple[int, ...]] = (FORMAT,)

    format: int = FORMAT
    kind: str = Field(description="name the kind of data")
    noise: NoiseEvents = None

    @property
    def data_kind(self) -> str:
        return self.kind
