"""Halves: where the files of a bundle are."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from unlinkable.containment import find_file, find_folder
from unlinkable.errors import BundleError
from unlinkable.tables.publishing.bundles.manifest import MANIFEST, Manifest, MaskedManifest

__all__ = ["PRIVATE", "PUBLIC", "REPORT", "data_files", "halves"]

PUBLIC, PRIVATE = "public", "private"
"""What the two halves are called."""

REPORT = "report.html"
"""What the explanation for people is called, in each half."""


def halves(folder: Path) -> tuple[Path, Path | None]:
    """Find the public half and, if it is there, the private one.

    Raises
    ------
    BundleError
        If there is no public half, or one of them is a link to elsewhere.
    """
    if not folder.is_dir():
        _put_back(folder)
    if not folder.is_dir():
        raise BundleError(f"no folder {folder}: name a bundle, or its public half")
    if (public := find_folder(folder, PUBLIC)) is not None:
        return public, find_folder(folder, PRIVATE)
    if folder.name == PUBLIC:
        find_folder(folder.parent, PUBLIC)
    if not os.path.lexists(folder / MANIFEST):
        raise BundleError(
            f"{folder} is no bundle: it has neither a folder {PUBLIC!r} nor a file {MANIFEST!r}"
        )
    return folder, None


def _put_back(folder: Path) -> None:
    """Put a bundle back if whoever replaced it was cut off in between."""
    from unlinkable.release.bundle.place import recover

    target = folder.resolve()
    with suppress(OSError):  # Where nothing can be written there is nothing to find either.
        recover(target.parent if target.name == PUBLIC else target)


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
