"""Place: the folder that a bundle goes to, whole or not at all.

A bundle is written to a folder beside its place, and moved when it is finished. Whatever goes wrong
on the way, an error or Ctrl-C, nothing is left behind.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unlinkable.errors import BundleError
from unlinkable.release.halves import PUBLIC
from unlinkable.release.manifest import MANIFEST

__all__ = ["beside", "check_place", "flush", "settle"]


def check_place(target: Path, *, overwrite: bool) -> None:
    """Refuse a place that is taken.

    Raises
    ------
    BundleError
        If there is a file, another folder, or a bundle that is not to be overwritten.
    """
    if not (target.exists() or target.is_symlink()):
        return
    if not target.is_dir():
        raise BundleError(f"{target} is a file, and a bundle is a folder: choose another name")
    if not any(target.iterdir()):
        return
    if not (target / PUBLIC / MANIFEST).is_file():
        raise BundleError(
            f"{target} holds something that is no bundle, which is never replaced: choose another "
            "name"
        )
    if not overwrite:
        raise BundleError(f"{target} exists: choose another name, or ask to overwrite it")


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Give a folder beside the target; it is gone at the end, whatever happens."""
    made = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    part = target.parent / f".{target.name}.{secrets.token_hex(8)}.part"
    try:
        part.mkdir(parents=True)
        yield part
    except OSError as error:
        raise BundleError(
            f"cannot write the bundle {target} ({error.strerror}): check the place and its rights"
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def settle(part: Path, target: Path) -> None:
    """Move a finished bundle to its place; one that is there gives way only now."""
    old = part.with_suffix(".old")
    try:
        if target.is_dir():
            target.rename(old)
        part.rename(target)
    finally:
        if old.exists():
            if target.exists():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.rename(target)


def flush(folder: Path) -> None:
    """Make sure that what was verified is on the disk, and not only in memory."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb+") as stream:
                os.fsync(stream.fileno())
