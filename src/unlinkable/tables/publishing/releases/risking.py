"""The risk of what was published, beside that of the original records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import evolve

from unlinkable.errors import BundleError
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.data import Column, ColumnPlan, Role, Schema, Table, as_kind, beside
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.publishing.anonymizing.planned import read_table
from unlinkable.tables.publishing.attacking.bundle_targets import target_of_bundle, truth_of_bundle
from unlinkable.tables.publishing.attacking.targets import target_of, truth_of
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.risk import Assessment, RiskReport
from unlinkable.tables.taxonomies import Kind
from unlinkable.tables.taxonomies.builders import ReadyMade, TaxonomyBuilder
from unlinkable.typing import Progress

__all__ = ["published_table", "risk_of"]

_REPLACED = (
    "values were replaced by others: that records look alike says little of who is found; try "
    "`unlinkable attack record-linkage`"
)
_IN_BUCKETS = (
    "records are published as they were, and only what is sensitive is hidden in buckets: the "
    "figures are about finding a record, not about what it hides"
)


def risk_of(
    source: Release | Bundle | Plan | Table,
    asked: Assessment | None = None,
    *,
    population: object | None = None,
    original: str | Path | None = None,
    builders: Mapping[str, TaxonomyBuilder] | None = None,
    progress: Progress | None = None,
) -> RiskReport:
    """Assess a table, the records that a plan names, or a release.

    A release is assessed as it was published. If the original records are at hand, so are they, and
    the report has both.

    Parameters
    ----------
    source
        What to assess.
    asked
        What to ask.
    population
        The people of the population, as a frame or a file, with original values.
    original
        Where the original records of a bundle are now.
    builders
        What published texts mean, by column, where a bundle does not tell.
    progress
        Whom to tell how far it is.

    Raises
    ------
    BundleError
        If ``original`` is not what the bundle was made from.
    UnsupportedError
        If the release shows no records, but several tables of counts.
    SchemaError, ParameterError
        As `assess` does.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [31, 33, 34, 36, 38, 52]}, quasi="age",
    ...     taxonomies={"age": ul.Intervals(5, 10, 20)})
    >>> report = risk_of(ul.anonymize(people, privacy=ul.KAnonymity(2), suppression=0.2))
    >>> report.before.highest, report.highest
    (1.0, 0.5)
    """
    asked = asked or Assessment()
    if isinstance(source, Table):
        return asked.of(source, population=population, progress=progress)
    if isinstance(source, Plan):
        return asked.of(read_table(source), population=population, progress=progress)
    if isinstance(source, Bundle):
        after, before, note = _of_bundle(source, original, builders or {})
    else:
        after, before, note = _of_release(source)
    report = asked.of(after, population=population, progress=progress)
    earlier = None
    if before is not None:
        earlier = asked.of(before, population=population, progress=progress)
    return evolve(report, before=earlier, note=note)


def published_table(bundle: Bundle, target: Target | None = None) -> Table:
    """Take the published records of a bundle as a table of its own, as recipients see them."""
    told = {column.name: column.role for column in bundle.manifest.columns}
    weight = next((n for n, role in told.items() if role == Role.WEIGHT.value), None)
    return _table(target_of_bundle(bundle) if target is None else target, weight, None)


def _of_release(release: Release) -> tuple[Table, Table, str]:
    """Give the published and the original records."""
    target, truth = target_of(release), truth_of(release)
    schema, owners = release.table.schema, None
    if schema.owner is not None and truth.rows is not None:
        owners = release.table.frame.get_column(schema.owner)[truth.rows]
    before = _raw(release.table, {})
    weight = schema.weight if schema.weight in target.frame.columns else None
    return _table(target, weight, owners), before, _note(target)


def _of_bundle(
    bundle: Bundle, original: str | Path | None, builders: Mapping[str, TaxonomyBuilder]
) -> tuple[Table, Table | None, str]:
    """Give the published records and, if they are at hand, the original ones."""
    target = target_of_bundle(bundle)
    planned = {} if bundle.private is None else _planned(bundle.private)
    target = evolve(target, builders={**planned, **builders})
    told = {column.name: column.role for column in bundle.manifest.columns}
    weight = next((n for n, role in told.items() if role == Role.WEIGHT.value), None)
    try:
        truth = truth_of_bundle(bundle, original)
    except BundleError:
        if original is not None:
            raise
        return _table(target, weight, _told_owners(bundle)), None, _note(target)
    assert bundle.private is not None
    owners = bundle.private.rows()[2] if bundle.private.tells_rows else None
    published = None if owners is None or truth.rows is None else owners[truth.rows]
    before = _raw(truth.table, target.builders)
    before = before if owners is None else _owned(before, owners)
    return _table(target, weight, published), before, _note(target)


def _told_owners(bundle: Bundle) -> Column | None:
    """Say whose the published records are, as the private half of a bundle knows it."""
    private = bundle.private
    if private is None or not (bundle.is_generalized and private.tells_rows):
        return None
    row, _, owners = private.rows()
    kept = np.flatnonzero(row >= 0)
    return None if owners is None else owners[kept[np.argsort(row[kept])]]


def _planned(private: PrivateHalf) -> dict[str, TaxonomyBuilder]:
    """Say how values are generalized, as the plan of a bundle does."""
    told = private.provenance
    if told.plan is None:
        return {}
    schema = Plan.from_dict(told.plan, Path(told.folder or ".")).schema()
    return {c.name: c.taxonomy for c in schema.columns if c.taxonomy is not None}


def _table(target: Target, weight: str | None, owners: Column | None) -> Table:
    """Take what was published as a table of its own."""
    plans = []
    for name in target.frame.columns:
        role = Role.QUASI if name in target.quasi else Role.INSENSITIVE
        builder = target.builders.get(name)
        if builder is None and name in target.taxonomies:
            builder = ReadyMade(target.taxonomies[name])
        plans.append(ColumnPlan(name, Role.WEIGHT if name == weight else role, _open(builder)))
    frame = target.frame if weight is None else as_kind(target.frame, weight, Kind.NUMBER)
    table = Table(frame, Schema(plans))
    return table if owners is None else _owned(table, owners)


def _raw(table: Table, builders: Mapping[str, TaxonomyBuilder]) -> Table:
    """Take original records with taxonomies that also know the values of a population."""
    plans = []
    for plan in table.schema.columns:
        builder = builders.get(plan.name, plan.taxonomy)
        is_given = isinstance(builder, ReadyMade)
        plans.append(evolve(plan, taxonomy=None if is_given else builder))
    return Table(table.frame, Schema(plans), table.origin, table.source)


def _open(builder: TaxonomyBuilder | None) -> TaxonomyBuilder | None:
    """Give up a taxonomy that knows no other numbers: their intervals are read without one."""
    if isinstance(builder, ReadyMade) and builder.taxonomy.domain.kind is not Kind.CATEGORY:
        return None
    return builder


def _owned(table: Table, owners: Column) -> Table:
    """Say whose the records are."""
    name = "owner"
    while name in table.frame.columns:
        name += "'"
    frame = beside(table.frame, to_frame({name: owners})[0], [name])
    return Table(frame, Schema([*table.schema.columns, ColumnPlan(name, Role.OWNER)]))


def _note(target: Target) -> str:
    if not target.is_truthful:
        return _REPLACED
    return _IN_BUCKETS if target.bucket is not None else ""
