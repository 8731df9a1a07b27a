"""Cache of compiled kernels: where it is, and how several processes share it."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Self

from numba import config
from numba.core.caching import CacheImpl, IndexDataCacheFile, _CacheLocator
from numba.misc.appdirs import AppDirs

from unlinkable.errors import UnlinkableError
from unlinkable.file_lock import take_lock

__all__ = ["have_cache", "write_one_at_a_time"]

_VARIABLE = "NUMBA_CACHE_DIR"

_KERNELS = Path(__file__).parent.parent

_KEPT = 4
"""How many versions of the kernels are kept: the one in use, and those that were used last."""


def have_cache() -> None:
    """Make sure that compiled code is cached: for all installations, or in a folder of this run.

    Processes that this one starts use the same folder; that of a run is removed when it ends.

    Raises
    ------
    UnlinkableError
        If there is no place for temporary files either.
    """
    places: Any = CacheImpl._locator_classes
    if not any(place.__name__ == _SharedCache.__name__ for place in places):
        places.insert(0, _SharedCache)
    # Numba asks the same places in turn; one that accepts this file accepts all kernels.
    if any(place.from_function(have_cache, __file__) for place in places):
        return
    try:
        # Nobody else may write to it: what is loaded from there is executed.
        folder = tempfile.mkdtemp(prefix="unlinkable-kernels-")
    except OSError:
        raise UnlinkableError(
            "compiled code cannot be kept anywhere: name a folder that can be written in the "
            f"environment variable {_VARIABLE}, or in TMPDIR"
        ) from None
    atexit.register(_remove, folder, os.getpid())
    # The variable reaches the processes started from here, the setting reaches this one, in which
    # numba has read the variable already.
    os.environ[_VARIABLE] = folder
    settings: Any = config
    settings.CACHE_DIR = folder
    warnings.warn(
        "compiled code cannot be kept, so that this run takes longer: name a folder that can be "
        f"written in the environment variable {_VARIABLE}",
        RuntimeWarning,
        stacklevel=2,
    )


def _remove(folder: str, owner: int) -> None:
    """Remove the folder, unless this is a copy of the process that made it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class _SharedCache(_CacheLocator):
    """Tells numba to keep a kernel where every installation of the same kernels finds it."""

    def __init__(self, kernel: Any, file: str, folder: Path) -> None:
        self._py_file = file
        self._line = kernel.__code__.co_firstlineno
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return _content()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """Give the place of a kernel, or none where it cannot be, or might not be safe."""
        file = Path(py_file).absolute()
        if not file.is_relative_to(_KERNELS) or not file.is_file():
            return None
        settings: Any = config
        shared = _shared_folder(settings.CACHE_DIR)
        if shared is None:
            return None
        self = cls(py_func, py_file, shared / file.parent.relative_to(_KERNELS))
        try:
            self.ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            return None
        return self


@cache
def _content() -> str:
    """Name the content of all kernels, and what they are compiled with."""
    tools = (sys.implementation.cache_tag, version("numba"), version("llvmlite"))
    digest = hashlib.sha256(repr(tools).encode())
    for file in sorted(_KERNELS.rglob("*.py")):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{file.relative_to(_KERNELS).as_posix()} {content}\n".encode())
    return digest.hexdigest()


@cache
def _shared_folder(named: str) -> Path | None:
    """Make the folder of these kernels in one that is named, or in the cache of the user.

    What is loaded from there is executed: it must be a folder that only its owner can write to.
    """
    caches: Any = AppDirs
    home = Path(named or caches(appname="unlinkable", appauthor=False).user_cache_dir)
    folder = home / f"kernels-{_content()[:16]}"
    try:
        if not named:
            home.parent.mkdir(parents=True, exist_ok=True)
            home.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = [folder] if named else [home, folder]
        if not all(_is_own(each) for each in own):
            return None
        os.utime(folder)
    except OSError:
        return None
    _remove_old(home)
    return folder


def _is_own(folder: Path) -> bool:
    """Tell whether a folder belongs to this user, and others cannot write to it."""
    if os.name != "posix":
        return True
    status = folder.lstat()
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _remove_old(home: Path) -> None:
    """Remove the kernels of versions that were not used for longest."""
    try:
        used = sorted(home.glob("kernels-*"), key=lambda each: each.stat().st_mtime, reverse=True)
    except OSError:
        return  # Another process removes them right now.
    for folder in used[_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def write_one_at_a_time() -> None:
    """Have processes wait for each other at the cache, and write code before its index."""
    # The methods are replaced once: wrapping a wrapper would wait for a lock that it holds itself.
    if getattr(IndexDataCacheFile.save, "is_locked", False):
        return
    cache: Any = IndexDataCacheFile
    load = cache.load

    def locked_save(self: Any, key: Any, data: Any) -> None:
        with _held(self):
            # The index is read again under the lock, so the new file gets a name that no other
            # process took.
            known = self._load_index()
            taken = set(known.values())
            free = (name for i in count(1) if (name := self._data_name(i)) not in taken)
            name = known.get(key) or next(free)
            # Code goes first: a process that is killed here leaves a file that no index names,
            # which is safe.
            try:
                self._save_data(name, data)
                self._save_index({**known, key: name})
            except FileNotFoundError:
                # A newer version has removed the folder: this process goes on with what it has.
                return

    def locked_load(self: Any, key: Any) -> Any:
        with _held(self):
            return load(self, key)

    locked_save.is_locked = True  # type: ignore[attr-defined]
    cache.save, cache.load = locked_save, locked_load


@contextmanager
def _held(cache: Any) -> Iterator[None]:
    """Hold the lock of a kernel's cache; where there cannot be one, go on without."""
    try:
        handle = os.open(Path(f"{cache._index_path}.lock"), os.O_CREAT | os.O_RDWR)
    except OSError:
        yield
        return
    try:
        take_lock(handle, wait=True)
        yield
    # Closing the handle gives the lock back, also when the process is interrupted.
    finally:
        os.close(handle)
