"""Publishing a growing table: checked against all earlier releases, and as if there were none."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.incremental_series import AsPublished, growing_adult, publish
from benchmarks.measure import Row
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.policy import Past

MOST = 10.0
"""Checked publishing may take so many times as long as static publishing."""


def rows(large: bool) -> Iterator[Row]:
    """Time six releases of Adult, from the table to what may be published."""
    for policy in (AsPublished("static"), AsPublished("checked"), Incremental()):
        total(policy, 2)
    static, checked = total(AsPublished("static")), total(AsPublished("checked"))
    guarded = total(Incremental())
    yield Row(
        "incremental(mondrian) as published, six releases of Adult, 5,000 to 30,000 records",
        checked,
        static,
        MOST,
        MOST / 2,
        "static mondrian",
        f"{checked / static:.1f} times",
        is_limit=True,
    )
    yield Row(
        "incremental(mondrian), held to all attacks, six releases of Adult",
        guarded,
        static,
        MOST,
        MOST / 2,
        "static mondrian",
        f"{guarded / static:.1f} times",
        is_limit=True,
    )


def total(policy: Incremental, releases: int = 6) -> float:
    """Add up the CPU seconds of several releases."""
    past, seconds = Past(), 0.0
    for people, n in growing_adult():
        if len(past) < releases:
            spent, _, found = publish(people, n, Mondrian(), policy, past)
            past = Past((*past.editions, found.edition), found.memory, n)
            seconds += spent
    return seconds
