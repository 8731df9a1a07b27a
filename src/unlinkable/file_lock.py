"""File lock: what one process at a time may do, as long as it lives.

The lock is on an open file. The system gives it back when the file is closed or the process ends,
however it ends.
"""

from __future__ import annotations

__all__ = ["take_lock"]


def take_lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file, and say whether it worked; without waiting it may not.

    Examples
    --------
    >>> from tempfile import TemporaryFile
    >>> with TemporaryFile() as file:
    ...     take_lock(file.fileno(), wait=False)
    True
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        mode = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined]
        try:
            msvcrt.locking(handle, mode, 1)  # type: ignore[attr-defined]
        except OSError:
            if wait:
                raise
            return False
    else:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
