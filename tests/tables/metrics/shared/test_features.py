"""Features: which are kept, and which tell nothing that a node further up does not tell."""

from __future__ import annotations

import numpy as np

from tests.tables.metrics.people import JOBS, at_levels, people
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.metrics.shared.encoding import Unchanged, encode
from unlinkable.tables.metrics.shared.features import Features, Sort
from unlinkable.tables.taxonomies.builders import Flat, Tree
from unlinkable.typing import BoolArray

FOUR = [job for family in JOBS.values() for job in family]


def jobs(taxonomy: Tree | Flat) -> Table:
    return as_table({"job": FOUR * 3}, quasi="job", taxonomies={"job": taxonomy})


def test_are_chosen_by_column_by_sort_and_by_record() -> None:
    features = encode(Unchanged.of(people(40)), ("age", "job"))
    assert (features.of_columns(("job",)).values == features.values[:, 3:]).all()
    assert (features.of_sort(Sort.WIDTH, Sort.NODE).values == features.values[:, [1, 8, 9]]).all()
    assert (features.of_records(np.array([4, 2])).values == features.values[[4, 2]]).all()
    assert (features.beside(features).values == np.tile(features.values, (2, 1))).all()
    chosen = features.of_columns(("job",)).of_sort(Sort.NODE)
    assert (chosen.columns, chosen.sorts) == (("job",) * 2, (Sort.NODE,) * 2)
    assert chosen.covers == ((0, 2), (2, 4))


def told(features: Features, names: list[str]) -> set[str]:
    """Name the features that are told once."""
    return {name for name, once in zip(names, features.told_once(), strict=True) if once}


def test_families_stand_for_jobs_where_no_single_job_is_seen() -> None:
    names = [*FOUR, *JOBS]
    by_level = [encode(at_levels(jobs(Tree(JOBS)), [i]), ("job",)) for i in range(3)]
    assert told(by_level[0], names) == set(names)
    assert told(by_level[1], names) == set(JOBS)
    # At the root all features are the same for all records, and the wider ones are kept.
    assert told(by_level[2], names) == set(JOBS)


def test_jobs_are_told_where_some_of_a_family_are_seen() -> None:
    raw, families = (encode(at_levels(jobs(Tree(JOBS)), [i]), ("job",)) for i in range(2))
    artists: BoolArray = raw.values[:, 4] == 1
    mixed = raw.of_records(artists).beside(families.of_records(~artists))
    assert told(mixed, [*FOUR, *JOBS]) == {"Dancer", "Writer", *JOBS}


def test_jobs_that_are_always_seen_together_without_a_family_are_all_told() -> None:
    values = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]], np.float32)
    raw = encode(Unchanged.of(jobs(Flat())), ("job",))
    pairs = Features(values, raw.columns, raw.sorts, raw.covers)
    assert pairs.told_once().all()


def test_numbers_are_always_told() -> None:
    table = as_table({"age": [1, 2, 3], "height": [1, 2, 3]}, quasi=["age", "height"])
    assert encode(Unchanged.of(table), ("age", "height")).told_once().all()
