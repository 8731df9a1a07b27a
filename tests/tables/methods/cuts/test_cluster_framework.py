"""The cluster framework: the five steps, what is kept of clusters, tries, and the refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.methods.regions.test_mondrian import OfSize
from unlinkable import checks
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.registry.entry import Entry
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts.cluster_framework import ClusterFramework
from unlinkable.tables.methods.cuts.shared.cluster_trial import LABEL, labelled
from unlinkable.tables.methods.regions import InfoGainMondrian, Mondrian
from unlinkable.tables.metrics import ClusterFMeasure, Clustering, ILoss, MatchPoint
from unlinkable.tables.metrics.base import Generalized
from unlinkable.tables.metrics.cluster_f_measure import f_measure
from unlinkable.tables.metrics.match_point import match_point
from unlinkable.tables.metrics.shared.code_space import CodeSpace
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

BY_CLASS = "infogain-mondrian"


def search(
    method: ClusterFramework, people: Table, *models: GroupModel, **options: Any
) -> Solution:
    method, privacy = method.bind(people.schema), All(models)
    finest = count(people, {*method.needs(people.schema), *privacy.needs()}).finest
    return method.search(finest, privacy, Task(people.attributes, ILoss(), **options))


def clouds(n: int = 300, seed: int = 0) -> Table:
    """Four kinds of people that lie apart, told by age and pay together, and a column of noise."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 4, n)
    return as_table(
        {
            "age": 30 + 30 * (kind % 2) + rng.integers(0, 8, n),
            "pay": 1000 + 4000 * (kind // 2) + 10 * rng.integers(0, 80, n),
            "shoe": rng.integers(36, 47, n),
            "s": rng.integers(0, 4, n),
        },
        quasi=["age", "pay", "shoe"],
        sensitive="s",
    )


# The five steps


def test_the_steps_one_by_one() -> None:
    people, privacy = clouds(), All([KAnonymity(25)])
    finest = count(people).finest
    task = Task(people.attributes, ILoss(), rng=np.random.default_rng(5))
    found = ClusterFramework(4, masking=BY_CLASS).search(finest, privacy, task)

    seed = int(np.random.default_rng(5).integers(1 << 32))
    space = CodeSpace.of(people.attributes, finest.keys, finest.sizes)
    how = 4, Clustering.K_MEANS, seed
    natural = space.clusters(finest.keys, finest.keys + 1, finest.sizes, *how)
    by_class = InfoGainMondrian(LABEL).search(labelled(finest, natural), privacy, task)
    assert found.partition.labels.tolist() == by_class.partition.labels.tolist()

    partition = by_class.partition
    query = space.clusters(partition.lo, partition.hi, partition.sizes, *how)[partition.labels]
    before, after = np.repeat(natural, finest.sizes), np.repeat(query, finest.sizes)
    assert found.facts == {
        "cluster-f-measure": f_measure(before, after),
        "match-point": match_point(before, after),
    }
    assert found.effort == {**by_class.effort, "tries": 1}
    assert found.partition.finest is finest


@pytest.mark.parametrize("algorithm", Clustering)
def test_clear_clusters_are_kept_and_would_not_be_without_labels(algorithm: Clustering) -> None:
    people = clouds()
    method = ClusterFramework(4, algorithm, masking=BY_CLASS)
    guided = search(method, people, KAnonymity(40))
    assert guided.facts["cluster-f-measure"] > 0.99
    assert guided.facts["match-point"] > 0.99
    finest, task = count(people).finest, Task(people.attributes, ILoss())
    unguided = InfoGainMondrian(LABEL).search(
        labelled(finest, np.zeros(len(finest), np.int32)), All([KAnonymity(40)]), task
    )
    space = CodeSpace.of(people.attributes, finest.keys, finest.sizes)
    natural = space.clusters(finest.keys, finest.keys + 1, finest.sizes, 4, algorithm, 1)
    shown = unguided.partition
    query = space.clusters(shown.lo, shown.hi, shown.sizes, 4, algorithm, 1)[shown.labels]
    kept = f_measure(np.repeat(natural, finest.sizes), np.repeat(query, finest.sizes))
    assert kept < guided.facts["cluster-f-measure"] - 0.1


def test_metrics_find_the_same_clusters_in_the_release() -> None:
    people = clouds()
    found = search(ClusterFramework(4, masking=BY_CLASS), people, KAnonymity(40))
    release = Generalized.of(people, found.partition, count(people).labels)
    columns = ("age", "pay", "shoe")
    for metric in (ClusterFMeasure(4, columns=columns), MatchPoint(4, columns=columns)):
        assert metric.measure(release).value == pytest.approx(found.facts[metric.name])


@given(tables(min_records=1, max_records=15, max_qid=2), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=20)
def test_every_release_keeps_its_promise(random: RandomTable, k: int, clusters: int) -> None:
    people = table_of(random)
    try:
        found = search(ClusterFramework(clusters, masking=BY_CLASS), people, KAnonymity(k))
    except InfeasibleError:
        assert not KAnonymity(k).holds(whole_of(people))
        return
    assert KAnonymity(k).holds(found.partition.groups())
    assert found.partition.n_suppressed == 0
    assert all(0 < share <= 1 for share in found.facts.values())


def whole_of(people: Table) -> Groups:
    finest = count(people).finest
    return finest.merge(np.zeros(len(finest), np.int32), 1, (), np.empty((1, 0), np.int32))


def test_promises_about_hidden_columns_are_kept() -> None:
    diverse = DistinctLDiversity(4, sensitive="s")
    found = search(ClusterFramework(4, masking=BY_CLASS), clouds(), KAnonymity(8), diverse)
    assert diverse.holds(found.partition.groups())
    assert (LABEL,) not in found.partition.finest.histograms


def test_the_same_seed_gives_the_same_release() -> None:
    people, method = clouds(), ClusterFramework(6, "gaussian-mixture", masking=BY_CLASS)
    one, same, other = (
        search(method, people, KAnonymity(5), rng=np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert one.partition.labels.tolist() == same.partition.labels.tolist()
    assert one.facts == same.facts
    assert one.partition.labels.tolist() != other.partition.labels.tolist()


def test_effort_is_what_it_was() -> None:
    found = search(ClusterFramework(4, masking=BY_CLASS, tries=2), clouds(), KAnonymity(10))
    assert dict(found.effort) == EFFORT


EFFORT = {"tries": 2, "rounds": 12, "cuts_tried": 1440, "cuts_made": 42, "groups_judged": 0}


# Tries


def test_the_best_of_all_tries_is_kept() -> None:
    people = clouds()
    method = ClusterFramework(7, ["k-means", "gaussian-mixture"], masking=BY_CLASS, tries=4)
    rng = np.random.default_rng(3)
    alone = [
        search(
            evolve(method, algorithms=method.algorithms[i % 2], tries=1),
            people,
            KAnonymity(20),
            rng=rng,
        )
        for i in range(4)
    ]
    best = search(method, people, KAnonymity(20), rng=np.random.default_rng(3))
    shares = [found.facts["cluster-f-measure"] for found in alone]
    assert best.facts["cluster-f-measure"] == max(shares) > min(shares)
    assert best.effort["tries"] == 4
    assert best.effort["cuts_made"] == sum(found.effort["cuts_made"] for found in alone)


def test_once_with_each_algorithm_unless_it_is_enough() -> None:
    people = clouds()
    every = ClusterFramework(4, list(Clustering), masking=BY_CLASS)
    assert search(every, people, KAnonymity(10)).effort["tries"] == 3
    assert search(evolve(every, enough=0.9), people, KAnonymity(10)).effort["tries"] == 1


def test_a_search_that_is_stopped_has_a_release() -> None:
    method = ClusterFramework(4, masking=BY_CLASS, tries=9)
    found = search(method, clouds(), KAnonymity(10), is_stopped=lambda: True)
    assert (found.effort["tries"], found.is_complete) == (1, False)
    timed = search(evolve(method, time=1e-6), clouds(), KAnonymity(10))
    assert (timed.effort["tries"], timed.is_complete) == (1, False)
    assert search(evolve(method, tries=1), clouds(), KAnonymity(10)).is_complete


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    search(
        ClusterFramework(3, masking=BY_CLASS, tries=2),
        clouds(60),
        KAnonymity(5),
        progress=lambda share, words: told.append(share),
    )
    assert told == sorted(told)
    assert told[-1] == 1.0


# Refusals


def test_refuses_what_the_masking_method_refuses() -> None:
    people = clouds(20)
    with pytest.raises(InfeasibleError, match=r"keeps k-anonymity\(k=21\)"):
        search(ClusterFramework(masking=BY_CLASS), people, KAnonymity(21))
    overlapping = ClusterFramework(masking=f"{BY_CLASS}(strict=false)")
    with pytest.raises(UnsupportedError, match=r"infogain-mondrian\(.* may break when they"):
        search(overlapping, people, OfSize((20,)))


def test_refuses_a_table_without_records() -> None:
    people = as_table({"a": pl.Series([], dtype=pl.Int64)}, quasi="a")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        search(ClusterFramework(masking=BY_CLASS), people, KAnonymity(2))


def test_refuses_a_table_that_has_its_column() -> None:
    people = as_table({"a": [1, 2], LABEL: [1, 2]}, quasi="a", insensitive=LABEL)
    with pytest.raises(SchemaError, match=f"needs the name '{LABEL}' for itself"):
        ClusterFramework(masking=BY_CLASS).bind(people.schema)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 0}, "clusters must be at least 1, got 0"),
        ({"algorithms": "k-modes"}, "no algorithm 'k-modes'"),
        ({"algorithms": []}, "algorithms must name at least one"),
        ({"masking": Mondrian()}, "masking must be the written form of a method"),
        ({"masking": "Mondrian!"}, "cannot read 'Mondrian!'"),
        ({"enough": 1.5}, r"enough must lie in \(0, 1\], got 3/2"),
        ({"tries": 0}, "tries must be at least 1, got 0"),
        ({"time": 0}, "time must be a number of seconds above 0, got 0"),
    ],
)
def test_refuses_options_that_mean_nothing(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ClusterFramework(**options)


def test_is_read_back_as_it_is_written() -> None:
    assert str(ClusterFramework()) == "cluster-framework"
    entry = Entry.of("method", ClusterFramework.name, ClusterFramework.reference, ClusterFramework)
    method = ClusterFramework(
        3, ["k-means", "gaussian-mixture"], f'{BY_CLASS}(labels="taxonomy")', "2/3", time=1.5
    )
    checks.check_written_form(entry, method)
    bound = method.bind(clouds(10).schema)
    assert (bound, str(bound)) == (method, str(method))
    checks.check_docstring(entry)


def test_by_default_masks_by_top_down_refinement() -> None:
    found = search(ClusterFramework(4), clouds(), KAnonymity(20))
    assert found.facts == {"cluster-f-measure": 1.0, "match-point": 1.0}
    assert found.partition.n_parts == 4
