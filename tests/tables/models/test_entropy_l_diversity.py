"""Entropy l-diversity: worked examples, the definition in whole numbers, and what is close."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import EntropyLDiversity
from unlinkable.tables.models.base import Merging


def one_group(*counts: int) -> list[dict[str, object]]:
    return [{"s": v} for v, c in enumerate(counts) for _ in range(c)]


def test_example_2_7_is_diverse_to_what_it_is_and_not_to_what_was_rounded() -> None:
    case = cases.load("book-ch02-ex2.7-entropy-l-diversity")
    rows, qid = rows_of_case(case["input"]["table"]), case["input"]["qid"]
    values = sorted({str(row["Disease"]) for row in rows})
    groups = groups_of(
        [
            [sum(row["Disease"] == v for row in group) for v in values]
            for group in models.groups(rows, qid).values()
        ]
    )
    levels = EntropyLDiversity(2, sensitive="s").level(groups)
    for level, expected in zip(levels, case["expected"]["per_group"], strict=True):
        assert isclose(level, expected["effective_l"], rel_tol=1e-12)
    for text, holds in case["expected"]["verdicts"].items():
        assert EntropyLDiversity(text.removeprefix("l="), sensitive="s").holds(groups) is holds


def test_classes_of_the_thesis() -> None:
    case = cases.load("babu-table2-4-homogeneity")["expected"]
    groups = groups_of([[*c["counts"].values(), 0, 0, 0][:3] for c in case["classes"]])
    levels = EntropyLDiversity(2, sensitive="s").level(groups)
    assert [round(x, 12) for x in levels] == [
        round(c["effective_entropy_l"], 12) for c in case["classes"]
    ]


@pytest.mark.parametrize("name", ["aggarwal-skew-hiv-1-99", "book-ch02-t-closeness-skewness"])
def test_an_even_group_is_2_diverse_however_skewed_the_table(name: str) -> None:
    cases.load(name)
    assert EntropyLDiversity(2, sensitive="s").holds(groups_of([[50, 50]], whole=[100, 9900]))


@given(tables(), st.fractions(1, 5, max_denominator=30))
def test_says_what_the_definition_says(random: RandomTable, l: Fraction) -> None:  # noqa: E741
    groups = finest_of(random)
    for s in random.sensitive:
        verdict = EntropyLDiversity(l, sensitive=s).verdict(groups)
        assert verdict.holds is models.is_entropy_l_diverse(random.rows, random.qid, s, l)
        level = models.entropy_l(random.rows, random.qid, s)
        assert (verdict.level is None) is (level is None)
        assert level is None or isclose(verdict.level or 0, level, rel_tol=1e-12)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 5))
def test_a_group_and_its_multiples_are_as_diverse(counts: list[int], times: int) -> None:
    groups = groups_of([counts, [times * c for c in counts]])
    promise = EntropyLDiversity(2, sensitive="s")
    level, other = promise.level(groups)
    assert isclose(level, other, rel_tol=1e-12)
    assert promise.judge(groups)[0] == promise.judge(groups)[1]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 50])
@pytest.mark.parametrize("times", [1, 3, 10**6])
def test_n_equally_frequent_values_are_exactly_n_diverse(n: int, times: int) -> None:
    groups = groups_of([[times] * n])
    assert EntropyLDiversity(n, sensitive="s").holds(groups)
    assert not EntropyLDiversity(n + Fraction(1, 10**15), sensitive="s").holds(groups)
    assert EntropyLDiversity(n, sensitive="s").verdict(groups).level == n


@pytest.mark.parametrize("times", [1, 1000, 10**8])
def test_uneven_values_that_are_exactly_4_diverse(times: int) -> None:
    # One half and four eighths: 1/2 * 1 + 4/8 * 3 = 2 bits.
    groups = groups_of([[4 * times, times, times, times, times]])
    assert EntropyLDiversity(4, sensitive="s").holds(groups)
    assert not EntropyLDiversity(4 + Fraction(1, 10**15), sensitive="s").holds(groups)


def test_one_record_too_many_in_a_thousand_million_is_found() -> None:
    even, odd = groups_of([[10**9, 10**9]]), groups_of([[10**9, 10**9 + 1]])
    assert EntropyLDiversity(2, sensitive="s").holds(even)
    assert not EntropyLDiversity(2, sensitive="s").holds(odd)


def test_merging_is_safe_and_does_not_absorb() -> None:
    promise = EntropyLDiversity(2, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.judge(groups_of([[1, 1], [5, 1]])).tolist() == [True, False]


def test_one_diverse_is_anything() -> None:
    assert EntropyLDiversity(1, sensitive="s").holds(groups_of([[9], [1]]))


def test_asks_for_less_by_a_half() -> None:
    assert EntropyLDiversity(3, sensitive="s").weaker() == EntropyLDiversity(2.5, sensitive="s")
    assert EntropyLDiversity(1.5).weaker() is None


def test_explains_that_the_whole_table_is_not_diverse_enough() -> None:
    promise = EntropyLDiversity(2, sensitive="s")
    text = promise.explain_failure(groups_of([[95, 5]]))
    assert text == (
        "the values of 's' in all 100 records together reach l = 1.219 (the most frequent one has "
        "95.0% of them), and some group is never more diverse than the whole: ask for l of at most "
        "1.219, or promise recursive-cl-diversity or t-closeness, which allow for a frequent value"
    )
    assert EntropyLDiversity(1.219, sensitive="s").holds(groups_of([[95, 5]]))


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="l must be at least 1, got 9/10"):
        EntropyLDiversity(0.9)
    with pytest.raises(ParameterError, match="expected a number or a fraction like 2/3, got 'two'"):
        EntropyLDiversity("two")
