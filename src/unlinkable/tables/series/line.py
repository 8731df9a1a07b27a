"""Line: what is on record of one release, and of the whole history."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime

from attrs import define, field

__all__ = ["About", "Line"]


@define(frozen=True, kw_only=True)
class About:
    """What holds for all releases of a history.

    Attributes
    ----------
    created
        When it was begun.
    salt, key_check
        What the keys of people are made with (`PersonKeys`).
    policy
        How it is published again.
    person
        The column that tells who somebody is.
    """

    created: str = field(factory=lambda: _now())
    salt: bytes = field(factory=lambda: secrets.token_bytes(32), repr=False)
    key_check: bytes | None = field(default=None, repr=False)
    policy: str | None = None
    person: str | None = None


@define(frozen=True, kw_only=True)
class Line:
    """One release on record.

    Attributes
    ----------
    number
        Its place in the series, from 1.
    created
        When it was published.
    recipient
        Who got it; None if everybody did.
    policy, method, promises
        How it was made, and what is promised of it alone.
    records, suppressed, new_people
        How many records were published and left out, and how many people were in none before.
    findings
        What became of the attacks that it was tried with, naming nobody.
    folder, waiting
        Where its bundle is; where it still waits to be moved from.
    manifest
        The SHA-256 of the bundle's manifest.
    """

    number: int
    recipient: str | None
    policy: str
    method: str
    promises: tuple[str, ...]
    records: int
    suppressed: int
    new_people: int
    findings: tuple[Mapping[str, object], ...] = field(default=(), repr=False)
    folder: str | None = None
    waiting: str | None = None
    manifest: str | None = None
    created: str = field(factory=lambda: _now())

    def to_json(self) -> dict[str, object]:
        """Give what is on record as ``history --json`` prints it."""
        return {
            "number": self.number,
            "created": self.created,
            "recipient": self.recipient,
            "policy": self.policy,
            "method": self.method,
            "promises": list(self.promises),
            "records": self.records,
            "suppressed": self.suppressed,
            "new_people": self.new_people,
            "bundle": self.folder,
        }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
