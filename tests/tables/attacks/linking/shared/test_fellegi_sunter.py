"""Probabilistic linkage: EM word by word, people with mistakes found, chances that are right."""

from __future__ import annotations

from math import log, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unlinkable.examples import hospital
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared.candidate_pairs import Pairs, candidates
from unlinkable.tables.attacks.linking.shared.fellegi_sunter import WeighedLinks, fit, weigh
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data.side import SideTable

QUASI = ("age", "sex", "zip", "admission_date", "profession", "insurance")


def by_definition(
    levels: list[list[list[int]]], chances: list[list[list[float]]], n_rounds: int
) -> tuple[list[list[float]], float]:
    """EM as it is printed: weigh every person against every record, count, and weigh again."""
    d, n = len(levels[0][0]), len(levels[0])
    m = [[1.0, 0.05, 0.05, 0.9] for _ in range(d)]
    present = 0.5
    for _ in range(n_rounds):
        sums, met = [[0.0, 0.5, 0.5, 2.0] for _ in range(d)], 0.0
        for row, chance in zip(levels, chances, strict=True):
            ratios = [
                prod(
                    1 if level == 0 else m[j][level] / u[j]
                    for j, level in enumerate(seen)
                    for u in (chance[r],)
                )
                for r, seen in enumerate(row)
            ]
            below = 1 - present + present / n * sum(ratios)
            for ratio, seen in zip(ratios, row, strict=True):
                share = present / n * ratio / below
                met += share
                for j, level in enumerate(seen):
                    sums[j][level] += share
        m = [[1.0, *(max(s / sum(one[1:]), 1e-6) for s in one[1:])] for one in sums]
        present = min(max(met / len(levels), 1e-6), 1 - 1e-6)
    return m, present


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 3), st.integers(0, 999))
def test_finds_what_em_finds_by_hand(n_people: int, n_records: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, 4, (n_people, n_records, d))
    chances = rng.uniform(0.05, 0.9, (n_people, n_records, d))
    told = np.where(levels == 0, 0, -np.log(chances)).sum(axis=2)
    pairs = Pairs(
        np.arange(n_people + 1) * n_records,
        np.tile(np.arange(n_records, dtype=np.int32), n_people),
        np.ascontiguousarray(levels.reshape(-1, d).T.astype(np.uint8)),
        told.ravel().astype(np.float32),
        np.ones(n_people),
        np.ones(n_records, np.int64),
        np.zeros(d),
    )
    found = fit(pairs)
    m, present = by_definition(levels.tolist(), chances.tolist(), found.n_rounds)
    assert found.m == pytest.approx(np.array(m), abs=1e-4)
    assert found.present == pytest.approx(present, abs=1e-4)


def spoiled(people: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """Misspell one value in twenty, and lose another one in twenty."""

    def spoil(value: object, luck: float) -> object:
        if value is None or 0.05 <= luck < 0.95:
            return value
        if luck >= 0.95:
            return None
        if isinstance(value, int):
            return value + int(rng.choice([-10, -1, 1, 10]))
        if isinstance(value, str):
            at = int(rng.integers(0, len(value)))
            return value[:at] + chr(97 + int(rng.integers(0, 26))) + value[at + 1 :]
        return value

    columns = {
        name: pl.Series(
            [
                spoil(value, luck)
                for value, luck in zip(people[name], rng.random(len(people)), strict=True)
            ],
            dtype=people.schema[name],
        )
        for name in QUASI
    }
    return pl.DataFrame({"row": np.arange(len(people)), **columns})


def scene(n: int = 4000, seed: int = 0) -> tuple[Matching, np.ndarray]:
    """Publish every second patient, list all with mistakes, and say who has which record."""
    patients, rng = hospital(n, seed), np.random.default_rng(seed)
    is_in = rng.random(n) < 0.5
    target = Target(patients.filter(pl.Series(is_in)), QUASI, ("diagnosis",))
    own = np.full(n, -1)
    own[is_in] = np.arange(int(is_in.sum()))
    return match(target, SideTable("list", spoiled(patients, rng))), own


@pytest.fixture(scope="module")
def weighed() -> tuple[WeighedLinks, np.ndarray]:
    matching, own = scene()
    return weigh(matching, np.random.default_rng(0)), own


def test_finds_people_whom_a_join_misses(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    found, own = weighed
    n_inside = int((own >= 0).sum())
    joined = int((found.matching.n_records()[found.matching.kind] == 1).sum())
    sure = found.confidence > 0.5
    right = sure & (found.record == own)
    assert joined < 0.62 * n_inside
    assert right.sum() > 0.9 * n_inside
    assert right.sum() > 0.99 * sure.sum()


def test_finds_out_how_often_values_are_wrong(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    found, _ = weighed
    assert found.fit.present == pytest.approx(0.5, abs=0.03)
    agree = dict(zip(found.columns, found.fit.m[:, 3].tolist(), strict=True))
    assert agree["age"] == pytest.approx(0.95, abs=0.02)
    assert agree["zip"] == pytest.approx(0.95, abs=0.02)
    assert agree["admission_date"] == pytest.approx(1, abs=0.03)


def test_chances_are_not_claimed_too_high(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    found, own = weighed
    is_right = (found.record == own) & (own >= 0)
    expected = found.confidence.sum() / is_right[found.confidence > 0].sum()
    assert 0.9 < expected < 1.05
    for low, high in ((0.5, 0.9), (0.9, 0.99), (0.99, 1.01)):
        some = (found.confidence >= low) & (found.confidence < high)
        # Four standard deviations of a mean of so many.
        slack = 4 * np.sqrt(0.25 / some.sum())
        assert is_right[some].mean() > found.confidence[some].mean() - min(slack, 0.05)


def test_the_same_seed_finds_the_same(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    again = weigh(scene()[0], np.random.default_rng(0))
    assert again.confidence.tolist() == weighed[0].confidence.tolist()
    assert again.interval == weighed[0].interval


def test_effort_stays_what_it_is(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    found, _ = weighed
    assert (found.n_pairs, found.n_passes, found.fit.n_rounds) == (36480, 15, 22)


def test_highest_lies_in_its_interval(weighed: tuple[WeighedLinks, np.ndarray]) -> None:
    low, high = weighed[0].interval
    assert 0 < low <= weighed[0].probability.max() <= high <= 1


def test_no_record_is_given_twice_one_to_one() -> None:
    matching, own = scene(1000, 3)
    found = weigh(matching, np.random.default_rng(0), one_to_one=True)
    sure = found.confidence > 0.5
    records = found.record[sure]
    assert len(set(records.tolist())) == sure.sum()
    assert (records == own[sure]).mean() > 0.97


def test_finds_people_in_a_generalized_release() -> None:
    n, rng = 600, np.random.default_rng(0)
    age, zip_, job = rng.integers(20, 80, n), rng.integers(0, 30, n), rng.integers(0, 30, n)
    told = pl.DataFrame(
        {
            "age": [f"[{a // 2 * 2}-{a // 2 * 2 + 2})" for a in age],
            "zip": [f"{z // 2 * 2:03}" for z in zip_],
            "job": [f"job number {j}" for j in job],
        }
    )
    people = pl.DataFrame(
        {
            "age": age,
            "zip": [f"{z // 2 * 2:03}" for z in zip_],
            "job": [None if i % 10 == 0 else f"job number {j}" for i, j in enumerate(job)],
        }
    )
    matching = match(Target(told, ("age", "zip", "job"), ()), SideTable("list", people))
    found = weigh(matching, np.random.default_rng(0))
    lost = np.arange(n) % 10 == 0
    assert (matching.n_records()[matching.kind[lost]] == 0).all()
    sure = found.confidence > 0.9
    assert (found.record[sure] == np.arange(n)[sure]).mean() > 0.97
    assert (sure & lost).sum() > 0.5 * lost.sum()


def test_nobody_is_found_where_nobody_is() -> None:
    told = pl.DataFrame({"a": pl.Series([], dtype=pl.Int64)})
    empty = match(Target(told, ("a",), ()), SideTable("list", pl.DataFrame({"a": [1, 2]})))
    found = weigh(empty, np.random.default_rng(0))
    assert found.confidence.tolist() == [0, 0]
    assert found.record.tolist() == [-1, -1]
    assert found.interval == (0.0, 0.0)


def test_weights_are_bits() -> None:
    told = pl.DataFrame({"a": [*range(64)]})
    found = weigh(
        match(Target(told, ("a",), ()), SideTable("list", told)), np.random.default_rng(0)
    )
    # Agreement on one of 64 values that are equally frequent tells six bits, but for mistakes.
    assert found.weight.tolist() == pytest.approx([6 + log(found.fit.m[0, 3], 2)] * 64, abs=1e-5)


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=30), st.integers(0, 99))
def test_records_that_look_alike_are_equally_likely(told: list[tuple[int, ...]], seed: int) -> None:
    names = ("a", "b", "c")
    frame = pl.DataFrame(told, names, orient="row")
    people = frame.sample(frame.height, with_replacement=True, seed=seed)
    matching = match(Target(frame, names, ()), SideTable("list", people))
    found = weigh(matching, np.random.default_rng(0))
    has = found.look >= 0
    sizes = matching.look_sizes[found.look[has]]
    assert (found.probability[has] <= 1 / sizes + 1e-9).all()


def test_finds_people_all_of_whose_numbers_are_a_little_wrong() -> None:
    rng, names = np.random.default_rng(0), ("a", "b", "c")
    told = pl.DataFrame({name: rng.integers(0, 10_000, 200) * 10 for name in names})
    target = Target(told, names, ())
    matching = match(target, SideTable("list", told.select(pl.all() + 3)))
    assert candidates(matching)[1].size == 0
    found = weigh(matching, np.random.default_rng(0))
    assert (found.n_weighed, found.says_little) == (200, False)
    sure = found.confidence > 0.9
    assert (found.record[sure] == np.flatnonzero(sure)).all()
    assert sure.sum() > 180
    assert found.interval[0] > 0.9


def test_nothing_is_claimed_of_people_who_were_not_weighed() -> None:
    rng, names = np.random.default_rng(0), ("a", "b", "c")
    told = pl.DataFrame({name: rng.integers(0, 10_000, 200) * 10 for name in names})
    people = told.select(pl.all() + 1_000_003)
    found = weigh(match(Target(told, names, ()), SideTable("list", people)), rng)
    assert (found.n_pairs, found.n_weighed, found.says_little) == (0, 0, True)
    assert found.interval == (0.0, 1.0)


def test_a_short_list_leaves_open_who_has_a_record() -> None:
    """Of five people, four match; nobody can say from so few that none of them has a record."""
    ages = ["[20-30)"] * 3 + ["[30-40)"] * 2 + ["*"] * 2
    told = pl.DataFrame({"age": ages, "zip": ["1000*"] * 5 + ["2****"] * 2})
    zips = ["10001", "10002", "20000", "10000", "1****"]
    asked = pl.DataFrame({"age": ["25", "35", None, "99", "[20-40)"], "zip": zips})
    people = SideTable("list", asked)
    matching = match(Target(told, ("age", "zip"), ()), people)
    found = weigh(matching, np.random.default_rng(0))
    assert found.fit.present < 0.01
    assert found.interval[0] <= found.confidence.max() < 0.01
    assert found.interval[1] > 0.1


@pytest.mark.parametrize(("n_people", "n_records"), [(1, 60), (19, 60), (20, 401)])
def test_a_short_list_leaves_open_how_sure_he_is(n_people: int, n_records: int) -> None:
    """Whoever looks for one person finds that everybody on his list agrees with the record."""
    told = pl.DataFrame({"a": [*range(n_records)], "b": [i % 50 for i in range(n_records)]})
    people = SideTable("list", told.head(n_people))
    found = weigh(match(Target(told, ("a", "b"), ()), people), np.random.default_rng(0))
    assert found.is_short
    assert found.interval[1] == 1


def test_a_list_of_many_people_is_not_short() -> None:
    told = pl.DataFrame({"a": [*range(400)], "b": [i % 50 for i in range(400)]})
    people = SideTable("list", told.head(20))
    found = weigh(match(Target(told, ("a", "b"), ()), people), np.random.default_rng(0))
    assert not found.is_short


def test_no_more_people_have_a_record_than_there_are_records() -> None:
    told = pl.DataFrame({"a": [i % 50 for i in range(1000)], "b": [i // 50 for i in range(1000)]})
    twice = pl.concat([told, told])
    found = weigh(
        match(Target(told, ("a", "b"), ()), SideTable("list", twice)), np.random.default_rng(0)
    )
    assert found.fit.present == pytest.approx(0.5, abs=1e-9)
