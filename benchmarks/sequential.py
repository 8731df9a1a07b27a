"""Joining releases with other columns of the same people, and publishing one after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.data import adult_frame, adult_table
from benchmarks.measure import Row, cpu
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.sequential_join import SequentialJoin
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.data import Table
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential

FIRST = ("age", "sex", "marital-status", "education", "native-country")
"""What was published first, as it is."""

THEN = ("sex", "race", "education", "workclass", "marital-status")
"""What is known of people in the next release, beside the occupation that nobody should learn."""

LIMIT = 5.0
"""Seconds for 30,162 records in each release."""


def rows(large: bool) -> Iterator[Row]:
    """Time attacks and releases with what is matched in x, and with less in x."""
    n = adult_frame().height if large else 5_000
    before, table = _first(n), _then(n)
    past = Past((before,), {}, n)
    request = Request(table, np.arange(n))
    some = tuple(name for name in (*FIRST, *THEN) if name != "sex")
    for x, words in ((None, "all columns known"), (tuple(dict.fromkeys(some)), "sex not known")):
        series = Series((before, Edition(_published(table), np.arange(n), "release 2")))
        attack = SequentialJoin(x, "occupation")
        attack.run(_short(series))
        seconds, _, outcome = cpu(lambda: attack.run(series))  # noqa: B023
        task = f"sequential-join, {words}, {n:,} and {n:,} records"
        note = f"{outcome.details['rows']:,} rows, {outcome.n_fallen:,} fall"
        yield Row(task, seconds, LIMIT, 1, 0.5, "limit", note, is_limit=True)
        for priced in (True, False):
            score = "igpl" if priced else "information-gain"
            policy = Sequential(x=x, y="occupation", h="0.5", score=score)
            seconds, _, made = cpu(lambda: next_release(policy, request, past))  # noqa: B023
            note = f"{made.release.solution.effort['steps']} steps"  # type: ignore[attr-defined]
            yield Row(
                f"sequential, score {score}, {words}, {n:,} records",
                seconds,
                4 * LIMIT,
                1,
                0.5,
                "limit",
                note,
                is_limit=True,
            )


def _first(n: int) -> Edition:
    table = adult_table(adult_frame().select(FIRST).head(n), FIRST)
    return Edition(_published(table), np.arange(n), "release 1")


def _then(n: int) -> Table:
    columns = (*THEN, "occupation", "salary-class")
    return adult_table(adult_frame().select(columns).head(n), THEN, target="salary-class")


def _published(table: Table) -> Target:
    """Take a table as it is for what was published."""
    schema = table.schema
    means = {name: table.taxonomy(name) for name in (*schema.quasi, *schema.sensitive)}
    return Target(table.frame, schema.quasi, schema.sensitive, means)


def _short(series: Series) -> Series:
    """Take a few records, to compile what has to be compiled."""
    editions = []
    for edition in series.editions:
        target = edition.target
        few = Target(target.frame.head(100), target.quasi, target.sensitive, target.taxonomies)
        editions.append(Edition(few, np.arange(100), edition.name))
    return Series(tuple(editions))
