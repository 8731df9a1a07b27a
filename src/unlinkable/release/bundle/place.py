"""Place: the folder that a bundle goes to, whole or not at all.

A bundle is written to a folder beside its place, and moved when it is finished. Whatever goes wrong
on the way, an error or a signal, nothing is left behind. A process that is killed outright cannot
tidy up: a lock beside the place tells whether whoever writes there still lives, and the next one
puts the old bundle back and removes the rest.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from attrs import define

from unlinkable.errors import BundleError
from unlinkable.file_lock import take_lock
from unlinkable.release.bundle.bundle_files import MANIFEST, PRIVATE, PROVENANCE, PUBLIC
from unlinkable.release.bundle.signals import signals_later

__all__ = ["UNFINISHED", "beside", "check_place", "flush", "recover", "settle", "sync_folder"]

_LISTS = {PRIVATE: PROVENANCE, PUBLIC: MANIFEST}
"""The file of each half that lists all others."""

_LOCK = "unlinkable-lock"
_LEFT_BEHIND = re.compile(rf"\.(.+?)\.(?:[0-9a-f]{{16}}\.(?:part|old)|{_LOCK})")
"""What is beside a place while a bundle is written; the group is the name of the place."""

UNFINISHED: set[Path] = set()
"""The folders that bundles are written to now: they go if the process has to be ended."""


def check_place(target: Path, *, overwrite: bool) -> None:
    """Refuse a place that is taken.

    Raises
    ------
    BundleError
        If there is a file, another folder, a bundle that is not to be overwritten, or one with
        something beside it.
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
    _require_bundle_only(target, target)


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Give a folder beside the target; it is gone at the end, whatever happens.

    Meanwhile the place is held: nobody else can write a bundle there.

    Raises
    ------
    BundleError
        If another process writes there, or nothing can be written.
    """
    made = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    part = target.parent / f".{target.name}.{secrets.token_hex(8)}.part"
    lock = None
    try:
        with signals_later():
            target.parent.mkdir(parents=True, exist_ok=True)
            _sweep(target.parent)
            lock = _Lock.take(target)
            if lock is None:
                raise BundleError(
                    f"another process is writing to {target}: wait until it has ended, or choose "
                    "another name"
                )
            UNFINISHED.add(part)
            part.mkdir()
        yield part
    except OSError as error:
        raise BundleError(
            f"cannot write the bundle {target} ({error.strerror}): check the place and its rights"
        ) from None
    finally:
        with signals_later():
            shutil.rmtree(part, ignore_errors=True)
            UNFINISHED.discard(part)
            if lock is not None:
                lock.give_back()
            for folder in made:
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()


def settle(part: Path, target: Path) -> None:
    """Move a finished bundle to its place; one that is there gives way only now.

    The place must be held. What came there since it was looked at is kept: the move is refused.

    Raises
    ------
    BundleError
        If there is something beside the bundle that gives way.
    """
    old = part.with_suffix(".old")
    with signals_later():
        try:
            if target.is_dir() and any(target.iterdir()):
                target.rename(old)
                _require_bundle_only(old, target)
            elif target.is_dir():
                target.rmdir()
            part.rename(target)
            sync_folder(target.parent)
        finally:
            if old.exists():
                if target.exists():
                    _discard(old)
                else:
                    old.rename(target)


def recover(target: Path) -> None:
    """Put a bundle back whose replacement was cut off, and remove what else was left behind.

    If whoever writes there still lives, nothing is done.
    """
    if not target.name or not any(_left_behind(target.parent, target.name)):
        return
    with signals_later():
        lock = _Lock.take(target)
        if lock is None:
            return
        try:
            for left in _left_behind(target.parent, target.name):
                if left.suffix == ".part":
                    shutil.rmtree(left, ignore_errors=True)
                elif left.suffix == ".old" and (target / PUBLIC / MANIFEST).is_file():
                    _discard(left)
                elif left.suffix == ".old" and not (target.exists() and any(target.iterdir())):
                    left.rename(target)
        finally:
            lock.give_back()


def flush(folder: Path) -> None:
    """Make sure that what was verified is on the disk, and not only in memory."""
    for path in folder.rglob("*"):
        if path.is_dir():
            sync_folder(path)
        else:
            with path.open("rb+") as stream:
                os.fsync(stream.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@define(eq=False, frozen=True)
class _Lock:
    """A file beside a place that whoever writes there holds as long as they live."""

    file: Path
    handle: int

    @classmethod
    def take(cls, target: Path) -> Self | None:
        """Take the lock of a place; None if another process has it."""
        file = target.with_name(f".{target.name}.{_LOCK}")
        while True:
            flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
            lock = cls(file, os.open(file, flags, 0o600))
            if not take_lock(lock.handle, wait=False):
                os.close(lock.handle)
                return None
            # Whoever had the lock may have removed the file meanwhile: another one counts then.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock.handle), file.stat()):
                    return lock
            os.close(lock.handle)

    def give_back(self) -> None:
        """Remove the file, then give the lock back."""
        with suppress(PermissionError):  # Windows removes no file that is open.
            self.file.unlink(missing_ok=True)
        os.close(self.handle)


def _sweep(folder: Path) -> None:
    """Remove from a folder what processes have left behind that do not live any more."""
    found = (_LEFT_BEHIND.fullmatch(path.name) for path in folder.iterdir())
    for name in {match[1] for match in found if match is not None}:
        with suppress(OSError):  # It may be somebody else's.
            recover(folder / name)


def _left_behind(folder: Path, name: str) -> Iterator[Path]:
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _LEFT_BEHIND.fullmatch(path.name)
        if match is not None and match[1] == name:
            yield path


def _require_bundle_only(folder: Path, target: Path) -> None:
    """Refuse to replace a folder that has anything in it that is not of its bundle."""
    strangers = [path.name for path in folder.iterdir() if not _is_half(path)]
    for half in filter(_is_half, folder.iterdir()):
        known = _files_of(half)
        strangers += [
            f"{half.name}/{path.name}"
            for path in half.iterdir()
            if path.name not in known or path.is_symlink() or not path.is_file()
        ]
    if strangers:
        more = "" if len(strangers) == 1 else f" and {len(strangers) - 1:,} more"
        raise BundleError(
            f"{target} holds {min(strangers)}{more} besides its bundle, and only a bundle is ever "
            "replaced: choose another name, or move everything else away"
        )


def _is_half(path: Path) -> bool:
    return path.name in _LISTS and path.is_dir() and not path.is_symlink()


def _files_of(half: Path) -> list[str]:
    """Name the files of a half, as its list has them; the list itself comes last."""
    listed = _LISTS[half.name]
    try:
        document = json.loads((half / listed).read_bytes())
        return [*(str(file["name"]) for file in document["files"]), listed]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return [listed]


def _discard(bundle: Path) -> None:
    """Remove the files of a bundle and nothing else, the private half first."""
    for half in filter(_is_half, [bundle / name for name in _LISTS]):
        for name in _files_of(half):
            (half / name).unlink(missing_ok=True)
        with suppress(OSError):
            half.rmdir()
    with suppress(OSError):
        bundle.rmdir()
