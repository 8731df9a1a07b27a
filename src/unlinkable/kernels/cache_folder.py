"""Cache folder: where compiled kernels are kept when their usual places cannot be written.

Numba keeps compiled code beside its source, or in the cache of the user. An installation that may
only be read, in a container without a home, has neither, and then nothing could be compiled at all.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from typing import Any

from numba import config
from numba.core.caching import CacheImpl

from unlinkable.errors import UnlinkableError

__all__ = ["have_cache"]

_VARIABLE = "NUMBA_CACHE_DIR"


def have_cache() -> None:
    """Make sure that compiled code can be cached: where numba would, or in a folder of this run.

    Processes that this one starts use the same folder; it is removed when this one ends.

    Raises
    ------
    UnlinkableError
        If there is no place for temporary files either.
    """
    places: Any = CacheImpl._locator_classes
    # Numba asks the same places in turn; if one accepts this file, it accepts all kernels beside
    # it.
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
