"""Whether the files of a bundle are those that were written."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from unlinkable.errors import BundleError
from unlinkable.release.manifest import Manifest
from unlinkable.release.manifest_sections import PublicFile
from unlinkable.release.signing import VerifyingKey, fingerprint

__all__ = ["changed_files", "is_open_to_others", "signature_problem"]


def changed_files(folder: Path, listed: Iterable[PublicFile], list_name: str) -> list[str]:
    """Say which files are missing, were changed, or do not belong there.

    Parameters
    ----------
    folder
        One half of a bundle.
    listed
        What should be in it.
    list_name
        The file that says so, which is not in its own list.
    """
    expected = {file.name: file for file in listed}
    found = []
    for name, file in expected.items():
        path = folder / name
        if path.is_symlink() or not path.is_file():
            found.append(f"{name} is missing: it is listed in {list_name} and not there")
            continue
        try:
            there = PublicFile.of(path)
        except BundleError as error:
            found.append(str(error))
            continue
        if there.size != file.size:
            found.append(f"{name} was changed: it has {there.size} bytes, not {file.size}")
        elif there.sha256 != file.sha256:
            found.append(f"{name} was changed: its digest is not the one in {list_name}")
    known = {*expected, list_name}
    strangers = sorted(path.name for path in folder.iterdir() if path.name not in known)
    return found + [
        f"{name} does not belong there: {list_name} has no such file" for name in strangers
    ]


def signature_problem(manifest: Manifest, key: VerifyingKey) -> str | None:
    """Say why a manifest is not signed by the holder of a key; None if it is."""
    if manifest.signature is None:
        return (
            "the release is not signed, so nothing shows that it comes from the holder of the key"
        )
    if manifest.is_signed_by(key):
        return None
    if manifest.signature.key != fingerprint(key):
        return (
            f"the release was signed with another key ({manifest.signature.key}) than the one "
            f"given ({fingerprint(key)})"
        )
    return "the signature does not fit: the manifest was changed after it was signed"


def is_open_to_others(folder: Path) -> bool:
    """Whether other users of the machine can look into a folder."""
    return bool(folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
