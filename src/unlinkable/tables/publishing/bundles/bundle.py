"""Saving a release as a bundle: whole and verified, or not at all.

A bundle is written to a folder beside its place, opened again and verified from its files, and only
then moved. Whatever goes wrong on the way, an error or a signal, nothing is left behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from unlinkable.errors import BundleError, ParameterError, unknown
from unlinkable.release.bundle import (
    PRIVATE,
    PUBLIC,
    REPORT,
    SigningKey,
    beside,
    check_place,
    flush,
    recover,
    settle,
)
from unlinkable.release.plan import Statement
from unlinkable.tables.data import Frame, PublicDomains, canonical_values, rows_frame
from unlinkable.tables.metrics.base import Metric, Shown
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing.bundles.approved import about
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.masked_half import records_of, tables_of, tell_masked
from unlinkable.tables.publishing.bundles.origin import provenance_of
from unlinkable.tables.publishing.bundles.public_half import tell, write_public
from unlinkable.tables.publishing.bundles.told_promises import short_names
from unlinkable.tables.publishing.bundles.written_private import Beside, Records, write_private
from unlinkable.tables.publishing.judging.verification import verify
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.plans.plan_sections import Format
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.typing import CodeArray, Columns

if TYPE_CHECKING:
    from unlinkable.tables.publishing.reported.told import Told

__all__ = ["contents", "save"]


def save(
    release: Release,
    folder: str | Path,
    *,
    format: Format | Literal["csv", "parquet"] = Format.CSV,  # noqa: A002
    signing_key: SigningKey | None = None,
    plan: Plan | None = None,
    statement: Statement | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a release as a bundle, and verify it from its files before it takes its place.

    Parameters
    ----------
    release
        What to save. A release that does not keep its promises is refused.
    folder
        Where. Folders above are made.
    format
        How to write the published records.
    signing_key
        What the holder signs with, if the release is to be signed.
    plan
        The plan that the release was made from, for the private half.
    statement
        For whom the release is, and what of the original is told; as the plan says if not given.
    overwrite
        Whether a bundle that is there is replaced. Nothing but a bundle is ever replaced.

    Raises
    ------
    BundleError
        If the release does not hold, the place is taken or cannot be written, or what was written
        does not verify.
    UnsupportedError, ParameterError
        If something of the original is to be told that must not be.
    """
    target = Path(folder).resolve()
    if not release.holds:
        broken = [str(v.model) for v in release.finding.verdicts if not v.holds]
        raise BundleError(f"the release does not keep {' and '.join(broken)}: nothing was written")
    if format not in list(Format):
        raise ParameterError(unknown("format", format, Format))
    recover(target)
    check_place(target, overwrite=overwrite)
    tables, told, records = contents(release, () if plan is None else plan.metrics())
    if statement is None and plan is not None:
        statement = plan.statement()
    said = about(release, records.public, statement)
    with beside(target) as part:
        manifest, seen = write_public(
            part / PUBLIC, tables, told, Format(format), signing_key, said
        )
        origin = provenance_of(release, plan, manifest)
        pages = _holder_pages(release, seen, origin)
        beside_it = _unpublished(release)
        write_private(part / PRIVATE, records, beside_it, origin, pages, signing_key)
        checked = verify(part, public_key=None if signing_key is None else signing_key.public_key())
        if not checked.holds:
            wrong = "; ".join(checked.problems)
            raise BundleError(f"nothing was saved, because what was written does not hold: {wrong}")
        flush(part)
        check_place(target, overwrite=overwrite)
        settle(part, target)
    return Path(folder)


def _holder_pages(release: Release, seen: Told, origin: Mapping[str, object]) -> dict[str, str]:
    """Explain a release to its holder, from the public half as it is and what is known besides."""
    from unlinkable.tables.publishing.bundles.before import BEFORE
    from unlinkable.tables.publishing.reported.building import holder_report
    from unlinkable.tables.publishing.reported.held import Held

    held = Held.of_release(release, origin)
    return {REPORT: holder_report(seen, held).to_html(), BEFORE: held.before.written()}


def contents(
    release: Release, metrics: tuple[Metric, ...]
) -> tuple[dict[str, Frame], Manifest, Records]:
    """Decide what is published, what is told of it, and which record is which."""
    if isinstance(release, MaskedRelease):
        return tables_of(release), tell_masked(release, metrics), records_of(release)
    assert isinstance(release, GeneralizedRelease)
    shown, labels = _groups(release)
    frame = canonical_values(release.applied.frame, _counted(release))
    told = tell(release, frame, shown.over(release.domains), metrics)
    owner = release.table.schema.owner
    owners = None if owner is None else release.table.frame.get_column(owner)
    rows = rows_frame(release.applied.row_of(labels.size), labels, owners)
    return {"data": frame}, told, Records(rows, shown, shown.n_suppressed, release.domains)


def _groups(release: GeneralizedRelease) -> tuple[Shown, CodeArray]:
    """Give the groups that the release shows, each of them once, and the group of every record."""
    found = release.solution.partition
    partition = found.shown_as(found.lo, found.hi)
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
