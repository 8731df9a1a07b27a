"""What a bundle shows to whoever attacks it, and the truth that its holder knows."""

from __future__ import annotations

import re
from pathlib import Path

from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.attacks.base import Target, Truth
from unlinkable.tables.data import Frame, as_kind, distinct_texts
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.attacking.targets import (
    groups_people,
    one_row_each,
    shown_columns,
)
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.taxonomies import Kind, Taxonomy, taxonomy_from_json
from unlinkable.tables.taxonomies.builders import NodeValues, TaxonomyBuilder
from unlinkable.typing import CountArray

__all__ = ["target_of_bundle", "truth_of_bundle"]


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
    done = manifest.treatment if isinstance(manifest, MaskedManifest) else None
    is_truthful = done != "perturbed"
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
    for name in shown_columns(sensitive, frame):
        if name not in told:
            frame = _as_found(frame, name)
    builders: dict[str, TaxonomyBuilder] = {n: NodeValues(told[n]) for n in sensitive if n in told}
    return Target(
        frame=frame,
        quasi=shown_columns(quasi, frame),
        sensitive=shown_columns(sensitive, frame),
        taxonomies=told | (_whole(bundle.private) if bundle.private is not None else {}),
        builders=builders,
        bucket=bucket,
        is_truthful=is_truthful,
        is_grouped=is_truthful or _is_grouped(manifest),
        is_alike=done != "generalized",
        promises=_judgeable(manifest),
    )


def truth_of_bundle(bundle: Bundle, original: str | Path | None = None) -> Truth:
    """Give the original records of a bundle, and which of them each row of the target is.

    Raises
    ------
    BundleError
        If there is no private half, or the original records are not where they were.
    """
    from unlinkable.tables.publishing.bundles.reopened import whose

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
    is_noisy = manifest.ledger is not None
    return one_row_each(bundle.frame, buckets, manifest.counts, rows, is_noisy=is_noisy)  # type: ignore[arg-type]


def _whole(private: PrivateHalf) -> dict[str, Taxonomy]:
    """Give the taxonomies that the holder has, with all values."""
    told = private.provenance
    known = {**told.taxonomies, **told.hidden}
    whole = {name: taxonomy_from_json(json) for name, json in known.items()}
    if private.tells_groups:
        whole |= {a.name: a.taxonomy for a in private.public_shown().attributes}
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


def _is_grouped(manifest: Manifest) -> bool:
    """Whether the method or policy that a manifest names puts people together who look alike."""
    try:
        return groups_people(Method.read(manifest.method))
    except ParameterError:
        pass
    # Of a method of a later version nothing is known.
    policy = manifest.policy
    return policy is not None and bool(getattr(policy.make, "groups_people", False))


def _judgeable(manifest: Manifest) -> tuple[GroupModel, ...]:
    """Give the promises that refer to nothing but the release."""
    found = []
    for promise in manifest.models:
        try:
            model = GroupModel.read(promise.model)
        except ParameterError:
            continue  # A model of a later version: nothing is known of it.
        if not (promise.refers or model.sources):
            found.append(model)
    return tuple(found)
