"""Saving a release as a bundle: whole and verified, or not at all.

A bundle is written to a folder beside its place, opened again and verified from its files, and only
then moved. Whatever goes wrong on the way, an error or Ctrl-C, nothing is left behind.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import asdict

from unlinkable.errors import BundleError, ParameterError, unknown
from unlinkable.privacy.base import All
from unlinkable.release.generalized import GeneralizedRelease
from unlinkable.release.manifest import MANIFEST, Manifest
from unlinkable.release.masked import MaskedRelease
from unlinkable.release.masked_half import records_of, tables_of, tell_masked
from unlinkable.release.opened import PRIVATE, PUBLIC, Bundle, open_bundle
from unlinkable.release.plan import Plan
from unlinkable.release.plan_sections import Format
from unlinkable.release.private_half import Beside, Records, write_private
from unlinkable.release.public_half import tell, write_public
from unlinkable.release.release import Release
from unlinkable.release.signing import SigningKey
from unlinkable.release.told_promises import short_names
from unlinkable.release.verification import verify
from unlinkable.table.portable import taxonomy_to_json
from unlinkable.table.recoded import Frame
from unlinkable.table.stored import rows_frame
from unlinkable.table.told import tellable
from unlinkable.typing import CodeArray
from unlinkable.utility.base import Metric, Shown

__all__ = ["Bundle", "check_place", "open_bundle", "save"]

_PASSWORD = re.compile(r"(?<=://)([^/@:]*):.*@|([?&]\w*(?:pass|pwd|token|secret)\w*=)[^&]*", re.I)
"""A password in an address: whatever stands before its last ``@``, or in its query."""


def save(
    release: Release,
    folder: str | Path,
    *,
    format: Format | Literal["csv", "parquet"] = Format.CSV,  # noqa: A002
    signing_key: SigningKey | None = None,
    plan: Plan | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a release as a bundle, and verify it from its files before it takes its place.

    Parameters
    ----------
    release
        What to save. A release that does not keep its promises is refused.
    folder
        Where. Folders above are made.
    format
        How to write the published records.
    signing_key
        What the holder signs with, if the release is to be signed.
    plan
        The plan that the release was made from, for the private half.
    overwrite
        Whether a bundle that is there is replaced. Nothing but a bundle is ever replaced.

    Raises
    ------
    BundleError
        If the release does not hold, the place is taken or cannot be written, or what was written
        does not verify.
    """
    target = Path(folder).resolve()
    if not release.holds:
        broken = [str(v.model) for v in release.finding.verdicts if not v.holds]
        raise BundleError(f"the release does not keep {' and '.join(broken)}: nothing was written")
    if format not in list(Format):
        raise ParameterError(unknown("format", format, Format))
    check_place(target, overwrite=overwrite)
    tables, told, records = _contents(release, () if plan is None else plan.metrics())
    with _beside(target) as part:
        manifest = write_public(part / PUBLIC, tables, told, Format(format), signing_key)
        origin = _provenance(release, plan, manifest)
        write_private(part / PRIVATE, records, _unpublished(release), origin)
        checked = verify(part, public_key=None if signing_key is None else signing_key.public_key())
        if not checked.holds:
            said = "; ".join(checked.problems)
            raise BundleError(f"nothing was saved, because what was written does not hold: {said}")
        _flush(part)
        check_place(target, overwrite=overwrite)
        _settle(part, target)
    return Path(folder)


def _contents(
    release: Release, metrics: tuple[Metric, ...]
) -> tuple[dict[str, Frame], Manifest, Records]:
    """Decide what is published, what is told of it, and which record is which."""
    if isinstance(release, MaskedRelease):
        return tables_of(release), tell_masked(release, metrics), records_of(release)
    assert isinstance(release, GeneralizedRelease)
    shown, labels = _groups(release)
    frame = tellable(release.applied.frame, _counted(release))
    told = tell(release, frame, shown, metrics)
    owner = release.table.schema.owner
    owners = None if owner is None else release.table.frame.get_column(owner)
    return {"data": frame}, told, Records(rows_frame(labels, owners), shown, shown.n_suppressed)


def _groups(release: GeneralizedRelease) -> tuple[Shown, CodeArray]:
    """Give the groups that the release shows, each of them once, and the group of every record."""
    found = release.solution.partition
    partition = found.shown_as(found.lo, found.hi)
    partition = partition.suppress(partition.sizes == 0)
    shown = Shown.of(partition, release.task.attributes)
    return shown, partition.labels[release.counted.labels].astype(np.int32)


def _unpublished(release: Release) -> Beside:
    """Give what promises refer to besides the published records."""
    hidden = release.evidence().hidden
    # What is told cell by cell is read with its whole taxonomy, which recipients do not get.
    cells = release.solution.told if isinstance(release, GeneralizedRelease) else ()
    names = [*([] if hidden is None else hidden.columns), *cells]
    return Beside(
        hidden=hidden,
        taxonomies={name: release.table.taxonomy(name) for name in names},
        side={
            short: release.side.open(source).frame
            for source, short in short_names(release.models).items()
        },
    )


def _counted(release: GeneralizedRelease) -> list[str]:
    """Name the published columns that the promises are judged on."""
    hidden = {name for names in All(release.models).needs() for name in names}
    columns = release.applied.frame.columns
    return [name for name in columns if name in hidden | set(release.table.schema.quasi)]


def _provenance(release: Release, plan: Plan | None, manifest: Path) -> dict[str, object]:
    source = release.table.source
    file = None if source is None or "://" in source else Path(source)
    document = None if plan is None else _without_passwords(plan.to_dict())
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": None if source is None else _hide_password(source),
        "digest": None if file is None or not file.is_file() else _digest(file),
        "plan": document,
        "folder": None if plan is None else str(plan.folder.resolve()),
        "seed": release.seed,
        "engine": "local",
        "seconds": dict(release.seconds),
        "effort": {name: int(n) for name, n in release.outcome.effort.items()},
        "complete": release.outcome.is_complete,
        "facts": dict(release.outcome.facts),
        "trace": _trace(release),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("unlinkable", "numpy", "numba", "polars")},
        },
        "owner": release.table.schema.owner,
        "taxonomies": _taxonomies(release),
        "manifest": _digest(manifest),
    }


def _trace(release: Release) -> list[dict[str, object]]:
    if not isinstance(release, GeneralizedRelease):
        return []
    return [asdict(step) for step in release.solution.trace]


def _taxonomies(release: Release) -> dict[str, object]:
    """Give the taxonomies of columns that are published as they were: metrics go by them."""
    schema, published = release.table.schema, release.applied.frame.columns
    given = [c for c in schema.columns if c.name in published and c.taxonomy is not None]
    as_they_were = [c.name for c in given if c.name not in schema.quasi]
    return {name: taxonomy_to_json(release.table.taxonomy(name)) for name in as_they_were}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _hide_password(address: str) -> str:
    return _PASSWORD.sub(lambda m: f"{m[2]}***" if m[2] else f"{m[1]}:***@", address)


def _without_passwords(document: dict[str, object]) -> dict[str, object]:
    data = document["data"]
    assert isinstance(data, dict)
    return {**document, "data": {**data, "source": _hide_password(str(data["source"]))}}


def check_place(target: Path, *, overwrite: bool) -> None:
    """Refuse a place that is taken.

    Raises
    ------
    BundleError
        If there is a file, another folder, or a bundle that is not to be overwritten.
    """
    if not (target.exists() or target.is_symlink()):
        return
    if not target.is_dir():
        raise BundleError(f"{target} is a file, and a bundle is a folder: choose another name")
    if not any(target.iterdir()):
        return
    if not (target / PUBLIC / MANIFEST).is_file():
        raise BundleError(
            f"{target} holds something that is no bundle, which is never replaced: choose another "
            "name"
        )
    if not overwrite:
        raise BundleError(f"{target} exists: choose another name, or ask to overwrite it")


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a folder beside the target; it is gone at the end, whatever happens."""
    made = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    part = target.parent / f".{target.name}.{secrets.token_hex(8)}.part"
    try:
        part.mkdir(parents=True)
        yield part
    except OSError as error:
        raise BundleError(
            f"cannot write the bundle {target} ({error.strerror}): check the place and its rights"
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _settle(part: Path, target: Path) -> None:
    """Move a finished bundle to its place; one that is there gives way only now."""
    old = part.with_suffix(".old")
    try:
        if target.is_dir():
            target.rename(old)
        part.rename(target)
    finally:
        if old.exists():
            if target.exists():
                shutil.rmtree(old, ignore_errors=True)
            else:
                old.rename(target)


def _flush(folder: Path) -> None:
    """Make sure that what was verified is on the disk, and not only in memory."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb+") as stream:
                os.fsync(stream.fileno())
