"""Which policy a release of a series was made by, as its manifest says."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError
from unlinkable.release.registry import find
from unlinkable.spelling import read_call

__all__ = ["policy_of", "unpromising_policy"]


def policy_of(written: str) -> str | None:
    """Name the policy of the series that a release is one of; None if it is by another method."""
    try:
        return find("release", read_call(written)[0]).name
    except UnlinkableError:
        return None


def unpromising_policy(written: str) -> str | None:
    """Name the policy if its releases need not promise anything by themselves; None otherwise."""
    name = policy_of(written)
    if name is None or getattr(find("release", name).make, "needs_promise", True):
        return None
    return name
