"""Errors of the studio."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError

__all__ = ["BusyError", "NotFoundError", "StudioError", "TaskError", "TooLargeError"]


class StudioError(UnlinkableError):
    """Anything that the studio refuses to do, with the reason and the remedy."""


class NotFoundError(StudioError):
    """There is no such project, file, run or job."""


class BusyError(StudioError):
    """Too much is waiting to be done, or something stands in the way right now."""


class TooLargeError(StudioError):
    """A file is too large to be uploaded."""


class TaskError(StudioError):
    """A task of a worker failed.

    Attributes
    ----------
    kind
        What kind of error of the library it was, such as ``InfeasibleError``; ``Cancelled`` if
        it was stopped, ``Crashed`` if the process has died.
    details
        Further facts as plain values: the attacks that would succeed.
    """

    def __init__(self, message: str, kind: str = "StudioError", details: object = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.details = details
