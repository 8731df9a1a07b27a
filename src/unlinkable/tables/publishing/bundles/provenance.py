"""Provenance: where a release came from, as its holder keeps it.

It is a file of the private half: a digest of the source would let somebody who knows all records
but one test guesses, and a seed would take the chance away. For the same reason no digest of it is
in the public half. It has its own, and the holder's signature if the release is signed; it holds
the digests of all other private files and of the manifest. So whoever has the holder's public key
can tell a change in either half, and recipients get nothing to test guesses with.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from unlinkable.errors import BundleError
from unlinkable.release.bundle import SignedForm
from unlinkable.release.plan import Many
from unlinkable.tables.publishing.bundles.manifest_sections import Hex, PublicFile

__all__ = ["PRIVATE_FORMAT", "Provenance", "require_own_source", "require_unchanged"]

PRIVATE_FORMAT = 2
"""The newest format of the private half, and the one that is written."""


class Provenance(SignedForm):
    """Where a release came from.

    Format 1 had neither a digest of its own nor a signature.

    Attributes
    ----------
    created
        When it was written.
    source, digest
        The file or address of the records, and the SHA-256 of the file when the release was
        written; None for records that came from no file.
    plan, folder
        The plan, as nested tables, and the folder that its paths start from.
    seed, engine, seconds, effort, versions
        How the search went, and on what.
    complete, facts, trace
        Whether the search came to its own end, what else it found, and what it did step by step.
    owner
        The column that tells which records belong to the same person.
    hidden
        The taxonomies of the hidden columns that promises refer to.
    taxonomies
        Those of published columns that are as they were, where one was given or people guard
        something of it.
    side
        By name, the files of the tables that promises refer to.
    importance, suppressed_records, suppressed_weight
        What metrics need to know besides groups.
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
    trace: list[dict[str, object]] = Field(default_factory=list)
    versions: dict[str, str] = Field(default_factory=dict)
    owner: str | None = None
    hidden: dict[str, dict[str, object]] = Field(default_factory=dict)
    taxonomies: dict[str, dict[str, object]] = Field(default_factory=dict)
    side: dict[str, str] = Field(default_factory=dict)
    importance: dict[str, float] = Field(description="say how much every column weighs")
    suppressed_records: int = Field(ge=0, description="say how many records were left out")
    suppressed_weight: float = Field(ge=0, description="say how much they weigh")
    manifest: Hex = Field(description="give the digest of the manifest")
    files: Many[PublicFile] = Field(description="list the files")


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
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != digest:
        raise BundleError(
            f"{file} is not what the bundle was made from: it was changed, or is another file; "
            "anonymize it anew, or name the original table"
        )
