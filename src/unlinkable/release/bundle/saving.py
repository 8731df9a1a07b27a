"""Saving a release as a bundle: whole and verified, or not at all.

A bundle is written to a folder beside its place, opened again and verified from its files, and only
then moved. Whatever goes wrong on the way, an error or a signal, nothing is left behind.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.errors import BundleError
from unlinkable.release.bundle.bundle_files import PRIVATE, PUBLIC, REPORT
from unlinkable.release.bundle.draft import Draft
from unlinkable.release.bundle.manifest import Manifest, PublicFile
from unlinkable.release.bundle.manifest_file import write_manifest
from unlinkable.release.bundle.opened import Bundle
from unlinkable.release.bundle.place import beside, check_place, flush, recover, settle
from unlinkable.release.bundle.private_half import write_private
from unlinkable.release.bundle.provenance import provenance_of
from unlinkable.release.bundle.signing import SigningKey
from unlinkable.release.kind import kind_called
from unlinkable.release.plan.plan import Plan
from unlinkable.release.plan.statement import Statement
from unlinkable.release.verify.verification import verify

if TYPE_CHECKING:
    from unlinkable.release.release import Release

__all__ = ["save", "write_data"]


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
        seen, manifest = _write_public(part / PUBLIC, draft, signing_key)
        _write_private(part / PRIVATE, release, plan, draft, seen, manifest, signing_key)
        checked = verify(part, public_key=None if signing_key is None else signing_key.public_key())
        if not checked.holds:
            wrong = "; ".join(checked.problems)
            raise BundleError(f"nothing was saved, because what was written does not hold: {wrong}")
        flush(part)
        check_place(target, overwrite=overwrite)
        settle(part, target)
    return Path(folder)


def write_data(folder: Path, draft: Draft) -> Bundle:
    """Write what is published, and give it as recipients see it; the manifest is not yet written.

    Parameters
    ----------
    folder
        Where; it is made.
    draft
        What is to be written.
    """
    folder.mkdir()
    files = draft.write_public(folder)
    if not draft.about.is_empty:
        files.append(PublicFile.of(draft.about.write(folder)))
    manifest = draft.manifest.model_copy(update={"files": tuple(files)})
    return kind_called(manifest.data_kind).open(folder, folder, manifest, None)


def _write_public(folder: Path, draft: Draft, key: SigningKey | None) -> tuple[Bundle, Path]:
    """Write the public half; give it as recipients see it, and the file of the manifest."""
    seen = write_data(folder, draft)
    page = folder / REPORT
    page.write_text(seen.report().to_html(), encoding="utf-8", newline="\n")
    files = (*seen.manifest.files, PublicFile.of(page))
    manifest: Manifest = seen.manifest.model_copy(update={"files": files})
    return seen, write_manifest(manifest if key is None else manifest.signed(key), folder)


def _write_private(
    folder: Path,
    release: Release,
    plan: Plan | None,
    draft: Draft,
    seen: Bundle,
    manifest: Path,
    key: SigningKey | None,
) -> None:
    """Write the private half."""
    folder.mkdir(mode=0o700)
    origin = provenance_of(release, plan, manifest)
    own, rows = draft.write_private(folder)
    fields = {**origin, **own}
    form = kind_called(release.data_kind).private_half.form
    write_private(folder, form, fields, rows, draft.pages(seen, fields), key)
