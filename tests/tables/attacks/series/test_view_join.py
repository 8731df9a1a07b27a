"""Several views of one table: the book's examples, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.shared.views.view_worlds import (
    BLURRED,
    DOMAINS,
    ViewCase,
    following,
    view_cases,
)
from tests.tables.attacks.tables import frame_of_case
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.views.axes import ANYTHING_ELSE
from unlinkable.tables.attacks.series.view_join import ViewJoin
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Mask


def series(views: dict[str, pl.DataFrame], sensitive: str = "Disease", **more: Any) -> Series:
    return Series(
        tuple(
            Edition(
                Target(
                    frame,
                    tuple(n for n in frame.columns if n != sensitive),
                    tuple(n for n in frame.columns if n == sensitive),
                    **more,
                ),
                name=name,
            )
            for name, frame in views.items()
        )
    )


def learned(attack: ViewJoin, views: Series, name: str = "Name") -> dict[str, str]:
    return {v.who[name]: v.learned["Disease"] for v in attack.run(views).victims}


class TestExample81:
    """Two projections that are joined on the job."""

    case = load("book-ch08-ex8.1-join-attack")
    views = series(
        {"T1": frame_of_case(case["input"]["T1"]), "T2": frame_of_case(case["input"]["T2"])}
    )

    def test_the_join_is_compared_with_each_view_alone(self) -> None:
        outcome = ViewJoin(qid=["Age", "Birthplace"]).run(self.views)
        told = {n: v for n, v in outcome.details.items() if n.startswith(("join", "alone"))}
        assert told == {
            "join_records": self.case["expected"]["stated"]["join_size"],
            "join_smallest_group": 1,
            "join_confidence": self.case["expected"]["computed"]["L_Y(X)"],
            "alone_smallest_group": 1,
            "alone_confidence": 1.0,
        }

    def test_one_person_is_left_and_cancer_is_certain(self) -> None:
        outcome = ViewJoin(qid=["Age", "Birthplace"]).run(self.views)
        found = {(v.who["Age"], v.who["Birthplace"]): v for v in outcome.victims}
        assert found["40", "France"].people == 1
        assert found["30", "US"].learned == {"Disease": "Cancer"}
        # The join has four rows of these two people.
        assert found["30", "US"].people == 2
        assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (5, 5, 1.0)


def test_calvin_has_hiv() -> None:
    case = load("book-ch08-sec8.2.1-projection-views-linkage")
    given = case["input"]
    views = series({"V1": frame_of_case(given["V1"]), "V2": frame_of_case(given["V2_as_printed"])})
    for one in (False, True):
        attack = ViewJoin(identity="Name", counted=False, one_record=one)
        assert learned(attack, views) == dict(case["expected"]["stated"]["deduced"])
        outcome = attack.run(views)
        assert outcome.n_attacked == 3
        assert outcome.details["views"] == "V1 and V2"
        sure = "" if one else "; certain of a value: 1"
        assert outcome.found == (
            "1 of 3 people fall, whatever table is behind the views (too few values left: "
            f"1{sure}). It takes V1 and V2."
        )
    three = ViewJoin(identity="Name", counted=False, k=3)
    expected = case["expected"]["computed"]["any_number_of_records_per_name"]
    assert learned(three, views) == {n: " or ".join(e["possible"]) for n, e in expected.items()}


class TestExamples82And83:
    """Three selections."""

    case = load("book-ch08-ex8.2-8.3-selection-views")
    given = case["input"]["views"]
    views = series(
        {v["name"]: pl.DataFrame(v["rows"], schema=v["project"], orient="row") for v in given}
    )
    selections = tuple(v["select"] for v in given)

    def test_bob_has_diabetes_if_everybody_has_one_record(self) -> None:
        attack = ViewJoin(
            identity="Name", counted=False, one_record=True, selections=self.selections
        )
        assert learned(attack, self.views) == dict(self.case["expected"]["stated"]["deduced"])
        assert attack.run(self.views).details["views"] == "V3 and V4 and V5"

    def test_otherwise_he_may_have_two_records(self) -> None:
        attack = ViewJoin(identity="Name", counted=False, selections=self.selections)
        assert attack.run(self.views).n_fallen == 0


def test_a_name_with_one_disease_gives_everybody_away() -> None:
    case = load("book-ch08-ex8.4-functional-dependency")
    views = series({n: frame_of_case(case["input"][n]) for n in ("V6", "V7")})
    computed = case["expected"]["computed"]
    free = ViewJoin(identity="Name", counted=False, k=4)
    possible = {n: " or ".join(e["possible"]) for n, e in computed["without_FD"].items()}
    assert learned(free, views) == possible
    assert ViewJoin(identity="Name", counted=False).run(views).n_fallen == 0
    bound = ViewJoin(identity="Name", counted=False, dependencies=["Name -> Disease"])
    assert learned(bound, views) == {n: e["certain"][0] for n, e in computed["with_FD"].items()}


class TestMarginals:
    """A base table and counts beside it, section 8.3."""

    case = load("book-ch08-sec8.3-marginals")
    raw = frame_of_case(case["input"]["raw"]).rename({"Zip Code": "zip", "Salary (K)": "pay"})
    half = pl.when(pl.col("pay") <= 50).then(pl.lit("<51")).otherwise(pl.lit(">=51"))
    base = raw.with_columns(pl.col("zip").str.slice(0, 4) + "*", pay=half)
    zips = Mask(5).build(observe("zip", raw["zip"].to_list()))

    def views(self, *names: str) -> Series:
        low = ((pl.col("pay") - 31) // 10) * 10 + 31
        marginals = {
            "base": self.base,
            "zip/disease": self.raw.select("zip", "Disease"),
            "zip/salary": self.raw.select("zip", pay=pl.format("[{}-{})", low, low + 10)),
        }
        return series({n: marginals[n] for n in names}, taxonomies={"zip": self.zips})

    def told(self, outcome: Any) -> dict[str, Any]:
        halves = {"<51": "<=50K", ">=51": ">50K"}
        return {f"{v.who['zip']} {halves[v.who['pay']]}": v for v in outcome.victims}

    def test_candidates_are_what_base_and_marginal_have_in_common(self) -> None:
        """As sets: what is printed as the intersection of candidate sets."""
        attack = ViewJoin(counted=False, limit="1/9", k=1)
        found = self.told(attack.run(self.views("base", "zip/disease")))
        name = "candidate_sets_by_zip_and_salary_class_(base AND zip/disease)"
        stated = {k: " or ".join(v) for k, v in self.case["expected"]["computed"][name].items()}
        assert {k: v.learned["Disease"] for k, v in found.items()} == stated

    def test_the_target_has_hiv(self) -> None:
        outcome = ViewJoin(counted=True).run(self.views("base", "zip/disease"))
        found = self.told(outcome)
        assert found["25961 <=50K"].learned == {"Disease": "HIV"}
        assert found["25961 <=50K"].people == 1
        assert found["25961 >50K"].confidence == pytest.approx(2 / 3)
        assert found["25961 >50K"].learned == {"Disease": "Flu"}
        assert len(found) == outcome.n_fallen == 2

    def test_there_is_one_table_behind_base_and_both_marginals(self) -> None:
        """Certain shares below everything: all shares of the joint table are told."""
        views = self.views("base", "zip/disease", "zip/salary")
        counts = self.case["expected"]["computed"]["exact_disease_counts_by_zip_and_salary_class"]
        outcome = ViewJoin(counted=True, limit="1/9", k=9).run(views)
        low = {"[31-41)", "[41-51)"}
        for victim in outcome.victims:
            half = "<=50K" if victim.who["pay"] in low else ">50K"
            ills = counts[f"{victim.who['zip']} {half}"]
            assert {*victim.learned["Disease"].split(" or ")} <= {*ills}
        large = [v for v in outcome.victims if v.who == {"zip": "25961", "pay": "[51-61)"}]
        assert large[0].people == 3
        assert large[0].confidence == pytest.approx(2 / 3)

    def test_the_salary_marginal_is_harmless(self) -> None:
        low = ((pl.col("pay") - 31) // 5) * 5 + 31
        pay = self.raw.select(pay=pl.format("[{}-{})", low, low + 5))
        views = series({"base": self.base, "pay": pay}, taxonomies={"zip": self.zips})
        assert ViewJoin(counted=True).run(views).n_fallen == 0


@given(view_cases(counted=False, one_record=True), st.integers(2, 3))
def test_those_fall_who_are_left_with_too_few_values(case: ViewCase, k: int) -> None:
    told = case.told()
    shown = {n for view in told for n in (*view.frame.columns, *view.selection.columns)}
    assume({"name", "ill"} <= shown)
    editions = tuple(
        Edition(Target(v.frame, (), (), taxonomies=v.taxonomies), name=v.name) for v in told
    )
    attack = ViewJoin(
        sensitive="ill",
        identity="name",
        one_record=True,
        counted=False,
        selections=[v.selection for v in case.views],
        dependencies=case.dependencies,
        k=k,
        limit=Fraction(1, k),
    )
    outcome = attack.run(Series(editions))
    texts = {n for v in told if "name" in v.frame.columns for n in v.frame["name"].to_list()}
    if any("name ->" in text for text in case.dependencies):
        texts = {*DOMAINS["name"]}
    texts.add(ANYTHING_ELSE)
    called = {
        name: next(text for text in (name, BLURRED, ANYTHING_ELSE) if text in texts)
        for name in DOMAINS["name"]
    }
    truth = following(case, lambda record: called[record["name"]], "ill")
    falling = {name for name, left in truth.items() if len(left.values) < k}
    assert {v.who["name"] for v in outcome.victims} == falling
    assert (outcome.n_attacked, outcome.n_fallen) == (len(truth), len(falling))


def test_a_value_is_certain_though_others_are_possible() -> None:
    """Somebody who is shown among the ill has that, whatever other records he may have."""
    views = series(
        {"all": pl.DataFrame({"Name": ["ann", "bob"]}), "ill": pl.DataFrame({"Name": ["bob"]})}
    )
    attack = ViewJoin(
        identity="Name", sensitive="Disease", counted=False, selections=["", "Disease = hiv"]
    )
    outcome = attack.run(views)
    assert [(v.who["Name"], v.learned["Disease"], v.confidence) for v in outcome.victims] == [
        ("bob", "hiv", 1.0)
    ]


def test_people_are_counted_without_a_sensitive_column() -> None:
    views = series(
        {
            "one": pl.DataFrame({"zip": ["1", "1", "2", "2"], "age": ["a", "b", "a", "a"]}),
            "two": pl.DataFrame({"age": ["a", "a", "a", "b"]}),
        }
    )
    outcome = ViewJoin().run(views)
    assert (outcome.n_attacked, outcome.n_fallen) == (3, 2)
    assert {(v.who["zip"], v.who["age"], v.people) for v in outcome.victims} == {
        ("1", "a", 1),
        ("1", "b", 1),
    }


def test_an_enough_set_of_views_is_named() -> None:
    ill = pl.DataFrame({"name": ["ann", "bob"], "ill": ["flu", "hiv"]})
    views = series({"jobs": pl.DataFrame({"name": ["ann", "bob"]}), "ills": ill}, "ill")
    assert ViewJoin(identity="name").run(views).details["views"] == "ills"


JOBS = pl.DataFrame({"name": ["ann"], "job": ["cook"]})
ILLS = pl.DataFrame({"job": ["cook"], "Disease": ["flu"]})


class TestRefusals:
    """What the attack cannot be tried on."""

    views = series({"V1": JOBS, "V2": ILLS})

    def test_parameters_that_contradict_each_other(self) -> None:
        with pytest.raises(ParameterError, match="say who has one record"):
            ViewJoin(one_record=True)
        with pytest.raises(ParameterError, match="give one of them"):
            ViewJoin(identity="name", qid="job")
        with pytest.raises(ParameterError, match="counted must be true or false"):
            ViewJoin(counted=["yes"])  # type: ignore[list-item]
        with pytest.raises(ParameterError, match="is no dependency"):
            ViewJoin(dependencies="name")
        with pytest.raises(ParameterError, match="write comparisons"):
            ViewJoin(selections=["", "old"])

    def test_more_selections_than_views(self) -> None:
        with pytest.raises(ParameterError, match="there are 2 views"):
            ViewJoin(selections=["", "", ""]).run(self.views)

    def test_one_view_alone(self) -> None:
        with pytest.raises(UnsupportedError, match="give two or more"):
            ViewJoin().run(Series(self.views.editions[:1]))

    def test_buckets_and_replaced_values(self) -> None:
        bucket = Edition(Target(JOBS, ("name",), (), bucket="job"), name="B")
        with pytest.raises(UnsupportedError, match="B has buckets"):
            ViewJoin().run(Series((bucket, self.views.editions[1])))
        noisy = Edition(Target(JOBS, ("name",), (), is_truthful=False, is_grouped=False), name="N")
        with pytest.raises(UnsupportedError, match="values of N were replaced"):
            ViewJoin().run(Series((noisy, self.views.editions[1])))

    def test_nothing_to_find_out_and_nobody_to_know(self) -> None:
        plain = Series((Edition(Target(JOBS, (), ())), Edition(Target(JOBS, (), ()))))
        with pytest.raises(UnsupportedError, match="no view has a sensitive column"):
            ViewJoin(identity="name").run(plain)
        with pytest.raises(SchemaError, match="no column is known to others"):
            ViewJoin().run(plain)
        with pytest.raises(SchemaError, match="no column 'pay' among 3"):
            ViewJoin(identity="name", sensitive="pay").run(self.views)


def test_it_is_written_as_it_is_read() -> None:
    attack = ViewJoin(identity="name", selections=["", "age < 5"], counted=[False, True], k=3)
    assert str(attack) == (
        'view-join(identity=["name"], selections=["", "age < 5"], counted=[false, true], k=3)'
    )
