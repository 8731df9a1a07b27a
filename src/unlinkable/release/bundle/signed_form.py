"""Signed form: a document of a bundle with its own digest, and the holder's signature.

Each half of a bundle has one: ``release.json`` and ``provenance.json``. It lists the digests of all
other files of its half, so that who signs the document signs the half. The written form is exact: a
document that was changed in any byte is refused, be it only a space.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import ClassVar, Literal, Self, TypeVar

from pydantic import Field, ValidationError

from unlinkable.errors import BundleError
from unlinkable.release.bundle.manifest_json import canonical_json, written_json
from unlinkable.release.bundle.signing import SigningKey, VerifyingKey, fingerprint, sign, verify
from unlinkable.release.plan.form import Form, Location, complaints

__all__ = ["Signature", "SignedForm", "read_form"]


F = TypeVar("F", bound=Form)


class Signature(Form):
    """The holder's signature.

    Attributes
    ----------
    algorithm
        How it was made.
    key
        The fingerprint of the public key that checks it.
    value
        The signature, in base64.
    """

    algorithm: Literal["ed25519"] = "ed25519"
    key: str = Field(description="give the fingerprint of the public key")
    value: str = Field(description="give the signature")


class SignedForm(Form):
    """A document that can be signed.

    Attributes
    ----------
    signature
        The holder's signature, if there is one.
    """

    signature: Signature | None = None

    context: ClassVar[bytes] = b""
    """What is signed before the document: the signature of one kind does not fit another."""

    digest_key: ClassVar[str] = "digest"
    """Where in the file its own digest stands."""

    written_order: ClassVar[tuple[str, ...]] = ()
    """The keys in the order of the file, where it is not that of the fields."""

    def signed(self, key: SigningKey) -> Self:
        """Sign everything that the document says."""
        value = sign(self.signed_bytes(), key)
        signature = Signature(key=fingerprint(key.public_key()), value=value)
        return self.model_copy(update={"signature": signature})

    def is_signed_by(self, key: VerifyingKey) -> bool:
        """Tell whether the holder of this key has signed exactly what the document says.

        The signature must also name this key: what it says of itself is not signed.
        """
        if self.signature is None or self.signature.key != fingerprint(key):
            return False
        return verify(self.signed_bytes(), self.signature.value, key)

    def signed_bytes(self) -> bytes:
        """Give what is signed: all but the signature, in one spelling."""
        told = self.model_dump(mode="json", exclude={"signature"})
        return self.context + canonical_json(told)

    def file_bytes(self) -> bytes:
        """Give what stands in the file."""
        document = self.model_dump(mode="json")
        signature = document.pop("signature")
        document = {key: document[key] for key in self.written_order or document}
        document[self.digest_key] = self._digest()
        if signature is not None:
            document["signature"] = signature
        return written_json(document)

    def _digest(self) -> str:
        """Hash all that the file says, a signature among it."""
        left_out = {"signature"} if self.signature is None else set()
        told = self.model_dump(mode="json", exclude=left_out)
        return hashlib.sha256(canonical_json(told)).hexdigest()

    @classmethod
    def read(cls, document: dict[str, object], content: bytes, file: Path) -> Self:
        """Read a document, and see that it is as it was written.

        Raises
        ------
        BundleError
            If it is not.
        """
        told = {key: value for key, value in document.items() if key != cls.digest_key}
        form = read_form(cls, told, file)
        if document.get(cls.digest_key) != form._digest():
            raise BundleError(f"{file} was changed: its digest does not fit what it says")
        if form.file_bytes() != content:
            raise BundleError(f"{file} was changed: it is not as it was written")
        return form


def read_form(form: type[F], document: dict[str, object], file: Path) -> F:
    """Read a document of a bundle.

    Raises
    ------
    BundleError
        If it is not in the form.
    """
    try:
        return form.model_validate(document)
    except ValidationError as error:
        place, said = complaints(error)[0]
        raise BundleError(f"{file} is damaged: {_where(place)}{said}") from None


def _where(place: Location) -> str:
    """Name a place like ``models[0].basis``."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in place]
    return f"{''.join(parts).removeprefix('.')}: " if parts else ""
