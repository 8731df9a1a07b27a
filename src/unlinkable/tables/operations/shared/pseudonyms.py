"""Pseudonyms and masks of identifiers, and the keys that pseudonyms are made with."""

from __future__ import annotations

import base64
import hmac
import math
import os
import re
import secrets
import stat
import unicodedata
import warnings
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import TypeAlias

from unlinkable.errors import DataError, ParameterError

__all__ = [
    "LEAST_KEY_BYTES",
    "LONGEST",
    "SHORTEST",
    "Identifier",
    "Key",
    "canonical_text",
    "check_fill",
    "check_key",
    "check_length",
    "load_key",
    "mask",
    "new_key",
    "pseudonyms",
    "save_key",
]

Identifier: TypeAlias = str | int | float
"""What an identifier may be: text, or a whole number however it is stored."""

SHORTEST = 8
"""Characters of a pseudonym: 40 bits. With fewer, a few thousand people would collide."""

LONGEST = 48
"""Characters of a pseudonym: 240 of the 256 bits of the hash."""

_ALPHABET = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's 32 digits: no I, L and O, which look like 1 and 0, and no U."""

_FROM_RFC_4648 = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET)


def pseudonyms(
    values: Sequence[Identifier | None], key: bytes, *, length: int = 16, prefix: str = ""
) -> list[str | None]:
    """Name every value by the start of HMAC-SHA256(key, canonical text), in Crockford's base 32.

    The same value has the same pseudonym wherever the same key is used. Nothing else goes into
    the hash, so any tool can make the same pseudonyms. Missing values stay missing.

    Parameters
    ----------
    values
        Distinct identifiers (repeated ones cost time, no more); see `canonical_text`.
    key
        At least 16 random bytes.
    length
        Characters of each pseudonym, 8 to 48, at 5 bits each. With 16, some two of ten million
        people share a pseudonym with a probability below 10^-10.
    prefix
        Text in front of each.

    Raises
    ------
    ParameterError
        If the key is weak, or two different values get the same pseudonym.

    Examples
    --------
    >>> key = bytes(range(32))  # for this example only: use new_key()
    >>> pseudonyms(["Ada Lovelace", None, "42"], key)
    ['XJ49HADQ8Q3056JR', None, 'FQWRK4JB5TZRGCP8']
    >>> pseudonyms([42], key, length=8, prefix="P-")
    ['P-FQWRK4JB']
    """
    check_key(key)
    check_length(length)
    texts = [None if value is None else canonical_text(value) for value in values]
    distinct = list(dict.fromkeys(text for text in texts if text is not None))
    names = [prefix + digits for digits in _digits(distinct, key, length)]
    if len(set(names)) < len(names):
        raise ParameterError(
            f"two of {len(names)} identifiers get the same pseudonym of length {length}: "
            f"raise length to at least {_safe_length(len(names), length)}"
        )
    by_text = dict(zip(distinct, names, strict=True))
    return [None if text is None else by_text[text] for text in texts]


def mask(
    values: Sequence[Identifier | None], *, keep_left: int = 0, keep_right: int = 0, fill: str = "*"
) -> list[str | None]:
    """Strike out the characters of every value, except a few at the ends.

    Every character is replaced by one ``fill``, so the number of characters still shows. A value
    that is not longer than what would be left standing is struck out entirely. Missing values
    stay missing.

    Raises
    ------
    ParameterError
        If fewer than no characters are to be kept, or ``fill`` is not one printable character.

    Examples
    --------
    >>> mask(["0151-555-1234", "110", None], keep_left=4, keep_right=2)
    ['0151*******34', '***', None]
    """
    if keep_left < 0 or keep_right < 0:
        raise ParameterError(
            f"keep_left and keep_right must be at least 0, got {keep_left} and {keep_right}"
        )
    check_fill(fill)
    return [
        None if value is None else _strike(canonical_text(value), keep_left, keep_right, fill)
        for value in values
    ]


def canonical_text(value: Identifier) -> str:
    """Write an identifier as the text that stands for it everywhere.

    Whole numbers are written in decimal digits, so 42, 42.0 and "42" are the same identifier in
    whatever type a column happens to be stored. Text is brought into Unicode's composed form
    (NFC), so that an accent typed as its own character makes no difference. Nothing else is
    changed: leading zeros, case and blanks tell identifiers apart.

    Raises
    ------
    ParameterError
        If the value is neither text nor a whole number; the message does not show it.

    Examples
    --------
    >>> canonical_text(42), canonical_text("42"), canonical_text(42.0), canonical_text("042")
    ('42', '42', '42', '042')
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    if not is_whole or isinstance(value, bool):
        raise ParameterError(
            f"an identifier must be text or a whole number, got a {type(value).__name__} that is "
            "not: turn the column into text first"
        )
    return str(int(value))


def check_length(length: int) -> None:
    """Refuse a number of characters that a pseudonym cannot have."""
    if isinstance(length, bool) or not isinstance(length, int):
        raise ParameterError(f"length must be a whole number, got {length!r}")
    if not SHORTEST <= length <= LONGEST:
        raise ParameterError(f"length must lie in [{SHORTEST}, {LONGEST}], got {length}")


def check_fill(fill: str) -> None:
    """Refuse what cannot stand for one struck-out character."""
    if not isinstance(fill, str) or len(fill) != 1 or not fill.isprintable():
        raise ParameterError(f"fill must be one printable character, got {fill!r}")


def _digits(texts: list[str], key: bytes, length: int) -> list[str]:
    """Hash every text and write the start of each hash in base 32.

    Eight digits are exactly five bytes, so hashes that are cut to a multiple of five bytes can
    all be written at once and still be told apart.
    """
    n_blocks = math.ceil(length / 8)
    hashes = b"".join(
        hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256")[: 5 * n_blocks]
        for text in texts
    )
    digits = base64.b32encode(hashes).translate(_FROM_RFC_4648).decode("ascii")
    return [digits[at : at + length] for at in range(0, len(digits), 8 * n_blocks)]


def _safe_length(n_values: int, length: int) -> int:
    """Give a length with which this many values collide once in 10^9 keys."""
    bits = 2 * math.log2(n_values) - 1 + 30
    return min(LONGEST, max(length + 1, math.ceil(bits / 5)))


def _strike(text: str, keep_left: int, keep_right: int, fill: str) -> str:
    hidden = len(text) - keep_left - keep_right
    if hidden <= 0:
        return fill * len(text)
    return text[:keep_left] + fill * hidden + text[keep_left + hidden :]


LEAST_KEY_BYTES = 16
"""A shorter key could be found by trying all of them."""

_LEAST_DISTINCT = 8
"""Sixteen random bytes hold fewer distinct ones than this about once in 10^12 keys."""

_LONGEST_FILE = 4096
"""No key file is larger: this is some other file."""

_HEX = re.compile(rb"(?:[0-9a-fA-F]{2})+")

_BASE64 = re.compile(rb"(?P<text>[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)(?P<padding>={0,2})")

_FROM_URL_SAFE = bytes.maketrans(b"-_", b"+/")


class Key(bytes):
    """Secret bytes that do not show themselves.

    Examples
    --------
    >>> Key(bytes(range(32)))
    Key(32 bytes, hidden)
    """

    def __repr__(self) -> str:
        return f"Key({len(self)} bytes, hidden)"

    __str__ = __repr__


def new_key() -> Key:
    """Draw 32 bytes from the system's secure source.

    Examples
    --------
    >>> new_key()
    Key(32 bytes, hidden)
    """
    return Key(secrets.token_bytes(32))


def save_key(key: bytes, path: str | os.PathLike[str]) -> None:
    """Write a key as one line of hexadecimal digits that only its owner can read.

    Raises
    ------
    DataError
        If the file exists: the pseudonyms made with its key could never be made again.
    """
    file = Path(path)
    check_key(key)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    except FileExistsError:
        raise DataError(
            f"key file {file} exists and is not replaced: choose another name, or delete it if no "
            "pseudonym made with its key is still in use"
        ) from None
    except OSError as error:
        raise DataError(f"cannot write key file {file}: {error.strerror}") from None
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(bytes(key).hex() + "\n")


def load_key(path: str | os.PathLike[str]) -> Key:
    """Read a key from a file with one line of hexadecimal digits or base64.

    A line that can be read either way is hexadecimal. A file that other users of the machine can
    read gives a warning.

    Raises
    ------
    DataError
        If there is no such file, or it holds something else.
    ParameterError
        If the key is weak.
    """
    file = Path(path)
    if not file.is_file():
        raise DataError(
            f"no key file {file}: make one with `unlinkable key {file} --for pseudonyms`, or in "
            "Python with save_key(new_key(), ...)"
        )
    try:
        mode = file.stat().st_mode
        with file.open("rb") as stream:
            line = stream.read(_LONGEST_FILE + 1).strip()
    except OSError as error:
        raise DataError(f"cannot read key file {file}: {error.strerror}") from None
    key = _decode(line) if len(line) <= _LONGEST_FILE else None
    if key is None:
        raise DataError(
            f"key file {file} must hold one line of hexadecimal digits or base64, "
            f"of at least {LEAST_KEY_BYTES} random bytes (`openssl rand -hex 32` makes one)"
        )
    check_key(key)
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        warnings.warn(
            f"key file {file} is open to other users of this machine: run `chmod 600 {file}`",
            stacklevel=2,
        )
    return Key(key)


def check_key(key: bytes) -> None:
    """Refuse a key that can be guessed. The message does not show it.

    Raises
    ------
    ParameterError
        If it is too short, or repeats the same few bytes.
    """
    if not isinstance(key, bytes):
        raise ParameterError(
            f"a key must be bytes, got {type(key).__name__}: use load_key(path) or new_key()"
        )
    if len(key) < LEAST_KEY_BYTES:
        raise ParameterError(
            f"a key must have at least {LEAST_KEY_BYTES} bytes, got {len(key)}: new_key() makes one"
        )
    if len(set(key)) < _LEAST_DISTINCT:
        raise ParameterError(
            f"a key of {len(key)} bytes with only {len(set(key))} distinct ones is not random: "
            "new_key() makes one"
        )


def _decode(line: bytes) -> bytes | None:
    """Read hexadecimal digits or base64; None for anything else.

    Nothing is raised here, because a decoding error would carry the text along.
    """
    if _HEX.fullmatch(line):
        return bytes.fromhex(line.decode("ascii"))
    found = _BASE64.fullmatch(line)
    if not found:
        return None
    text, padding = found["text"].translate(_FROM_URL_SAFE), found["padding"]
    missing = -len(text) % 4
    if missing == 3 or len(padding) not in (0, missing):
        return None
    return base64.b64decode(text + b"=" * missing)
