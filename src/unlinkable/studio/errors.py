"""What the studio refuses, in words for people."""

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
    """A file is larger than what may be handed in."""


class TaskError(StudioError):
    """A worker could not do what it was asked for.

    Attributes
    ----------
    kind
        What kind of error of the library it was, such as ``InfeasibleError``; ``Cancelled`` if
        somebody has stopped it, ``Crashed`` if the process has died.
    details
        What else is known, as plain values: the attacks that a release would fall to.
    """

    def __init__(self, message: str, kind: str = "StudioError", details: object = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.details = details
