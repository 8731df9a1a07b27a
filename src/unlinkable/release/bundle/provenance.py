"""Provenance: where a release came from, as its holder keeps it.

It is a file of the private half: a digest of the source would let an adversary who knows all
records but one test guesses, and a seed would take the noise away. For the same reason no digest of
it is in the public half. It has its own, and the holder's signature if the release is signed; it
holds the digests of all other private files and of the manifest. So the holder's public key tells
a change in either half, and recipients get nothing to test guesses with.
"""

from __future__ import annotations

import hashlib
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from unlinkable.errors import BundleError
from unlinkable.release.bundle.manifest import Hex, PublicFile
from unlinkable.release.bundle.signed_form import SignedForm
from unlinkable.release.plan.form import Many

if TYPE_CHECKING:
    from unlinkable.release.plan.plan import Plan
    from unlinkable.release.release import Release

__all__ = [
    "PRIVATE_FORMAT",
    "Provenance",
    "provenance_of",
    "require_own_source",
    "require_unchanged",
]

PRIVATE_FORMAT = 2
"""The newest format of the private half, and the one that is written."""

_PASSWORD = re.compile(r"(?<=://)([^/@:]*):.*@|([?&]\w*(?:pass|pwd|token|secret)\w*=)[^&]*", re.I)
"""A password in an address: whatever stands before its last ``@``, or in its query."""


class Provenance(SignedForm):
    """Where a release came from.

    Format 1 had neither a digest of its own nor a signature.

    Attributes
    ----------
    created
        When it was written.
    source, digest
        The file or address of the data, and the SHA-256 of the file when the release was written;
        None for data that came from no file.
    plan, folder
        The plan, as nested tables, and the folder that its paths start from.
    seed, engine, seconds, effort, versions
        How the search went, and on what.
    complete, facts
        Whether the search came to its own end, and what else it found.
    manifest
        The SHA-256 of the public half's manifest: the two halves belong together.
    files
        Digests of all other files of the private half.
    """

    digest_key: ClassVar[str] = "own_digest"
    context: ClassVar[bytes] = b"the private half of a release\n"

    format: int = Field(default=PRIVATE_FORMAT, ge=1, le=PRIVATE_FORMAT)
    created: str = Field(description="say when it was written")
    source: str | None = None
    digest: Hex | None = None
    plan: dict[str, object] | None = None
    folder: str | None = None
    seed: int = Field(description="give the seed")
    engine: str = Field(description="say where it was counted")
    seconds: dict[str, float] = Field(default_factory=dict)
    effort: dict[str, int] = Field(default_factory=dict)
    complete: bool = True
    facts: dict[str, float] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    manifest: Hex = Field(description="give the digest of the manifest")
    files: Many[PublicFile] = Field(description="list the files")


def provenance_of(release: Release, plan: Plan | None, manifest: Path | None) -> dict[str, object]:
    """Say where a release came from, without passwords, in all fields but the list of files."""
    source = release.source
    file = None if source is None or "://" in source else Path(source)
    libraries = ("unlinkable", "numpy", "numba", "polars")
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": None if source is None else _without_password(source),
        "digest": None if file is None or not file.is_file() else _digest(file),
        "plan": None if plan is None else _without_passwords(plan.to_dict()),
        "folder": None if plan is None else str(plan.folder.resolve()),
        "seed": release.seed,
        "engine": "local",
        "seconds": dict(release.seconds),
        "effort": {name: int(n) for name, n in release.effort.items()},
        "complete": release.is_complete,
        "facts": dict(release.facts),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in libraries},
        },
        "manifest": None if manifest is None else _digest(manifest),
    }


def require_unchanged(source: Path | str, provenance: Provenance) -> None:
    """Refuse to explain or measure a release by other records than it was made from.

    A file of another kind cannot have the same digest, and is not compared.

    Raises
    ------
    BundleError
        If a file was changed, or is another one.
    """
    file = Path(source)
    if "://" in str(source) or provenance.digest is None or not file.is_file():
        return
    if provenance.source is not None and file.suffix != Path(provenance.source).suffix:
        return
    _compare(file, provenance.digest)


def require_own_source(source: Path | str, provenance: Provenance) -> None:
    """Refuse to open what a bundle names by itself, unless its digest shows that it is the source.

    A bundle may come from anybody, its private half as well: what it names must not make a holder
    read some file of the machine, or send a query to some database. The digest is compared before
    anything of the file is looked at. A file that is not there is left to the reader to refuse.

    Raises
    ------
    BundleError
        If it is a database, no file, or not the file that the release was made from.
    """
    if "://" in str(source):
        raise BundleError(
            f"{source}: no database is opened because a bundle names it; name the address yourself"
        )
    file = Path(source)
    if not file.is_file():
        if file.exists():
            raise BundleError(f"{source} is no file: name the original table yourself")
        return
    if provenance.digest is None:
        raise BundleError(
            f"{source}: the bundle has no digest of its source to know it by; name the original "
            "table yourself"
        )
    _compare(file, provenance.digest)


def _compare(file: Path, digest: str) -> None:
    if _digest(file) != digest:
        raise BundleError(
            f"{file} is not what the bundle was made from: it was changed, or is another file; "
            "anonymize it anew, or name the original table"
        )


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _without_password(address: str) -> str:
    return _PASSWORD.sub(lambda m: f"{m[2]}***" if m[2] else f"{m[1]}:***@", address)


def _without_passwords(document: dict[str, object]) -> dict[str, object]:
    data = document["data"]
    assert isinstance(data, dict)
    return {**document, "data": {**data, "source": _without_password(str(data["source"]))}}
