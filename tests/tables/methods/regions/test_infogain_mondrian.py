"""InfoGain Mondrian: the literal search, the book's figure, what targets mean, and the refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.methods.regions.guided_by_definition import classes_of, literal, power_of_entropy
from tests.tables.methods.regions.setting import Promised, Setting, promised, regions_of
from tests.witness.regions import can_be_halved, is_strict_partition
from tests.witness.workload import Region, entropy_of_parts, is_reachable
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.regions import InfoGainMondrian, Mondrian
from unlinkable.tables.metrics import ILoss, InformationGain
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

BOTH = [True, False]


def search(
    method: InfoGainMondrian, people: Table, *models: GroupModel, **options: Any
) -> Solution:
    method, privacy = method.bind(people.schema), All(models)
    finest = count(people, {*method.needs(people.schema), *privacy.needs()}).finest
    return method.search(finest, privacy, Task(people.attributes, ILoss(), **options))


def found(setting: Setting, method: InfoGainMondrian, promise: Promised) -> Partition:
    return method.search(setting.finest, All(promise.models), setting.task).partition


# The literal search


@pytest.mark.parametrize("strict", BOTH)
@pytest.mark.parametrize("along", ["order", "taxonomy"])
@given(random=tables(min_records=1), data=st.data())
def test_cuts_where_the_literal_search_cuts(
    strict: bool, along: str, random: RandomTable, data: st.DataObject
) -> None:
    setting, promise = Setting.of(random), data.draw(promised(random.owner))

    def left(cut: tuple[list[int], list[int]]) -> Any:
        return power_of_entropy([classes_of(setting, ["s0"], half) for half in cut])

    plain = literal(setting, promise, left, strict=strict, followed=along == "taxonomy")
    assume(plain.keeps(list(range(len(setting.finest)))))
    method = InfoGainMondrian("s0", strict=strict, along=along)
    expected = sorted(sorted(region) for region in plain.run())
    assert sorted(regions_of(found(setting, method, promise))) == expected


@given(tables(min_records=1, max_sensitive=2), st.data())
def test_the_entropies_of_several_targets_are_added_up(
    random: RandomTable, data: st.DataObject
) -> None:
    setting, promise = Setting.of(random), data.draw(promised(random.owner))

    def left(cut: tuple[list[int], list[int]]) -> Any:
        power = Fraction(1)
        for name in random.sensitive:
            power *= power_of_entropy([classes_of(setting, [name], half) for half in cut])
        return power

    plain = literal(setting, promise, left)
    assume(plain.keeps(list(range(len(setting.finest)))))
    shown = found(setting, InfoGainMondrian(random.sensitive), promise)
    assert sorted(regions_of(shown)) == sorted(map(sorted, plain.run()))


@given(tables(min_records=1, max_sensitive=2), st.data())
def test_a_product_is_one_class_of_all_values(random: RandomTable, data: st.DataObject) -> None:
    setting, promise = Setting.of(random), data.draw(promised(random.owner))
    method = InfoGainMondrian(random.sensitive, combine="product")
    needs = {*method.counted(random.sensitive), ("s0",)}
    setting = evolve_setting(setting, count(table_of(random), needs).finest)

    def left(cut: tuple[list[int], list[int]]) -> Any:
        return power_of_entropy([classes_of(setting, random.sensitive, half) for half in cut])

    plain = literal(setting, promise, left)
    assume(plain.keeps(list(range(len(setting.finest)))))
    assert sorted(regions_of(found(setting, method, promise))) == sorted(map(sorted, plain.run()))


@given(
    tables(min_records=2, max_records=12, max_qid=2, max_sensitive=2, missing=False, owner=False),
    st.integers(1, 3),
)
def test_shares_are_of_the_entropy_of_the_whole_table(random: RandomTable, k: int) -> None:
    setting = Setting.of(random)
    assume(len(random.rows) >= k)
    partition = found(
        setting,
        InfoGainMondrian(random.sensitive, combine="shares"),
        Promised((KAnonymity(k),), (), k),
    )
    everyone = list(range(len(setting.finest)))
    whole = [entropy_of_parts([classes_of(setting, [s], everyone)]) for s in random.sensitive]

    def lost(low: Region, high: Region) -> float:
        return sum(
            bits_left(setting, name, low, high) / before
            for name, before in zip(random.sensitive, whole, strict=True)
            if before
        )

    points = [tuple(row) for row in setting.finest.keys.tolist()]
    sizes = setting.finest.sizes
    final = [frozenset(region) for region in regions_of(partition)]
    assert is_reachable(final, points, lambda half: sizes[list(half)].sum() >= k, lost)


def bits_left(setting: Setting, name: str, low: Region, high: Region) -> float:
    halves = [classes_of(setting, [name], list(half)) for half in (low, high)]
    return sum(map(len, halves)) * entropy_of_parts(halves)


# The literature


def test_figure_6_8_is_cut_as_the_book_says_and_a_mixed_group_is_left() -> None:
    case = cases.load("book-ch06-fig6.8-single-vs-multidimensional")
    grid = case["input"]["grid_rows_are_age_ranks_columns_are_job_ranks"]
    cells = [(age, job, c) for age, row in enumerate(grid) for job, c in enumerate(row)]
    ages, jobs, classes = zip(*cells, strict=True)
    people = as_table({"age": ages, "job": jobs, "c": classes}, quasi=["age", "job"], target="c")
    partition = search(InfoGainMondrian(), people, KAnonymity(case["input"]["k"])).partition
    labels = partition.labels[count(people).labels]
    own = [np.array(classes)[labels == g].tolist() for g in range(partition.n_parts)]
    mixed = [g for g, members in enumerate(own) if len(set(members)) > 1]
    # Ages are cut between 2 and 3, then between 1 and 2: the row YYNN is left, and too small.
    assert sorted(own[mixed[0]]) == list("NNYY")
    assert (partition.lo[mixed].tolist(), partition.hi[mixed].tolist()) == ([[2, 0]], [[3, 4]])
    assert len(mixed) == 1 > case["expected"]["multidimensional_min_misclassified"]
    ages_cut = sorted({lo for lo, _ in partition.lo.tolist()})
    assert {0, 2, 3} <= set(ages_cut)


def test_the_first_cut_of_figure_6_8_leaves_the_entropy_of_the_case() -> None:
    grid = ["YYYY", "YYYY", "NNYY", "NNNN", "NNNN", "NNNN"]
    cells = [(age, job, c) for age, row in enumerate(grid) for job, c in enumerate(row)]
    ages, jobs, classes = zip(*cells, strict=True)
    people = as_table({"age": ages, "job": jobs, "c": classes}, quasi=["age", "job"], target="c")
    partition = search(InfoGainMondrian(), people, KAnonymity(12)).partition
    assert partition.lo.tolist() == [[0, 0], [3, 0]]
    finest = count(people, [("c",)]).finest
    shown = Shown.of(evolve(partition, finest=finest), people.attributes)
    found = InformationGain("c").found(shown)
    left = found.details["entropy of the class"] - found.value
    assert (
        round(left, 6)
        == cases.load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")["expected"]["Entropy"]
    )


# The claims


@given(tables(min_records=1, missing=False), st.data())
def test_no_group_can_be_cut_once_more(random: RandomTable, data: st.DataObject) -> None:
    setting, promise = Setting.of(random), data.draw(promised(random.owner))
    keeps = setting.keeps(promise)
    assume(keeps(list(range(len(setting.finest)))))
    partition = found(setting, InfoGainMondrian("s0"), promise)
    points = [tuple(row) for row in setting.finest.keys.tolist()]
    boxes = [
        list(zip(lo, hi, strict=True))
        for lo, hi in zip(partition.lo.tolist(), partition.hi.tolist(), strict=True)
    ]
    assert is_strict_partition(boxes, points)
    for region in regions_of(partition):
        assert keeps(region)

        def good(half: Any, region: list[int] = region) -> bool:
            return keeps([region[i] for i in half])

        assert not can_be_halved([points[i] for i in region], good)


@given(tables(min_records=1), st.data())
def test_a_class_that_tells_nothing_leaves_the_widest_column_at_its_most_even_cut(
    random: RandomTable, data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, 4))
    assume(len(random.rows) >= k)
    rows = [{**row, "s0": next(iter(random.trees["s0"].leaves))} for row in random.rows]
    same = RandomTable(rows, random.qid, random.sensitive, random.trees, random.owner)
    assume(None not in same.trees["s0"].leaves)
    setting = Setting.of(same)
    promise = Promised((KAnonymity(k),), (), k)
    plain = literal(setting, Promised((), (), k), lambda cut: 0)
    finest = evolve(setting.finest, owner=None)
    setting = evolve_setting(setting, finest)
    partition = found(setting, InfoGainMondrian("s0"), promise)
    assert sorted(regions_of(partition)) == sorted(map(sorted, plain.run()))


def evolve_setting(setting: Setting, finest: Groups) -> Setting:
    return Setting(setting.random, finest, setting.labels, setting.attributes)


def test_a_table_of_one_class_takes_few_rounds() -> None:
    people = as_table({"a": range(4096), "c": ["y"] * 4096}, quasi="a", target="c")
    solution = search(InfoGainMondrian(), people, KAnonymity(2))
    assert solution.partition.n_parts == 2048
    assert solution.effort["rounds"] == 12


def test_tells_more_of_the_class_than_mondrian() -> None:
    people = mixed_people()
    shown = {}
    for method in (InfoGainMondrian(), Mondrian()):
        bound = method.bind(people.schema)
        finest = count(people, [("c",)]).finest
        partition = bound.search(
            finest, All([KAnonymity(10)]), Task(people.attributes, ILoss())
        ).partition
        gain = InformationGain("c").value(Shown.of(partition, people.attributes))
        shown[method.name] = round(gain, 4)
    assert shown == {"infogain-mondrian": 0.6261, "mondrian": 0.4755}


def mixed_people(n: int = 1000) -> Table:
    rng = np.random.default_rng(7)
    a, b, c = rng.integers(0, 50, n), rng.integers(0, 9, n), rng.integers(0, 7, n)
    rich = (b > 5) ^ (rng.random(n) < 0.1)
    return as_table(
        {"a": a, "b": b, "d": c, "c": np.where(rich, "y", "n"), "s": rng.integers(0, 5, n)},
        quasi=["a", "b", "d"],
        target="c",
        sensitive="s",
    )


@given(tables(min_records=1), st.data())
def test_the_order_of_records_does_not_matter(random: RandomTable, data: st.DataObject) -> None:
    promise = data.draw(promised(random.owner))
    rows = data.draw(st.permutations(random.rows))
    shuffled = RandomTable(rows, random.qid, random.sensitive, random.trees, random.owner)
    one, other = Setting.of(random), Setting.of(shuffled)
    assume(one.keeps(promise)(list(range(len(one.finest)))))
    method = InfoGainMondrian("s0", strict=data.draw(st.booleans()))
    first, second = found(one, method, promise), found(other, method, promise)
    assert first.lo.tolist() == second.lo.tolist()
    assert first.hi.tolist() == second.hi.tolist()
    assert first.sizes.tolist() == second.sizes.tolist()


@pytest.mark.parametrize("limit", ["bisection._ROWS", "region_cuts._ENTRIES", "bisection._CELLS"])
def test_small_portions_choose_the_same_cuts(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    models = [KAnonymity(5), DistinctLDiversity(3, sensitive="s")]
    people = mixed_people(300)
    at_once = search(InfoGainMondrian(strict=False), people, *models)
    monkeypatch.setattr(f"unlinkable.tables.methods.regions.shared.{limit}", 40)
    in_portions = search(InfoGainMondrian(strict=False), people, *models)
    assert in_portions.partition.n_parts > 15
    assert in_portions.partition.labels.tolist() == at_once.partition.labels.tolist()
    assert in_portions.effort == at_once.effort


def test_the_counts_that_were_given_are_given_back() -> None:
    people = mixed_people(100)
    partition = search(InfoGainMondrian(), people, KAnonymity(5)).partition
    assert ("c",) in partition.finest.histograms
    assert ("c",) in partition.groups().histograms


def test_records_without_a_class_are_a_class_of_their_own() -> None:
    classes = ["y", "y", None, None, "y", "y"]
    people = as_table({"a": range(6), "c": classes}, quasi="a", target="c")
    partition = search(InfoGainMondrian(), people, KAnonymity(2)).partition
    assert partition.lo.ravel().tolist() == [0, 2, 4]


def test_weights_do_not_count() -> None:
    data = {"a": range(6), "c": list("yynnnn"), "w": [1.0, 9.0, 1.0, 1.0, 7.0, 1.0]}
    people = as_table(data, quasi="a", target="c", weight="w")
    partition = search(InfoGainMondrian(), people, KAnonymity(2)).partition
    assert partition.sizes.tolist() == [2, 2, 2]


def test_promises_about_some_columns_are_kept_after_the_best_cuts() -> None:
    rng = np.random.default_rng(3)
    data = {name: rng.integers(0, 4, 300) for name in "abcd"}
    people = as_table({**data, "y": data["a"] > 1}, quasi=list("abcd"), target="y")
    models = [KAnonymity(9, qid=["a", "b"]), KAnonymity(9, qid=["c", "d"])]
    pairs = search(InfoGainMondrian(), people, *models)
    assert All(models).holds(pairs.partition.groups())
    all_four = search(InfoGainMondrian(), people, KAnonymity(9))
    assert pairs.partition.n_parts > all_four.partition.n_parts


# Effort


def test_effort_is_what_it_was() -> None:
    names = ("rounds", "cuts_tried", "cuts_made", "groups_judged")
    hidden = DistinctLDiversity(3, sensitive="s")
    people = mixed_people()
    efforts = [search(InfoGainMondrian(), people, KAnonymity(5)).effort]
    efforts.append(search(InfoGainMondrian(), people, KAnonymity(5), hidden).effort)
    assert [tuple(effort[name] for name in names) for effort in efforts] == EFFORT


EFFORT = [(17, 2154, 144, 0), (17, 2151, 141, 4302)]


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    search(
        InfoGainMondrian(),
        mixed_people(100),
        KAnonymity(5),
        progress=lambda share, words: told.append(share),
    )
    assert told == sorted(told)
    assert told[-1] == 1.0


# Refusals


def test_refuses_a_table_that_breaks_the_promise_as_one_group() -> None:
    people = as_table({"a": [1, 2], "c": ["y", "n"]}, quasi="a", target="c")
    with pytest.raises(InfeasibleError, match=r"keeps k-anonymity\(k=3\)"):
        search(InfoGainMondrian(), people, KAnonymity(3))


def test_refuses_classes_that_were_not_counted() -> None:
    people = as_table({"a": [1, 2], "c": ["y", "n"]}, quasi="a", target="c")
    method, task = InfoGainMondrian("c"), Task(people.attributes, ILoss())
    with pytest.raises(UnsupportedError, match="the values of c were not counted"):
        method.search(count(people).finest, All([KAnonymity(1)]), task)


def test_is_written_as_it_is_read() -> None:
    assert str(InfoGainMondrian()) == "infogain-mondrian"
    written = InfoGainMondrian(["a", "b"], combine="product", labels="taxonomy")
    expected = 'infogain-mondrian(targets=["a", "b"], combine="product", labels="taxonomy")'
    assert str(written) == expected
