"""Features: which are kept, and which tell nothing that a node further up does not tell."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given

from tests.tables.metrics.drawn import Drawn, releases
from tests.tables.metrics.people import JOBS, at_levels, people
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.metrics.base import Bucketized, Perturbed
from unlinkable.tables.metrics.shared.features import (
    MOST_NODES,
    Features,
    Sort,
    Unchanged,
    encode,
    weights_of,
)
from unlinkable.tables.taxonomies.builders import Flat, Mask, Tree
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


def by_definition(drawn: Drawn, a: str, shown: frozenset[Hashable]) -> list[float]:
    """The features of a record that could have any of the values shown."""
    if a in drawn.numeric:
        numbers = [v for v in drawn.domains[a] if isinstance(v, int)]
        present = [v for v in shown if isinstance(v, int)]
        width = max(numbers) - min(numbers) or 1 if numbers else 1
        if not present:
            return [0.5, 0.0, 1.0]
        midpoint = (min(present) + max(present)) / 2 - min(numbers)
        return [midpoint / width, (max(present) - min(present)) / width, 0.0]
    tree, nodes = drawn.trees[a], []
    for level in range(tree.height):
        for label in tree.labels(level):
            node = set(tree.leaves_under(level, label))
            if node not in nodes:
                nodes.append(node)
    return [len(shown & node) / len(shown) for node in nodes]


@given(releases())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    found = encode(drawn.generalized(), drawn.qid)
    expected = [
        [x for a in drawn.qid for x in by_definition(drawn, a, shown[a])]
        for shown in drawn.release
        if shown is not None
    ]
    assert len(found) == len(expected)
    plain = np.array(expected, float).reshape(found.values.shape)
    np.testing.assert_allclose(found.values, plain, rtol=1e-6, atol=1e-7)


@given(releases())
def test_values_as_they_were_are_encoded_like_those_of_the_original(drawn: Drawn) -> None:
    raw = drawn.raw().generalized()
    found = encode(raw, raw.columns)
    assert found.columns == encode(Unchanged.of(raw.original), raw.columns).columns
    assert (found.values == encode(Unchanged.of(raw.original), raw.columns).values).all()


def test_a_wider_value_shares_itself_among_what_it_covers() -> None:
    table = as_table(
        {"job": ["Dancer", "Lawyer", "Lawyer"]}, quasi="job", taxonomies={"job": Tree(JOBS)}
    )
    shown = [encode(at_levels(table, [i]), ("job",)).values[0].tolist() for i in range(3)]
    # Dancer, Writer, Engineer, Lawyer; Artist, Professional
    assert shown == [[1, 0, 0, 0, 1, 0], [0.5, 0.5, 0, 0, 1, 0], [0.25] * 4 + [0.5] * 2]


def test_every_feature_says_whose_it_is_and_what_it_tells() -> None:
    table = people(40)
    features = encode(Unchanged.of(table), ("age", "job"))
    assert features.columns == ("age",) * 3 + ("job",) * 7
    assert features.sorts[:3] == (Sort.MIDPOINT, Sort.WIDTH, Sort.MISSING)
    assert features.sorts[3:] == (Sort.VALUE,) * 5 + (Sort.NODE,) * 2  # four jobs, and none


def test_identifiers_are_no_columns_to_learn_from() -> None:
    assert Unchanged.of(people(20)).columns == ("age", "job", "region", "since", "buys")


ZIPS = [f"{i:04}" for i in range(0, 10_000, 4)]


def zip_features(values: list[str]) -> Features:
    table = as_table({"zip": values}, quasi="zip", taxonomies={"zip": Mask(4)})
    return encode(Unchanged.of(table), ("zip",))


def test_many_values_are_told_by_stretches_and_by_the_levels_that_are_small_enough() -> None:
    features = zip_features(ZIPS)
    assert features.sorts.count(Sort.VALUE) == MOST_NODES
    assert features.sorts.count(Sort.NODE) == 100 + 10
    stretches = features.of_sort(Sort.VALUE).values
    assert (stretches.sum(axis=1) == 1).all()
    n_records = stretches.sum(axis=0)
    assert n_records.min() >= len(ZIPS) // MOST_NODES
    assert n_records.max() <= len(ZIPS) // MOST_NODES + 1


def test_a_frequent_value_among_many_has_a_stretch_of_its_own() -> None:
    values = [*ZIPS, *["5000"] * 500]
    stretches = zip_features(values).of_sort(Sort.VALUE).values
    own = stretches[:, stretches[-1] == 1][:, 0]
    neighbours = [v for v, is_in in zip(values, own, strict=True) if is_in]
    assert neighbours.count("5000") == 501
    assert len(neighbours) < 501 + len(values) // MOST_NODES


COOKS = as_table({"age": [20, 30, 60], "job": ["cook", "clerk", "cook"]}, quasi=["age", "job"])


def perturbed(**columns: list[object]) -> Perturbed:
    return Perturbed(COOKS, pl.DataFrame(columns, strict=False), None)


def test_perturbed_numbers_may_leave_the_domain() -> None:
    shown = perturbed(age=[80.0, 0.0, 25.0])
    assert encode(shown, ("age",)).values[:, 0].tolist() == [1.5, -0.5, 0.125]


def test_what_is_no_number_is_missing() -> None:
    shown = perturbed(age=[None, float("inf"), 20.0])
    expected = [[0.5, 0, 1], [0.5, 0, 1], [0, 0, 0]]
    assert encode(shown, ("age",)).values.tolist() == expected


def test_perturbed_categories_must_be_known() -> None:
    with pytest.raises(UnsupportedError, match="'job' shows values that the original does not"):
        encode(perturbed(job=["cook", "pilot", "cook"]), ("job",))


def test_a_number_that_is_shown_is_not_drawn_anew() -> None:
    draw = np.random.default_rng(0)
    shown = perturbed(age=[80.0, 0.0, 25.0])
    assert encode(shown, ("age",), draw).values[:, 0].tolist() == [1.5, -0.5, 0.125]


def test_columns_told_for_buckets_have_no_features() -> None:
    table = as_table({"age": [20, 30], "ill": ["flu", "hiv"]}, quasi="age", sensitive="ill")
    buckets = np.zeros(2, np.int32)
    shown = Bucketized(table, table.frame, np.arange(2), buckets, {"ill": None})  # type: ignore[dict-item]
    assert encode(shown, shown.columns).columns == ("age",) * 3
    with pytest.raises(UnsupportedError, match="'ill' is told for whole buckets, not for records"):
        encode(shown, ("ill",))


ALL_JOBS = as_table(
    {"job": ["Dancer", "Writer", "Lawyer", "Engineer"] * 500, "age": [20, 21, 22, 24] * 500},
    quasi=["job", "age"],
    taxonomies={"job": Tree(JOBS)},
)


def drawn_at(levels: list[int], seed: int = 0) -> Features:
    return encode(at_levels(ALL_JOBS, levels), ("job", "age"), np.random.default_rng(seed))


def test_drawing_gives_values_within_the_range() -> None:
    raw = encode(Unchanged.of(ALL_JOBS), ("job", "age"))
    drawn = drawn_at([1, 0])
    family = slice(4, 6)
    assert (drawn.values[:, family] == raw.values[:, family]).all()
    assert set(np.unique(drawn.values[:, :4])) == {0.0, 1.0}
    assert (drawn.values[:, 6:] == raw.values[:, 6:]).all()


def test_drawing_gives_every_value_alike() -> None:
    """Five standard deviations, nine counts: one seed in 200,000 would fail."""
    drawn = drawn_at([2, ALL_JOBS.taxonomy("age").height])
    jobs = drawn.of_sort(Sort.VALUE).values.sum(axis=0)
    assert jobs.tolist() == pytest.approx([500] * 4, abs=5 * (2000 * 3 / 16) ** 0.5)
    ages, counts = np.unique(drawn.of_sort(Sort.MIDPOINT).values, return_counts=True)
    assert ages.tolist() == [0, 0.25, 0.5, 0.75, 1]  # whole numbers, also the one in between
    assert counts.tolist() == pytest.approx([400] * 5, abs=5 * (2000 * 4 / 25) ** 0.5)


def test_fractions_are_drawn_where_there_are_fractions() -> None:
    table = as_table({"size": [1.5, 2.5, 3.25] * 20}, quasi="size")
    top = at_levels(table, [table.taxonomy("size").height])
    found = encode(top, ("size",), np.random.default_rng(0)).values
    assert 0 <= found[:, 0].min() < 0.1
    assert 0.9 < found[:, 0].max() <= 1
    assert len(np.unique(found[:, 0])) == 60
    assert not found[:, 1:].any()


def test_drawing_goes_by_its_seed() -> None:
    assert (drawn_at([2, 0]).values == drawn_at([2, 0]).values).all()
    assert (drawn_at([2, 0]).values != drawn_at([2, 0], seed=1).values).any()


def test_noisy_counts_below_zero_stand_for_nobody() -> None:
    table = people(3)
    noisy = Perturbed(table, table.frame, None, np.array([2.5, -1.0, 0.0]))
    assert weights_of(noisy).tolist() == [2.5, 0, 0]


def test_records_stand_for_as_many_as_the_weight_column_says() -> None:
    table = as_table({"a": ["x", "y", "y"], "w": [1, 2, 3]}, quasi="a", weight="w")
    release = at_levels(table, [0], lambda groups: groups.sizes == 1)
    assert weights_of(release).tolist() == [2, 3]
    assert weights_of(evolve(release, rows=None)).tolist() == [1, 1]
    assert weights_of(Unchanged.of(table)).tolist() == [1, 2, 3]
    assert weights_of(at_levels(people(20), [0, 0])).tolist() == [1] * 20
