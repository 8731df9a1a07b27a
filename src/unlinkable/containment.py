"""Containment: the files of an untrusted folder, and nothing outside of it.

A bundle may name its files as it likes, and its files may be links. That must not lead to
other files of the machine. Every file of a bundle is found and opened here: by a plain name in one
folder, and only if it is a file itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path

from unlinkable.errors import BundleError, in_short

__all__ = [
    "LARGEST_DOCUMENT",
    "find_file",
    "find_folder",
    "hash_file",
    "is_plain_name",
    "read_file",
]

LARGEST_DOCUMENT = 1 << 27
"""Bytes that a document of a bundle may have whose size is listed nowhere: 128 MiB."""

_PLAIN = re.compile(r"(?!\.{1,2}\Z)[^/\\:\0\ud800-\udfff]{1,255}")
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def is_plain_name(name: str) -> bool:
    """Whether a name can only be that of a file in the folder itself.

    Examples
    --------
    >>> [is_plain_name(name) for name in ("data.csv", "../data.csv", "/etc/passwd", "..", "c:x")]
    [True, False, False, False, False]
    """
    return _PLAIN.fullmatch(name) is not None


def find_file(folder: Path, name: str) -> Path:
    """Find a file of a folder.

    Raises
    ------
    BundleError
        If it is not there, is a link or no file, or the name leads out of the folder.
    """
    file = _inside(folder, name)
    try:
        mode = file.lstat().st_mode
    except OSError as error:
        raise BundleError(f"cannot read {file}: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise BundleError(f"{file} is {_what(mode)}, and no file: get the bundle again")
    return file


def find_folder(folder: Path, name: str) -> Path | None:
    """Find a folder in a folder; None if it is not there.

    Raises
    ------
    BundleError
        If it is a link or no folder, or the name leads out of the folder.
    """
    found = _inside(folder, name)
    try:
        mode = found.lstat().st_mode
    except OSError:
        return None
    if not stat.S_ISDIR(mode):
        raise BundleError(f"{found} is {_what(mode)}, and no folder: get the bundle again")
    return found


def read_file(folder: Path, name: str, most: int = LARGEST_DOCUMENT) -> bytes:
    """Read a file of a folder that is not too large.

    Raises
    ------
    BundleError
        If it cannot be found or read, or is larger.
    """
    file = find_file(folder, name)
    try:
        with open(file, "rb", opener=_opened) as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise BundleError(f"cannot read {file}: {error.strerror}") from None
    if len(content) > most:
        raise BundleError(f"{file} is too large: it has more than {most} bytes")
    return content


def hash_file(folder: Path, name: str) -> str:
    """Give the SHA-256 of a file of a folder.

    Raises
    ------
    BundleError
        If it cannot be found or read.
    """
    file = find_file(folder, name)
    try:
        with open(file, "rb", opener=_opened) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BundleError(f"cannot read {file}: {error.strerror}") from None


def _inside(folder: Path, name: str) -> Path:
    if not is_plain_name(name):
        raise BundleError(
            f"{in_short(name)} is not the name of a file in {folder}, and nothing outside of a "
            "bundle is opened"
        )
    return folder / name


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link"
    return "a folder" if stat.S_ISDIR(mode) else "something else"


def _opened(path: str, flags: int) -> int:
    # It may have become a link since it was looked at.
    return os.open(path, flags | _NO_LINKS)
