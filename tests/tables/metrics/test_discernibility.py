"""Discernibility: the worked examples of book and thesis, and the definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.releases import shown_sizes
from tests.witness import metrics
from tests.witness.metrics import Cell, Published
from unlinkable import checks
from unlinkable.errors import ParameterError
from unlinkable.registry.lookup import make
from unlinkable.tables.metrics import Charge, Discernibility

CHARGES: list[Charge | Fraction] = [*Charge, Fraction(1, 3), Fraction(2), Fraction(1000)]


def test_a_suppressed_record_costs_all_records() -> None:
    case = cases.load("babu-discernibility")
    for given_, expected in zip(case["input"]["cases"], case["expected"]["C_DM"], strict=True):
        kept = [n for n in given_["class_sizes"] if n >= given_["k"]]
        assert Discernibility().value(shown_sizes(kept, given_["D"] - sum(kept))) == expected
    for name in ("babu-table2-4-homogeneity", "babu-table2-6-three-diverse"):
        expected = cases.load(name)["expected"]
        sizes = {48: [4, 4, 4], 27: [3, 3, 3]}[expected["discernibility"]]
        assert Discernibility().value(shown_sizes(sizes, 0)) == expected["discernibility"]


def test_discernibility_tells_apart_what_distortion_does_not() -> None:
    case = cases.load("book-ch04-dm-vs-md")
    for given_ in case["input"]["cases"]:
        before = list(given_["counts"].values())
        expected, to = case["expected"], given_["to"]
        loss = [Discernibility().value(shown_sizes(s, 0)) for s in (before, [sum(before)])]
        assert loss[0] == expected["DM_before_generalization"][to]
        assert loss[1] == expected["DM_after_generalization"][to]
        assert loss[1] - loss[0] == expected["DM_increase"][to]


@given(st.lists(st.integers(1, 9), max_size=8), st.integers(0, 9))
def test_says_what_the_definition_says(sizes: list[int], n_suppressed: int) -> None:
    published: list[Published] = [{"a": Cell(g, 1)} for g, n in enumerate(sizes) for _ in range(n)]
    release = [*published, *[None] * n_suppressed]
    loss = Discernibility().value(shown_sizes(sizes, n_suppressed))
    assert loss == metrics.discernibility(release, ["a"])


def test_the_largest_table_is_measured_without_overflow() -> None:
    n = 2**31
    assert Discernibility().of_sizes(np.array([n - 1, 1]), 0) == float((n - 1) ** 2 + 1)
    assert Discernibility().of_sizes(np.array([], np.int64), n) == float(n**2)


def test_leaving_all_out_is_as_bad_as_putting_all_together() -> None:
    loss = Discernibility().value
    assert loss(shown_sizes([], 12)) == loss(shown_sizes([12], 0)) == 144
    assert loss(shown_sizes([], 0)) == 0


def charge_of(suppressed: Charge | Fraction, n: int, n_suppressed: int) -> Fraction:
    """What each record that is left out costs."""
    match suppressed:
        case Charge.TABLE:
            return Fraction(n)
        case Charge.ALIKE:
            return Fraction(n_suppressed)
        case Charge.NOTHING:
            return Fraction(0)
        case number:
            return Fraction(number)


@pytest.mark.parametrize("charge", CHARGES, ids=str)
@given(sizes=st.lists(st.integers(1, 9), max_size=8), n_suppressed=st.integers(0, 9))
def test_a_suppressed_record_costs_what_was_said(
    charge: Charge | Fraction, sizes: list[int], n_suppressed: int
) -> None:
    each = [size for size in sizes for _ in range(size)]
    each += [charge_of(charge, sum(sizes) + n_suppressed, n_suppressed)] * n_suppressed  # type: ignore[list-item]
    assert Discernibility(charge).value(shown_sizes(sizes, n_suppressed)) == float(sum(each))


@pytest.mark.parametrize("charge", CHARGES, ids=str)
@given(
    groups=st.lists(st.tuples(st.integers(1, 9), st.integers(-1, 3)), max_size=8),
    before=st.integers(0, 3),
    spare=st.integers(0, 5),
)
def test_no_coarser_release_is_below_the_floor(
    charge: Charge | Fraction, groups: list[tuple[int, int]], before: int, spare: int
) -> None:
    sizes = np.array([n for n, _ in groups], np.int64)
    parent = np.array([p for _, p in groups], np.int32)
    may_suppress = int(sizes[parent < 0].sum()) + spare
    checks.check_floor(Discernibility(charge), sizes, parent, before, may_suppress)


def test_the_floor_is_reached_where_the_largest_groups_may_go() -> None:
    sizes = np.array([5, 2, 4])
    free = Discernibility(Charge.NOTHING)
    assert [free.floor(sizes, n) for n in (0, 5, 9, 11, 99)] == [45, 20, 4, 0, 0]
    assert free.of_sizes(np.array([2]), 9) == 4
    assert Discernibility(3).floor(sizes, 99) == 9 * 3 + 2 * 2
    assert free.floor(sizes, -1) == 45


def test_leaving_out_is_cheaper_where_it_costs_little() -> None:
    for charge in (Charge.NOTHING, Fraction(2)):
        loss = Discernibility(charge)
        assert not loss.monotone
        assert loss.of_sizes(np.array([3]), 3) < loss.of_sizes(np.array([3, 3]), 0)
    for charge in (Charge.TABLE, Charge.ALIKE):
        assert Discernibility(charge).monotone


@pytest.mark.parametrize(
    ("text", "charge"),
    [
        ("discernibility", Charge.TABLE),
        ('discernibility(suppressed="alike")', Charge.ALIKE),
        ('discernibility(suppressed="nothing")', Charge.NOTHING),
        ("discernibility(suppressed=2.5)", Fraction(5, 2)),
    ],
)
def test_the_charge_can_be_written_down(text: str, charge: Charge | Fraction) -> None:
    assert make("metric", text) == Discernibility(charge)
    assert str(Discernibility(charge)) == text


@pytest.mark.parametrize("charge", ["tabel", 0, -1, True])
def test_refuses_a_charge_that_means_nothing(charge: object) -> None:
    with pytest.raises(ParameterError, match="one of table, alike, nothing, or a number greater"):
        Discernibility(charge)  # type: ignore[arg-type]
