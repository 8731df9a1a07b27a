"""Growth: what may change between releases if records are only ever added."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.errors import DataError, InfeasibleError, SchemaError, UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.attacks.series import Edition, Series
from unlinkable.tables.data import number_together
from unlinkable.tables.series.incremental.history_table import stored_table
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.typing import BoolArray, CountArray

__all__ = ["newcomers", "raw_series", "require_batch", "require_growth"]


def raw_series(request: Request, past: Past) -> Series:
    """Give all earlier releases, with the records that are to be published as they are at the end.

    Values and ranges have the same numbers in all of them.
    """
    table = request.table
    quasi, sensitive = table.schema.quasi, table.schema.sensitive
    taxonomies = {name: table.taxonomy(name) for name in quasi}
    target = Target(table.frame, quasi, sensitive, taxonomies)
    return Series((*past.editions, Edition(target, request.people, "the table")))


def newcomers(request: Request, edition: Edition) -> BoolArray:
    """Mark the records of people who were not in an earlier release."""
    return ~np.isin(request.people, _people(edition))


def require_growth(policy: Policy, request: Request, past: Past, series: Series) -> None:
    """Refuse a table from which somebody is gone, or in which somebody's values changed.

    Raw values of earlier times are not kept. What can be seen is looked at: sensitive values must
    be the ones that were published, and every quasi-identifying value must lie in the range that
    was published of it, in all earlier releases. If the history table says that they are, that is
    enough; if not, the releases themselves are read.

    Parameters
    ----------
    policy, request, past
        Who asks, what is to be published, and what was.
    series
        What was published before, and at the end the records as they are (`raw_series`).

    Raises
    ------
    UnsupportedError
        If records were not only added.
    SchemaError
        If other columns were published, or a label means something else now.
    """
    table = request.table
    n_several = int((np.bincount(request.people) > 1).sum())
    if (owner := table.schema.owner) is not None or n_several:
        who = quantity(n_several, "person has", "people have")
        who = f"{who} several" if n_several else f"by column {owner!r} somebody may have several"
        raise UnsupportedError(
            f"{policy} follows people from release to release by one record of each, and {who}: "
            "keep one record for each person"
        )
    row = np.full(int(request.people.max(initial=-1)) + 1, -1, np.int64)
    row[request.people] = np.arange(len(table))
    for edition in past.editions:
        _require_columns(policy, request, edition)
    if not len(past) or all(_is_grown(request, past, c, row) for c in series.sensitive):
        return
    for edition in past.editions:
        _require_everybody(policy, edition, row)
    _require_same_values(policy, series, row)
    _require_same_regions(policy, series, row)


def require_batch(
    policy: Policy, request: Request, past: Past, column: str, bounds: tuple[int, Fraction]
) -> None:
    """Refuse newcomers who would give themselves away whatever is published.

    Whoever takes an earlier release away from the next one is left with all who have come since.

    Parameters
    ----------
    policy, request, past
        Who asks, what is to be published, and what was.
    column
        A sensitive column.
    bounds
        How many people must be left, and how sure one may be of a value.

    Raises
    ------
    InfeasibleError
        If too few people have come, or too many of them share a value.
    """
    k, c = bounds
    numbered = request.table.numbered(column)
    values = numbered.codes[numbered.numbers]
    for edition in past.editions:
        counts = np.bincount(values[newcomers(request, edition)])
        n, peak = int(counts.sum()), int(counts.max(initial=0))
        if 0 < n < k:
            raise InfeasibleError(
                f"{policy}: {quantity(n, 'person', 'people')} of this table, and no more, "
                f"{'was' if n == 1 else 'were'} not in {edition.name}. Whoever takes that away "
                f"from the next release knows them to be among {n}, and at least {k} must be left. "
                f"Nothing can be published until at least {k - n} more have come"
            )
        if peak > c * n:
            raise InfeasibleError(
                f"{policy}: of the {n} people of this table who were not in {edition.name}, {peak} "
                f"share one value of {column!r}. Whoever takes that release away from the next "
                f"one is surer of it than {float(c):.4g}. Nothing can be published until more "
                "people with other values have come"
            )


def _people(edition: Edition) -> CountArray:
    if edition.people is None or (edition.people < 0).any():
        raise UnsupportedError(
            f"nobody can say whose the records of {edition.name} are: a series in which people are "
            "followed needs that of every release"
        )
    return edition.people


def _require_columns(policy: Policy, request: Request, edition: Edition) -> None:
    schema, target = request.table.schema, edition.target
    if target.bucket is not None:
        raise UnsupportedError(
            f"{policy} compares generalized releases, and {edition.name} has buckets: go on with "
            "the policy that made it"
        )
    for kind, now, then in (
        ("quasi-identifying", schema.quasi, target.quasi),
        ("sensitive", schema.sensitive, target.sensitive),
    ):
        if set(now) != set(then):
            raise SchemaError(
                f"the {kind} columns of {edition.name} are {', '.join(then) or 'none'}, and those "
                f"of the table are {', '.join(now) or 'none'}: {policy} adds records, not columns; "
                "for new columns use the policy sequential"
            )


def _is_grown(request: Request, past: Past, column: str, row: CountArray) -> bool:
    """Whether the history table knows that everybody is there, and has what was published."""
    found = stored_table(past, column)
    if found is None:
        return False
    came = np.flatnonzero(found.inferences.first >= 0)
    if came.size and (came[-1] >= row.size or (row[came] < 0).any()):
        return False
    table, followed = request.table, found.groups
    now = table.frame[row[came]]
    (values,), texts = number_together([now], column)
    both = tuple(dict.fromkeys((*texts, *followed.texts)))
    taxonomies = {
        name: [*(e.target.taxonomies.get(name) for e in past.editions), table.taxonomy(name)]
        for name in table.schema.quasi
    }
    has_kept = followed.with_texts(both).values_of(came) == values
    try:
        is_there = found.inferences.regions.hold(came, now, taxonomies)
    except DataError:
        # Reading the releases themselves says what is wrong with which of them.
        return False
    return bool(has_kept.all() and is_there.all())


def _require_everybody(policy: Policy, edition: Edition, row: CountArray) -> None:
    people = _people(edition)
    gone = int((people >= row.size).sum() + (row[people[people < row.size]] < 0).sum())
    if gone:
        raise UnsupportedError(
            f"{policy} is for tables that only grow, and {quantity(gone, 'person', 'people')} of "
            f"{edition.name} {'is' if gone == 1 else 'are'} not in the table any more: this "
            "series goes on with everybody who is out, or not at all. Where records are deleted, "
            "use m-invariance, or hd-composition, from the first release on"
        )


def _require_same_values(policy: Policy, series: Series, row: CountArray) -> None:
    for column in series.sensitive:
        *then, now = series.values(column)
        for edition, values in zip(series.editions, then, strict=False):
            changed = int((values != now[row[_people(edition)]]).sum())
            if changed:
                raise UnsupportedError(_changed(policy, edition, changed, column))


def _require_same_regions(policy: Policy, series: Series, row: CountArray) -> None:
    *then, (now, _) = series.boxes
    *groups, finest = series.groups
    for edition, (lo, hi), parts in zip(series.editions, then, groups, strict=False):
        point = now[finest[row[_people(edition)]]]
        outside = (point < lo[parts]) | (point >= hi[parts])
        if outside.any():
            j = int(outside.any(axis=0).argmax())
            changed = int(outside[:, j].sum())
            raise UnsupportedError(_changed(policy, edition, changed, series.quasi[j]))


def _changed(policy: Policy, edition: Edition, n: int, column: str) -> str:
    return (
        f"{policy} is for tables that only grow, and {quantity(n, 'person', 'people')} of "
        f"{edition.name} {'has' if n == 1 else 'have'} another value of {column!r} now than was "
        "published: this series goes on with what is out, or not at all. Where values change, use "
        "hd-composition from the first release on"
    )
