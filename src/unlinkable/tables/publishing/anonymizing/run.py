"""Running a plan: from the file with the records to the bundle."""

from __future__ import annotations

import warnings
from pathlib import Path

from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.release.bundle import check_place, recover
from unlinkable.tables.publishing.anonymizing.anonymize import anonymize
from unlinkable.tables.publishing.anonymizing.planned import as_planned, changed, read_records
from unlinkable.tables.publishing.bundles.bundle import save as save_bundle
from unlinkable.tables.publishing.bundles.opened import open_bundle
from unlinkable.tables.publishing.bundles.series_policy import policy_of
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.risk import people_warnings
from unlinkable.typing import Progress

__all__ = ["prepare", "rerun", "run", "save"]


def prepare(plan: Plan, *, overwrite: bool = False) -> None:
    """See that a bundle could be saved, before a long search is done in vain.

    Raises
    ------
    BundleError
        If the place is taken, or the plan reads something from it.
    DataError
        If the key for the signature is missing, or is none.
    """
    plan.signing_key()
    if plan.out is not None:
        target = plan.out.resolve()
        recover(target)
        check_place(target, overwrite=overwrite)
        _require_apart(plan, target)


def _require_apart(plan: Plan, target: Path) -> None:
    """Refuse to replace a bundle that the plan reads something from."""
    for file in plan.files():
        if file.resolve().is_relative_to(target):
            raise BundleError(
                f"{file} is in {target}, which would be replaced: choose another folder for the "
                "bundle"
            )


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
        If the bundle has no private half, or no plan in it; if the table has changed since; or if
        it is in a database whose address is not given here.
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
    if policy_of(bundle.manifest.method) is not None:
        raise UnsupportedError(
            f"{folder} was published by {bundle.manifest.method} as one of a series: a search that "
            "looked at earlier releases cannot be repeated without them"
        )
    plan = Plan.from_dict(provenance.plan, Path(provenance.folder or "."))
    if source is None and "***" in str(plan.source):
        raise BundleError(
            f"{plan.source}: the bundle does not keep passwords; name the address anew, with it"
        )
    if source is None:
        require_own_source(plan.source, provenance)
    else:
        plan = changed(plan, source=source if "://" in source else str(Path(source).resolve()))
        require_unchanged(plan.source, provenance)
    return run(changed(plan, seed=provenance.seed), progress=progress)
