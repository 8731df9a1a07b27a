"""Greedy cell generalization: the literal search, what clusters must satisfy, the refusals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.clusters_by_definition import Cluster, Greedy
from tests.tables.methods.regions.setting import Promised, Setting, promised
from tests.witness import promises as witness
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.regions.greedy_cell import GreedyCell
from unlinkable.tables.methods.regions.shared.options import Direction, Labels
from unlinkable.tables.methods.regions.shared.range_prices import PricedRecords
from unlinkable.tables.metrics import Discernibility, ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.models import (
    AlphaKAnonymity,
    DistinctLDiversity,
    KAnonymity,
    LKCPrivacy,
    PersonalizedPrivacy,
)
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.tables.operations import Recoding
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, FloatArray

METHODS = [GreedyCell(d, labels) for d in Direction for labels in Labels]


@frozen
class Widths(CellMetric):
    """The number of other values that a cell could have: sums of it are exact."""

    name: ClassVar[str] = "widths"
    reference: ClassVar[str] = "a test"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return (hi - lo - 1).astype(float)


def price_of(setting: Setting, labels: Labels) -> Callable[[Cluster], float]:
    """Say what a row loses by `Widths` if all rows of a cluster are shown alike."""
    trees = [setting.random.trees[name] for name in setting.random.qid]

    def price(rows: Cluster) -> float:
        lost = 0
        for j, tree in enumerate(trees):
            codes = setting.finest.keys[rows, j].tolist()
            lo, hi = min(codes), max(codes)
            if labels is Labels.TAXONOMY:
                level = next(
                    i
                    for i in range(tree.height + 1)
                    if tree.generalize(tree.leaves[lo], i) == tree.generalize(tree.leaves[hi], i)
                )
                node = tree.generalize(tree.leaves[lo], level)
                lost += sum(tree.generalize(leaf, level) == node for leaf in tree.leaves) - 1
            elif None in tree.leaves and hi == len(tree.leaves) - 1 and lo < hi:
                lost += len(tree.leaves) - 1
            else:
                lost += hi - lo
        return float(lost)

    return price


def literal(method: GreedyCell, setting: Setting, promise: Promised) -> list[Cluster]:
    in_taxonomy = method.labels is Labels.TAXONOMY
    prices = PricedRecords.of(setting.finest, setting.attributes, Widths(), in_taxonomy=in_taxonomy)
    greedy = Greedy(
        prices.order.tolist(),
        setting.finest.weights.tolist(),
        price_of(setting, method.labels),
        setting.keeps(promise),
        method.reach,
    )
    return greedy.bottom_up() if method.direction is Direction.BOTTOM_UP else greedy.top_down()


def find(method: GreedyCell, setting: Setting, promise: Promised) -> Solution:
    task = Task(setting.attributes, Widths())
    return method.search(setting.finest, All(promise.models), task)


def search(method: GreedyCell, people: Table, *models: GroupModel, **options: object) -> Partition:
    privacy = All(models)
    finest = count(people, privacy.needs()).finest
    task = Task(people.attributes, NormalizedCertaintyPenalty(), **options)  # type: ignore[arg-type]
    return method.search(finest, privacy, task).partition


# The literal search


@pytest.mark.parametrize("method", METHODS, ids=str)
@given(random=tables(min_records=1), data=st.data(), reach=st.sampled_from([1, 2, 1000]))
def test_forms_the_clusters_of_the_literal_search(
    method: GreedyCell, random: RandomTable, data: st.DataObject, reach: int
) -> None:
    method = evolve(method, reach=reach)
    setting = Setting.of(random)
    promise = data.draw(promised(random.owner))
    assume(setting.keeps(promise)(list(range(len(setting.finest)))))
    clusters = literal(method, setting, promise)
    tight = Partition.tight(
        setting.finest,
        np.array(
            [
                next(g for g, rows in enumerate(clusters) if row in rows)
                for row in range(len(setting.finest))
            ],
            np.int32,
        ),
        len(clusters),
    )
    expected = tight.publishable(setting.attributes, in_taxonomy=method.labels is Labels.TAXONOMY)
    found = find(method, setting, promise).partition
    assert found.labels.tolist() == expected.labels.tolist()
    assert found.lo.tolist() == expected.lo.tolist()
    assert found.hi.tolist() == expected.hi.tolist()


def test_a_small_table_step_by_step() -> None:
    # 1 joins 2, with which it costs least; 9 joins 8; the pair of 20 and 21 takes in nobody.
    people = as_table({"a": [1, 2, 8, 9, 20, 21]}, quasi="a")
    method = GreedyCell(labels="intervals")
    partition = search(method, people, KAnonymity(2))
    assert partition.lo.ravel().tolist() == [0, 2, 4]
    assert partition.sizes.tolist() == [2, 2, 2]


def test_seeds_are_far_from_each_other() -> None:
    # From 1 the farthest is 9, from 9 it is 1: these are the seeds, and 4 is nearer to 1.
    people = as_table({"a": [1, 2, 3, 4, 7, 8, 9]}, quasi="a")
    partition = search(GreedyCell("top-down", "intervals"), people, KAnonymity(3))
    assert partition.lo.ravel().tolist() == [0, 4]
    assert partition.sizes.tolist() == [4, 3]


def test_alpha_k_local_recoding_tells_a_value_precisely_where_that_is_harmless() -> None:
    jobs = Tree({"white": ["clerk", "boss"], "blue": ["smith", "miner"]})
    people = as_table(
        {
            "job": ["clerk"] * 4 + ["boss", "smith", "miner", "smith"],
            "ill": ["flu", "flu", "cold", "cold", "hiv", "flu", "cold", "cold"],
        },
        quasi="job",
        sensitive="ill",
        taxonomies={"job": jobs},
    )
    promise = AlphaKAnonymity(alpha=Fraction(1, 2), k=2, values=["hiv"], sensitive="ill")
    partition = search(GreedyCell(), people, promise)
    shown = {
        (int(lo), int(hi)): int(n)
        for lo, hi, n in zip(partition.lo[:, 0], partition.hi[:, 0], partition.sizes, strict=True)
    }
    # The boss with hiv and the miner show any job; clerks and smiths stay clerks and smiths.
    assert shown == {(0, 1): 4, (0, 4): 2, (2, 3): 2}


# What clusters must satisfy


@given(tables(min_records=1), st.data(), st.sampled_from(METHODS))
def test_every_group_keeps_the_promise(
    random: RandomTable, data: st.DataObject, method: GreedyCell
) -> None:
    setting = Setting.of(random)
    promise = data.draw(promised(random.owner))
    keeps = setting.keeps(promise)
    assume(keeps(list(range(len(setting.finest)))))
    partition = find(method, setting, promise).partition
    assert (partition.labels >= 0).all()
    for g in range(partition.n_parts):
        assert keeps(np.flatnonzero(partition.labels == g).tolist())


@given(tables(min_records=1), st.integers(1, 4), st.sampled_from(METHODS))
def test_is_of_its_scheme(random: RandomTable, k: int, method: GreedyCell) -> None:
    assume(len(random.rows) >= k)
    setting = Setting.of(random)
    promise = Promised((KAnonymity(k),), (witness.k_anonymous(k, owner=random.owner),), k)
    assume(setting.keeps(promise)(list(range(len(setting.finest)))))
    partition = find(method, setting, promise).partition
    keys, labels = setting.finest.keys, partition.labels
    recoding = Recoding(
        setting.finest.columns,
        tuple(a.taxonomy for a in setting.attributes),
        keys,
        partition.lo[labels],
        partition.hi[labels],
        np.ones(len(keys), bool),
    )
    assert method.misfits(recoding) == []
    assert recoding.is_truthful


def test_intervals_that_are_no_nodes_are_no_misfits_if_they_were_asked_for() -> None:
    people = as_table({"a": [1, 2, 3, 4, 5]}, quasi="a")
    recoding = evolve(
        Recoding.of(people),
        lo=np.array([[0], [0], [0], [3], [3]], np.int32),
        hi=np.array([[3], [3], [3], [5], [5]], np.int32),
    )
    assert GreedyCell(labels="intervals").misfits(recoding) == []
    assert GreedyCell().misfits(recoding)


@given(tables(min_records=1, owner=False), st.integers(1, 4), st.data())
def test_the_order_of_records_does_not_matter(
    random: RandomTable, k: int, data: st.DataObject
) -> None:
    assume(len(random.rows) >= k)
    method = data.draw(st.sampled_from(METHODS))
    rows = data.draw(st.permutations(random.rows))
    other = RandomTable(rows, random.qid, random.sensitive, random.trees, random.owner)
    promise = Promised((KAnonymity(k),), (witness.k_anonymous(k),), k)
    first, second = (find(method, Setting.of(r), promise).partition for r in (random, other))
    assert first.lo.tolist() == second.lo.tolist()
    assert first.hi.tolist() == second.hi.tolist()
    assert first.sizes.tolist() == second.sizes.tolist()


@given(tables(min_records=1, owner=False), st.integers(1, 4), st.sampled_from(METHODS))
def test_clusters_are_the_same_whether_sizes_suffice_or_not(
    random: RandomTable, k: int, method: GreedyCell
) -> None:
    assume(len(random.rows) >= k)
    setting = Setting.of(random)
    # With weights, sizes are not taken to be all that a promise sees: every cluster is judged.
    finest = evolve(setting.finest, weights=setting.finest.weights * 2.0)
    weighted = Setting(random, finest, setting.labels, setting.attributes)
    promise = Promised((KAnonymity(k),), (witness.k_anonymous(k),), k)
    one, other = find(method, setting, promise), find(method, weighted, promise)
    assert one.partition.labels.tolist() == other.partition.labels.tolist()
    assert one.effort["groups_judged"] == 0 < other.effort["groups_judged"]


@given(tables(min_records=2, owner=False), st.sampled_from(METHODS))
def test_nothing_is_put_together_where_everybody_is_good(
    random: RandomTable, method: GreedyCell
) -> None:
    setting = Setting.of(random)
    promise = Promised((KAnonymity(1),), (witness.k_anonymous(1),), 1)
    partition = find(method, setting, promise).partition
    assert (partition.hi - partition.lo == 1).all()


def test_records_that_weigh_much_are_spared() -> None:
    method = GreedyCell(labels="intervals")
    for weights, lower in (
        ([9.0, 9.0, 1.0, 1.0, 1.0], [0, 1]),
        ([1.0, 1.0, 1.0, 9.0, 9.0], [0, 2]),
    ):
        people = as_table({"a": [0, 0, 1, 2, 2], "w": weights}, quasi="a", weight="w")
        assert search(method, people, KAnonymity(2)).lo.ravel().tolist() == lower


def test_importance_decides_who_is_near() -> None:
    data = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}
    method = GreedyCell(labels="intervals")
    for important, widths in (("a", [[1, 2], [1, 2]]), ("b", [[2, 1], [2, 1]])):
        people = as_table(data, quasi=["a", "b"], importance={important: 2.0})
        partition = search(method, people, KAnonymity(2))
        assert (partition.hi - partition.lo).tolist() == widths


def test_a_metric_of_sizes_leaves_the_choice_to_the_certainty_penalty() -> None:
    people = as_table({"a": [0, 1, 2, 7, 8, 9, 9]}, quasi="a")
    finest, privacy = count(people).finest, All([KAnonymity(2)])
    found = [
        GreedyCell().search(finest, privacy, Task(people.attributes, metric)).partition
        for metric in (Discernibility(), NormalizedCertaintyPenalty())
    ]
    assert found[0].labels.tolist() == found[1].labels.tolist()


def test_missing_values_are_put_together() -> None:
    people = as_table(
        {"age": [1, 2, 3, 4, 5, 6, None, None], "sex": list("fmfmfmfm")},
        quasi=["age", "sex"],
        importance={"sex": 0.1},
    )
    partition = search(GreedyCell(labels="intervals"), people, KAnonymity(2))
    missing = people.taxonomy("age").domain.missing
    assert partition.sizes[partition.lo[:, 0] == missing].tolist() == [2]


def test_a_cluster_with_missing_and_other_values_shows_any_value() -> None:
    people = as_table({"age": [1, 2, 3, 4, None]}, quasi="age")
    partition = search(GreedyCell(labels="intervals"), people, KAnonymity(2))
    assert [0, 5] in np.column_stack([partition.lo, partition.hi]).tolist()


def test_columns_of_many_values_are_priced_in_bins() -> None:
    rng = np.random.default_rng(3)
    people = as_table(
        {"pay": rng.permutation(4000)[:3000], "zip": rng.integers(0, 900, 3000).astype(str)},
        quasi=["pay", "zip"],
    )
    for method in METHODS:
        partition = search(method, people, KAnonymity(3))
        assert partition.sizes.min() >= 3
        loss = ILoss().value(Shown.of(partition, people.attributes))
        assert loss < 0.5


# Small and odd tables


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_one_record_is_one_group(method: GreedyCell) -> None:
    partition = search(method, as_table({"a": [7]}, quasi="a"), KAnonymity(1))
    assert (partition.n_parts, partition.sizes.tolist()) == (1, [1])


def test_nobody_is_left_out_whatever_may_be_suppressed() -> None:
    people = as_table({"a": [1, 2, 3, 4, 90]}, quasi="a")
    partition = search(GreedyCell(), people, KAnonymity(2), suppression=Fraction(1, 2))
    assert partition.n_suppressed == 0


# Effort


EFFORT = [
    (METHODS[0], (4, 70992, 261, 131, 1, 0), (5, 71412, 264, 128, 1, 905)),
    (METHODS[1], (3, 71412, 264, 123, 0, 0), (4, 71687, 266, 121, 0, 847)),
    (METHODS[2], (19, 11781, 66, 443, 213, 0), (19, 11926, 67, 441, 213, 1157)),
    (METHODS[3], (18, 13209, 74, 438, 215, 0), (19, 13490, 76, 434, 215, 1149)),
]


@pytest.mark.parametrize(("method", "by_size", "counted"), EFFORT, ids=str)
def test_effort_is_what_it_was(
    method: GreedyCell, by_size: tuple[int, ...], counted: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(7)
    numbers = {"a": rng.integers(0, 50, 1000), "b": rng.integers(0, 9, 1000)}
    people = as_table({**numbers, "s": rng.integers(0, 5, 1000)}, quasi=["a", "b"], sensitive="s")
    hidden = DistinctLDiversity(3, sensitive="s")
    finest = count(people, hidden.needs()).finest
    task = Task(people.attributes, ILoss())
    names = ("rounds", "compared", "merges", "splits_tried", "splits_made", "groups_judged")
    for models, effort in (([KAnonymity(5)], by_size), ([KAnonymity(5), hidden], counted)):
        found = method.search(finest, All(models), task)
        assert tuple(found.effort[name] for name in names) == effort
        assert found.optimal is None


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    people = as_table({"a": range(100)}, quasi="a")
    search(GreedyCell(), people, KAnonymity(5), progress=lambda share, words: told.append(share))
    assert told[-1] == 1.0
    assert all(0 <= share <= 1 for share in told)


# Refusals


def test_refuses_a_table_that_breaks_the_promise_as_one_group() -> None:
    people = as_table({"a": [1, 2, 3]}, quasi="a")
    message = r"leaves out at most 0 of 3 records keeps k-anonymity\(k=4\)"
    for share in (Fraction(0), Fraction(1, 2)):
        with pytest.raises(InfeasibleError, match=message):
            search(GreedyCell(), people, KAnonymity(4), suppression=share)


def test_refuses_a_table_without_records() -> None:
    people = as_table({"a": pl.Series([], dtype=pl.Int64)}, quasi="a")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        search(GreedyCell(), people, KAnonymity(2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "up"}, "direction must be one of 'bottom-up', 'top-down', got 'up'"),
        ({"labels": "nodes"}, "labels must be one of 'intervals', 'taxonomy', got 'nodes'"),
        ({"reach": 0}, "reach must be at least 1, got 0"),
    ],
)
def test_refuses_options_that_mean_nothing(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        GreedyCell(**options)  # type: ignore[arg-type]


def test_is_written_as_it_is_read() -> None:
    assert str(GreedyCell()) == "greedy-cell"
    assert str(GreedyCell("top-down")) == 'greedy-cell(direction="top-down")'


def test_refuses_promises_that_merging_may_break() -> None:
    people = as_table(
        {"a": [1, 2], "s": ["x", "y"], "g": [None, "x"]}, quasi="a", sensitive="s", guard="g"
    )
    promise = PersonalizedPrivacy(0.5, sensitive="s", guard="g")
    with pytest.raises(UnsupportedError, match=r"greedy-cell needs .* personalized-privacy.* may"):
        search(GreedyCell(), people, promise)


def test_refuses_promises_about_some_columns() -> None:
    people = as_table({"a": [1, 2], "b": [1, 2], "s": ["x", "y"]}, quasi=["a", "b"], sensitive="s")
    promise = LKCPrivacy(l=1, k=1, c=1, sensitive="s")
    with pytest.raises(UnsupportedError, match="depends on what other groups show: use mondrian"):
        search(GreedyCell(), people, promise)


@frozen
class OfPeople(GroupModel):
    """Compares groups with people who are not in the table."""

    name: ClassVar[str] = "of-people"
    reference: ClassVar[str] = "a test"
    parameter: ClassVar[str] = "x"
    judges_absence: ClassVar[bool] = True

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        raise NotImplementedError

    def level(self, groups: Groups) -> FloatArray:
        raise NotImplementedError


def test_refuses_promises_about_people_who_look_like_several_groups() -> None:
    with pytest.raises(UnsupportedError, match="counts people who look like several of them"):
        search(GreedyCell(), as_table({"a": [1, 2]}, quasi="a"), OfPeople())
