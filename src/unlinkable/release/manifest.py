"""Manifest: what recipients are told of a release, in ``release.json``.

It says what was published, what is promised, on what the promises rest, what was lost, and the
digest of every file. It holds nothing of where the records came from: no name or digest of the
source, no seed, no paths, no times (somebody who knows all records but one could test guesses).

The written form is exact: a manifest that was changed in any byte is refused, be it only a space.
Formats are numbered, and what can read a format also reads all earlier ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, ValidationError, model_validator

from unlinkable.errors import BundleError, DataError
from unlinkable.noise import Ledger
from unlinkable.release.form import Form, Location, Many, complaints
from unlinkable.release.manifest_json import canonical_json, read_json, written_json
from unlinkable.release.manifest_sections import (
    Figure,
    Promise,
    PublicFile,
    PublishedColumn,
    Signature,
)
from unlinkable.release.signing import SigningKey, VerifyingKey, fingerprint, sign, verify

__all__ = [
    "FORMAT",
    "MANIFEST",
    "Manifest",
    "MaskedManifest",
    "canonical_bytes",
    "read_manifest",
    "write_manifest",
]

FORMAT = 2
"""The newest format of manifests. A release is written in the oldest that can tell of it."""

MANIFEST = "release.json"
"""What the file is called."""


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


class Manifest(Form):
    """What recipients are told of a release whose values are generalized: format 1.

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
    signature
        The holder's signature, if there is one.
    """

    format: int = Field(default=1, ge=1, le=1)
    created: Annotated[date, BeforeValidator(_day)] = Field(description="give the day")
    version: str = Field(description="give the version of unlinkable")
    records: int = Field(ge=0, description="give the number of published records")
    groups: int = Field(ge=0, description="give the number of groups")
    suppressed: float = Field(ge=0, le=1, description="give the share that was left out")
    columns: Many[PublishedColumn] = Field(description="list what is published")
    models: Many[Promise] = Field(description="list what is promised")
    method: str = Field(description="say how the release was found")
    optimal: bool | None = None
    node: dict[str, int] | None = None
    metrics: dict[str, Figure] = Field(default_factory=dict)
    noise: Annotated[Many[object], BeforeValidator(_no_events)] = ()
    files: Many[PublicFile] = Field(description="list the files")
    signature: Signature | None = None

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
        return self

    def signed(self, key: SigningKey) -> Manifest:
        """Sign everything that the manifest says."""
        value = sign(canonical_bytes(self), key)
        signature = Signature(key=fingerprint(key.public_key()), value=value)
        return self.model_copy(update={"signature": signature})

    def is_signed_by(self, key: VerifyingKey) -> bool:
        """Tell whether the holder of this key has signed exactly what the manifest says."""
        if self.signature is None:
            return False
        return verify(canonical_bytes(self), self.signature.value, key)


class MaskedManifest(Manifest):
    """What recipients are told of a release whose values are not generalized: format 2.

    Attributes
    ----------
    treatment
        What was done: hidden values are told for whole buckets, or values were replaced.
    buckets
        The column that tells in which bucket a record is; the second table has it, too.
    counts
        The column that tells for how many people a record stands.
    told
        What else one has to know to make use of the release, such as the scale of noise.
    noise
        The ledger of all noise, for promises about noise.
    """

    format: int = Field(default=2, ge=2, le=2)
    treatment: Literal["bucketized", "perturbed"] = Field(description="say what was done")
    buckets: str | None = None
    counts: str | None = None
    told: dict[str, Figure | str] = Field(default_factory=dict)
    noise: Annotated[dict[str, object] | None, PlainValidator(_events)] = None  # type: ignore[assignment]

    @property
    def ledger(self) -> Ledger | None:
        """All noise that was spent."""
        return None if self.noise is None else Ledger.from_json(self.noise)


def canonical_bytes(manifest: Manifest) -> bytes:
    """Give what is signed: all but the signature, in one spelling."""
    told = manifest.model_dump(mode="json", exclude={"signature"})
    return canonical_json(told)


def write_manifest(manifest: Manifest, folder: Path) -> Path:
    """Write the manifest of a public half.

    Raises
    ------
    BundleError
        If there is one, or it cannot be written.
    """
    file = folder / MANIFEST
    content = _file_bytes(manifest)
    try:
        with file.open("xb") as stream:
            stream.write(content)
    except FileExistsError:
        raise BundleError(f"{file} exists and is not replaced") from None
    except OSError as error:
        raise BundleError(f"cannot write {file}: {error.strerror}") from None
    return file


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a public half.

    Raises
    ------
    BundleError
        If there is none, or it is damaged, was changed, or comes from a later version.
    """
    file = folder / MANIFEST
    if not file.is_file():
        raise BundleError(f"no {MANIFEST} in {folder}: name the public folder of a bundle")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BundleError(f"cannot read {file}: {error.strerror}") from None
    document = read_json(content, file)
    number = document.get("format")
    if type(number) is not int or number < 1:
        raise BundleError(f"{file} is damaged: it must have a format number")
    if number not in _FORMS:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {FORMAT}: upgrade "
            "unlinkable"
        )
    manifest = _read(_FORMS[number], document, file)
    if _file_bytes(manifest) != content:
        raise BundleError(f"{file} was changed: it is not as it was written")
    return manifest


def _read(form: type[Manifest], document: dict[str, object], file: Path) -> Manifest:
    digest = document.pop("digest", None)
    try:
        manifest = form.model_validate(document)
    except ValidationError as error:
        place, said = complaints(error)[0]
        raise BundleError(f"{file} is damaged: {_where(place)}{said}") from None
    if digest != _digest(manifest):
        raise BundleError(f"{file} was changed: its digest does not fit what it says")
    return manifest


_FORMS: Mapping[int, type[Manifest]] = {1: Manifest, 2: MaskedManifest}


def _file_bytes(manifest: Manifest) -> bytes:
    """Give what stands in the file."""
    told = manifest.model_dump(mode="json")
    signature = told.pop("signature")
    told["digest"] = _digest(manifest)
    if signature is not None:
        told["signature"] = signature
    return written_json(told)


def _digest(manifest: Manifest) -> str:
    """Hash all that the file says, a signature among it."""
    left_out = {"signature"} if manifest.signature is None else set()
    told = manifest.model_dump(mode="json", exclude=left_out)
    return hashlib.sha256(canonical_json(told)).hexdigest()


def _where(place: Location) -> str:
    """Name a place like ``models[0].basis``."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in place]
    return f"{''.join(parts).removeprefix('.')}: " if parts else ""
