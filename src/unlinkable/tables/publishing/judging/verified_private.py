"""Whether the private half of a bundle belongs to its public half."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from attrs import define, evolve

from unlinkable.containment import hash_file
from unlinkable.errors import DataError, UnlinkableError
from unlinkable.kernels.counting import count
from unlinkable.registry import make
from unlinkable.release.bundle import MANIFEST, PROVENANCE
from unlinkable.release.verify import changed_files
from unlinkable.tables.data import Column, Frame, PublicDomains, number_texts
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf, open_private
from unlinkable.tables.publishing.bundles.provenance import Provenance
from unlinkable.tables.publishing.judging.stated import is_close
from unlinkable.tables.taxonomies import read_ranges
from unlinkable.typing import CodeArray, CountArray

__all__ = ["PrivateSide", "open_side", "wrong_rows"]


@define(eq=False, frozen=True)
class PrivateSide:
    """What the private half adds to the evidence.

    Attributes
    ----------
    half
        The private half; None if it cannot be relied on.
    owner
        For every published record its owner, if records have owners.
    labels
        For every published record its group.
    problems
        What is wrong with it.
    """

    half: PrivateHalf | None
    owner: Column | None
    labels: CodeArray
    problems: list[str]


def open_side(folder: Path, public: Path, manifest: Manifest) -> PrivateSide:
    """Open the private half, and see whether its files are whole and fit the manifest."""
    none = np.zeros(0, np.int32)
    try:
        half = open_private(folder)
        provenance = half.provenance
        problems = changed_files(folder, provenance.files, PROVENANCE)
        if hash_file(public, MANIFEST) != provenance.manifest:
            problems.append(f"{MANIFEST} is not the one that this private half was written with")
        problems += _wrong_binding(manifest, provenance)
        if problems:
            return PrivateSide(None, None, none, problems)
        if isinstance(manifest, MaskedManifest):
            return _masked_side(half, manifest)
        rows, labels, owners = half.rows()
    except UnlinkableError as error:
        return PrivateSide(None, None, none, [str(error)])
    is_there = rows >= 0
    if not np.array_equal(np.sort(rows[is_there]), np.arange(manifest.records)):
        problems.append("the private half does not map each published row to one record")
    if not np.array_equal(is_there, labels >= 0):
        problems.append("the private half has records with a row and no group, or the reverse")
    n_suppressed = int((~is_there).sum())
    if n_suppressed != provenance.suppressed_records or not is_close(
        n_suppressed / max(rows.size, 1), manifest.suppressed
    ):
        problems.append(
            f"{n_suppressed} of {rows.size} records were left out, and the manifest says a share "
            f"of {manifest.suppressed}"
        )
    if (owners is None) != (provenance.owner is None):
        problems.append("the private half does not have the owners that it speaks of")
    if problems:
        return PrivateSide(None, None, none, problems)
    whose = _whose(rows)
    owner = None if owners is None else owners.gather(whose)
    return PrivateSide(half, owner, labels[whose], [])


def _wrong_binding(manifest: Manifest, provenance: Provenance) -> list[str]:
    """Say whether the private half is less protected than the public one says that it is."""
    if manifest.covers_private != (provenance.format > 1):
        return [f"{PROVENANCE} was changed: it has another format than {MANIFEST} belongs to"]
    of_manifest, own = manifest.signature, provenance.signature
    signers = [None if found is None else found.key for found in (of_manifest, own)]
    if manifest.covers_private and signers[0] != signers[1]:
        return [f"{PROVENANCE} is not signed with the key that {MANIFEST} is signed with"]
    return []


def _masked_side(half: PrivateHalf, manifest: MaskedManifest) -> PrivateSide:
    """See whether the private half of records that were not generalized says whose each is."""
    none = np.zeros(0, np.int32)
    if not half.tells_rows:
        return PrivateSide(half, None, none, [])
    rows, _, owners = half.rows()
    is_there = rows >= 0
    if not np.array_equal(np.sort(rows[is_there]), np.arange(manifest.records)):
        said = "the private half does not map each published row to one record"
        return PrivateSide(None, None, none, [said])
    if (owners is None) != (half.provenance.owner is None):
        said = "the private half does not have the owners that it speaks of"
        return PrivateSide(None, None, none, [said])
    return PrivateSide(half, None if owners is None else owners.gather(_whose(rows)), none, [])


def _whose(rows: CountArray) -> CountArray:
    """Tell for every published row which record it is."""
    there = np.flatnonzero(rows >= 0)
    return there[np.argsort(rows[there])]


def wrong_rows(half: PrivateHalf, labels: CodeArray, frame: Frame, manifest: Manifest) -> list[str]:
    """Say where published values, groups and figures differ from what the holder has noted."""
    try:
        whole, domains = half.shown(), half.domains()
        known = whole if domains is None else _over(whole, domains)
        problems = _wrong_groups(known, labels, frame)
        shown = half.public_shown()
    except UnlinkableError as error:
        return [str(error)]
    for name, stated in manifest.metrics.items():
        try:
            metric = make("metric", name)
        except UnlinkableError:
            continue
        if not (isinstance(metric, GroupMetric) and metric.boxes_suffice):
            continue
        found = metric.value(shown)
        if not is_close(found, stated):
            problems.append(f"the metric {name} is {found}, and the manifest says {stated}")
    return problems


def _over(shown: Shown, domains: PublicDomains) -> Shown:
    """Look at the groups over the values that recipients may know, by their own numbers."""
    lo, hi = domains.boxes(tuple(a.name for a in shown.attributes), shown.lo, shown.hi)
    return evolve(shown, attributes=domains.attributes(shown.attributes), lo=lo, hi=hi)


def _wrong_groups(shown: Shown, labels: CodeArray, frame: Frame) -> list[str]:
    n_groups = shown.sizes.size
    if labels.size and not (labels.min() >= 0 and labels.max() < n_groups):
        return [f"records belong to groups beyond the {n_groups} that there are"]
    problems = []
    if not np.array_equal(count(labels, n_groups), shown.sizes):
        problems.append("the sizes of the groups are not those that the holder has noted")
    for j, attribute in enumerate(shown.attributes):
        told = number_texts(frame, attribute.name)
        domain = told.observed.domain
        texts = [*domain.values.tolist(), *([None] if domain.has_missing else [])]
        try:
            lo, hi = read_ranges(attribute.taxonomy, np.array(texts, object), column=attribute.name)
        except DataError as error:
            problems.append(str(error))
            continue
        at = told.codes[told.numbers]
        differs = (lo[at] != shown.lo[labels, j]) | (hi[at] != shown.hi[labels, j])
        if differs.any():
            problems.append(
                f"column {attribute.name!r} shows {int(differs.sum())} values that are not those "
                "of their groups"
            )
    return problems
