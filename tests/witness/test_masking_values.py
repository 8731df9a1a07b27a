"""The witnesses of swapped, replaced and generated values on worked cases and by what is proved."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.witness import medians, swapping
from tests.witness.models import Row
from tests.witness.test_worked import rows_of

DOMAIN = ("a", "b", "c")


@pytest.mark.parametrize(
    ("after", "limit", "faults"),
    [
        ([1, 2, 3, 4], 0, []),
        ([2, 1, 4, 3], 1, []),
        ([2, 1, 4, 3], 0, ["a rank changed by 1"]),
        ([3, 2, 1, 4], 2, []),
        ([3, 2, 1, 4], 1, ["a rank changed by 2"]),
        ([2, 3, 1, 4], 2, ["values were not exchanged in pairs"]),
        ([2, 2, 3, 4], 4, ["other values than before"]),
    ],
)
def test_faults_of_a_rank_swap_are_seen(after: list[int], limit: int, faults: list[str]) -> None:
    assert swapping.rank_swap_faults([1, 2, 3, 4], after, limit) == faults


def test_equal_values_have_all_their_ranks() -> None:
    assert swapping.rank_swap_faults([5, 5, 5, 7], [7, 5, 5, 5], 1) == []
    assert swapping.rank_swap_faults([5, 5, 5, 7, 9], [9, 5, 5, 7, 5], 1) == ["a rank changed by 2"]


counts = st.lists(st.integers(1, 6), min_size=2, max_size=4)


@st.composite
def matrices(draw: st.DrawFn, size: int) -> list[list[Fraction]]:
    rows = []
    for i in range(size):
        weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
        weights[i] += 1
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows


@given(counts, st.data())
def test_a_matrix_with_its_way_back_keeps_the_expected_counts(
    n: list[int], data: st.DataObject
) -> None:
    matrix = data.draw(matrices(len(n)))
    both = swapping.invariant_matrix(matrix, n)
    assert swapping.is_stochastic(both)
    assert swapping.expected_counts(both, n) == n


@given(counts, st.data())
def test_unbiased_counts_are_the_counts_behind_the_expected_ones(
    n: list[int], data: st.DataObject
) -> None:
    matrix = data.draw(matrices(len(n)))
    found = swapping.unbiased_counts(matrix, swapping.expected_counts(matrix, n))
    assert found is None or found == n


def test_what_is_no_matrix_of_chances_is_seen() -> None:
    half = Fraction(1, 2)
    assert swapping.is_stochastic([[half, half], [Fraction(0), Fraction(1)]])
    assert not swapping.is_stochastic([[half, half], [half, Fraction(1)]])
    assert not swapping.is_stochastic([[Fraction(3, 2), -half], [half, half]])


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [
        (Fraction(1, 2), Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 6)),
        (Fraction(0), Fraction(1, 9)),
    ],
)
def test_epsilon_of_alpha_beta_is_the_larger_of_two_ratios(alpha: Fraction, beta: Fraction) -> None:
    inside = math.log((alpha + beta) / beta)
    outside = math.log((1 - beta) / (1 - alpha - beta))
    found = swapping.alpha_beta_epsilon(DOMAIN, alpha, beta)
    assert found == pytest.approx(max(inside, outside))


def test_alpha_beta_is_not_private_without_chance() -> None:
    assert swapping.alpha_beta_epsilon(DOMAIN, Fraction(1, 2), Fraction(0)) == math.inf
    assert swapping.alpha_beta_epsilon(DOMAIN, Fraction(1, 2), Fraction(1, 2)) == math.inf


def test_inclusion_probabilities_of_alpha_beta() -> None:
    alpha, beta = Fraction(1, 2), Fraction(1, 8)
    outputs = swapping.alpha_beta_outputs(["a", "b"], DOMAIN, alpha, beta)
    assert sum(outputs.values()) == 1
    for value in DOMAIN:
        chance = sum(p for out, p in outputs.items() if value in out)
        assert chance == (alpha + beta if value in "ab" else beta)
    assert sum(p * len(out) for out, p in outputs.items()) == 2 * alpha + 3 * beta


def test_medians_of_the_ages() -> None:
    case = load("babu-discrete-median-table5-4")
    rows, expected = rows_of(case["input"]["table"]), case["expected"]
    ages = [int(str(row["Age"])) for row in rows]
    pairs: list[medians.Pair] = [
        (age, row["Test Result"]) for age, row in zip(ages, rows, strict=True)
    ]
    for kind, (low, high) in expected["medians"].items():
        found = medians.medians(ages, case["input"]["cut_points"], kind)
        assert found == [low] * 6 + [high] * 6
    assert [float(cut) for cut in medians.candidates(pairs)] == [
        float(cut) for cut in expected["information_gain_bits"]
    ]
    for cut, bits in expected["information_gain_bits"].items():
        assert medians.gain(pairs, float(cut)) == pytest.approx(bits, abs=1e-12)
        least = expected["mdl_threshold_bits"][cut]
        assert medians.threshold(pairs, float(cut)) == pytest.approx(least)
    assert medians.best_cut(pairs) == Fraction(str(expected["best_cut_by_gain"]))
    assert (medians.cuts(pairs) != []) is expected["mdl_accepts_best_cut"]


def test_three_classes_are_cut_twice() -> None:
    pairs: list[medians.Pair] = [(x, x // 20) for x in range(60)]
    assert medians.cuts(pairs) == [Fraction(39, 2), Fraction(79, 2)]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=9))
def test_two_columns_are_made_with_the_counts_they_had(pairs: list[tuple[int, int]]) -> None:
    rows: list[Row] = [{"c": c, "a": a} for c, a in pairs]
    found = swapping.second_order_rows(rows, ["c", "a"])
    assert sum(found.values()) == 1
    for made, chance in found.items():
        assert chance == Fraction(pairs.count((int(str(made[0])), int(str(made[1])))), len(pairs))


@given(
    st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=8),
)
def test_bits_are_made_by_the_corrected_algorithm(bits: list[tuple[int, int, int]]) -> None:
    rows: list[Row] = [dict(zip("abc", row, strict=True)) for row in bits]
    for made in [(x, y) for x in (0, 1) for y in (0, 1)]:
        p2 = Fraction(0)
        for k in (0, 1):
            f1 = [row for row in bits if row[k] == made[k]]
            f2 = [row for row in f1 if row[2] == 0]
            p2 += Fraction(len(f2), len(f1)) if f1 else Fraction(1, 2)
        found = swapping.second_order_chance(rows, ["a", "b", "c"], made)
        if len({row[2] for row in bits}) == 2:
            assert found[0] == p2 / 2


def test_first_column_keeps_its_shares_and_pairs_with_it_when_there_are_three() -> None:
    rng = random.Random(3)
    rows: list[Row] = [{c: rng.randrange(2) for c in "abc"} for _ in range(12)]
    found = swapping.second_order_rows(rows, ["a", "b", "c"])
    pair = sum(p for made, p in found.items() if made[:2] == (0, 0))
    assert pair == Fraction(sum(r["a"] == r["b"] == 0 for r in rows), 12)
