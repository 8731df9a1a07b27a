"""What of a release, a bundle or a table an adversary sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from unlinkable.attacks.target import Target, Truth
from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.methods.base import Method
from unlinkable.methods.masking import Masking
from unlinkable.privacy.base import GroupModel
from unlinkable.release.generalized import GeneralizedRelease
from unlinkable.release.manifest import Manifest, MaskedManifest
from unlinkable.release.masked import MaskedRelease, builder_of
from unlinkable.release.opened import Bundle
from unlinkable.release.private_half import PrivateHalf
from unlinkable.release.registry import make
from unlinkable.release.release import Release
from unlinkable.table import Csv, Kind, Table, Taxonomy, TaxonomyBuilder, Tree, observe
from unlinkable.table.bucketed import counts_several_times, paired, repeated
from unlinkable.table.builders.given import Given
from unlinkable.table.builders.noded import Noded
from unlinkable.table.portable import taxonomy_from_json
from unlinkable.table.reading import to_frame
from unlinkable.table.recoded import Frame, beside
from unlinkable.table.told import as_kind, distinct_texts
from unlinkable.typing import Columns, CountArray

__all__ = [
    "listed_taxonomies",
    "target_of",
    "target_of_bundle",
    "target_of_table",
    "truth_of",
    "truth_of_bundle",
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
    if isinstance(release, MaskedRelease):
        frame, _ = _people(release)
        builders = {
            n: built for n in schema.sensitive if (built := builder_of(table, release.masked, n))
        }
        buckets = release.masked.buckets
    else:
        frame, buckets = release.applied.frame, None
        builders = {name: Noded(table.taxonomy(name)) for name in schema.sensitive}
    return Target(
        frame=frame,
        quasi=_shown(schema.quasi, frame),
        sensitive=_shown(schema.sensitive, frame),
        taxonomies={name: table.taxonomy(name) for name in (*schema.quasi, *schema.sensitive)},
        builders=builders,
        bucket=None if buckets is None else buckets.column,
        is_truthful=release.method.truthful,
        is_grouped=release.method.truthful or _groups_people(release.method),
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
    return Target(
        frame=table.frame,
        quasi=schema.quasi,
        sensitive=schema.sensitive,
        taxonomies=listed_taxonomies(given)
        | {name: table.taxonomy(name) for name in schema.sensitive},
        builders={name: Given(table.taxonomy(name)) for name in schema.sensitive},
    )


def listed_taxonomies(builders: Mapping[str, TaxonomyBuilder]) -> dict[str, Taxonomy]:
    """Take taxonomies that list all their values, to read the labels of a release with.

    Intervals, dates and masked texts need none: they say themselves what they cover.
    """
    listed = {n: b for n, b in builders.items() if isinstance(b, Tree | Csv)}
    return {name: builder.build(observe(name, [])) for name, builder in listed.items()}


def target_of_bundle(bundle: Bundle) -> Target:
    """Give what a bundle shows: to recipients, or to the holder who has all taxonomies.

    Raises
    ------
    UnsupportedError
        If it shows no records, but several tables of counts.
    """
    manifest = bundle.manifest
    quasi, sensitive = (
        tuple(c.name for c in manifest.columns if c.role == role)
        for role in ("quasi-identifier", "sensitive")
    )
    frame, _ = _people_told(bundle, None)
    bucket = manifest.buckets if isinstance(manifest, MaskedManifest) else None
    is_truthful = not isinstance(manifest, MaskedManifest) or bucket is not None
    told: dict[str, Taxonomy] = {}
    for column in manifest.columns:
        if column.taxonomy is not None:
            if column.name not in quasi:
                frame = as_kind(frame, column.name, column.taxonomy.kind)
            # Intervals say themselves what they cover; which values they had is not told.
            if column.taxonomy.values and (
                column.name not in quasi or column.taxonomy.kind is Kind.CATEGORY
            ):
                told[column.name] = column.taxonomy.taxonomy()
    for name in _shown(sensitive, frame):
        if name not in told:
            frame = _as_found(frame, name)
    builders: dict[str, TaxonomyBuilder] = {n: Noded(told[n]) for n in sensitive if n in told}
    return Target(
        frame=frame,
        quasi=_shown(quasi, frame),
        sensitive=_shown(sensitive, frame),
        taxonomies=told | (_whole(bundle.private) if bundle.private is not None else {}),
        builders=builders,
        bucket=bucket,
        is_truthful=is_truthful,
        is_grouped=is_truthful or _is_grouped(manifest),
        promises=_judgeable(manifest),
    )


def truth_of_bundle(bundle: Bundle, original: str | Path | None = None) -> Truth:
    """Give the original records of a bundle, and which of them each row of the target is.

    Raises
    ------
    BundleError
        If there is no private half, or the original records are not where they were.
    """
    from unlinkable.release.reopened import whose

    table, private, rows = bundle.published(None, original).original, bundle.private, None
    if private is not None and private.tells_rows:
        name = str(original or private.provenance.source)
        rows = whose(private, bundle.manifest.records, len(table), name)
    return Truth(table, _people_told(bundle, rows)[1])


def _people_told(bundle: Bundle, rows: CountArray | None) -> tuple[Frame, CountArray | None]:
    """Give the records of a bundle, a row for every person, and whose each is."""
    manifest = bundle.manifest
    if not isinstance(manifest, MaskedManifest):
        return bundle.frame, rows
    told = manifest.buckets is not None and bundle.hidden is not None
    buckets = (manifest.buckets, bundle.hidden) if told else None
    return _one_row_each(bundle.frame, buckets, manifest.counts, rows)  # type: ignore[arg-type]


def _people(release: MaskedRelease) -> tuple[Frame, CountArray | None]:
    """Give the published records, a row for every person, and whose each is."""
    masked = release.masked
    buckets = None if masked.buckets is None else (masked.buckets.column, masked.buckets.hidden)
    return _one_row_each(masked.frame, buckets, masked.counts, masked.rows)


def _one_row_each(
    frame: Frame,
    buckets: tuple[str, Frame] | None,
    counts: str | None,
    rows: CountArray | None,
) -> tuple[Frame, CountArray | None]:
    if counts is not None:
        if counts_several_times(frame.drop(counts)):
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


def _shown(columns: Columns, frame: Frame) -> Columns:
    return tuple(name for name in columns if name in frame.columns)


def _whole(private: PrivateHalf) -> dict[str, Taxonomy]:
    """Give the taxonomies that the holder has, with all values."""
    told = private.provenance
    known = {**told.taxonomies, **told.hidden}
    whole = {name: taxonomy_from_json(json) for name, json in known.items()}
    if private.tells_groups:
        whole |= {a.name: a.taxonomy for a in private.shown().attributes}
    return whole


def _as_found(frame: Frame, name: str) -> Frame:
    """Take the texts of a column for numbers or dates if all of them are, and no mere codes."""
    if any(re.match(r"0\d", text or "") for text in distinct_texts(frame, name)):
        return frame
    for kind in (Kind.NUMBER, Kind.DATE):
        try:
            return as_kind(frame, name, kind)
        except DataError:
            continue
    return frame


def _groups_people(method: Method) -> bool:
    return isinstance(method, Masking) and method.groups_people


def _is_grouped(manifest: Manifest) -> bool:
    """Whether the method that a manifest names puts people together who then show the same."""
    try:
        return _groups_people(make("method", manifest.method))
    except ParameterError:
        # A method of a later version: nothing is known of it.
        return False


def _judgeable(manifest: Manifest) -> tuple[GroupModel, ...]:
    """Give the promises that refer to nothing but the release."""
    return tuple(make("model", p.model) for p in manifest.models if not p.refers)
