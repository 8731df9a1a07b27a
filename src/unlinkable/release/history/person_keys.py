"""Person keys: who somebody is in all releases, without his name being kept.

The history has to recognize people, and nobody who finds it should learn who they are. What is kept
of a person is a digest of 128 bits of what he is known by, made with a key. With the holder's own
key, which is not in the history, nobody else can even test a guess. Without one the key is a salt
that is kept beside the digests: then whoever has the history can test guesses.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import DataError, HistoryError
from unlinkable.typing import CountArray

__all__ = ["Keys", "PersonKeys", "number_people"]

Keys = NDArray[np.void]
"""Digests of 16 bytes."""

_SIZE = 16
"""Bytes of a digest."""

_CHECK = b"unlinkable history"


class PersonKeys:
    """Turns what people are known by into digests.

    Parameters
    ----------
    salt
        The salt of the history.
    key
        The holder's key, if he has one.

    Examples
    --------
    >>> keys = PersonKeys(b"salt of the history")
    >>> digests = keys.digests(["p1", "p2", "p1"], "pid")
    >>> len(digests), bool(digests[0] == digests[2]), bool(digests[0] == digests[1])
    (3, True, False)
    """

    def __init__(self, salt: bytes, key: bytes | None = None) -> None:
        self._key = blake2b(salt, key=b"" if key is None else blake2b(key).digest()).digest()
        self.check = None if key is None else self._digest(_CHECK)

    def require(self, check: bytes | None, shown: str) -> None:
        """Refuse another key than the one that the history was begun with.

        Raises
        ------
        HistoryError
            If there is one and it is not given, or the reverse, or it is another.
        """
        if (check is None) != (self.check is None):
            said = "was begun with a key: give it" if check else "was begun without a key"
            raise HistoryError(f"{shown} {said}, or nobody could be recognized")
        if check is not None and not hmac.compare_digest(check, self.check or b""):
            raise HistoryError(f"{shown} was begun with another key: nobody could be recognized")

    def digests(self, texts: Sequence[str | None], name: str) -> Keys:
        """Give the digest of what everybody is known by.

        Raises
        ------
        DataError
            If somebody is known by nothing.
        """
        for i, text in enumerate(texts):
            if text is None or text == "":
                raise DataError(
                    f"record {i + 1} has no {name!r}: people must be recognized from one release "
                    "to the next"
                )
        known = b"".join(self._digest(str(text).encode()) for text in texts)
        return np.frombuffer(known, f"V{_SIZE}")

    def _digest(self, text: bytes) -> bytes:
        return blake2b(text, key=self._key, digest_size=_SIZE).digest()


def number_people(known: Keys, digests: Keys) -> tuple[CountArray, Keys]:
    """Give everybody's number: those who are known keep theirs, the others follow.

    Returns
    -------
    tuple
        For every record the number of its person, and the digests of the new people in the order of
        their numbers.

    Examples
    --------
    >>> known, now = (np.frombuffer(x, "V1") for x in (b"ab", b"bcc"))
    >>> people, new = number_people(known, now)
    >>> people.tolist(), new.tobytes()
    ([1, 2, 2], b'c')
    """
    everybody = np.concatenate([known, digests])
    distinct, first, inverse = np.unique(everybody, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    number = np.empty(distinct.size, np.int64)
    number[order] = np.arange(distinct.size)
    return number[inverse.ravel()][known.size :], distinct[order][known.size :]
