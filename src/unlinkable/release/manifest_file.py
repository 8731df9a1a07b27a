"""The file of a manifest, ``release.json``, written and read.

The written form is exact: a manifest that was changed in any byte is refused, be it only a space.
Formats are numbered, and what can read a format also reads all earlier ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from unlinkable.errors import BundleError
from unlinkable.release.form import Location, complaints
from unlinkable.release.manifest import FORMAT, MANIFEST, Manifest, MaskedManifest
from unlinkable.release.manifest_json import canonical_json, read_json, written_json

__all__ = ["read_manifest", "write_manifest"]


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
