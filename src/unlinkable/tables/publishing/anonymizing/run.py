"""Running a plan: from the file with the records to the bundle."""

from __future__ import annotations

import warnings
from pathlib import Path

from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.release.bundle import require_own_source, require_unchanged
from unlinkable.release.plan import changed
from unlinkable.tables.publishing.anonymizing.anonymize import anonymize
from unlinkable.tables.publishing.anonymizing.planned import as_planned, read_records
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.risk import people_warnings
from unlinkable.typing import Progress

__all__ = ["rerun", "run"]


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


def rerun(
    bundle: Bundle, source: str | None = None, *, progress: Progress | None = None
) -> Release:
    """Repeat the search that a bundle came from, with the original table at hand.

    Raises
    ------
    BundleError
        If the bundle has no private half, or no plan in it; if the table has changed since; or if
        it is in a database whose address is not given here.
    UnsupportedError
        If it was made with a view to earlier releases.
    """
    folder, provenance = bundle.folder, bundle.provenance
    if provenance is None:
        raise BundleError(
            f"{folder} has no private half, and only that tells where the records came from"
        )
    if provenance.plan is None:
        raise BundleError(
            f"{folder} was not made from a plan: ask the release itself, with release.explain()"
        )
    if bundle.manifest.policy is not None:
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
