"""Signing: only the holder can have written this manifest.

Anybody who changes a bundle can also compute its digests anew. A signature with the holder's key
(Ed25519 [1]_) cannot be computed anew: recipients who have the holder's public key notice.

The library for signatures is loaded when one is made or checked, and not before.

References
----------
.. [1] S. Josefsson, I. Liusvaara. "Edwards-curve digital signature algorithm (EdDSA)." RFC 8032,
   2017.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from unlinkable.errors import DataError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

__all__ = [
    "SigningKey",
    "VerifyingKey",
    "fingerprint",
    "load_signing_key",
    "load_verifying_key",
    "new_signing_key",
    "save_signing_key",
    "save_verifying_key",
    "sign",
    "verify",
]

SigningKey: TypeAlias = "Ed25519PrivateKey"
"""What the holder signs with. It stays with the holder."""

VerifyingKey: TypeAlias = "Ed25519PublicKey"
"""What recipients check a signature with. It is public."""

_LONGEST_FILE = 16_384
"""No key file is larger: this is some other file."""

_ADVICE = "`unlinkable key FILE` or `openssl genpkey -algorithm ed25519` makes one"


def new_signing_key() -> SigningKey:
    """Draw a key from the system's secure source.

    Examples
    --------
    >>> key = new_signing_key()
    >>> verify(b"a manifest", sign(b"a manifest", key), key.public_key())
    True
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def save_signing_key(key: SigningKey, path: str | os.PathLike[str]) -> None:
    """Write a private key as PEM that only its owner can read.

    Raises
    ------
    DataError
        If the file exists: what its key has signed could never be signed again.
    """
    from cryptography.hazmat.primitives import serialization

    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    _write_new(Path(path), pem, stat.S_IRUSR | stat.S_IWUSR)


def save_verifying_key(key: SigningKey | VerifyingKey, path: str | os.PathLike[str]) -> None:
    """Write the public key as PEM, for recipients.

    Raises
    ------
    DataError
        If the file exists.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = key.public_key() if isinstance(key, Ed25519PrivateKey) else key
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    _write_new(Path(path), pem, 0o644)


def load_signing_key(path: str | os.PathLike[str]) -> SigningKey:
    """Read a private key. A file that other users of the machine can read gives a warning.

    Raises
    ------
    DataError
        If there is no such file, or it holds something else.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    file = Path(path)
    key = _load(file)
    if not isinstance(key, Ed25519PrivateKey):
        raise DataError(f"key file {file} holds a public key, and signing needs the private one")
    if os.name == "posix" and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        warnings.warn(
            f"key file {file} is open to other users of this machine: run `chmod 600 {file}`",
            stacklevel=2,
        )
    return key


def load_verifying_key(path: str | os.PathLike[str]) -> VerifyingKey:
    """Read a public key. The holder may also give the private key that it belongs to.

    Raises
    ------
    DataError
        If there is no such file, or it holds something else.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = _load(Path(path))
    return key.public_key() if isinstance(key, Ed25519PrivateKey) else key


def sign(message: bytes, key: SigningKey) -> str:
    """Sign bytes; the signature is text (base64)."""
    return base64.b64encode(key.sign(message)).decode("ascii")


def verify(message: bytes, signature: str, key: VerifyingKey) -> bool:
    """Tell whether the holder of the private key has signed exactly these bytes.

    A signature has one spelling: bits that base64 leaves over must be as `sign` writes them.
    """
    from cryptography.exceptions import InvalidSignature

    try:
        value = base64.b64decode(signature, validate=True)
        if base64.b64encode(value).decode("ascii") != signature:
            return False
        key.verify(value, message)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def fingerprint(key: VerifyingKey) -> str:
    """Name a public key by the start of its SHA-256, to tell keys apart.

    Examples
    --------
    >>> len(fingerprint(new_signing_key().public_key()))
    16
    """
    from cryptography.hazmat.primitives import serialization

    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:16]


def _write_new(file: Path, content: bytes, mode: int) -> None:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise DataError(
            f"key file {file} exists and is not replaced: choose another name, or delete it if no "
            "release signed with its key is still in use"
        ) from None
    except OSError as error:
        raise DataError(f"cannot write key file {file}: {error.strerror}") from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)


def _load(file: Path) -> Ed25519PrivateKey | Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

    if not file.is_file():
        raise DataError(f"no key file {file}: {_ADVICE}")
    try:
        with file.open("rb") as stream:
            pem = stream.read(_LONGEST_FILE + 1)
    except OSError as error:
        raise DataError(f"cannot read key file {file}: {error.strerror}") from None
    key = _parse(file, pem)
    if not isinstance(key, Ed25519PrivateKey | Ed25519PublicKey):
        raise DataError(f"key file {file} must hold an Ed25519 key in PEM form: {_ADVICE}")
    return key


def _parse(file: Path, pem: bytes) -> object:
    """Read a key of any kind; None for anything else.

    What the parser says about it is not passed on, because it might quote the key.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization

    try:
        if b"PRIVATE KEY" in pem:
            return serialization.load_pem_private_key(pem, password=None)
        return serialization.load_pem_public_key(pem)
    except TypeError:
        raise DataError(
            f"key file {file} is locked with a passphrase: unlock it with "
            "`openssl pkey -in LOCKED -out UNLOCKED`"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        return None
