"""What is told and kept of a release whose values are not all generalized alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np

from unlinkable.tables.data import COUNT, Frame, Role, codes_of, rows_frame
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import All, Verdict
from unlinkable.tables.publishing.attacking.targets import generalizes
from unlinkable.tables.publishing.bundles.manifest import MaskedManifest, Treatment
from unlinkable.tables.publishing.bundles.manifest_sections import (
    Promise,
    PublishedColumn,
    PublishedTaxonomy,
)
from unlinkable.tables.publishing.bundles.public_half import told_promise
from unlinkable.tables.publishing.bundles.written_private import Records
from unlinkable.tables.publishing.judging.published_taxonomies import hidden_taxonomy
from unlinkable.tables.publishing.releases.masked import MaskedRelease

__all__ = ["records_of", "tables_of", "tell_masked"]


def tables_of(release: MaskedRelease) -> dict[str, Frame]:
    """Give the tables that are published, by the names of their files."""
    buckets = release.masked.buckets
    if buckets is None:
        return {"data": release.masked.frame}
    return {"quasi": release.masked.frame, "sensitive": buckets.hidden}


def tell_masked(release: MaskedRelease, metrics: tuple[Metric, ...] = ()) -> MaskedManifest:
    """Decide what recipients are told of a release.

    How much was lost is counted from the original records without noise. Where a promise is about
    noise, that would have to be paid for as well, and is not told.

    Parameters
    ----------
    release
        The release. No value of an original record is told that is not published.
    metrics
        What to measure besides what was asked for.
    """
    masked = release.masked
    asked = (*(() if release.metric is None else (release.metric,)), *metrics)
    if release.promises_noise:
        asked = ()
    return MaskedManifest(
        created=datetime.now(UTC).date(),
        version=version("unlinkable"),
        records=release.n_records,
        groups=release.n_groups,
        suppressed=release.n_suppressed / max(len(release.table), 1),
        columns=tuple(_columns(release)),
        models=tuple(_promise(release, verdict) for verdict in release.finding.verdicts),
        method=str(release.method),
        optimal=masked.optimal,
        metrics={str(metric): _measured(release, metric) for metric in asked},
        treatment=_treatment(release),
        buckets=None if masked.buckets is None else masked.buckets.column,
        counts=masked.counts,
        told=dict(masked.told),
        noise=None if masked.ledger is None else masked.ledger.to_json(),
        files=(),
    )


def _treatment(release: MaskedRelease) -> Treatment:
    if release.masked.buckets is not None:
        return "bucketized"
    if generalizes(release.method):
        return "generalized"
    return "projected" if release.method.truthful else "perturbed"


def _promise(release: MaskedRelease, verdict: Verdict) -> Promise:
    """Tell of a promise; in buckets, records of a group need not show the same."""
    if release.masked.buckets is None:
        return told_promise(release, verdict)
    return told_promise(release, verdict, "buckets")


def records_of(release: MaskedRelease) -> Records:
    """Say which record is which, for the private half."""
    rows = release.masked.rows
    if rows is None:
        return Records(None, None, release.n_suppressed)
    row = np.full(len(release.table), -1, np.int64)
    row[rows] = np.arange(rows.size)
    owner = release.table.schema.owner
    owners = None if owner is None else release.table.frame.get_column(owner)
    return Records(rows_frame(row, None, owners), None, release.n_suppressed)


def _measured(release: MaskedRelease, metric: Metric) -> float | None:
    """Measure what was lost of the records that are published."""
    value = metric.measure(release.published_alone(metric)).value
    return value if math.isfinite(value) else None


def _columns(release: MaskedRelease) -> list[PublishedColumn]:
    masked, counted = release.masked, All(release.models).needs()
    frames = [masked.frame, *([] if masked.buckets is None else [masked.buckets.hidden])]
    told: dict[str, PublishedColumn] = {}
    for frame in frames:
        for name in frame.columns:
            if name in told or (name == COUNT and frame is not masked.frame):
                continue
            is_counted = any(name in hidden for hidden in counted)
            taxonomy = _taxonomy(release, frame, name) if is_counted else None
            told[name] = _column(release, name, taxonomy)
    return list(told.values())


def _column(
    release: MaskedRelease, name: str, taxonomy: PublishedTaxonomy | None
) -> PublishedColumn:
    role, treatment = _role(release, name), None
    if role == Role.IDENTIFIER.value:
        treatment = release.identifiers[name].treatment.value
    told: Mapping[str, object] = {
        "name": name,
        "role": role,
        "taxonomy": taxonomy,
        "treatment": treatment,
    }
    return PublishedColumn.model_validate(told)


def _role(release: MaskedRelease, name: str) -> str:
    buckets = release.masked.buckets
    if buckets is not None and name == buckets.column:
        return "bucket"
    if name == release.masked.counts:
        return "count"
    return release.table.schema[name].role.value if name in release.table.schema.names else "made"


def _taxonomy(release: MaskedRelease, frame: Frame, name: str) -> PublishedTaxonomy | None:
    """Tell the taxonomy of a column that promises are about, if its values are the original's."""
    if name not in release.table.schema.names:
        return None
    taxonomy = release.table.taxonomy(name)
    codes = np.unique(codes_of(frame, name, taxonomy.domain))
    return None if (codes < 0).any() else hidden_taxonomy(taxonomy, codes)
