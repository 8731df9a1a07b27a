"""The files of a bundle: what its halves are called, and where they are."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from unlinkable.containment import find_folder
from unlinkable.errors import BundleError

__all__ = ["MANIFEST", "PRIVATE", "PROVENANCE", "PUBLIC", "REPORT", "halves"]

PUBLIC, PRIVATE = "public", "private"
"""What the two halves are called."""

MANIFEST = "release.json"
"""The file of the public half that lists all others."""

PROVENANCE = "provenance.json"
"""The file of the private half that lists all others."""

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
