"""Bundle places: where bundles of a history wait until they are on record, and are moved to then.

A bundle is written beside its place, under a name that tells whose it is. Once the release is on
record, it is moved to its place. So whatever stops the process, what is on record is there, or can
be moved there by the next one, and what is not on record is swept away.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from unlinkable.containment import hash_file
from unlinkable.errors import BundleError, HistoryError
from unlinkable.release.bundle import MANIFEST, PUBLIC, check_place, sync_folder
from unlinkable.release.history.ledger import ReleaseEntry

__all__ = ["move", "require_free", "sweep", "waiting_bundle", "waiting_place"]

_WAITING = ".waiting"


def waiting_place(folder: Path, history: str) -> Path:
    """Choose where a bundle waits: beside its place, under a name of the history's own."""
    return folder.parent / f".{folder.name}.{history}.{secrets.token_hex(4)}{_WAITING}"


def _digest_of(bundle: Path) -> str:
    """Give the SHA-256 of a bundle's manifest."""
    return hash_file(bundle / PUBLIC, MANIFEST)


def move(entry: ReleaseEntry) -> None:
    """Move a bundle that is on record to its place; it may be there already.

    Raises
    ------
    HistoryError
        If it is neither where it waited nor in its place, or the place was taken since.
    """
    assert entry.waiting is not None
    assert entry.folder is not None
    waiting, folder = Path(entry.waiting), Path(entry.folder)
    if not waiting.exists():
        if not _is_the_bundle(folder, entry):
            raise HistoryError(
                f"the bundle of release {entry.number} is neither at {folder} nor at {waiting}: it "
                "is on record and was lost; bring it back"
            )
        return
    if folder.exists() and any(folder.iterdir()):
        raise HistoryError(
            f"release {entry.number} is on record, and {folder}, where its bundle belongs, is "
            f"taken by something else: move that away; the bundle waits at {waiting}"
        )
    if folder.exists():
        folder.rmdir()
    waiting.rename(folder)
    sync_folder(folder.parent)


def sweep(folders: Iterable[Path], history: str) -> None:
    """Remove what publishers of a history left behind that were stopped before it was on record.

    Nobody else may be publishing meanwhile, and what is on record must have been moved.

    Parameters
    ----------
    folders
        Where to look.
    history
        The name of the history.
    """
    for folder in {folder for folder in folders if folder.is_dir()}:
        for left in folder.glob(f".*.{history}.*{_WAITING}*"):
            shutil.rmtree(left, ignore_errors=True)


def require_free(place: Path) -> None:
    """Refuse a place that is taken.

    A bundle that is there was published with another history, which may be of the same people.

    Raises
    ------
    BundleError
        If there is anything.
    """
    if (place / PUBLIC / MANIFEST).is_file():
        raise BundleError(
            f"{place} was published with another history, or with none, and what it tells is not "
            "known here. If it is of the same people, go on with its history; else choose another "
            "folder for the bundles"
        )
    check_place(place, overwrite=False)


def _is_the_bundle(folder: Path, entry: ReleaseEntry) -> bool:
    try:
        return _digest_of(folder) == entry.manifest
    except (OSError, BundleError):
        return False


@contextmanager
def waiting_bundle(
    place: Path | None, history: str, write: Callable[[Path], object]
) -> Iterator[tuple[str, str, str] | tuple[None, None, None]]:
    """Write a bundle where it waits, and remove it if the release does not come on record.

    Parameters
    ----------
    place
        Where the bundle belongs; None if none is written.
    history
        The name of the history.
    write
        Writes the bundle into a folder.

    Yields
    ------
    tuple
        The place, the folder where the bundle waits, and the SHA-256 of its manifest.
    """
    if place is None:
        yield None, None, None
        return
    waiting = waiting_place(place, history)
    try:
        write(waiting)
        require_free(place)
        yield str(place), str(waiting), _digest_of(waiting)
    except BaseException:
        shutil.rmtree(waiting, ignore_errors=True)
        raise
