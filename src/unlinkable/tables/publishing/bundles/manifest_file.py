"""The file of a manifest, ``release.json``, written and read.

Formats are numbered, and what can read a format also reads all earlier ones.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from unlinkable.containment import find_file, read_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle import MANIFEST, read_json
from unlinkable.tables.publishing.bundles.manifest import FORMAT, Manifest, MaskedManifest

__all__ = ["data_files", "read_manifest", "write_manifest"]


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
    if number not in _FORMS:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {FORMAT}: upgrade "
            "unlinkable"
        )
    return _FORMS[number].read(document, content, file)


_FORMS: Mapping[int, type[Manifest]] = {
    number: form for form in (Manifest, MaskedManifest) for number in form.formats
}


def data_files(public: Path, manifest: Manifest) -> list[Path]:
    """Find the published records, and what whole buckets of them hide if that is published.

    Raises
    ------
    BundleError
        If the manifest does not list as many tables, in a known format, or one is not there.
    """
    is_bucketized = isinstance(manifest, MaskedManifest) and manifest.buckets is not None
    tables = [file.name for file in manifest.files if file.rows is not None]
    known = all(name.endswith((".csv", ".parquet")) for name in tables)
    if len(tables) != (2 if is_bucketized else 1) or not known:
        wanted = "two tables" if is_bucketized else "one table"
        raise BundleError(
            f"{public / MANIFEST} must list {wanted}, as CSV or Parquet, and lists {tables}"
        )
    return [find_file(public, name) for name in tables]
