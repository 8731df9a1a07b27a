"""Cache lock: compiled kernels are written to the disk by one process at a time.

Numba numbers the files of its cache without a lock: two processes that compile the same kernel for
different types can each take the same number, and from then on one loads the other's code. It also
writes the index before the code: a process that is killed in between leaves an index that names
code of an older version. Searches that run side by side, and are cancelled, do just that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

from unlinkable.file_lock import take_lock

__all__ = ["write_one_at_a_time"]


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
