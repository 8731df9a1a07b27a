"""Saving a release as a bundle: whole and verified, or not at all.

A bundle is written to a folder beside its place, opened again and verified from its files, and only
then moved. Whatever goes wrong on the way, an error or a signal, nothing is left behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.errors import BundleError
from unlinkable.release.bundle.bundle_files import PRIVATE, PROVENANCE, PUBLIC, REPORT
from unlinkable.release.bundle.draft import Draft, PublicDraft
from unlinkable.release.bundle.manifest import Manifest, PublicFile
from unlinkable.release.bundle.manifest_file import write_manifest
from unlinkable.release.bundle.opened import Bundle
from unlinkable.release.bundle.place import beside, check_place, flush, recover, settle
from unlinkable.release.bundle.provenance import provenance_of
from unlinkable.release.bundle.signing import SigningKey
from unlinkable.release.kind import kind_called
from unlinkable.release.plan.plan import Plan
from unlinkable.release.plan.statement import Statement
from unlinkable.release.verify.verification import verify

if TYPE_CHECKING:
    from unlinkable.release.release import Release

__all__ = ["save", "write_data", "write_private", "write_public"]


def save(
    release: Release,
    folder: str | Path,
    *,
    data_format: str | None = None,
    signing_key: SigningKey | None = None,
    plan: Plan | None = None,
    statement: Statement | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a release as a bundle, and verify it from its files before it takes its place.

    See `Release.save`.

    Raises
    ------
    BundleError
        If the release does not hold, the place is taken or cannot be written, or what was written
        does not verify.
    UnsupportedError, ParameterError
        If something of the original is to be told that must not be.
    """
    target = Path(folder).resolve()
    if not release.holds:
        broken = " and ".join(release.finding.broken)
        raise BundleError(f"the release does not keep {broken}: nothing was written")
    if statement is None and plan is not None:
        statement = plan.statement()
    recover(target)
    check_place(target, overwrite=overwrite)
    draft = release.draft(plan, statement, data_format)
    with beside(target) as part:
        seen, manifest = write_public(part / PUBLIC, draft.public, signing_key)
        origin = provenance_of(release, plan, manifest)
        write_private(part / PRIVATE, draft, seen, origin, signing_key)
        checked = verify(part, public_key=None if signing_key is None else signing_key.public_key())
        if not checked.holds:
            wrong = "; ".join(checked.problems)
            raise BundleError(f"nothing was saved, because what was written does not hold: {wrong}")
        flush(part)
        check_place(target, overwrite=overwrite)
        settle(part, target)
    return Path(folder)


def write_data(folder: Path, draft: PublicDraft) -> Bundle:
    """Write what is published, and give it as recipients see it; the manifest is not yet written.

    Parameters
    ----------
    folder
        Where; it is made.
    draft
        What is to be written.
    """
    folder.mkdir()
    files = draft.write(folder)
    if not draft.about.is_empty:
        files.append(PublicFile.of(draft.about.write(folder)))
    manifest = draft.manifest.model_copy(update={"files": tuple(files)})
    return kind_called(manifest.data_kind).open(folder, folder, manifest, None)


def write_public(
    folder: Path, draft: PublicDraft, key: SigningKey | None = None
) -> tuple[Bundle, Path]:
    """Write the public half; give it as recipients see it, and the file of the manifest.

    Parameters
    ----------
    folder
        Where; it is made.
    draft
        What recipients get.
    key
        What the holder signs with, if the release is to be signed.
    """
    seen = write_data(folder, draft)
    page = folder / REPORT
    page.write_text(seen.report().to_html(), encoding="utf-8", newline="\n")
    files = (*seen.manifest.files, PublicFile.of(page))
    manifest: Manifest = seen.manifest.model_copy(update={"files": files})
    return seen, write_manifest(manifest if key is None else manifest.signed(key), folder)


def write_private(
    folder: Path,
    draft: Draft,
    seen: Bundle,
    origin: Mapping[str, object],
    key: SigningKey | None = None,
) -> None:
    """Write the private half, for its owner's eyes only.

    Parameters
    ----------
    folder
        Where; it is made.
    draft
        What the holder keeps.
    seen
        The public half, as it was written.
    origin
        Where the release came from: `provenance_of`.
    key
        What the holder signs with, if the release is to be signed.
    """
    folder.mkdir(mode=0o700)
    own, rows = draft.write_private(folder)
    fields = {**origin, **own}
    for name, page in draft.pages(seen, fields).items():
        (folder / name).write_text(page, encoding="utf-8", newline="\n")
    listed = [PublicFile.of(file, rows.get(file.name)) for file in folder.iterdir()]
    form = kind_called(seen.manifest.data_kind).private_half.form
    provenance = form.model_validate({**fields, "files": listed})
    if key is not None:
        provenance = provenance.signed(key)
    (folder / PROVENANCE).write_bytes(provenance.file_bytes())
    for file in folder.iterdir():
        file.chmod(0o600)
