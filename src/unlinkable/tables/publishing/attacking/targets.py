"""What of a release or a table an adversary sees, and whose records these are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base import Target, Truth
from unlinkable.tables.data import (
    Frame,
    PublicDomains,
    Table,
    beside,
    counts_several_times,
    paired,
    repeated,
)
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.methods.base import Method, RecordMethod
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease, builder_of
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import (
    Csv,
    NodeValues,
    TaxonomyBuilder,
    Tree,
    without_labels,
)
from unlinkable.typing import Columns, CountArray

__all__ = [
    "generalizes",
    "groups_people",
    "listed_taxonomies",
    "one_row_each",
    "shown_columns",
    "target_of",
    "target_of_table",
    "truth_of",
]

_ROW = " row"
"""A column for the time being: no file can have a column of this name."""


def target_of(release: Release) -> Target:
    """Give what a release shows.

    Raises
    ------
    UnsupportedError
        If it shows no records, but several tables of counts.
    """
    schema, table = release.table.schema, release.table
    columns = (*schema.quasi, *schema.sensitive)
    if isinstance(release, MaskedRelease):
        domains = PublicDomains.of(table, release.published_rows, schema.quasi)
        frame, _ = _people(release)
        builders = {
            n: built for n in schema.sensitive if (built := builder_of(table, release.masked, n))
        }
        buckets = release.masked.buckets
    else:
        assert isinstance(release, GeneralizedRelease)
        frame, buckets, domains = release.applied.frame, None, release.domains
        builders = {
            name: NodeValues(domains.taxonomy(name, table.taxonomy(name)))
            for name in schema.sensitive
        }
    return Target(
        frame=frame,
        quasi=shown_columns(schema.quasi, frame),
        sensitive=shown_columns(schema.sensitive, frame),
        taxonomies={name: domains.taxonomy(name, table.taxonomy(name)) for name in columns},
        builders=builders,
        bucket=None if buckets is None else buckets.column,
        is_truthful=release.method.truthful or generalizes(release.method),
        is_grouped=release.method.truthful or groups_people(release.method),
        is_alike=not generalizes(release.method),
        promises=release.models,
    )


def truth_of(release: Release) -> Truth:
    """Give the original records, and which of them each row of the target is."""
    if isinstance(release, MaskedRelease):
        return Truth(release.table, _people(release)[1])
    assert isinstance(release, GeneralizedRelease)
    rows = release.applied.rows
    return Truth(release.table, np.arange(len(release.table)) if rows is None else rows)


def target_of_table(table: Table) -> Target:
    """Take a table as it stands for what was published."""
    schema = table.schema
    plans = [schema[name] for name in schema.quasi]
    given = {plan.name: plan.taxonomy for plan in plans if plan.taxonomy is not None}
    rules = {name: table.builder(name) for name in schema.sensitive}
    hidden = {n: r.build(without_labels(table.observed(n), r)) for n, r in rules.items()}
    return Target(
        frame=table.frame,
        quasi=schema.quasi,
        sensitive=schema.sensitive,
        taxonomies=listed_taxonomies(given) | hidden,
        builders={name: NodeValues(taxonomy) for name, taxonomy in hidden.items()},
    )


def listed_taxonomies(builders: Mapping[str, TaxonomyBuilder]) -> dict[str, Taxonomy]:
    """Take taxonomies that list all their values, to read the labels of a release with.

    Intervals, dates and masked texts need none: they say themselves what they cover.
    """
    listed = {n: b for n, b in builders.items() if isinstance(b, Tree | Csv)}
    return {name: builder.build(observe(name, [])) for name, builder in listed.items()}


def _people(release: MaskedRelease) -> tuple[Frame, CountArray | None]:
    """Give the published records, a row for every person, and whose each is."""
    masked = release.masked
    buckets = None if masked.buckets is None else (masked.buckets.column, masked.buckets.hidden)
    is_noisy = masked.ledger is not None
    return one_row_each(masked.frame, buckets, masked.counts, masked.rows, is_noisy=is_noisy)


def one_row_each(
    frame: Frame,
    buckets: tuple[str, Frame] | None,
    counts: str | None,
    rows: CountArray | None,
    *,
    is_noisy: bool,
) -> tuple[Frame, CountArray | None]:
    """Give records, a row for every person, and whose each is: those of buckets and counts, too.

    Raises
    ------
    UnsupportedError
        If there are several tables of counts.
    """
    if counts is not None:
        # Where there is no noise, people are counted once, and what shows ``*`` is generalized.
        if is_noisy and counts_several_times(frame.drop(counts)):
            raise UnsupportedError(
                "the release has several tables of counts, in which everybody is counted again: it "
                "shows no records that could be attacked"
            )
        return repeated(frame, counts), None
    if buckets is None:
        return frame, rows
    numbers = np.arange(frame.height) if rows is None else rows
    numbered = beside(frame, to_frame({_ROW: numbers})[0], [_ROW])
    told = paired(numbered, buckets[1], buckets[0])
    order: CountArray = told.get_column(_ROW).to_numpy()
    return told.drop(_ROW), None if rows is None else order


def shown_columns(columns: Columns, frame: Frame) -> Columns:
    """Keep the columns that are published."""
    return tuple(name for name in columns if name in frame.columns)


def generalizes(method: Method) -> bool:
    """Whether a method makes values coarser, but not for all records alike."""
    return isinstance(method, RecordMethod) and method.generalizes


def groups_people(method: Method) -> bool:
    """Whether a method puts people together who then show the same."""
    return isinstance(method, RecordMethod) and method.groups_people
