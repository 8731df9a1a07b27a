"""Treating new records as a release treated those it was made from."""

from __future__ import annotations

import time

import numpy as np
from attrs import evolve

from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.kernels.counting import smallest_covering_box
from unlinkable.tables.data import PublicDomains, Role, Schema, Table
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import POPULATION_PREFIX, Partition
from unlinkable.tables.methods import shown_texts
from unlinkable.tables.methods.base import Solution
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.publishing.anonymizing.apply import apply
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.taxonomies import Domain, Kind, covered_by
from unlinkable.tables.taxonomies.builders import Flat
from unlinkable.typing import CodeArray, Columns

__all__ = ["recode"]


def recode(
    release: GeneralizedRelease, new: object, *, key: bytes | None = None
) -> GeneralizedRelease:
    """Show new records in the regions of a release.

    A record that lies in no region, because of a value or of a combination of values that the
    release does not show, is left out. A number or date belongs to an interval whether or not it
    occurred before. If regions overlap, the smallest is taken. The promise is not taken over: the
    new records are counted and judged by themselves, and the verdicts say whether it holds.

    Parameters
    ----------
    release
        The release whose recoding is used.
    new
        Records with the same columns, in any kind of frame.
    key
        The holder's key, if identifiers become pseudonyms.

    Raises
    ------
    UnsupportedError
        If the release generalizes sensitive values cell by cell.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46]}, quasi="age")
    >>> release = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.Mondrian())
    >>> later = release.recode({"age": [30, 45, 45, 99]})
    >>> later.n_records, later.n_suppressed, later.holds
    (3, 1, False)
    """
    started = time.perf_counter()
    if release.solution.cells:
        columns = " and ".join(map(repr, release.solution.cells))
        raise UnsupportedError(
            f"the release generalizes {columns} for what the people in it want guarded, which says "
            "nothing of other people: anonymize the new records"
        )
    frame, origin = to_frame(new)
    known = [name for name in release.table.frame.columns if name in frame.columns]
    # Regions are told by the columns in the order of the release.
    frame = frame.select(*known, *(name for name in frame.columns if name not in known))
    table = Table(frame, _as_they_are(release.table.schema), origin)
    counted = count(table, _of_records(release.models))
    partition = _place(release, table, counted)
    # All is in the terms of what was published: values that nobody published has are not known.
    node = release.domains.node(release.solution.node)
    solution = Solution(partition, {"records": len(table)}, None, node)
    task = evolve(release.task, attributes=release.domains.attributes(release.task.attributes))
    domains = PublicDomains({})
    applied = apply(table, counted, solution, task.attributes, domains, release.identifiers, key)
    crowds = {name: release.domains.table(crowd) for name, crowd in release.crowds.items()}
    finding = Evidence.of(table, applied, release.models, domains, crowds).judge(release.models)
    return evolve(
        release,
        table=table,
        counted=counted,
        applied=applied,
        finding=finding,
        task=task,
        solution=solution,
        domains=domains,
        crowds=crowds,
        seconds={"recode": time.perf_counter() - started},
    )


def _of_records(models: tuple[GroupModel, ...]) -> list[Columns]:
    """Name what is counted of records: who looks like them is seen when they are published."""
    return [names for names in All(models).needs() if not names[0].startswith(POPULATION_PREFIX)]


def _as_they_are(schema: Schema) -> Schema:
    """Read quasi-identifiers as the values they are: the taxonomies may not have all of them."""
    return Schema(evolve(c, taxonomy=Flat()) if c.role is Role.QUASI else c for c in schema.columns)


def _place(release: GeneralizedRelease, table: Table, counted: Counted) -> Partition:
    """Find for every distinct new record the region that it lies in."""
    old, finest, domains = release.solution.partition, counted.finest, release.domains
    texts = shown_texts(release.solution, release.task.attributes, domains)
    attributes = domains.attributes(release.task.attributes)
    boxes = domains.boxes(finest.columns, old.lo, old.hi)
    codes, lo, hi = finest.keys.copy(), boxes[0].copy(), boxes[1].copy()
    for j, attribute in enumerate(attributes):
        own = table.taxonomy(attribute.name).domain
        known = attribute.taxonomy.domain
        if own.kind is not known.kind and own.n_present:
            raise SchemaError(
                f"column {attribute.name!r} holds {own.kind.value} values, and the release was "
                f"made from {known.kind.value} values: bring it into the same form"
            )
        if known.kind is Kind.CATEGORY:
            codes[:, j] = _among(known, own)[finest.keys[:, j]]
        else:
            lo[:, j], hi[:, j] = covered_by(attribute.taxonomy, texts[j][0].tolist(), own)
    placed = Partition(finest, smallest_covering_box(codes, lo, hi), *boxes)
    return placed.suppress(placed.sizes == 0)  # regions without a new record show nothing


def _among(known: Domain, new: Domain) -> CodeArray:
    """Find every new value among the known ones; -1 if it is not there."""
    at = known.locate(new.values)
    return np.append(at, np.int32(known.missing)) if new.has_missing else at
