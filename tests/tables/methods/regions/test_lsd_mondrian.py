"""LSD Mondrian: the literal search, numbers of all kinds, mixed targets, and the refusals."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.guided_by_definition import (
    as_numbers,
    classes_of,
    error_left,
    literal,
)
from tests.tables.methods.regions.setting import Promised, Setting, promised, regions_of
from tests.witness.workload import Region, entropy_of_parts, error_of_parts, is_reachable
from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.regions import LSDMondrian, Mondrian
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

NUMBERS = st.lists(st.integers(-40, 40), min_size=6, max_size=6, unique=True).map(sorted)


def search(method: LSDMondrian, people: Table, *models: GroupModel) -> Solution:
    method, privacy = method.bind(people.schema), All(models)
    finest = count(people, {*method.needs(people.schema), *privacy.needs()}).finest
    return method.search(finest, privacy, Task(people.attributes, ILoss()))


def numbered(random: RandomTable, numbers: dict[str, list[int]]) -> Setting:
    """Take the values of sensitive columns for numbers."""
    setting = Setting.of(random)
    finest = setting.finest
    for name, values in numbers.items():
        finest = as_numbers(finest, name, values)
    return Setting(random, finest, setting.labels, setting.attributes)


def found(setting: Setting, method: LSDMondrian, promise: Promised) -> Partition:
    return method.search(setting.finest, All(promise.models), setting.task).partition


# The literal search


@pytest.mark.parametrize("strict", [True, False])
@given(random=tables(min_records=1, missing=True), numbers=NUMBERS, data=st.data())
def test_cuts_where_the_literal_search_cuts(
    strict: bool, random: RandomTable, numbers: list[int], data: st.DataObject
) -> None:
    plainly = Setting.of(random)
    setting, promise = numbered(random, {"s0": numbers}), data.draw(promised(random.owner))

    def left(cut: tuple[list[int], list[int]]) -> Fraction:
        return error_left(plainly, "s0", numbers, cut)

    plain = literal(setting, promise, left, strict=strict)
    assume(plain.keeps(list(range(len(setting.finest)))))
    partition = found(setting, LSDMondrian("s0", strict=strict), promise)
    assert sorted(regions_of(partition)) == sorted(map(sorted, plain.run()))


@given(
    tables(min_records=2, max_records=12, max_qid=2, max_sensitive=2, missing=False, owner=False),
    st.integers(1, 3),
    NUMBERS,
    st.booleans(),
)
def test_several_numbers_are_added_up_as_they_are_or_as_shares(
    random: RandomTable, k: int, numbers: list[int], by_share: bool
) -> None:
    assume(len(random.rows) >= k)
    values = {
        name: numbers if i == 0 else [n**3 for n in numbers]
        for i, name in enumerate(random.sensitive)
    }
    plainly, setting = Setting.of(random), numbered(random, values)
    everyone = list(range(len(setting.finest)))
    whole = {s: error_left(plainly, s, values[s], (everyone, [])) for s in random.sensitive}

    most = max(sum(whole.values()), 1)

    def lost(low: Region, high: Region) -> Fraction:
        cut = list(low), list(high)
        return sum(
            (
                error_left(plainly, s, values[s], cut) / (whole[s] if by_share else most)
                for s in random.sensitive
                if whole[s]
            ),
            Fraction(0),
        )

    method = LSDMondrian(random.sensitive, combine="shares" if by_share else None)
    assert_greedy(setting, found(setting, method, k_promise(k)), k, lost)


@given(
    tables(min_records=2, max_records=12, max_qid=2, max_sensitive=2, missing=False, owner=False),
    st.integers(1, 3),
    NUMBERS,
)
def test_numbers_and_classes_are_added_up_as_shares(
    random: RandomTable, k: int, numbers: list[int]
) -> None:
    assume(len(random.rows) >= k and len(random.sensitive) == 2)
    plainly, setting = Setting.of(random), numbered(random, {"s0": numbers})
    everyone = list(range(len(setting.finest)))
    error = error_left(plainly, "s0", numbers, (everyone, []))
    bits = bits_left(plainly, everyone, [])

    def lost(low: Region, high: Region) -> float:
        cut = list(low), list(high)
        of_numbers = float(error_left(plainly, "s0", numbers, cut) / error) if error else 0.0
        return of_numbers + (bits_left(plainly, *cut) / bits if bits else 0.0)

    assert_greedy(setting, found(setting, LSDMondrian(["s0", "s1"]), k_promise(k)), k, lost)


def bits_left(setting: Setting, low: list[int], high: list[int]) -> float:
    halves = [classes_of(setting, ["s1"], half) for half in (low, high) if half]
    return sum(map(len, halves)) * entropy_of_parts(halves)


def k_promise(k: int) -> Promised:
    return Promised((KAnonymity(k),), (), k)


def assert_greedy(setting: Setting, partition: Partition, k: int, lost: Any) -> None:
    points = [tuple(row) for row in setting.finest.keys.tolist()]
    final = [frozenset(region) for region in regions_of(partition)]
    sizes = setting.finest.sizes
    assert is_reachable(final, points, lambda half: sizes[list(half)].sum() >= k, lost)


# The claims


def test_leaves_less_deviance_than_mondrian() -> None:
    people, pay = paid_people()
    finest = count(people, [("pay",)]).finest
    left = {}
    for method in (LSDMondrian("pay"), Mondrian()):
        task, privacy = Task(people.attributes, ILoss()), All([KAnonymity(10)])
        partition = method.search(finest, privacy, task).partition
        labels = partition.labels[count(people).labels]
        groups = [pay[labels == g].tolist() for g in range(partition.n_parts)]
        left[method.name] = int(error_of_parts(groups))
    assert left == {"lsd-mondrian": 27030, "mondrian": 60974}


def paid_people(n: int = 1000) -> tuple[Table, Any]:
    rng = np.random.default_rng(7)
    a, b, d = rng.integers(0, 50, n), rng.integers(0, 9, n), rng.integers(0, 7, n)
    pay = 10 * b + rng.integers(0, 20, n)
    data = {"a": a, "b": b, "d": d, "pay": pay, "s": rng.integers(0, 5, n)}
    return as_table(data, quasi=["a", "b", "d"], target="pay", sensitive="s"), pay


def test_records_without_a_number_are_left_out_of_the_deviance() -> None:
    pay = [1, 1, None, 9, 9, None]
    people = as_table({"a": range(6), "pay": pay}, quasi="a", target="pay")
    # Whoever has no number tells nothing: the cut at 2 and the one at 3 leave nothing.
    partition = search(LSDMondrian(), people, KAnonymity(3)).partition
    assert partition.sizes.tolist() == [3, 3]
    assert search(LSDMondrian(), people, KAnonymity(2)).partition.lo.ravel().tolist() == [0, 3]


def test_equal_numbers_are_cut_evenly() -> None:
    people = as_table({"a": range(64), "pay": [0.1] * 64}, quasi="a", target="pay")
    solution = search(LSDMondrian(), people, KAnonymity(2))
    assert (solution.partition.n_parts, solution.effort["rounds"]) == (32, 6)


def test_a_number_that_nobody_has_leaves_the_most_even_cuts() -> None:
    nobody = pl.Series([None] * 8, dtype=pl.Float64)
    people = as_table({"a": range(8), "b": nobody}, quasi="a", target="b")
    assert search(LSDMondrian(), people, KAnonymity(2)).partition.sizes.tolist() == [2] * 4


def test_dates_are_numbers() -> None:
    days = [date(2000, 1, 1), date(2000, 1, 2), date(2000, 1, 3), date(2020, 1, 1)]
    people = as_table({"a": range(4), "day": days}, quasi="a", target="day")
    assert search(LSDMondrian(), people, KAnonymity(1)).partition.n_parts == 4
    two = as_table(
        {"a": range(6), "day": [*days[:2], *days[:2], *days[3:] * 2]}, quasi="a", target="day"
    )
    assert search(LSDMondrian(), two, KAnonymity(2)).partition.lo.ravel().tolist() == [0, 2, 4]


def test_numbers_count_the_same_in_any_unit() -> None:
    people, pay = paid_people(300)
    partition = search(LSDMondrian("pay"), people, KAnonymity(5)).partition
    for factor in (0.01, 0.1, 1e6, 2.0**40):
        scaled = as_table(
            {**{c: people.frame[c] for c in "abd"}, "pay": pay * factor},
            quasi=["a", "b", "d"],
            target="pay",
        )
        other = search(LSDMondrian(), scaled, KAnonymity(5)).partition
        assert other.labels.tolist() == partition.labels.tolist()


def test_effort_is_what_it_was() -> None:
    people, _ = paid_people()
    names = ("rounds", "cuts_tried", "cuts_made", "groups_judged")
    hidden = DistinctLDiversity(3, sensitive="s")
    efforts = [search(LSDMondrian(), people, KAnonymity(5)).effort]
    efforts.append(search(LSDMondrian(), people, KAnonymity(5), hidden).effort)
    assert [tuple(effort[name] for name in names) for effort in efforts] == EFFORT


EFFORT = [(16, 2566, 155, 0), (16, 2564, 153, 5128)]


# Refusals


def test_refuses_targets_without_a_number() -> None:
    people = as_table({"a": [1, 2], "c": ["y", "n"], "d": ["u", "v"]}, quasi="a", target=["c", "d"])
    with pytest.raises(UnsupportedError, match=r"c, d holds categories: use infogain-mondrian"):
        search(LSDMondrian(), people, KAnonymity(1))


def test_refuses_to_add_up_numbers_and_bits() -> None:
    people = as_table({"a": [1, 2], "c": ["y", "n"], "n": [1, 2]}, quasi="a", target=["c", "n"])
    with pytest.raises(UnsupportedError, match=r"entropy of c: use combine=\"shares\""):
        search(LSDMondrian(combine="sum"), people, KAnonymity(1))


def test_refuses_a_product_of_numbers() -> None:
    with pytest.raises(ParameterError, match="combine must be 'sum' or 'shares', got 'product'"):
        LSDMondrian(combine="product")


@pytest.mark.parametrize("numbers", [[0.0, 1e200], [-1.7e308, 1.7e308]], ids=str)
def test_refuses_numbers_that_have_no_square(numbers: list[float]) -> None:
    people = as_table({"a": [1, 2], "n": numbers}, quasi="a", target="n")
    with pytest.raises(DataError, match="column 'n' holds numbers that are too large to be squ"):
        search(LSDMondrian(), people, KAnonymity(1))


def test_is_written_as_it_is_read() -> None:
    assert str(LSDMondrian()) == "lsd-mondrian"
    written = LSDMondrian("pay", combine="shares", strict=False)
    assert str(written) == 'lsd-mondrian(targets=["pay"], combine="shares", strict=false)'
