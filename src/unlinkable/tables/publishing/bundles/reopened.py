"""The original records of a bundle, read again: for metrics that compare a release with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unlinkable.errors import BundleError, DataError, SchemaError, UnlinkableError
from unlinkable.tables.data import ColumnPlan, Frame, Role, Schema, Table, as_kind, shows_rows
from unlinkable.tables.data.reading import read_frame
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.base import Buckets, MaskedRecords
from unlinkable.tables.metrics.base import Generalized, GroupMetric, Metric, Published, Shown
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.publishing.anonymizing.planned import changed, read_table
from unlinkable.tables.publishing.bundles.manifest import MaskedManifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.bundles.provenance import require_own_source, require_unchanged
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.masked import published_of
from unlinkable.tables.taxonomies import taxonomy_from_json
from unlinkable.tables.taxonomies.builders import ReadyMade
from unlinkable.typing import CodeArray, Columns, CountArray

if TYPE_CHECKING:
    from unlinkable.tables.publishing.bundles.opened import Bundle

__all__ = ["reopened", "whose"]

_ANOTHER = "is not what the release was made from"


def reopened(
    bundle: Bundle, private: PrivateHalf, metric: Metric | None, original: str | Path | None
) -> Published:
    """Put the published records of a bundle beside the original ones.

    Raises
    ------
    BundleError
        If the original records cannot be found, or are not those that the release was made from.
    """
    frame, name = _read(private, original)
    if isinstance(bundle.manifest, MaskedManifest):
        return _masked(bundle, private, bundle.manifest, frame, name)
    shown = bundle.shown()
    try:
        table = Table(frame, _schema(bundle, private, shown, frame.columns))
    except SchemaError as error:
        raise BundleError(f"{name} {_ANOTHER}: {error}") from None
    shown = shown.on(table.schema.quasi)
    row, labels, _ = private.rows()
    if labels.size != len(table):
        raise BundleError(
            f"{name} has {len(table)} records, and the release was made from {labels.size}"
        )
    needs = metric.needs(table.schema) if isinstance(metric, GroupMetric) else ()
    partition, finest = _partition(table, shown, labels, needs, name)
    rows = _whose(row, bundle.manifest.records)
    _require_unchanged(bundle, table, rows, private.provenance.hidden, name)
    # What lies within its range and was changed, only the digest tells.
    require_unchanged(name, private.provenance)
    return Generalized.of(table, partition, finest, Applied(bundle.frame, rows).in_order())


def _masked(
    bundle: Bundle, private: PrivateHalf, manifest: MaskedManifest, frame: Frame, name: str
) -> Published:
    """Put records that were not generalized beside the original ones."""
    require_unchanged(name, private.provenance)
    try:
        table = Table(frame, _roles(bundle, private, frame.columns))
    except SchemaError as error:
        raise BundleError(f"{name} {_ANOTHER}: {error}") from None
    rows = whose(private, manifest.records, len(table), name) if private.tells_rows else None
    buckets = None
    if manifest.buckets is not None and bundle.hidden is not None:
        buckets = Buckets(manifest.buckets, bundle.hidden)
    shown = bundle.frame
    for column in shown.columns:
        if column in table.schema.names:
            shown = _as_it_was(shown, column, table)
    return published_of(table, MaskedRecords(shown, rows, buckets, manifest.counts))


def _as_it_was(shown: Frame, column: str, table: Table) -> Frame:
    """Read the texts of a column as the numbers or dates that they are, if they still are."""
    try:
        return as_kind(shown, column, table.taxonomy(column).domain.kind)
    except DataError:
        return shown


def whose(private: PrivateHalf, n_published: int, n_records: int, name: str) -> CountArray:
    """Tell for every published row which record it is."""
    row, _, _ = private.rows()
    if row.size != n_records:
        raise BundleError(
            f"{name} has {n_records} records, and the release was made from {row.size}"
        )
    return _whose(row, n_published)


def _whose(row: CountArray, n_published: int) -> CountArray:
    is_shown = row >= 0
    whose = np.zeros(n_published, np.int64)
    whose[row[is_shown]] = np.flatnonzero(is_shown)
    return whose


def _roles(bundle: Bundle, private: PrivateHalf, there: Iterable[str]) -> Schema:
    """Give the columns of the original their roles: as the plan says, or as they were told."""
    told = private.provenance
    if told.plan is not None:
        return Plan.from_dict(told.plan, Path(told.folder or ".")).schema(there)
    taxonomies = {n: ReadyMade(taxonomy_from_json(found)) for n, found in told.taxonomies.items()}
    roles = {role.value for role in Role}
    known = {c.name: Role(c.role) for c in bundle.manifest.columns if c.role in roles}
    return Schema(
        ColumnPlan(name, known.get(name, Role.INSENSITIVE), taxonomies.get(name)) for name in there
    )


def _read(private: PrivateHalf, original: str | Path | None) -> tuple[Frame, str]:
    """Read the original records from a file, or from where they were, as the plan says."""
    told = private.provenance
    source = original or told.source
    if source is None:
        raise BundleError(
            "this metric compares the release with the original records, and they came from no "
            "file: say where they are with --original"
        )
    try:
        if told.plan is None:
            if original is None:
                require_own_source(source, told)
            return read_frame(source), str(source)
        plan = Plan.from_dict(told.plan, Path(told.folder or "."))
        if original is None:
            require_own_source(plan.source, told)
        else:
            is_address = "://" in str(original)
            source = str(original) if is_address else str(Path(original).resolve())
            plan = changed(plan, source=source)
        return read_table(plan).frame, str(plan.source)
    except UnlinkableError as error:
        raise BundleError(
            f"this metric compares the release with the original records: {error}; say where they "
            "are with --original"
        ) from None


def _schema(bundle: Bundle, private: PrivateHalf, shown: Shown, there: Iterable[str]) -> Schema:
    """Give the columns that were published their roles, and the taxonomies of the release."""
    given = {n: taxonomy_from_json(told) for n, told in private.provenance.taxonomies.items()}
    given |= {a.name: a.taxonomy for a in shown.attributes}
    importance = {a.name: a.importance for a in shown.attributes}
    columns = [
        ColumnPlan(
            column.name,
            Role(column.role),
            ReadyMade(given[column.name]) if column.name in given else None,
            importance.get(column.name, 1.0),
        )
        for column in bundle.manifest.columns
    ]
    named = {plan.name for plan in columns}
    # What was not published, such as names of people, tells a metric nothing.
    columns += [ColumnPlan(name, Role.INSENSITIVE) for name in there if name not in named]
    return Schema(columns)


def _partition(
    table: Table, shown: Shown, labels: CodeArray, needs: Iterable[Columns], name: str
) -> tuple[Partition, CodeArray]:
    """Find the group of every distinct record, and see that each is within its group's box."""
    try:
        counted = count(table, needs)
    except UnlinkableError as error:
        raise BundleError(f"{name} {_ANOTHER}: {error}") from None
    parts, keys = counted.parts(labels), counted.finest.keys
    if parts is not None:
        is_shown = parts >= 0
        at, held = (parts, keys) if is_shown.all() else (parts[is_shown], keys[is_shown])
        if all(
            ((shown.lo[at, j] <= held[:, j]) & (held[:, j] < shown.hi[at, j])).all()
            for j in range(held.shape[1])
        ):
            return Partition(counted.finest, parts, shown.lo, shown.hi), counted.labels
    raise BundleError(f"{name} {_ANOTHER}: records show values that they never had")


def _require_unchanged(
    bundle: Bundle, table: Table, rows: CountArray, told: Collection[str], name: str
) -> None:
    """Refuse records that differ from the published ones in columns that are as they were.

    Columns that were ``told`` cell by cell are not.
    """
    for column in bundle.manifest.columns:
        is_changed = Role(column.role) in (Role.IDENTIFIER, Role.QUASI) or column.name in told
        if not (is_changed or shows_rows(bundle.frame, table.frame, column.name, rows)):
            raise BundleError(f"{name} {_ANOTHER}: column {column.name!r} has other values")
