"""Small series for sequential: rows to publish, releases that are out, what was published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tests import cases
from tests.tables.attacks.series.joining import TREES, Plain
from tests.tables.groups.plain import taxonomy_of
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

HIDDEN = ("y", "z")


def table_from(rows: Sequence[dict[str, str]], **roles: Any) -> Table:
    """Take plain rows; quasi-identifiers are all columns but y and z."""
    names = list(rows[0])
    frame = pl.DataFrame({n: pl.Series([r[n] for r in rows], dtype=pl.String) for n in names})
    quasi = [n for n in names if n not in (*HIDDEN, *roles.values())]
    hidden = [n for n in names if n in HIDDEN]
    trees = {n: ReadyMade(taxonomy_of(TREES[n])) for n in quasi}
    return as_table(frame, quasi=quasi, sensitive=hidden, taxonomies=trees, **roles)


def raw_edition(rows: Sequence[dict[str, str]], people: Sequence[int], name: str) -> Edition:
    """Take rows for a release: it may show nodes of trees."""
    names = list(rows[0])
    frame = pl.DataFrame({n: pl.Series([r[n] for r in rows], dtype=pl.String) for n in names})
    quasi = tuple(n for n in names if n not in HIDDEN)
    means = {n: taxonomy_of(TREES[n]) for n in names}
    target = Target(frame, quasi, tuple(n for n in names if n in HIDDEN), means)
    return Edition(target, np.array(people, np.int64), name)


def publish(
    policy: Sequential,
    past: Past,
    rows: Sequence[dict[str, str]],
    people: Sequence[int],
    **more: Any,
) -> Next:
    request = Request(table_from(rows), np.array(people, np.int64), **more)
    return next_release(policy, request, past)


def after(past: Past, following: Next) -> Past:
    return Past((*past.editions, following.edition), following.memory, 100)


def plain_of(edition: Edition) -> Plain:
    """Read what was published."""
    rows = [{n: str(v) for n, v in row.items()} for row in edition.target.frame.to_dicts()]
    assert edition.people is not None
    return Plain(rows, edition.people.tolist())


def run_of_the_book() -> tuple[Table, Past]:
    case = cases.load("book-ch09-ex9.5-tds4sa-trees")["input"]
    first, then = (
        dict(zip(case[t]["columns"], map(list, zip(*case[t]["rows"], strict=True)), strict=True))
        for t in ("T1", "T2")
    )
    tree = Tree(case["taxonomy"]["PoB"], pad=True)
    patients = as_table(first, quasi=["PoB", "Sex", "Zip"], taxonomies={"PoB": tree})
    means = {name: patients.taxonomy(name) for name in patients.schema.quasi}
    target = Target(patients.frame, patients.schema.quasi, (), means)
    tests = as_table(
        then,
        quasi=["Job", "PoB", "Sex"],
        sensitive="Test",
        target="Class",
        taxonomies={"PoB": tree},
    )
    return tests, Past((Edition(target, np.arange(7), "release 1"),), {}, 8)
