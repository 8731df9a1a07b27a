"""The private half of a bundle: where a release came from, and which record is which.

It stays with the holder, in files that nobody else on the machine can read. ``provenance.json``
lists them; what the others are depends on the kind of data.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

from attrs import define

from unlinkable.containment import find_file, hash_file, read_file
from unlinkable.errors import BundleError
from unlinkable.release.bundle.bundle_files import MANIFEST, PROVENANCE
from unlinkable.release.bundle.manifest import Manifest, PublicFile
from unlinkable.release.bundle.manifest_json import read_json
from unlinkable.release.bundle.provenance import PRIVATE_FORMAT, Provenance
from unlinkable.release.bundle.signed_form import read_form

__all__ = ["PrivateHalf"]


@define(eq=False, frozen=True)
class PrivateHalf:
    """The private half of a bundle on disk."""

    form: ClassVar[type[Provenance]] = Provenance
    """What the provenance says."""

    folder: Path
    provenance: Provenance

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the private half of a bundle.

        Raises
        ------
        BundleError
            If it is damaged, or comes from a later version.
        """
        file, content = folder / PROVENANCE, read_file(folder, PROVENANCE)
        document = read_json(content, file)
        number = document.get("format")
        if type(number) is int and number > PRIVATE_FORMAT:
            raise BundleError(
                f"{file} has format {number}, and this version reads formats up to "
                f"{PRIVATE_FORMAT}: upgrade unlinkable"
            )
        if number == 1:
            return cls(folder, read_form(cls.form, document, file))
        return cls(folder, cls.form.read(document, content, file))

    def lists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return any(file.name == name for file in self.provenance.files)

    def document(self, name: str) -> dict[str, object] | None:
        """Give what a file of plain values says; None if this half does not list it.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        if not self.lists(name):
            return None
        file = self.file(name)
        return read_json(read_file(self.folder, name, most=file.stat().st_size), file)

    def file(self, name: str) -> Path:
        """Find a file, and see that it is as it was written.

        Raises
        ------
        BundleError
            If it is missing, or was changed.
        """
        written = {file.name: file for file in self.provenance.files}.get(name)
        try:
            file = find_file(self.folder, name)
            is_as_written = written is not None and PublicFile.of(file, written.rows) == written
        except BundleError as error:
            raise BundleError(f"the private half is damaged: {error}") from None
        if not is_as_written:
            raise BundleError(f"the private half is damaged: {file} was changed")
        return file

    def misfits(self, public: Path, manifest: Manifest) -> list[str]:
        """Say why this half does not belong to a public one, or is less protected than it."""
        problems = []
        if hash_file(public, MANIFEST) != self.provenance.manifest:
            problems.append(f"{MANIFEST} is not the one that this private half was written with")
        if manifest.covers_private != (self.provenance.format > 1):
            return [
                *problems,
                f"{PROVENANCE} was changed: it has another format than {MANIFEST} belongs to",
            ]
        of_manifest, own = manifest.signature, self.provenance.signature
        signers = [None if signed is None else signed.key for signed in (of_manifest, own)]
        if manifest.covers_private and signers[0] != signers[1]:
            problems.append(
                f"{PROVENANCE} is not signed with the key that {MANIFEST} is signed with"
            )
        return problems
