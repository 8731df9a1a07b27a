"""The public half of a bundle: what recipients get.

Two steps are kept apart. `tell` looks at the release and decides what recipients are told of it;
`write_public` writes that and the published records, and sees nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unlinkable.release.bundle import REPORT, SigningKey
from unlinkable.tables.data import Frame, Role, distinct_texts, write_frame
from unlinkable.tables.metrics import DEFAULT_METRICS
from unlinkable.tables.metrics.base import GroupMetric, Metric, Shown
from unlinkable.tables.models.base import All, Verdict
from unlinkable.tables.publishing.bundles.about import About
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.manifest_file import write_manifest
from unlinkable.tables.publishing.bundles.manifest_sections import (
    Promise,
    PublicFile,
    PublishedColumn,
    PublishedTaxonomy,
)
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.bundles.told_promises import (
    can_be_judged_by_records,
    renamed_sources,
    short_names,
    unpublished,
)
from unlinkable.tables.publishing.judging.published_taxonomies import (
    hidden_taxonomy,
    quasi_taxonomy,
)
from unlinkable.tables.publishing.plans.plan_sections import Format
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.release import Release

if TYPE_CHECKING:
    from unlinkable.tables.publishing.reported.told import Told

__all__ = ["tell", "told_promise", "write_public", "write_tables"]


def write_public(
    folder: Path,
    tables: Mapping[str, Frame],
    told: Manifest,
    data_format: Format,
    key: SigningKey | None,
    about: About | None = None,
) -> tuple[Path, Told]:
    """Write the public half.

    Parameters
    ----------
    folder
        Where; it is made.
    tables
        What is published, by the names of the files without their endings.
    told
        What recipients are told, with no files yet.
    data_format
        How to write the tables.
    key
        What the holder signs with, if the release is to be signed.
    about
        What else they are told.

    Returns
    -------
    tuple
        The manifest, and what was written as a report sees it.
    """
    from unlinkable.tables.publishing.reported.building import public_report
    from unlinkable.tables.publishing.reported.told import Told

    manifest = write_tables(folder, tables, told, data_format, about)
    seen = Told.of(Bundle(folder, folder, manifest, None))
    page = folder / REPORT
    page.write_text(public_report(seen).to_html(), encoding="utf-8", newline="\n")
    manifest = manifest.model_copy(update={"files": (*manifest.files, PublicFile.of(page))})
    return write_manifest(manifest if key is None else manifest.signed(key), folder), seen


def write_tables(
    folder: Path,
    tables: Mapping[str, Frame],
    told: Manifest,
    data_format: Format,
    about: About | None = None,
) -> Manifest:
    """Write what is published, and give the manifest that lists it; it is not yet written.

    The parameters are those of `write_public`.
    """
    folder.mkdir()
    files = []
    for name, frame in tables.items():
        data = folder / f"{name}.{data_format.value}"
        write_frame(frame, data)
        files.append(PublicFile.of(data, frame.height))
    if about is not None and not about.is_empty:
        files.append(PublicFile.of(about.write(folder)))
    return told.model_copy(update={"files": tuple(files)})


def tell(
    release: GeneralizedRelease, frame: Frame, shown: Shown, metrics: tuple[Metric, ...] = ()
) -> Manifest:
    """Decide what recipients are told of a release.

    Parameters
    ----------
    release
        The release. No value of an original record is told.
    frame
        Its published records, as they are written.
    shown
        Its groups, each of them once, as recipients may see them: `Shown.over`.
    metrics
        What to measure besides the metric of the search and all usual metrics.
    """
    return Manifest(
        created=datetime.now(UTC).date(),
        version=version("unlinkable"),
        records=release.n_records,
        groups=release.n_groups,
        suppressed=shown.n_suppressed / max(shown.n_records, 1),
        columns=tuple(_column(release, frame, name) for name in frame.columns),
        models=tuple(told_promise(release, verdict) for verdict in release.finding.verdicts),
        method=str(release.method),
        optimal=release.solution.optimal,
        node=release.domains.node(release.solution.node),
        metrics=_measure(release, shown, (release.metric, *metrics)),
        files=(),
    )


def _column(release: GeneralizedRelease, frame: Frame, name: str) -> PublishedColumn:
    role = release.table.schema[name].role
    treatment = release.identifiers[name].treatment.value if role is Role.IDENTIFIER else None
    return PublishedColumn.model_validate(
        {
            "name": name,
            "role": role.value,
            "taxonomy": _taxonomy(release, frame, name),
            "treatment": treatment,
        }
    )


def _taxonomy(release: GeneralizedRelease, frame: Frame, name: str) -> PublishedTaxonomy | None:
    for attribute in release.task.attributes:
        if attribute.name == name:
            told = release.domains.taxonomy(name, attribute.taxonomy)
            return quasi_taxonomy(told, distinct_texts(frame, name))
    if name in release.solution.cells:
        told = release.domains.taxonomy(name, release.table.taxonomy(name))
        return quasi_taxonomy(told, distinct_texts(frame, name))
    if not any(name in hidden for hidden in All(release.models).needs()):
        return None
    taxonomy, numbered = release.table.taxonomy(name), release.table.numbered(name)
    rows = release.applied.rows
    numbers = numbered.numbers if rows is None else numbered.numbers[rows]
    return hidden_taxonomy(taxonomy, numbered.codes_in(taxonomy)[np.unique(numbers)])


def told_promise(
    release: Release, verdict: Verdict, groups: str = "groups of equal published values"
) -> Promise:
    """Tell recipients of a promise, and on what its verdict rests: on groups that are so called."""
    model = verdict.model
    counts_people = model.counts_people and release.table.schema.owner is not None
    refers = (
        bool(model.sources or unpublished(model, release.told_columns))
        or (counts_people and not can_be_judged_by_records(model))
        or model.needs_owner
    )
    grouped = f"{release.n_records} records in {release.n_groups} {groups}"
    if model.unsearchable is not None and not model.sources:
        grouped = "the ledger of all noise, which is published"
    return Promise.model_validate(
        {
            "model": str(renamed_sources(model, short_names(release.models))),
            "holds": verdict.holds,
            "basis": verdict.basis.value,
            "achieved": verdict.achieved,
            "rests_on": "; ".join([grouped, *_also(counts_people, refers, verdict.reading)]),
            "needs_private": counts_people or refers,
            "refers": refers,
        }
    )


def _also(counts_people: bool, refers: bool, reading: str) -> list[str]:
    said = ["people counted, not records"] if counts_people else []
    said += ["and on what only the holder has"] if refers else []
    return said + ([reading] if reading else [])


def _measure(
    release: GeneralizedRelease, shown: Shown, metrics: tuple[Metric, ...]
) -> dict[str, int | float | None]:
    """Measure what was lost, as far as recipients may know what there was."""

    def of(metric: Metric) -> float | None:
        if isinstance(metric, GroupMetric) and metric.boxes_suffice:
            value = metric.value(shown)
        else:
            value = metric.measure(release.published_alone(metric)).value
        return value if math.isfinite(value) else None

    return {str(metric): of(metric) for metric in (*metrics, *DEFAULT_METRICS)}
