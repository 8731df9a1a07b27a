"""Joining a release with a list of people: a million against a million."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl

import unlinkable as ul
from benchmarks.measure import Row, cpu
from unlinkable.examples import hospital
from unlinkable.examples.hospital import hospital_taxonomies
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.linking.record_linkage import RecordLinkage
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.taxonomies.builders import builder_from_plan

MILLION = 1_000_000

QUASI = ("age", "sex", "zip", "admission_date", "profession", "insurance")
"""What the list and the release share."""

LIMIT = 20.0
"""Seconds for a million people and a million records."""


def rows(large: bool) -> Iterator[Row]:
    """Time whole attacks: from two frames to what is known of everybody."""
    n = MILLION if large else MILLION // 10
    people = hospital(n)
    table = _table(people)
    releases: dict[str, tuple[pl.DataFrame, RecordLinkage]] = {
        "raw": (people, RecordLinkage()),
        "full-domain": (_published(table, ul.Optimal()), RecordLinkage()),
        "mondrian": (_published(table, ul.Mondrian()), RecordLinkage()),
        "best": (_published(table, ul.Best()), RecordLinkage()),
        "raw, list with mistakes": (people, RecordLinkage(probabilistic=True)),
    }
    for name, (told, attack) in releases.items():
        listed = _spoiled(people) if attack.probabilistic else people
        work = _attack(attack, told, listed.select("name", *QUASI), table)
        _attack(attack, told[:1000], listed[:1000].select("name", *QUASI), table)()
        seconds, _, outcome = cpu(work)
        note = f"{outcome.n_fallen:,} fall"
        task = f"{attack}, {name}, {n:,} people and records"
        yield Row(task, seconds, LIMIT * n / MILLION, 1, 0.5, "limit", note, is_limit=True)


def _attack(
    attack: RecordLinkage, told: pl.DataFrame, listed: pl.DataFrame, table: Table
) -> Callable[[], Outcome]:
    taxonomies = {name: table.taxonomy(name) for name in QUASI}

    def work() -> Outcome:
        target = Target(told, QUASI, ("diagnosis",), taxonomies)
        return attack.run(target, AdversaryKnowledge(Side.of({"external": listed})))

    return work


def _table(people: pl.DataFrame) -> Table:
    builders = {
        name: builder_from_plan(spec, Path())
        for name, spec in hospital_taxonomies().items()
        if name in QUASI and isinstance(spec, dict)
    }
    columns = people.select(*QUASI, "diagnosis")
    return ul.as_table(columns, quasi=QUASI, sensitive="diagnosis", taxonomies=builders)


def _published(table: Table, method: ul.Optimal | ul.Mondrian | ul.Best) -> pl.DataFrame:
    frame = ul.anonymize(table, privacy=ul.KAnonymity(5), method=method).frame
    assert isinstance(frame, pl.DataFrame)
    return frame


def _spoiled(people: pl.DataFrame) -> pl.DataFrame:
    """Lose one value in twenty, and take another one in twenty from somebody else."""
    rng = np.random.default_rng(0)
    n = people.height
    columns = {}
    for name in QUASI:
        luck, column = rng.random(n), people.get_column(name)
        rows = np.where(luck < 0.05, rng.integers(0, n, n), np.arange(n))
        kept = pl.Series(luck < 0.95)
        columns[name] = pl.select(
            pl.when(kept).then(column.gather(rows)).otherwise(None).alias(name)
        ).to_series()
    return people.select("name").with_columns(**columns)
