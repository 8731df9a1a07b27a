"""Swapped and replaced values against the witnesses: what stays, and with which chance."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.masked import masked, records_of
from tests.witness import medians, noise_tests, private, swapping
from tests.witness.models import Row
from unlinkable.noise import price, secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb import (
    PRAM,
    AlphaBeta,
    MedianSwapping,
    PerturbedGeneralization,
    RankSwapping,
)
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.operations.additive_noise import AdditiveNoise
from unlinkable.tables.operations.data_swapping import DataSwapping
from unlinkable.tables.operations.permutation import Permutation
from unlinkable.tables.operations.post_randomization import PostRandomization
from unlinkable.tables.taxonomies.builders import Tree


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30),
    st.sampled_from([Fraction(1), Fraction(10), Fraction(25), Fraction(100)]),
    st.integers(0, 5),
)
def test_rank_swapping_has_no_fault(values: list[int], p: Fraction, seed: int) -> None:
    table = as_table({"x": values}, quasi="x")
    found = masked(RankSwapping(p), table, seed=seed)
    limit = max(1, math.floor(p * len(values) / 100))
    after = [row["x"] for row in records_of(found)]
    assert swapping.rank_swap_faults(values, after, limit) == []


@pytest.mark.parametrize("n", [1, 2, 10, 101])
def test_rank_swapping_of_different_values_exchanges_pairs(n: int) -> None:
    values = list(range(n))
    random.Random(n).shuffle(values)
    found = masked(RankSwapping(10), as_table({"x": values}, quasi="x"))
    after = [row["x"] for row in records_of(found)]
    assert swapping.rank_swap_faults(values, after, max(1, n // 10)) == []
    stayed = sum(a == b for a, b in zip(values, after, strict=True))
    assert stayed <= max(1, n // 10)


people = st.lists(
    st.tuples(st.sampled_from("fm"), st.sampled_from("xyz"), st.integers(0, 3)),
    min_size=1,
    max_size=20,
)


def staff(rows: Sequence[tuple[str, str, int]]) -> Table:
    columns = {name: [row[j] for row in rows] for j, name in enumerate(("sex", "job", "pay"))}
    return as_table(columns, quasi=["sex", "job"], sensitive="pay")


@given(people, st.sampled_from([Fraction(1, 2), Fraction(1)]), st.integers(0, 5))
def test_swapping_within_a_column_keeps_its_counts(
    rows: list[tuple[str, str, int]], share: Fraction, seed: int
) -> None:
    table = staff(rows)
    before: list[Row] = [dict(zip(("sex", "job", "pay"), row, strict=True)) for row in rows]
    frame = (
        DataSwapping(share, within="sex").bind(table.schema).apply(table, secure_generator(seed))
    )
    after = frame.to_dicts()
    assert swapping.marginals_kept(before, after, ["sex", "pay"], 2)
    assert swapping.marginals_kept(before, after, ["sex", "job"], 2)
    assert [row["sex"] for row in after] == [row["sex"] for row in before]
    changed = sum(a["pay"] != b["pay"] for a, b in zip(before, after, strict=True))
    assert changed <= share * len(rows)


RETENTIONS = ["0", "1/2", "4/5"]
COUNTS = (500, 300, 150, 50)


def replaced(change: str, retention: str) -> list[list[str]]:
    """Give what the values of 20,000 people became, by value."""
    values = [v for v, n in zip("abcd", COUNTS, strict=True) for _ in range(20 * n)]
    table = as_table({"job": values}, quasi="job")
    operation = PostRandomization(retention, change=change).bind(table.schema)
    after = operation.apply(table, secure_generator(3))["job"].to_list()
    found: list[list[str]] = [[] for _ in "abcd"]
    for old, new in zip(values, after, strict=True):
        found["abcd".index(old)].append(new)
    return found


def transition(change: str, retention: str) -> list[list[Fraction]]:
    p, size = Fraction(retention), range(4)
    uniform = [[p if i == j else (1 - p) / 3 for j in size] for i in size]
    match change:
        case "uniform":
            return uniform
        case "frequency":
            n = sum(COUNTS)
            return [
                [p if i == j else (1 - p) * Fraction(COUNTS[j], n - COUNTS[i]) for j in size]
                for i in size
            ]
        case _:
            return swapping.invariant_matrix(uniform, COUNTS)


@pytest.mark.parametrize("change", ["uniform", "frequency", "invariant"])
@pytest.mark.parametrize("retention", RETENTIONS)
def test_values_are_replaced_with_the_chances_of_the_matrix(change: str, retention: str) -> None:
    """Four rows for each of nine matrices; false alarms below one in 20,000 for all together."""
    matrix = transition(change, retention)
    assert swapping.is_stochastic(matrix)
    if change == "invariant":
        assert swapping.expected_counts(matrix, COUNTS) == [*COUNTS]
    for row, became in zip(matrix, replaced(change, retention), strict=True):
        below = [float(sum(row[:i], Fraction(0))) for i in range(5)]
        seen = ["abcd".index(value) for value in became]
        assert noise_tests.agrees(
            seen,
            lambda x, below=below: below[math.floor(x) + 1],  # type: ignore[misc]
            1e-6,
            lambda x, below=below: below[math.ceil(x)],  # type: ignore[misc]
        )


def listed(n: int, repeat: int = 1) -> Table:
    """Give people with two columns of categories that were listed beforehand."""
    values = [f"v{i}" for i in range(n)]
    columns = {"a": [values[0]] * repeat, "b": [values[-1]] * repeat}
    trees = {c: Tree({"any": values}) for c in columns}
    return as_table(columns, quasi=["a", "b"], taxonomies=trees)


@pytest.mark.parametrize("n", [2, 3, 8])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)], ids=str)
def test_replaced_categories_cost_what_is_allowed(n: int, epsilon: Fraction) -> None:
    found = masked(PRAM(), listed(n), [DifferentialPrivacy(epsilon)])
    assert found.ledger is not None
    document: dict[str, Any] = found.ledger.to_json()
    cost = private.price_of_ledger(document["events"], document["neighbours"])
    assert cost == pytest.approx(float(epsilon))
    assert cost <= float(epsilon) * (1 + 1e-9)
    for column in "ab":
        kept = float(found.told[f"retention of {column}"])
        assert private.response_epsilon(kept, n) == pytest.approx(float(epsilon) / 2)


def test_categories_stay_as_often_as_told() -> None:
    """16,000 people; false alarms below one in a million."""
    found = masked(PRAM(), listed(3, 16_000), [DifferentialPrivacy(2)])
    room = noise_tests.critical_distance(16_000, 1e-6)
    for column, value in (("a", "v0"), ("b", "v2")):
        counts = Counter(row[column] for row in records_of(found))
        kept = float(found.told[f"retention of {column}"])
        assert abs(counts[value] / 16_000 - kept) < room
        assert abs(counts["v1"] / 16_000 - (1 - kept) / 2) < room


DOMAIN: list[Hashable] = [(a, b) for a in "01" for b in "xy"]


def domain_table(rows: Sequence[tuple[str, str]]) -> Table:
    trees = {"a": Tree({"any": ["0", "1"]}), "b": Tree({"any": ["x", "y"]})}
    columns = {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    return as_table(columns, quasi=["a", "b"], taxonomies=trees)


def test_every_output_of_alpha_beta_is_as_likely_as_it_should_be() -> None:
    """16 outputs of 3,000 runs; false alarms below one in a million."""
    rows, alpha, beta = [("0", "x"), ("1", "y")], Fraction(1, 2), Fraction(1, 4)
    expected = swapping.alpha_beta_outputs(rows, DOMAIN, alpha, beta)
    order, runs = list(expected), 3000
    table = domain_table(rows)
    seen = []
    for seed in range(runs):
        shown = [
            tuple(row.values())
            for row in records_of(masked(AlphaBeta(alpha, beta), table, seed=seed))
        ]
        assert len({*shown}) == len(shown)
        seen.append(order.index(frozenset(shown)))
    below = [float(sum(list(expected.values())[:i], Fraction(0))) for i in range(17)]
    assert noise_tests.agrees(
        seen, lambda x: below[math.floor(x) + 1], 1e-6, lambda x: below[math.ceil(x)]
    )


@pytest.mark.parametrize(
    ("alpha", "beta"), [(Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 5), Fraction(2, 5))]
)
def test_alpha_beta_pays_the_epsilon_of_its_definition(alpha: Fraction, beta: Fraction) -> None:
    rows = [("0", "x"), ("1", "y")]
    worst = swapping.alpha_beta_epsilon(DOMAIN, alpha, beta)
    table = domain_table(rows)
    found = masked(AlphaBeta(alpha, beta), table, [DifferentialPrivacy(3)])
    assert found.ledger is not None
    assert price(found.ledger).at(0) == pytest.approx(worst)


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)], ids=str)
def test_alpha_beta_spends_no_more_than_it_may(epsilon: Fraction) -> None:
    found = masked(AlphaBeta(), domain_table([("0", "x")]), [DifferentialPrivacy(epsilon)])
    alpha, beta = (Fraction(float(found.told[name])) for name in ("alpha", "beta"))
    worst = swapping.alpha_beta_epsilon(DOMAIN, alpha, beta)
    assert worst <= float(epsilon) * (1 + 1e-9)
    assert worst == pytest.approx(float(epsilon))


def test_medians_are_those_of_the_literal_cuts() -> None:
    rng = random.Random(6)
    ages = [rng.randrange(20, 80) for _ in range(200)]
    ills = [["flu", "hiv", "cold"][min(2, (age - 20) // 20)] for age in ages]
    table = as_table({"age": ages, "ill": ills}, quasi="age", sensitive="ill")
    cuts = medians.cuts(list(zip(ages, ills, strict=True)))
    assert len(cuts) == 2
    for kind in ("low", "high", "average"):
        found = masked(MedianSwapping(median=kind), table, [KAnonymity(1)])
        assert found.rows is not None
        middle = medians.medians(ages, cuts, kind)
        shown = [float(row["age"]) for row in records_of(found)]
        assert shown == [float(middle[i]) for i in found.rows.tolist()]


def test_categories_are_drawn_with_second_order_chances() -> None:
    """16,000 people; false alarms below one in a million."""
    rng = random.Random(8)
    rows: list[Row] = []
    for _ in range(16_000):
        c = rng.choice("pn")
        a = rng.choice("xxy" if c == "p" else "xyy")
        rows.append({"ill": c, "a": a, "b": rng.choice("uuuv" if a == "x" else "uvvv")})
    columns = {name: [row[name] for row in rows] for name in ("a", "b", "ill")}
    table = as_table(columns, quasi=["a", "b"], sensitive="ill")
    shown = records_of(masked(MedianSwapping(), table, [KAnonymity(1)]))
    chances = swapping.second_order_rows(rows, ["ill", "a", "b"])
    counts = Counter(tuple(row[c] for c in ("ill", "a", "b")) for row in shown)
    room = 2 * noise_tests.critical_distance(len(rows), 1e-6)
    assert sum(counts.values()) == len(rows)
    for made, chance in chances.items():
        assert abs(counts[made] / len(rows) - float(chance)) < room


@pytest.mark.parametrize("distribution", ["gaussian", "laplace"])
@pytest.mark.parametrize("relative", [True, False])
def test_added_noise_has_its_scale(distribution: str, relative: bool) -> None:
    """2,000 numbers; false alarms below one in a million, and scales 30 % off are seen."""
    n, rng = 2000, random.Random(3)
    pay = [rng.gauss(100, 5) + 0.123456 for _ in range(n)]
    table = as_table({"job": ["cook"] * n, "pay": pay}, quasi="job", sensitive="pay")
    how = AdditiveNoise(3, distribution=distribution, relative=relative).bind(table.schema)
    after = how.apply(table, secure_generator(2))["pay"].to_list()
    noise = [b - a for a, b in zip(pay, after, strict=True)]
    scale = 3 * float(np.std(pay)) if relative else 3.0
    assert noise_tests.has_scale(noise, scale, distribution, 1e-6)
    for factor in (0.7, 1.3):
        assert noise_tests.scale_power(n, factor, distribution, 1e-6) >= 1 - 1e-6
        assert not noise_tests.has_scale(noise, factor * scale, distribution, 1e-6)


@pytest.mark.statistical
def test_noise_with_a_price_has_the_scale_that_is_paid_for() -> None:
    """2,000 numbers; false alarms below one in a million, and scales 30 % off are seen."""
    n = 2000
    table = as_table({"pay": [50.5] * n}, sensitive="pay")
    how = AdditiveNoise(20, distribution="laplace", bounds=[["pay", 0, 100]]).bind(table.schema)
    after = how.apply(table, secure_generator(2))["pay"].to_list()
    noise = [x - 50.5 for x in after]
    assert noise_tests.has_scale(noise, 20.0, "laplace", 1e-6)
    assert not noise_tests.has_scale(noise, 14.0, "laplace", 1e-6)
    assert not noise_tests.has_scale(noise, 26.0, "laplace", 1e-6)
    ledger = how.ledger(table)
    assert ledger is not None
    document: dict[str, Any] = ledger.to_json()
    assert private.price_of_ledger(document["events"], document["neighbours"]) == pytest.approx(5)


def crowd(n: int, values: Sequence[str], domain: Sequence[str]) -> Table:
    columns = {"age": list(range(n)), "ill": list(values)}
    trees = {"ill": Tree({"any": list(domain)})}
    return as_table(columns, quasi="age", sensitive="ill", taxonomies=trees)


@pytest.mark.parametrize("p", [Fraction(3, 10), Fraction(4, 5)], ids=str)
def test_one_record_of_every_group_is_told_with_a_value_kept_or_drawn(p: Fraction) -> None:
    """2,048 groups of 2; false alarms below one in a million."""
    n, domain = 4096, ["x", "y", "z", "u"]
    table = crowd(n, ["x"] * n, domain)
    found = masked(PerturbedGeneralization(p), table, [KAnonymity(2)])
    records = records_of(found)
    assert found.counts is not None
    assert sum(row[found.counts] for row in records) == n
    assert min(row[found.counts] for row in records) >= 2
    assert found.rows is None or len(found.rows) == len(records)
    room = noise_tests.critical_distance(len(records), 1e-6)
    counts = Counter(row["ill"] for row in records)
    assert abs(counts["x"] / len(records) - float(p + (1 - p) / 4)) < room
    for other in "yzu":
        assert abs(counts[other] / len(records) - float((1 - p) / 4)) < room


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("skew", [Fraction(1), Fraction(1, 10)], ids=str)
@pytest.mark.parametrize("p", [Fraction(3, 10), Fraction(4, 5)], ids=str)
def test_beliefs_grow_as_much_as_told(k: int, skew: Fraction, p: Fraction) -> None:
    n, domain = 5 * 2**4 * k, ["x", "y", "z"]
    table = crowd(n, [domain[i % 3] for i in range(n)], domain)
    found = masked(PerturbedGeneralization(p, skew=skew), table, [KAnonymity(k)])
    assert found.counts is not None
    smallest = min(row[found.counts] for row in records_of(found))
    expected = swapping.corrupted_growth(smallest, 3, p, skew)
    assert found.told["growth"] == pytest.approx(expected, abs=1e-5)


@given(people, st.integers(0, 5), st.booleans())
def test_shuffled_values_stay_in_their_groups(
    rows: list[tuple[str, str, int]], seed: int, together: bool
) -> None:
    table = staff(rows)
    parts = np.array([len(row[1]) + "xyz".index(row[1]) for row in rows], np.int32) - 1
    how = Permutation(together=together)
    frame, places = how.bind(table.schema).apply(table, parts, secure_generator(seed))
    assert sorted(places.tolist()) == list(range(len(rows)))
    after = frame.to_dicts()
    before: list[Row] = [dict(zip(("sex", "job", "pay"), row, strict=True)) for row in rows]
    assert swapping.marginals_kept(before, after, ["job", "pay"], 2)
    assert [(row["sex"], row["job"]) for row in after] == [rows[i][:2] for i in places.tolist()]


def test_every_way_to_hand_out_values_is_as_likely() -> None:
    """How 3 values are handed out in 2,000 groups; false alarms below one in a million."""
    n = 2000
    columns = {"id": [i for i in range(n) for _ in range(3)], "pay": [0, 1, 2] * n}
    table = as_table({**columns, "who": [0, 1, 2] * n}, quasi=["id", "who"], sensitive="pay")
    parts = np.repeat(np.arange(n), 3).astype(np.int32)
    frame, _ = Permutation().bind(table.schema).apply(table, parts, secure_generator(2))
    got: dict[int, list[int]] = {}
    for row in frame.to_dicts():
        got.setdefault(row["id"], [0, 0, 0])[row["who"]] = row["pay"]
    ways = sorted({tuple(order) for order in got.values()})
    assert len(ways) == 6
    seen = [ways.index(tuple(order)) for order in got.values()]
    assert noise_tests.agrees(
        seen, lambda x: (math.floor(x) + 1) / 6, 1e-6, lambda x: math.ceil(x) / 6
    )
