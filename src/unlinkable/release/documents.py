"""Documents: what commands print with ``--json``, and programs are answered."""

from __future__ import annotations

from pathlib import Path

from unlinkable.release.bundle.opened import open_bundle
from unlinkable.release.finding import Finding
from unlinkable.release.release import Release

__all__ = ["finding_document", "release_document"]


def release_document(release: Release, folder: Path) -> dict[str, object]:
    """Give a release and its bundle as ``anonymize --json`` prints them."""
    stated = open_bundle(folder).manifest.metrics
    return {**release.summary(), "metrics": release.losses(stated), "bundle": str(folder)}


def finding_document(finding: Finding) -> dict[str, object]:
    """Give what data were found to keep as ``check --json`` prints it."""
    return {
        "holds": finding.holds,
        "records": finding.n_records,
        "groups": finding.n_groups,
        "models": finding.to_json(),
    }
