"""Documents: what commands print with ``--json``, and programs are answered."""

from __future__ import annotations

from pathlib import Path

from unlinkable.spelling import finite
from unlinkable.tables.publishing.bundles.opened import open_bundle
from unlinkable.tables.publishing.judging.evidence import Finding
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release

__all__ = ["finding_document", "measured", "release_document"]


def release_document(release: Release, folder: Path) -> dict[str, object]:
    """Give a release and its bundle as ``anonymize --json`` prints them."""
    return {
        "holds": release.holds,
        "records": release.n_records,
        "suppressed": release.n_suppressed,
        "groups": release.n_groups,
        "models": release.finding.to_json(),
        "metrics": measured(release, folder),
        "method": str(release.method),
        "optimal": release.outcome.optimal,
        "node": None if release.node is None else dict(release.node),
        "effort": dict(release.outcome.effort),
        "complete": release.outcome.is_complete,
        "facts": dict(release.outcome.facts),
        "replaced": release.replaced if isinstance(release, MaskedRelease) else {},
        "seconds": sum(release.seconds.values()),
        "bundle": str(folder),
    }


def measured(release: Release, folder: Path) -> dict[str, float | None]:
    """Give what the manifest says was lost; what recipients are not told, the holder still is."""
    told = dict(open_bundle(folder).manifest.metrics)
    if release.metric is not None and str(release.metric) not in told:
        told[str(release.metric)] = finite(release.measure())
    return told


def finding_document(finding: Finding) -> dict[str, object]:
    """Give what a table was found to keep as ``check --json`` prints it."""
    return {
        "holds": finding.holds,
        "records": finding.n_records,
        "groups": finding.n_groups,
        "models": finding.to_json(),
    }
