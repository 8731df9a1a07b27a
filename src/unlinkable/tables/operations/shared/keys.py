"""Keys for pseudonyms: made, kept, read and refused when weak.

Whoever has the key can turn every guess into its pseudonym, so the key is all that stands between
a pseudonym and a name. It is never printed: `Key` hides itself in ``repr``, ``str`` and error
messages, and files are written for their owner's eyes only.
"""

from __future__ import annotations

import base64
import os
import re
import secrets
import stat
import warnings
from pathlib import Path

from unlinkable.errors import DataError, ParameterError

__all__ = ["LEAST_KEY_BYTES", "Key", "check_key", "load_key", "new_key", "save_key"]

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
