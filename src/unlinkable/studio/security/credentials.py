"""Credentials: passwords, the tokens that open a session, and how long a session lasts."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable
from typing import Self

from attrs import define, field

from unlinkable.studio.errors import StudioError

__all__ = ["Attempts", "Password", "Session", "Sessions"]

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
        return cls(salt, _slow_digest(text, salt))

    def fits(self, text: str) -> bool:
        """Whether this is the password. Takes a moment: not for the event loop."""
        return hmac.compare_digest(self.digest, _slow_digest(text, self.salt))


def _slow_digest(text: str, salt: bytes) -> bytes:
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
        """Whether an address may try a password now."""
        since = self.clock() - self.window
        self._wrong = [(when, who) for when, who in self._wrong if when > since]
        own = sum(who == address for _, who in self._wrong)
        return own < self.most and len(self._wrong) < self.most_from_all

    def failed(self, address: str) -> None:
        """Remember that a password was wrong."""
        self._wrong.append((self.clock(), address))


_BYTES = 32


@define
class Session:
    """A browser that has shown its right to be here."""

    created: float
    seen: float


@define(eq=False)
class Sessions:
    """All sessions of a server. They are kept in memory, and only as digests.

    Attributes
    ----------
    lifetime
        Seconds after which a session ends in any case.
    idle
        Seconds without a request after which it ends.
    bearer
        What programs show instead of a cookie.
    """

    lifetime: float = 12 * 3600.0
    idle: float = 2 * 3600.0
    bearer: str = field(factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _tokens: dict[str, float] = field(factory=dict, repr=False)
    _sessions: dict[str, Session] = field(factory=dict, repr=False)

    def new_token(self) -> str:
        """Make a token that opens one session, once, within the lifetime of a session."""
        token = secrets.token_urlsafe(_BYTES)
        self._tokens[_digest(token)] = self.clock() + self.lifetime
        return token

    def redeem(self, token: str) -> str | None:
        """Take a token for a session; None if it is unknown, was used before, or is too old."""
        until = self._tokens.pop(_digest(token), None)
        return self.open() if until is not None and self.clock() <= until else None

    def open(self) -> str:
        """Begin a session, and give what its browser has to show from now on."""
        self._sweep()
        secret, now = secrets.token_urlsafe(_BYTES), self.clock()
        self._sessions[_digest(secret)] = Session(now, now)
        return secret

    def is_open(self, secret: str, *, is_seen: bool = True) -> bool:
        """Whether a session is open; if so, it has just been seen, unless nobody did anything."""
        session = self._sessions.get(_digest(secret))
        if session is None or not self._is_young(session):
            self._sessions.pop(_digest(secret), None)
            return False
        if is_seen:
            session.seen = self.clock()
        return True

    def close(self, secret: str) -> None:
        """End a session."""
        self._sessions.pop(_digest(secret), None)

    def is_bearer(self, token: str) -> bool:
        """Whether a program has shown the right token."""
        return hmac.compare_digest(token.encode(), self.bearer.encode())

    def _is_young(self, session: Session) -> bool:
        now = self.clock()
        return now - session.created <= self.lifetime and now - session.seen <= self.idle

    def _sweep(self) -> None:
        old = [key for key, session in self._sessions.items() if not self._is_young(session)]
        for key in old:
            del self._sessions[key]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
