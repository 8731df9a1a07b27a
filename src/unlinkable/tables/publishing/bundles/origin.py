"""Origin: what is written down of where a release came from, without passwords."""

from __future__ import annotations

import hashlib
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from attrs import asdict

from unlinkable.tables.models.base import All
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies import taxonomy_to_json

__all__ = ["provenance_of"]

_PASSWORD = re.compile(r"(?<=://)([^/@:]*):.*@|([?&]\w*(?:pass|pwd|token|secret)\w*=)[^&]*", re.I)
"""A password in an address: whatever stands before its last ``@``, or in its query."""


def provenance_of(release: Release, plan: Plan | None, manifest: Path | None) -> dict[str, object]:
    """Say where a release came from."""
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
        "manifest": None if manifest is None else _digest(manifest),
    }


def _trace(release: Release) -> list[dict[str, object]]:
    if not isinstance(release, GeneralizedRelease):
        return []
    return [asdict(step) for step in release.solution.trace]


def _taxonomies(release: Release) -> dict[str, object]:
    """Give the taxonomies of columns that are published as they were.

    Metrics go by those that were given, and guards by those of the columns that they guard.
    """
    schema, published = release.table.schema, release.applied.frame.columns
    guarded = {
        name
        for names in All(release.models).needs()
        if any(n in schema.names and n not in published for n in names)
        for name in names
    }
    as_they_were = [
        c.name
        for c in schema.columns
        if c.name in published
        and c.name not in schema.quasi
        and (c.taxonomy is not None or c.name in guarded)
    ]
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
