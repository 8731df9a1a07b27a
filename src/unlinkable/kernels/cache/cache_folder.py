"""Cache folder: where compiled kernels are kept.

They are kept in the cache of the user, in a folder named after the content of all kernels: every
installation of the same version shares it, and code that was compiled from an older version is
never loaded. Numba alone looks at the file of a kernel only, and would go on using what it compiled
when a kernel of another file that this one calls has changed.

Where that folder cannot be used, numba keeps compiled code beside its source. An installation that
may only be read, in a container without a home, has neither, and then nothing could be compiled at
all: a folder is made for the run.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from numba import config
from numba.core.caching import CacheImpl, _CacheLocator
from numba.misc.appdirs import AppDirs

from unlinkable.errors import UnlinkableError

__all__ = ["have_cache"]

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
