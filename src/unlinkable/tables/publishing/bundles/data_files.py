"""The published tables of a bundle, as its manifest lists them."""

from __future__ import annotations

from pathlib import Path

from unlinkable.containment import find_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle import MANIFEST
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest

__all__ = ["data_files"]


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
