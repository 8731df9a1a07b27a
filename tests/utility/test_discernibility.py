"""Discernibility: the worked examples of book and thesis, and the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.utility.releases import shown_sizes
from tests.witness import metrics
from tests.witness.metrics import Cell, Published
from unlinkable.utility import Discernibility


def test_a_suppressed_record_costs_all_records() -> None:
    case = cases.load("babu-discernibility")
    for given_, expected in zip(case["input"]["cases"], case["expected"]["C_DM"], strict=True):
        kept = [n for n in given_["class_sizes"] if n >= given_["k"]]
        assert Discernibility().measure(shown_sizes(kept, given_["D"] - sum(kept))) == expected
    for name in ("babu-table2-4-homogeneity", "babu-table2-6-three-diverse"):
        expected = cases.load(name)["expected"]
        sizes = {48: [4, 4, 4], 27: [3, 3, 3]}[expected["discernibility"]]
        assert Discernibility().measure(shown_sizes(sizes, 0)) == expected["discernibility"]


def test_discernibility_tells_apart_what_distortion_does_not() -> None:
    case = cases.load("book-ch04-dm-vs-md")
    for given_ in case["input"]["cases"]:
        before = list(given_["counts"].values())
        expected, to = case["expected"], given_["to"]
        loss = [Discernibility().measure(shown_sizes(s, 0)) for s in (before, [sum(before)])]
        assert loss[0] == expected["DM_before_generalization"][to]
        assert loss[1] == expected["DM_after_generalization"][to]
        assert loss[1] - loss[0] == expected["DM_increase"][to]


@given(st.lists(st.integers(1, 9), max_size=8), st.integers(0, 9))
def test_says_what_the_definition_says(sizes: list[int], n_suppressed: int) -> None:
    published: list[Published] = [{"a": Cell(g, 1)} for g, n in enumerate(sizes) for _ in range(n)]
    release = [*published, *[None] * n_suppressed]
    loss = Discernibility().measure(shown_sizes(sizes, n_suppressed))
    assert loss == metrics.discernibility(release, ["a"])


def test_the_largest_table_is_measured_without_overflow() -> None:
    n = 2**31
    assert Discernibility().of_sizes(np.array([n - 1, 1]), 0) == float((n - 1) ** 2 + 1)
    assert Discernibility().of_sizes(np.array([], np.int64), n) == float(n**2)


def test_leaving_all_out_is_as_bad_as_putting_all_together() -> None:
    loss = Discernibility().measure
    assert loss(shown_sizes([], 12)) == loss(shown_sizes([12], 0)) == 144
    assert loss(shown_sizes([], 0)) == 0
