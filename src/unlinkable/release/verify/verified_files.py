"""Whether the files of a bundle are those that were written."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from unlinkable.containment import find_file, hash_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle.manifest import PublicFile
from unlinkable.release.bundle.signed_form import SignedForm
from unlinkable.release.bundle.signing import VerifyingKey, fingerprint

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
        if not os.path.lexists(folder / name):
            found.append(f"{name} is missing: it is listed in {list_name} and not there")
            continue
        try:
            size = find_file(folder, name).stat().st_size
            if size != file.size:
                found.append(f"{name} was changed: it has {size} bytes, not {file.size}")
            elif hash_file(folder, name) != file.sha256:
                found.append(f"{name} was changed: its digest is not the one in {list_name}")
        except BundleError as error:
            found.append(f"{name} is missing: {error}")
    known = {*expected, list_name}
    strangers = sorted(path.name for path in folder.iterdir() if path.name not in known)
    return found + [
        f"{name} does not belong there: {list_name} has no such file" for name in strangers
    ]


def signature_problem(document: SignedForm, key: VerifyingKey, what: str, file: str) -> str | None:
    """Say why a half is not signed by the holder of a key; None if it is.

    Parameters
    ----------
    document
        What lists the files of the half.
    key
        The holder's public key.
    what, file
        What the half is called, and where the document stands.
    """
    if document.signature is None:
        return f"{what} is not signed, so nothing shows that it comes from the holder of the key"
    if document.is_signed_by(key):
        return None
    if document.signature.key != fingerprint(key):
        return (
            f"{what} was signed with another key ({document.signature.key}) than the one given "
            f"({fingerprint(key)})"
        )
    return f"the signature does not fit: {file} was changed after it was signed"


def is_open_to_others(folder: Path) -> bool:
    """Whether other users of the machine can look into a folder."""
    return bool(folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
