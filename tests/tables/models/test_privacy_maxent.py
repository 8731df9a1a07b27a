"""Privacy-MaxEnt: the worked case, the edge of the bound, the claims, and the refusals."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.models.samples.beliefs import men_and_women
from tests.tables.models.shared.maxent.people import (
    Known,
    Person,
    asked,
    counted,
    meets,
    pairs,
    people,
    share,
)
from unlinkable import anonymize, check
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Optimal
from unlinkable.tables.models import FrequencyLDiversity, KAnonymity, PrivacyMaxEnt
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.models.shared.maxent import component
from unlinkable.tables.taxonomies.builders import Intervals


def test_who_knows_that_men_have_no_ovarian_cancer_knows_all() -> None:
    case = cases.load("book-ch02-privacy-maxent")
    given, expected = case["input"], case["expected"]
    rows = [
        ("A", sex, "x", ill)
        for sex, ill in zip(given["bucket"]["qid"], given["bucket"]["sensitive"], strict=True)
    ]
    value, sex = given["constraints"][0]["P"]
    known: Known = {"sex": [sex], "value": [value], "p": [given["constraints"][0]["equals"]]}
    promise, groups = counted(rows, known, p="1/2")
    assert promise.level(groups).tolist() == [max(expected["with_knowledge"].values())]
    assert not promise.holds(groups)
    nothing, _ = counted(rows, {"sex": [], "value": [], "p": []}, p="1/2")
    assert nothing.level(groups).tolist() == [max(expected["without_knowledge"].values())]
    assert nothing.holds(groups)


def test_groups_that_no_statement_is_about_are_decided_exactly() -> None:
    rows = [*pairs(3, 0, "hij"), ("B", "m", "x", "h")]
    known: Known = {"sex": ["m"], "value": ["h"], "p": [1]}
    promise, groups = counted(rows, known, p="1/3")
    assert promise.posterior(groups).is_exact.tolist() == [True, False]
    assert promise.judge(groups).tolist() == [True, False]
    less, _ = counted(rows, known, p="0.3333333333333333")
    assert less.judge(groups).tolist() == [False, False]


def test_a_probability_equal_to_the_bound_is_allowed_where_a_solver_found_it() -> None:
    # By symmetry a third of each sex has each illness, whatever is known of one of them.
    rows = pairs(3, 3, "hijhij")
    known: Known = {"sex": ["f", "f"], "value": ["h", "i"], "p": ["1/3", "1/3"]}
    promise, groups = counted(rows, known, p="1/3")
    assert not promise.posterior(groups).is_exact.any()
    assert promise.holds(groups)


def test_statements_may_weigh_shares_against_each_other() -> None:
    # Women have h twice as often as men: 2 of 3 and 1 of 3.
    known: Known = {
        "id": ["a", "a"],
        "sex": ["f", "m"],
        "value": ["h", "h"],
        "p": [0, 0],
        "weight": [1, -2],
    }
    promise, groups = counted(pairs(3, 3, "hhhiii"), known)
    assert isclose(promise.level(groups)[0], 2 / 3, abs_tol=1e-9)


def test_statements_may_be_about_sets_and_intervals() -> None:
    ward = as_table(
        {"town": ["A"] * 4, "age": [31, 36, 42, 47], "ill": ["h", "i", "j", "j"]},
        quasi=["town", "age"],
        sensitive="ill",
        taxonomies={"age": Intervals(10)},
    )
    known: Known = {"age": ["[30-40)"], "value": ["{h, i}"], "p": [1]}
    context = BindingContext(("age",), ("ill",), side=Side.of({"known": known}))
    (promise,) = PrivacyMaxEnt(1, constraints="known").bind(context)
    groups = count(ward, promise.needs()).finest.project(("town",))[0]
    assert promise.level(groups).tolist() == [1.0]
    assert promise.witness(groups, 0) == (
        "somebody has j in 'ill' with probability 1, given what is known (ill: j 2, h 1, i 1), and "
        "at most 1 is allowed"
    )
    (guarded,) = PrivacyMaxEnt("1/2", constraints="known", values=["h", "i"]).bind(context)
    assert guarded.level(groups).tolist() == [0.5]
    assert guarded.holds(groups)


def test_only_listed_values_are_guarded() -> None:
    rows = pairs(2, 2, "hhhi")
    frame: Known = {"sex": ["f"], "value": ["i"], "p": [0]}
    context = BindingContext(("sex", "job"), ("ill",), side=Side.of({"known": frame}))
    _, groups = counted(rows, frame)
    for values, level in ((["i"], 0.5), (["h"], 1.0), (["cholera"], 0.0), (None, 1.0)):
        (promise,) = PrivacyMaxEnt(1, constraints="known", values=values).bind(context)
        assert promise.level(groups).tolist() == [level]
    (strange,) = PrivacyMaxEnt(1, constraints="known", values=["cholera"]).bind(context)
    assert strange.witness(groups, 0) == (
        "no record has a guarded value in 'ill'; no value 'cholera' among 2 (there are 'h', 'i')"
    )


def test_a_missing_value_is_a_value() -> None:
    table = as_table(
        pl.DataFrame({"q": ["a", "b"], "g": ["A", "A"], "s": ["h", None]}),
        quasi=["g", "q"],
        sensitive="s",
    )
    known = pl.DataFrame({"q": ["a"], "value": [None], "p": ["1"]})
    context = BindingContext(("q",), ("s",), side=Side.of({"known": known}))
    (promise,) = PrivacyMaxEnt(0.5, constraints="known").bind(context)
    groups = count(table, promise.needs()).finest.project(("g",))[0]
    assert promise.level(groups).tolist() == [1.0]


def test_the_example_of_merging() -> None:
    groups = men_and_women()
    known: Known = {"q0": ["m"], "value": ["cancer"], "p": [0]}
    context = BindingContext(("q0",), ("s0",), side=Side.of({"known": known}))
    (promise,) = PrivacyMaxEnt("1/2", constraints="known").bind(context)
    assert promise.level(groups).tolist() == [0.5, 0.5]
    union = groups.merge(np.zeros(2, np.int32), 1, groups.columns, groups.keys[:1])
    assert isclose(promise.level(union)[0], 2 / 3, abs_tol=1e-9)


@given(people, asked, st.fractions(Fraction(1, 4), 1, max_denominator=8))
def test_no_value_has_a_larger_share_than_it_has_for_somebody(
    rows: list[Person], wanted: list[tuple[tuple[str | None, str | None], str]], p: Fraction
) -> None:
    there = {row[3] for row in rows}
    known = [
        (c, v, share(rows, c, v))
        for c, v in wanted
        if v in there and any(meets(row, c) for row in rows)
    ]
    promise, groups = counted(
        rows,
        {
            "sex": [c[0] for c, _, _ in known],
            "job": [c[1] for c, _, _ in known],
            "value": [v for _, v, _ in known],
            "p": [str(p) for _, _, p in known],
        },
        p=p,
    )
    (follows,) = promise.consequences()
    assert follows == FrequencyLDiversity(1 / p, sensitive="ill")
    if promise.holds(groups):
        assert follows.holds(groups)


def test_is_solved_once_for_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pairs(3, 3, "hhhiii")
    promise, groups = counted(rows, {"sex": ["f"], "value": ["h"], "p": ["2/5"]}, p=0.5)
    solved: list[component.Component] = []
    solve = component.Component.solve

    def noted(self: component.Component, source: str) -> None:
        solved.append(self)
        solve(self, source)

    monkeypatch.setattr(component.Component, "solve", noted)
    verdict = promise.verdict(groups)
    assert len(solved) == 1
    assert isclose(verdict.level or 0.0, 0.6, abs_tol=1e-9)
    assert verdict.model == promise


def test_is_checked_on_what_people_were_before() -> None:
    original = {"sex": ["m", "f"], "ill": ["flu", "cancer"]}
    published = as_table({**original, "sex": ["*", "*"]}, quasi="sex", sensitive="ill")
    known: Known = {"sex": ["m"], "value": ["cancer"], "p": [0]}
    promise = PrivacyMaxEnt(0.5, constraints="known")
    finding = check(published, promise, side={"known": known}, original=original)
    assert finding.verdicts[0].level == 1.0


def test_a_search_keeps_it() -> None:
    table = as_table(
        {
            "sex": ["m", "m", "f", "f", "m", "f"],
            "job": ["x", "y", "x", "y", "x", "x"],
            "ill": ["flu", "cold", "cancer", "flu", "cold", "flu"],
        },
        quasi=["sex", "job"],
        sensitive="ill",
    )
    known: Known = {"sex": ["m"], "value": ["cancer"], "p": [0]}
    promise = PrivacyMaxEnt("2/3", constraints="known")
    release = anonymize(table, privacy=promise, method=Optimal(), side={"known": known})
    assert release.holds


@pytest.mark.parametrize("method", ["hdtds", "top-down-specialization", "top-down-disclosure"])
def test_a_search_that_splits_groups_keeps_what_is_known_of_all(method: str) -> None:
    """Two of five women have HIV; of those who are split off at 21 and 22, none or all have."""
    table = as_table(
        {"age": [20, 20, 21, 20, 22], "sex": ["f"] * 5, "ill": ["flu", "hiv", "hiv", "flu", "flu"]},
        quasi=["age", "sex"],
        sensitive="ill",
    )
    known: Known = {"sex": ["f"], "value": ["hiv"], "p": [0.4]}
    promise = PrivacyMaxEnt("3/4", constraints="known")
    release = anonymize(table, privacy=promise, method=method, side={"known": known})
    assert release.holds


def test_links_groups_and_says_what_it_needs() -> None:
    promise, _ = counted(pairs(1, 1, "hi"), {"value": ["h"], "p": ["1/2"]})
    assert not promise.local
    assert promise.relative
    assert promise.sources == ("known",)
    assert promise.needs() == {("sex", "job"), ("ill",)}
    assert str(promise) == 'privacy-maxent(p=1, constraints="known", sensitive="ill")'


def test_covers_what_guards_less() -> None:
    promise = PrivacyMaxEnt(0.5, constraints="k", values=["a", "b"])
    assert promise.covers(PrivacyMaxEnt(0.6, constraints="k", values=["a"]))
    assert not promise.covers(PrivacyMaxEnt(0.6, constraints="k"))
    assert not promise.covers(PrivacyMaxEnt(0.4, constraints="k", values=["a"]))
    assert not promise.covers(PrivacyMaxEnt(0.5, constraints="other", values=["a"]))
    assert PrivacyMaxEnt(0.5, constraints="k").covers(promise)
    assert not promise.covers(KAnonymity(2))
    assert promise.consequences() == ()


def test_asks_for_less_by_a_twentieth() -> None:
    assert PrivacyMaxEnt(0.2, constraints="k").weaker() == PrivacyMaxEnt(0.25, constraints="k")
    assert PrivacyMaxEnt(0.95, constraints="k").weaker() is None


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"sex": ["w"], "value": ["h"], "p": [1]}, "column 'sex': no published value 'w'"),
        ({"value": ["k"], "p": [1]}, "column 'ill': no published value 'k'"),
    ],
)
def test_refuses_values_that_no_column_has(known: Known, message: str) -> None:
    promise, groups = counted(pairs(1, 1, "hi"), known)
    with pytest.raises(DataError, match=message):
        promise.level(groups)


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match=r"p must lie in \(0, 1\], got 0"):
        PrivacyMaxEnt(0, constraints="k")
    with pytest.raises(ParameterError, match="values must list at least one value"):
        PrivacyMaxEnt(1, constraints="k", values=[])


def test_refuses_to_judge_before_statements_are_read() -> None:
    _, groups = counted(pairs(1, 1, "hi"), {"value": ["h"], "p": [0.5]})
    with pytest.raises(SchemaError, match="has not read 'known' yet: bind it to a table"):
        PrivacyMaxEnt(1, constraints="known", sensitive="ill").judge(groups)
