"""The file of a manifest, ``release.json``, written and read.

Formats are numbered, and what can read a format also reads all earlier ones.
"""

from __future__ import annotations

import os
from pathlib import Path

from unlinkable.containment import read_file
from unlinkable.errors import BundleError, ParameterError
from unlinkable.registry import DEFAULT_KIND
from unlinkable.release.bundle.bundle_files import MANIFEST
from unlinkable.release.bundle.manifest import FORMAT, Manifest
from unlinkable.release.bundle.manifest_json import read_json
from unlinkable.release.kind import kind_called

__all__ = ["read_manifest", "write_manifest"]


def write_manifest(manifest: Manifest, folder: Path) -> Path:
    """Write the manifest of a public half.

    Raises
    ------
    BundleError
        If there is one, or it cannot be written.
    """
    file = folder / MANIFEST
    content = manifest.file_bytes()
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
    if not os.path.lexists(file):
        raise BundleError(f"no {MANIFEST} in {folder}: name the public folder of a bundle")
    content = read_file(folder, MANIFEST)
    document = read_json(content, file)
    number = document.get("format")
    if type(number) is not int or number < 1:
        raise BundleError(f"{file} is damaged: it must have a format number")
    if number > FORMAT:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {FORMAT}: upgrade "
            "unlinkable"
        )
    # Formats before 5 were for tables alone, and do not name the kind of data.
    kind = document.get("kind", DEFAULT_KIND)
    try:
        forms = kind_called(str(kind)).manifests
    except ParameterError as error:
        raise BundleError(f"{file} cannot be read here: {error}") from None
    for form in forms:
        if number in form.formats:
            return form.read(document, content, file)
    raise BundleError(f"{file} is damaged: no release of {kind} has format {number}")
