"""Running a plan: from the file with the records to the bundle."""

from __future__ import annotations

import warnings
from pathlib import Path

from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.release.anonymize import anonymize
from unlinkable.release.bundle import save as save_bundle
from unlinkable.release.opened import open_bundle
from unlinkable.release.place import check_place
from unlinkable.release.plan import Plan
from unlinkable.release.planned import as_planned, changed, read_records
from unlinkable.release.provenance import require_unchanged
from unlinkable.release.registry import entries
from unlinkable.release.release import Release
from unlinkable.risk.people import people_warnings
from unlinkable.spelling import read_call
from unlinkable.typing import Progress

__all__ = ["prepare", "rerun", "run", "save"]


def prepare(plan: Plan, *, overwrite: bool = False) -> None:
    """See that a bundle could be saved, before a long search is done in vain.

    Raises
    ------
    BundleError
        If the place is taken.
    DataError
        If the key for the signature is missing, or is none.
    """
    plan.signing_key()
    if plan.out is not None:
        check_place(plan.out.resolve(), overwrite=overwrite)


def run(plan: Plan, *, progress: Progress | None = None) -> Release:
    """Find the release that a plan asks for."""
    models, method, metric, key = plan.models(), plan.method(), plan.metric(), plan.key()
    records = read_records(plan)
    table = as_planned(plan, records)
    dropped = [name for name in records.columns if name not in table.frame.columns]
    for fault in people_warnings(records.select(dropped), table.schema):
        warnings.warn(fault, stacklevel=2)
    return anonymize(
        table,
        privacy=models,
        method=method,
        metric=metric,
        suppression=plan.suppression,
        identifiers=plan.identifiers(),
        key=key,
        seed=plan.form.release.seed,
        progress=progress,
        side=plan.side(),
    )


def save(release: Release, plan: Plan, *, overwrite: bool = False) -> Path:
    """Write a release to the folder that its plan names."""
    if plan.out is None:
        raise BundleError("the plan does not say where the bundle goes: give it a folder")
    return save_bundle(
        release,
        plan.out,
        format=plan.form.release.format,
        signing_key=plan.signing_key(),
        plan=plan,
        overwrite=overwrite,
    )


def rerun(folder: Path, source: str | None = None, *, progress: Progress | None = None) -> Release:
    """Repeat the search that a bundle came from, with the original table at hand.

    Raises
    ------
    BundleError
        If the bundle has no private half, or no plan in it; or if the table has changed since.
    UnsupportedError
        If it was made with a view to earlier releases.
    """
    bundle = open_bundle(folder)
    provenance = bundle.provenance
    if provenance is None:
        raise BundleError(
            f"{folder} has no private half, and only that tells where the records came from"
        )
    if provenance.plan is None:
        raise BundleError(
            f"{folder} was not made from a plan: ask the release itself, with release.explain()"
        )
    if read_call(bundle.manifest.method)[0] in {entry.name for entry in entries("release")}:
        raise UnsupportedError(
            f"{folder} was published by {bundle.manifest.method} as one of a series: a search that "
            "looked at earlier releases cannot be repeated without them"
        )
    plan = Plan.from_dict(provenance.plan, Path(provenance.folder or "."))
    if source is None and "***" in str(plan.source):
        raise BundleError(
            f"{plan.source}: the bundle does not keep passwords; name the address anew, with it"
        )
    if source is not None:
        plan = changed(plan, source=source if "://" in source else str(Path(source).resolve()))
    require_unchanged(plan.source, provenance)
    return run(changed(plan, seed=provenance.seed), progress=progress)
