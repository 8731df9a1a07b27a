"""Which policy a release of a series was made by, as its manifest says."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError
from unlinkable.registry import Entry, look_up
from unlinkable.spelling import read_call

__all__ = ["policy_of", "unpromising_policy"]


def policy_of(written: str) -> str | None:
    """Name the policy of the series that a release is one of; None if it is by another method."""
    entry = _policy(written)
    return None if entry is None else entry.name


def unpromising_policy(written: str) -> str | None:
    """Name the policy if its releases need not promise anything by themselves; None otherwise."""
    entry = _policy(written)
    if entry is None or getattr(entry.make, "needs_promise", True):
        return None
    return entry.name


def _policy(written: str) -> Entry | None:
    try:
        return look_up("policy", read_call(written)[0])
    except UnlinkableError:
        return None
