"""Password: kept as a digest that is slow to guess, and not to be guessed at often."""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from collections.abc import Callable
from typing import Self

from attrs import define, field

from unlinkable.studio.errors import StudioError

__all__ = ["Attempts", "Password"]

_SHORTEST = 12
_COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}


@define(frozen=True)
class Password:
    """The digest of a password (scrypt), with salt of its own."""

    salt: bytes = field(repr=False)
    digest: bytes = field(repr=False)

    @classmethod
    def of(cls, text: str) -> Self:
        """Take a password.

        Raises
        ------
        StudioError
            If it is too short.
        """
        if len(text) < _SHORTEST:
            raise StudioError(
                f"the password must have at least {_SHORTEST} characters: others on the network "
                "can try to guess it"
            )
        salt = os.urandom(16)
        return cls(salt, _digest(text, salt))

    def fits(self, text: str) -> bool:
        """Whether this is the password. Takes a moment: not for the event loop."""
        return hmac.compare_digest(self.digest, _digest(text, self.salt))


def _digest(text: str, salt: bytes) -> bytes:
    return hashlib.scrypt(text.encode(), salt=salt, **_COST)


@define(eq=False)
class Attempts:
    """How often a password was wrong lately, from one address and from all.

    Attributes
    ----------
    most, most_from_all
        How many wrong ones are allowed within the window, by address and in all.
    window
        Seconds.
    """

    most: int = 5
    most_from_all: int = 50
    window: float = 300.0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _wrong: list[tuple[float, str]] = field(factory=list, repr=False)

    def may_try(self, address: str) -> bool:
        """Whether somebody may try a password now."""
        since = self.clock() - self.window
        self._wrong = [(when, who) for when, who in self._wrong if when > since]
        own = sum(who == address for _, who in self._wrong)
        return own < self.most and len(self._wrong) < self.most_from_all

    def failed(self, address: str) -> None:
        """Remember that a password was wrong."""
        self._wrong.append((self.clock(), address))
