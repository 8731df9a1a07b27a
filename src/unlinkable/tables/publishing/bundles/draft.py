"""What is written of a release of a table: what recipients get, and what its holder keeps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from attrs import asdict, define

from unlinkable.errors import ParameterError, unknown
from unlinkable.release.bundle import REPORT, Draft, PublicDraft, PublicFile
from unlinkable.tables.data import Frame, PublicDomains, canonical_values, rows_frame, write_frame
from unlinkable.tables.metrics.base import Metric, Shown
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing.bundles.about import About
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.masked_half import records_of, tables_of, tell_masked
from unlinkable.tables.publishing.bundles.public_half import tell
from unlinkable.tables.publishing.bundles.told_promises import short_names
from unlinkable.tables.publishing.bundles.written_private import Beside, Records, write_records
from unlinkable.tables.publishing.plans.plan_sections import Format
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies import taxonomy_to_json
from unlinkable.typing import CodeArray, Columns

if TYPE_CHECKING:
    from unlinkable.release.bundle import Bundle as AnyBundle
    from unlinkable.release.plan import Statement

__all__ = ["PublicTables", "TableDraft", "draft_of"]


@define(eq=False, frozen=True)
class PublicTables(PublicDraft):
    """What recipients get.

    Attributes
    ----------
    tables
        The published tables, by the names of their files without the endings.
    manifest, about
        What they are told.
    data_format
        How tables are written.
    """

    tables: Mapping[str, Frame]
    manifest: Manifest
    about: About
    data_format: Format

    def write(self, folder: Path) -> list[PublicFile]:
        files = []
        for name, frame in self.tables.items():
            file = folder / f"{name}.{self.data_format.value}"
            write_frame(frame, file)
            files.append(PublicFile.of(file, frame.height))
        return files


@define(eq=False, frozen=True)
class TableDraft(Draft):
    """What is to be written of a release of a table.

    Attributes
    ----------
    public
        What recipients get.
    release
        The release.
    records
        Which record is which.
    """

    public: PublicTables
    release: Release
    records: Records

    def write_private(self, folder: Path) -> tuple[Mapping[str, object], Mapping[str, int]]:
        fields, rows = write_records(folder, self.records, _unpublished(self.release))
        own = {
            "trace": _trace(self.release),
            "owner": self.release.table.schema.owner,
            "taxonomies": _taxonomies(self.release),
        }
        return {**own, **fields}, rows

    def pages(self, seen: AnyBundle, origin: Mapping[str, object]) -> Mapping[str, str]:
        from unlinkable.tables.publishing.bundles.before import BEFORE
        from unlinkable.tables.publishing.bundles.opened import Bundle
        from unlinkable.tables.publishing.reported.building import holder_report
        from unlinkable.tables.publishing.reported.held import Held

        assert isinstance(seen, Bundle)
        held = Held.of_release(self.release, origin)
        return {
            REPORT: holder_report(seen.public_view, held).to_html(),
            BEFORE: held.before.written(),
        }


def draft_of(
    release: Release,
    metrics: tuple[Metric, ...],
    statement: Statement | None,
    data_format: str | None,
) -> TableDraft:
    """Decide what is written of a release, measured also by some metrics; see `Release.draft`."""
    from unlinkable.tables.publishing.bundles.approved import about

    if data_format is not None and data_format not in list(Format):
        raise ParameterError(unknown("format", data_format, Format))
    form = Format(data_format or Format.CSV)
    manifest: Manifest
    if isinstance(release, MaskedRelease):
        tables, manifest = tables_of(release), tell_masked(release, metrics)
        records = records_of(release)
    else:
        assert isinstance(release, GeneralizedRelease)
        shown, labels = _groups(release)
        frame = canonical_values(release.applied.frame, _counted(release))
        tables = {"data": frame}
        manifest = tell(release, frame, shown.over(release.domains), metrics)
        owner = release.table.schema.owner
        owners = None if owner is None else release.table.frame.get_column(owner)
        rows = rows_frame(release.applied.row_of(labels.size), labels, owners)
        records = Records(rows, shown, shown.n_suppressed, release.domains)
    said = about(release, records.public, statement)
    return TableDraft(PublicTables(tables, manifest, said, form), release, records)


def _groups(release: GeneralizedRelease) -> tuple[Shown, CodeArray]:
    """Give the groups that the release shows, each of them once, and the group of every record."""
    partition = release.solution.partition
    partition = partition.shown_as(partition.lo, partition.hi)
    partition = partition.suppress(partition.sizes == 0)
    shown = Shown.of(partition, release.task.attributes)
    return shown, partition.labels[release.counted.labels].astype(np.int32)


def _unpublished(release: Release) -> Beside:
    """Give what promises refer to besides the published records."""
    hidden = release.evidence().hidden
    # What is told cell by cell is read with a taxonomy that recipients do not get.
    cells: Columns = ()
    domains = PublicDomains({})
    if isinstance(release, GeneralizedRelease):
        cells, domains = tuple(release.solution.cells), release.domains
    names = [*([] if hidden is None else hidden.columns), *cells]
    return Beside(
        hidden=hidden,
        taxonomies={n: domains.taxonomy(n, release.table.taxonomy(n)) for n in names},
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
