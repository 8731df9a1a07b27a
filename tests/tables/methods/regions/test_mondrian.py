"""Mondrian: the literal search, what its regions must satisfy, and the refusals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.by_definition import Region
from tests.tables.methods.regions.setting import Promised, Setting, promised, regions_of
from tests.witness import promises as witness
from tests.witness.regions import can_be_halved, is_strict_partition
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions import Along, Labels, Split
from unlinkable.tables.metrics import Discernibility, ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.typing import BoolArray, FloatArray

METHODS = [
    Mondrian(),
    Mondrian(strict=False),
    Mondrian(along="taxonomy"),
    Mondrian(strict=False, along="taxonomy"),
    Mondrian(split="best"),
    Mondrian(strict=False, split="best", along="taxonomy"),
]


def search(method: Mondrian, people: Table, *models: GroupModel, **options: object) -> Partition:
    privacy = All(models)
    finest = count(people, privacy.needs()).finest
    task = Task(people.attributes, ILoss(), **options)  # type: ignore[arg-type]
    return method.search(finest, privacy, task).partition


def k_anonymous(k: int, random: RandomTable) -> Promised:
    by_definition = (witness.k_anonymous(k, owner=random.owner),)
    return Promised((KAnonymity(k),), by_definition, k if random.owner is None else 1)


# The literal search


@pytest.mark.parametrize("method", METHODS, ids=str)
@given(random=tables(min_records=1), data=st.data())
def test_cuts_where_the_literal_search_cuts(
    method: Mondrian, random: RandomTable, data: st.DataObject
) -> None:
    setting = Setting.of(random)
    promise = data.draw(promised(random.owner))
    followed = [method.along is Along.TAXONOMY] * len(random.qid)
    literal = setting.literal(method, promise, followed)
    assume(literal.keeps(list(range(len(setting.finest)))))
    found = regions_of(setting.search(method, promise))
    assert found == [sorted(region) for region in literal.run()]


@given(tables(min_records=1, owner=False), st.integers(1, 4))
def test_nodes_of_the_taxonomy_are_shown_where_they_are_asked_for(
    random: RandomTable, k: int
) -> None:
    assume(len(random.rows) >= k)
    setting = Setting.of(random)
    promise = k_anonymous(k, random)
    method = Mondrian(labels="taxonomy")
    literal = setting.literal(method, promise, [True] * len(random.qid)).run()
    shown = setting.search(method, promise)
    assert (shown.sizes >= k).all()
    regions = regions_of(shown)
    for region in literal:  # groups that show the same nodes are one
        assert any(set(region) <= set(merged) for merged in regions)
    for j, attribute in enumerate(setting.attributes):
        taxonomy = attribute.taxonomy
        lo, hi = taxonomy.widen(shown.lo[:, j], shown.hi[:, j])
        assert (lo == shown.lo[:, j]).all()
        assert (hi == shown.hi[:, j]).all()
        for region, low, high in zip(regions, lo, hi, strict=True):
            codes = setting.finest.keys[region, j]
            own = taxonomy.widen(codes.min()[None], codes.max()[None] + 1)
            assert (own[0][0], own[1][0]) == (low, high)
    assert len({*zip(map(tuple, shown.lo), map(tuple, shown.hi), strict=True)}) == shown.n_parts


# What regions must satisfy


@given(tables(min_records=1, missing=False), st.data())
def test_a_strict_partition_cannot_be_halved_any_more(
    random: RandomTable, data: st.DataObject
) -> None:
    setting = Setting.of(random)
    promise = data.draw(promised(random.owner))
    keeps = setting.keeps(promise)
    assume(keeps(list(range(len(setting.finest)))))
    split = data.draw(st.sampled_from(Split))
    partition = setting.search(Mondrian(split=split), promise)
    points = [tuple(row) for row in setting.finest.keys.tolist()]
    boxes = [
        list(zip(lo, hi, strict=True))
        for lo, hi in zip(partition.lo.tolist(), partition.hi.tolist(), strict=True)
    ]
    assert is_strict_partition(boxes, points)
    for region in regions_of(partition):
        assert keeps(region)
        inside = [points[i] for i in region]
        assert not can_be_halved(inside, partial(keeps_of, keeps, region))


def keeps_of(keeps: Callable[[Region], bool], region: Region, half: Sequence[int]) -> bool:
    """Judge some of the records of a region."""
    return keeps([region[i] for i in half])


@given(tables(min_records=1, owner=False), st.integers(1, 5), st.booleans())
def test_groups_are_no_larger_than_they_must_be(random: RandomTable, k: int, strict: bool) -> None:
    assume(len(random.rows) >= k)
    setting = Setting.of(random)
    partition = setting.search(Mondrian(strict=strict), k_anonymous(k, random))
    m, d = int(setting.finest.sizes.max()), len(random.qid)
    assert partition.sizes.max() <= max(m + 2 * d * (k - 1), 2 * k - 1)
    if not strict and m == 1:
        assert partition.sizes.max() <= 2 * k - 1


@given(tables(min_records=1), st.data(), st.sampled_from(METHODS))
def test_the_order_of_records_does_not_matter(
    random: RandomTable, data: st.DataObject, method: Mondrian
) -> None:
    promise = data.draw(promised(random.owner))
    shuffled = evolve_rows(random, data.draw(st.permutations(random.rows)))
    one, other = Setting.of(random), Setting.of(shuffled)
    assume(one.keeps(promise)(list(range(len(one.finest)))))
    first, second = one.search(method, promise), other.search(method, promise)
    assert first.lo.tolist() == second.lo.tolist()
    assert first.hi.tolist() == second.hi.tolist()
    assert first.sizes.tolist() == second.sizes.tolist()


def evolve_rows(random: RandomTable, rows: list[dict[str, Hashable]]) -> RandomTable:
    return RandomTable(rows, random.qid, random.sensitive, random.trees, random.owner)


@given(tables(min_records=1, owner=False, missing=False), st.integers(1, 4), st.sampled_from(Along))
def test_weights_do_not_change_where_k_anonymity_cuts(
    random: RandomTable, k: int, along: Along
) -> None:
    assume(len(random.rows) >= k)
    setting = Setting.of(random)
    # With weights, sizes are not taken to be all that a promise sees: every half is judged.
    finest = evolve(setting.finest, weights=setting.finest.weights * 2.5)
    weighted = Setting(random, finest, setting.labels, setting.attributes)
    promise, method = k_anonymous(k, random), Mondrian(along=along)
    one, other = setting.search(method, promise), weighted.search(method, promise)
    assert one.labels.tolist() == other.labels.tolist()


def test_the_best_cut_spares_the_records_that_weigh_most() -> None:
    data = {"a": [0, 1, 2, 3, 4], "w": [1.0] * 5}
    light = as_table(data, quasi="a", weight="w")
    heavy = as_table({**data, "w": [1.0, 1.0, 1.0, 1.0, 9.0]}, quasi="a", weight="w")
    method = Mondrian(split="best")
    assert search(method, light, KAnonymity(2)).lo.ravel().tolist() == [0, 2]
    assert search(method, heavy, KAnonymity(2)).lo.ravel().tolist() == [0, 3]


def test_a_metric_of_sizes_leaves_the_best_cut_to_the_certainty_penalty() -> None:
    people = as_table({"a": [0, 1, 2, 7, 8, 9, 9]}, quasi="a")
    finest = count(people).finest
    privacy = All([KAnonymity(2)])
    by_size = Mondrian(split="best").search(
        finest, privacy, Task(people.attributes, Discernibility())
    )
    by_cell = Mondrian(split="best").search(
        finest, privacy, Task(people.attributes, NormalizedCertaintyPenalty())
    )
    assert by_size.partition.labels.tolist() == by_cell.partition.labels.tolist()


def test_missing_values_are_first_parted_from_others() -> None:
    people = as_table(
        {"age": [1, 2, 3, 4, 5, 6, None, None], "sex": list("fmfmfmfm")}, quasi=["age", "sex"]
    )
    partition = search(Mondrian(), people, KAnonymity(2))
    missing = people.taxonomy("age").domain.missing
    alone = partition.lo[:, 0] == missing
    assert partition.sizes[alone].tolist() == [2]
    assert (partition.hi[~alone, 0] <= missing).all()


def test_a_group_with_missing_and_other_values_shows_any_value() -> None:
    people = as_table({"age": [1, 2, 3, 4, None]}, quasi="age")
    partition = search(Mondrian(), people, KAnonymity(2))
    assert partition.lo.ravel().tolist() == [0, 0]
    assert partition.hi.ravel().tolist() == [2, 5]
    assert partition.sizes.tolist() == [2, 3]


def test_importance_decides_which_column_is_cut() -> None:
    data = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}
    even = search(Mondrian(), as_table(data, quasi=["a", "b"]), KAnonymity(2))
    assert (even.hi - even.lo).tolist() == [[1, 2], [1, 2]]
    tilted = as_table(data, quasi=["a", "b"], importance={"b": 2.0})
    other = search(Mondrian(), tilted, KAnonymity(2))
    assert (other.hi - other.lo).tolist() == [[2, 1], [2, 1]]


def test_importance_decides_which_cut_is_best() -> None:
    data = {"a": [0, 1, 2, 3], "b": [0, 1, 0, 1]}
    for importance, widths in ((1.0, [[3, 1], [3, 1]]), (10.0, [[2, 2], [2, 2]])):
        people = as_table(data, quasi=["a", "b"], importance={"a": importance})
        partition = search(Mondrian(split="best"), people, KAnonymity(2))
        assert (partition.hi - partition.lo).tolist() == widths


def test_ties_are_parted_only_if_that_is_allowed() -> None:
    people = as_table({"a": [0, 1, 1, 1, 2], "b": [9, 5, 6, 7, 9]}, quasi=["a", "b"])
    flat = evolve(people.attributes[1], importance=1e-9)
    task = Task((people.attributes[0], flat), ILoss())
    finest, privacy = count(people).finest, All([KAnonymity(2)])
    strict = Mondrian().search(finest, privacy, task).partition
    relaxed = Mondrian(strict=False).search(finest, privacy, task).partition
    # No cut on a alone: strictly, b is cut; else the ones go to both sides, in the order of b.
    assert (strict.lo[:, 1].tolist(), strict.hi[:, 1].tolist()) == ([0, 2], [2, 4])
    assert relaxed.sizes.tolist() == [2, 3]
    assert relaxed.hi[0].tolist() == [2, 4]
    assert relaxed.lo[1].tolist() == [1, 1]


def test_identical_records_stay_together() -> None:
    people = as_table({"a": [0, 1, 1, 1], "b": [9, 9, 9, 9]}, quasi=["a", "b"])
    assert search(Mondrian(strict=False), people, KAnonymity(2)).n_parts == 1


def test_figure_6_8_is_expressible_but_not_what_greedy_cuts_find() -> None:
    case = cases.load("book-ch06-fig6.8-single-vs-multidimensional")
    grid = case["input"]["grid_rows_are_age_ranks_columns_are_job_ranks"]
    cells = [(age, job, c) for age, row in enumerate(grid) for job, c in enumerate(row)]
    people = as_table(
        {"age": [a for a, _, _ in cells], "job": [j for _, j, _ in cells]}, quasi=["age", "job"]
    )
    partition = search(Mondrian(), people, KAnonymity(case["input"]["k"]))
    assert partition.sizes.tolist() == [3] * 8
    classes = np.array([c for _, _, c in cells])
    labels = partition.labels[count(people).labels]
    wrong = sum(
        min((classes[labels == g] == c).sum() for c in "YN") for g in range(partition.n_parts)
    )
    assert wrong > case["expected"]["multidimensional_min_misclassified"]


# Small and odd tables


def test_one_record_is_one_group() -> None:
    partition = search(Mondrian(), as_table({"a": [7]}, quasi="a"), KAnonymity(1))
    assert (partition.n_parts, partition.sizes.tolist()) == (1, [1])


def test_equal_records_are_one_group() -> None:
    people = as_table({"a": [7] * 6, "b": ["x"] * 6}, quasi=["a", "b"])
    partition = search(Mondrian(strict=False), people, KAnonymity(2))
    assert (partition.n_parts, partition.hi.tolist()) == (1, [[1, 1]])


def test_nobody_is_left_out_whatever_may_be_suppressed() -> None:
    people = as_table({"a": [1, 2, 3, 4, 90]}, quasi="a")
    partition = search(Mondrian(), people, KAnonymity(2), suppression=Fraction(1, 2))
    assert partition.n_suppressed == 0
    assert partition.sizes.tolist() == [2, 3]


def test_columns_without_values_to_choose_from_do_not_matter() -> None:
    people = as_table({"a": [1, 2, 3, 4], "b": [None] * 4}, quasi=["a", "b"])
    assert search(Mondrian(), people, KAnonymity(2)).sizes.tolist() == [2, 2]


# Effort


EFFORT = [
    (Mondrian(), (9, 158, 143, 0), (9, 165, 138, 302)),
    (Mondrian(strict=False), (9, 155, 143, 0), (9, 163, 138, 304)),
    (Mondrian(labels="taxonomy"), (10, 159, 129, 0), (10, 159, 127, 262)),
    (Mondrian(split="best"), (9, 964, 141, 0), (9, 964, 138, 1928)),
]


@pytest.mark.parametrize(("method", "by_size", "counted"), EFFORT, ids=str)
def test_effort_is_what_it_was(
    method: Mondrian, by_size: tuple[int, ...], counted: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(7)
    numbers = {"a": rng.integers(0, 50, 1000), "b": rng.integers(0, 9, 1000)}
    people = as_table({**numbers, "s": rng.integers(0, 5, 1000)}, quasi=["a", "b"], sensitive="s")
    hidden = DistinctLDiversity(3, sensitive="s")
    finest = count(people, hidden.needs()).finest
    task = Task(people.attributes, ILoss())
    names = ("rounds", "cuts_tried", "cuts_made", "groups_judged")
    for models, effort in (([KAnonymity(5)], by_size), ([KAnonymity(5), hidden], counted)):
        found = method.search(finest, All(models), task)
        assert found.effort == dict(zip(names, effort, strict=True))
        assert found.optimal is None


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    people = as_table({"a": range(100)}, quasi="a")
    search(Mondrian(), people, KAnonymity(5), progress=lambda share, words: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0


# Refusals


def test_refuses_a_table_that_breaks_the_promise_as_one_group() -> None:
    people = as_table({"a": [1, 2, 3]}, quasi="a")
    message = r"leaves out at most 0 of 3 records keeps k-anonymity\(k=4\)"
    for share in (Fraction(0), Fraction(1, 2)):
        with pytest.raises(InfeasibleError, match=message):
            search(Mondrian(), people, KAnonymity(4), suppression=share)


def test_refuses_a_table_without_records() -> None:
    people = as_table({"a": pl.Series([], dtype=pl.Int64)}, quasi="a")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        search(Mondrian(), people, KAnonymity(2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "middle"}, "split must be one of 'median', 'best', got 'middle'"),
        ({"along": "tree"}, "along must be one of 'labels', 'order', 'taxonomy', got 'tree'"),
        ({"labels": "nodes"}, "labels must be one of 'intervals', 'taxonomy', got 'nodes'"),
        ({"strict": "yes"}, "strict must be true or false, got 'yes'"),
    ],
)
def test_refuses_options_that_mean_nothing(options: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Mondrian(**options)  # type: ignore[arg-type]


def test_is_written_as_it_is_read() -> None:
    assert str(Mondrian()) == "mondrian"
    relaxed = Mondrian(strict=False, labels=Labels.TAXONOMY)
    assert str(relaxed) == 'mondrian(strict=false, labels="taxonomy")'


@frozen
class OfSize(GroupModel):
    """Groups of certain sizes: two good ones may be bad together."""

    name: ClassVar[str] = "of-size"
    reference: ClassVar[str] = "a test"
    parameter: ClassVar[str] = "sizes"

    sizes: tuple[int, ...]
    local: bool = True

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    def judge(self, groups: Groups) -> BoolArray:
        return np.isin(groups.sizes, self.sizes)

    def level(self, groups: Groups) -> FloatArray:
        return groups.sizes.astype(float)


def test_promises_that_merging_may_break_are_kept_by_strict_intervals() -> None:
    people = as_table({"a": range(8)}, quasi="a")
    assert search(Mondrian(), people, OfSize((3, 5, 8))).sizes.tolist() == [3, 5]
    assert search(Mondrian(), people, OfSize((2, 4, 8))).sizes.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("method", "model"),
    [
        (Mondrian(strict=False), OfSize((8,))),
        (Mondrian(labels="taxonomy"), OfSize((8,))),
    ],
)
def test_refuses_to_merge_groups_that_may_break_the_promise_together(
    method: Mondrian, model: GroupModel
) -> None:
    with pytest.raises(UnsupportedError, match=r"of-size.* may break when they are taken together"):
        search(method, as_table({"a": range(8)}, quasi="a"), model)


def test_refuses_what_must_be_judged_as_a_whole_and_may_break() -> None:
    with pytest.raises(UnsupportedError, match=r"of-size.* is neither: use the method optimal"):
        search(Mondrian(), as_table({"a": range(8)}, quasi="a"), OfSize((8,), local=False))


def test_refuses_to_start_from_a_group_that_breaks_an_unsafe_promise() -> None:
    with pytest.raises(UnsupportedError, match="all records in one group, which break of-size"):
        search(Mondrian(), as_table({"a": range(8)}, quasi="a"), OfSize((4,)))


def test_refuses_overlapping_groups_that_may_break_the_promise_together() -> None:
    people = as_table({"a": [1, 2, 3, 4, 5, None]}, quasi="a")
    with pytest.raises(UnsupportedError, match="fill in the missing values"):
        search(Mondrian(), people, OfSize((3, 6)))
