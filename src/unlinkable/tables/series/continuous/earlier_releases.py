"""Earlier releases: what was published, and what the next release must leave of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import tally
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.attacks.series import (
    Classes,
    Edition,
    Numbers,
    Series,
    Targets,
    candidates_along,
    crossing,
    first_kinds,
    follow_classes,
    releases_since,
)
from unlinkable.tables.data import Role, Table
from unlinkable.tables.engines import count
from unlinkable.tables.series.continuous.nested_trees import PublishedRanges
from unlinkable.tables.series.continuous.range_index import RangeIndex, Starts
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Cohort", "EarlierReleases"]

_OPEN = (Role.QUASI, Role.SENSITIVE, Role.TARGET, Role.INSENSITIVE, Role.WEIGHT)
"""The roles of columns that are published, generalized or as they are."""


@define(eq=False, frozen=True)
class Cohort:
    """The people who came with one earlier release, as all earlier releases show them.

    Attributes
    ----------
    since
        That release, from 0.
    common
        For every way from class to class through the releases, what is left of each value.
    codes
        A code of what each way shows, for every column.
    starts
        What all of them show, on each column.
    row_indptr, row_ways
        For each distinct record the ways of the people who have it, as a CSR matrix; None if
        everybody counts who could be there.
    """

    since: int
    common: Classes
    codes: CodeArray
    starts: Starts
    row_indptr: CountArray | None = None
    row_ways: CodeArray | None = None


@define(eq=False, frozen=True)
class EarlierReleases:
    """Everything that the search for the next release has to know of earlier ones.

    Attributes
    ----------
    n_past
        How many releases there are.
    keys
        The distinct records of the table, in codes.
    indptr, values, counts
        For each of them, how many people with a value came when: ``value * (n_past + 1) + since``.
    n_values, told
        How many values there are, and what they are on each sensitive column.
    cuts
        What every earlier release shows, on each column.
    cohorts
        The people of each earlier release.
    n_new
        How many people are new.
    earlier
        By column, what earlier releases show in words.
    """

    n_past: int
    keys: CodeArray
    indptr: CountArray
    values: CodeArray
    counts: CountArray
    n_values: int
    told: CodeArray
    cuts: tuple[Starts, ...]
    cohorts: tuple[Cohort, ...]
    n_new: int
    earlier: tuple[PublishedRanges, ...] = field(repr=False)

    @classmethod
    def of(cls, request: Request, past: Past, targets: Targets) -> Self:
        """Read earlier releases, and follow the people of the table through them.

        Raises
        ------
        UnsupportedError
            If somebody has left or changed, or earlier releases do not fit together.
        """
        table, n_past = request.table, len(past)
        series = Series((*past.editions, Edition(_as_it_is(table), request.people, "the table")))
        numbers = Numbers.of(series)
        _refuse_local_recoding(series, numbers)
        people = numbers.of_people(series)
        _refuse_changes(series, numbers)
        counted = count(table)
        quasi = table.schema.quasi
        index = RangeIndex.of(
            counted.finest.keys,
            counted.labels,
            numbers.classes[-1],
            tuple(series.quasi.index(name) for name in quasi),
            tuple(attribute.taxonomy.n for attribute in table.attributes),
        )
        cuts = tuple(index.starts(classes) for classes in numbers.classes[:-1])
        since = (people >= 0).argmax(axis=1)[request.people].astype(np.int32)
        codes = numbers.of_records[-1] * np.int32(n_past + 1) + since
        n_codes = numbers.n_values * (n_past + 1)
        rows = np.full(len(people), -1, np.int32)
        rows[request.people] = counted.labels
        return cls(
            n_past,
            index.keys,
            *tally(counted.labels, codes, len(index.keys), n_codes),
            numbers.n_values,
            numbers.told,
            cuts,
            tuple(_companions(numbers, index, people[:, :-1], rows, targets)),
            int((since == n_past).sum()),
            tuple(_earlier(series, name, j, cuts) for j, name in enumerate(quasi)),
        )


def _as_it_is(table: Table) -> Target:
    """Take the records as if they were published as they are."""
    schema = table.schema
    shown = [name for name in table.frame.columns if schema[name].role in _OPEN]
    return Target(
        table.frame.select(shown),
        schema.quasi,
        schema.sensitive,
        {name: table.taxonomy(name) for name in schema.quasi},
    )


def _earlier(series: Series, name: str, j: int, cuts: tuple[Starts, ...]) -> PublishedRanges:
    targets = [edition.target for edition in series.editions]
    frames = [target.frame.select(name) for target in targets]
    taxonomies = [target.taxonomies.get(name) for target in targets]
    return PublishedRanges(name, frames, taxonomies, [starts[j] for starts in cuts])


def _refuse_local_recoding(series: Series, numbers: Numbers) -> None:
    column = crossing(numbers.classes[:-1], series.quasi)
    if column is not None:
        raise UnsupportedError(
            f"earlier releases show ranges of {column!r} that overlap and are not nested: they "
            "were not recoded alike in all records, along the same taxonomies. Use incremental, "
            "which follows such releases"
        )


def _refuse_changes(series: Series, numbers: Numbers) -> None:
    """Refuse people whose records are not what earlier releases say."""
    *editions, now = series.editions
    *earlier, raw = numbers.classes
    at = np.full(series.n_people, -1, np.int64)
    at[now.people] = np.arange(len(now.target))
    for edition, classes, values in zip(editions, earlier, numbers.of_records, strict=False):
        mine = at[edition.people]
        there, here = classes.labels, raw.labels[mine]
        is_same: BoolArray = values == numbers.of_records[-1][mine]
        is_same &= (classes.lo[there] <= raw.lo[here]).all(axis=1)
        is_same &= (raw.hi[here] <= classes.hi[there]).all(axis=1)
        if not is_same.all():
            of = f"of {edition.name}"
            who = quantity(int((~is_same).sum()), f"person {of} has", f"people {of} have")
            raise UnsupportedError(
                f"{who} other values now, and continuous releases are of records that never "
                "change: use hd-composition"
            )


def _companions(
    numbers: Numbers, index: RangeIndex, people: CodeArray, rows: CodeArray, targets: Targets
) -> Iterator[Cohort]:
    """Follow the people of each earlier release through those after it."""
    for since, left in releases_since(numbers.classes[:-1], numbers.n_values):
        if targets is Targets.POSSIBLE:
            _, common = follow_classes(left)
            yield _made(index, since, common)
        elif (mine := first_kinds(people, since)) is not None:
            members, who, kind = mine
            _, common = candidates_along(left, members)
            n_rows, n_kinds = len(index.keys), len(members)
            indptr, ways, _ = tally(rows[who], kind, n_rows, n_kinds)
            yield evolve(_made(index, since, common), row_indptr=indptr, row_ways=ways)


def _made(index: RangeIndex, since: int, common: Classes) -> Cohort:
    return Cohort(since, common, index.codes(common), index.starts(common))
