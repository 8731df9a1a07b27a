"""Running a plan: from the file with the records to the bundle."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from unlinkable.errors import BundleError
from unlinkable.methods.base import Progress
from unlinkable.release.anonymize import anonymize
from unlinkable.release.bundle import open_bundle
from unlinkable.release.bundle import save as save_bundle
from unlinkable.release.plan import Plan
from unlinkable.release.release import Release
from unlinkable.spelling import read_call
from unlinkable.table import Table
from unlinkable.table.reading import read_frame

__all__ = ["changed", "read_table", "rerun", "run", "save"]


def read_table(plan: Plan) -> Table:
    """Read the records that a plan names, and give their columns the roles it says."""
    frame = read_frame(plan.source, options=plan.reading())
    frame = frame.select(plan.keep(frame.columns))
    return Table(frame, plan.schema(frame.columns), source=str(plan.source))


def run(plan: Plan, *, progress: Progress | None = None) -> Release:
    """Find the release that a plan asks for."""
    models, method, metric, key = plan.models(), plan.method(), plan.metric(), plan.key()
    return anonymize(
        read_table(plan),
        privacy=models,
        method=method,
        metric=metric,
        suppression=plan.suppression,
        identifiers=plan.identifiers(),
        key=key,
        seed=plan.form.release.seed,
        progress=progress,
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
        If the bundle has no private half, or no plan in it.
    """
    provenance = open_bundle(folder).provenance
    if provenance is None:
        raise BundleError(
            f"{folder} has no private half, and only that tells where the records came from"
        )
    if provenance.plan is None:
        raise BundleError(
            f"{folder} was not made from a plan: ask the release itself, with release.explain()"
        )
    plan = Plan.from_dict(provenance.plan, Path(provenance.folder or "."))
    if source is not None:
        plan = changed(plan, source=os.path.relpath(source, plan.folder))
    return run(changed(plan, seed=provenance.seed), progress=progress)


def changed(
    plan: Plan,
    *,
    source: str | None = None,
    method: str | None = None,
    metric: str | None = None,
    suppression: float | None = None,
    out: str | None = None,
    seed: int | None = None,
    file_format: str | None = None,
    sign: str | None = None,
) -> Plan:
    """Give a plan with some of its decisions changed; paths start from the folder of the plan."""
    document = plan.to_dict()
    if source is not None:
        _part(document, "data")["source"] = source
    if method is not None:
        name, arguments = read_call(method)
        before = _part(document, "method").get("suppression", 0)
        document["method"] = {"name": name, **arguments, "suppression": before}
    if suppression is not None:
        _part(document, "method")["suppression"] = suppression
    if metric is not None:
        name, arguments = read_call(metric)
        metrics = _part(document, "utility").get("metrics", [])
        document["utility"] = {"metric": name, **arguments, "metrics": metrics}
    given = {"out": out, "seed": seed, "format": file_format, "sign": sign}
    _part(document, "release").update({k: v for k, v in given.items() if v is not None})
    return Plan.from_dict(document, plan.folder, plan.file)


def _part(document: dict[str, object], name: str) -> dict[str, object]:
    part = document.setdefault(name, {})
    if isinstance(part, Mapping) and not isinstance(part, dict):
        part = document[name] = dict(part)
    return cast("dict[str, object]", part)
