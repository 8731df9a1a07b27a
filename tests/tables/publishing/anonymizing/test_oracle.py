"""The method of a release, asked again, answers as it would be published."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unlinkable as ul
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table
from unlinkable.tables.publishing.anonymizing.oracle import MethodOracle
from unlinkable.tables.publishing.attacking.targets import target_of

RNG = np.random.default_rng(0)


def people(seed: int, n: int = 40) -> Table:
    rng = np.random.default_rng(seed)
    return ul.as_table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(20, 60, n).tolist(),
            "job": rng.choice(["cook", "clerk", "nurse"], n).tolist(),
            "ill": rng.choice(["flu", "hiv", "cold"], n, p=[0.5, 0.2, 0.3]).tolist(),
        },
        identifiers="name",
        quasi=["age", "job"],
        sensitive="ill",
    )


def dealt(table: Table, seed: int) -> Table:
    """Deal the hidden values out anew."""
    rng = np.random.default_rng(seed)
    ill = table.frame["ill"].gather(rng.permutation(len(table)))
    return Table(table.frame.with_columns(ill), table.schema)


@pytest.mark.parametrize(
    ("method", "suppression"),
    [
        ("optimal", "0"),
        ("optimal", "1/10"),
        ("datafly", "0"),
        ("datafly", "1/10"),
        ("incognito", "0"),
        ("samarati", "0"),
        ("flash", "0"),
        ("mondrian", "0"),
        ("top-down-specialization", "0"),
    ],
)
def test_what_is_answered_is_what_would_be_published(method: str, suppression: str) -> None:
    table, promise = people(1), [ul.KAnonymity(3), ul.FrequencyLDiversity("3/2")]
    release = ul.anonymize(table, privacy=promise, method=method, suppression=suppression)
    oracle = MethodOracle(release)
    for seed in range(6):
        other = dealt(table, seed)
        answer = oracle.publish(other, RNG)
        made = ul.anonymize(other, privacy=promise, method=method, suppression=suppression)
        assert answer.frame.equals(target_of(made).frame)
        assert answer.promises == release.models


def test_the_same_promise_may_not_be_kept() -> None:
    table = people(2, 6)
    oracle = MethodOracle(ul.anonymize(table, privacy=ul.DistinctLDiversity(2)))
    healthy = Table(table.frame.with_columns(ill=pl.lit("flu")), table.schema)
    with pytest.raises(InfeasibleError):
        oracle.publish(healthy, RNG)


def test_names_need_not_be_there_and_are_not_told() -> None:
    table = people(3)
    oracle = MethodOracle(ul.anonymize(table, privacy=ul.KAnonymity(2)))
    frame = table.frame.drop("name").select("ill", "job", "age")
    asked = ul.as_table(frame, quasi=["age", "job"], sensitive="ill")
    assert oracle.publish(asked, RNG).frame.equals(oracle.publish(table, RNG).frame)
    assert oracle.publish(table, RNG).frame.columns == ["age", "job", "ill"]


def test_a_taxonomy_that_follows_hidden_values_is_built_anew() -> None:
    table = ul.as_table(
        {"job": [f"job {i % 8}" for i in range(16)], "ill": ["flu"] * 4 + ["hiv"] * 12},
        quasi="job",
        sensitive="ill",
        taxonomies={"job": ul.Auto(by_hidden=True)},
    )
    oracle = MethodOracle(ul.anonymize(table, privacy=ul.KAnonymity(3)))
    mixed = Table(table.frame.with_columns(ill=pl.Series(["flu", "hiv"] * 8)), table.schema)
    told = []
    for asked in (table, mixed, table):
        made = ul.anonymize(asked, privacy=ul.KAnonymity(3))
        told.append(oracle.publish(asked, RNG).frame)
        assert told[-1].equals(target_of(made).frame)
    assert not told[0]["job"].equals(told[1]["job"])


def test_a_population_is_the_one_of_the_release() -> None:
    table = people(4)
    crowd = {"everybody": table.frame.select("age", "job").vstack(table.frame.select("age", "job"))}
    promise = ul.KMap(4, population="everybody")
    oracle = MethodOracle(ul.anonymize(table, privacy=promise, side=crowd))
    other = dealt(table, 1)
    made = ul.anonymize(other, privacy=promise, side=crowd)
    assert oracle.publish(other, RNG).frame.equals(target_of(made).frame)


@pytest.mark.parametrize(
    ("method", "is_random"),
    [("optimal", False), ("mondrian", False), ("oka", True), ("genetic", True)],
)
def test_methods_that_draw_by_chance_are_known(method: str, is_random: bool) -> None:
    release = ul.anonymize(people(5), privacy=ul.KAnonymity(3), method=method, seed=1)
    assert MethodOracle(release).is_random is is_random


def test_buckets_are_formed_by_chance() -> None:
    table = people(6, 12)
    release = ul.anonymize(table, privacy=ul.DistinctLDiversity(2), method="anatomize", seed=1)
    oracle = MethodOracle(release)
    assert oracle.is_random
    first, same, other = (oracle.publish(table, np.random.default_rng(s)) for s in (1, 1, 2))
    assert first.bucket == target_of(release).bucket
    assert first.frame.equals(same.frame)
    assert not first.frame.equals(other.frame)


def test_it_says_what_is_asked() -> None:
    release = ul.anonymize(people(7), privacy=[ul.KAnonymity(3), ul.DistinctLDiversity(2)])
    written = 'optimal for k-anonymity(k=3) and distinct-l-diversity(l=2, sensitive="ill")'
    assert MethodOracle(release).algorithm == written


def test_a_search_looks_at_what_it_counts() -> None:
    table = ul.as_table(
        {"age": [30, 31, 45, 46], "ill": list("abab"), "pay": [1, 2, 3, 4], "town": list("wxyz")},
        quasi="age",
        sensitive="ill",
        target="pay",
        insensitive="town",
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(2))
    assert MethodOracle(release).reads == ("ill",)
    release = ul.anonymize(table, privacy=ul.KAnonymity(2), metric="classification-metric")
    assert set(MethodOracle(release).reads) == {"ill", "pay"}
    buckets = ul.anonymize(table, privacy=ul.DistinctLDiversity(2), method="anatomize")
    assert set(MethodOracle(buckets).reads) >= {"ill", "pay", "town"}
