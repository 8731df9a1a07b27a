"""What the minimality attack refuses, and what to do instead."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from attrs import evolve

import unlinkable as ul
from tests.tables.attacks.minimal.plain_algorithm import (
    Plain,
    against,
    knowledge_of,
    small_table,
    told_of,
)
from unlinkable.errors import (
    DataError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.minimal.minimality import Minimality
from unlinkable.tables.data.side import Side
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity
from unlinkable.tables.publishing.anonymizing.oracle import MethodOracle
from unlinkable.tables.publishing.attacking.targets import target_of


class TestRefusals:
    """What is refused, and what to do instead."""

    PEOPLE = (("a0",), ("a1",), ("b0",), ("b1",))
    TOLD = (("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"))

    @pytest.fixture
    def target(self) -> Target:
        return told_of(self.TOLD)

    @pytest.fixture
    def knowledge(self) -> AdversaryKnowledge:
        return against(self.PEOPLE, self.TOLD, Plain(Fraction(1, 2)))[1]

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"sensitive": ()}, "no column is sensitive"),
            ({"is_truthful": False}, "was replaced"),
            ({"frame": told_of(TOLD).frame.clear()}, "no record is published"),
        ],
    )
    def test_some_releases(
        self, target: Target, knowledge: AdversaryKnowledge, changes: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(UnsupportedError, match=message):
            Minimality().run(evolve(target, **changes), knowledge)

    def test_nobody_is_listed(self, target: Target) -> None:
        with pytest.raises(UnsupportedError, match=r"a list of everybody .* external=\.\.\."):
            Minimality().run(target)

    def test_no_method(self, target: Target, knowledge: AdversaryKnowledge) -> None:
        with pytest.raises(UnsupportedError, match="not at hand: let assumes=minimal"):
            Minimality(assumes="method").run(target, evolve(knowledge, oracle=None))

    def test_no_promise(self, target: Target, knowledge: AdversaryKnowledge) -> None:
        with pytest.raises(UnsupportedError, match="not told what was promised"):
            Minimality().run(target, evolve(knowledge, oracle=None))

    def test_a_promise_about_something_that_is_not_told(
        self, target: Target, knowledge: AdversaryKnowledge
    ) -> None:
        strange = evolve(target, promises=(DistinctLDiversity(2, sensitive="pay"),))
        with pytest.raises(UnsupportedError, match="refers to 'pay', which is not told"):
            Minimality(assumes="minimal").run(strange, knowledge)

    def test_buckets_that_are_only_said_to_be_needed(
        self, target: Target, knowledge: AdversaryKnowledge
    ) -> None:
        frame = target.frame.with_columns(group=pl.Series([1, 1, 2, 2]))
        bucketed = evolve(target, frame=frame, bucket="group")
        with pytest.raises(UnsupportedError, match="nothing is generalized in buckets"):
            Minimality(assumes="minimal").run(bucketed, knowledge)

    def test_people_of_several_groups_without_the_method(
        self, knowledge: AdversaryKnowledge
    ) -> None:
        told = told_of((("a", "x"), ("*", "y"), ("b", "x"), ("b", "y")))
        promised = evolve(told, promises=(DistinctLDiversity(1, sensitive="s"),))
        with pytest.raises(UnsupportedError, match="fit several groups"):
            Minimality(assumes="minimal").run(promised, knowledge)

    def test_values_that_mean_nothing_cannot_be_told_more_precisely(
        self, target: Target, knowledge: AdversaryKnowledge
    ) -> None:
        promised = evolve(target, promises=(DistinctLDiversity(2, sensitive="s"),))
        told = (("a0", "x"), ("a1", "y"), ("b0", "x"), ("b1", "y"))
        plain = evolve(promised, frame=told_of(told).frame, taxonomies={})
        with pytest.raises(DataError, match="what the values of 'q0' mean"):
            Minimality(assumes="one-step").run(plain, knowledge)

    def test_a_list_of_other_people(self, target: Target) -> None:
        _, knowledge = against((*self.PEOPLE, ("a0",)), self.TOLD, Plain(Fraction(1, 2)))
        with pytest.raises(DataError, match="3 people in the list fit groups with 2 records"):
            Minimality().run(target, knowledge)

    def test_a_value_that_nobody_has(self, target: Target, knowledge: AdversaryKnowledge) -> None:
        with pytest.raises(DataError, match="no record has 'w' in 's': check how it is written"):
            Minimality(values="w").run(target, knowledge)

    def test_a_list_without_a_column(self, target: Target) -> None:
        knowledge = AdversaryKnowledge(
            Side.of({"external": {"name": ["A"]}}), oracle=Plain(Fraction(1, 2))
        )
        with pytest.raises(SchemaError, match="no column 'q0'"):
            Minimality().run(target, knowledge)

    def test_a_method_that_does_something_else(
        self, target: Target, knowledge: AdversaryKnowledge
    ) -> None:
        with pytest.raises(UnsupportedError, match="none of the 4 tables"):
            Minimality().run(target, evolve(knowledge, oracle=Plain(Fraction(1))))

    def test_a_release_that_is_not_made_again(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        other = ul.anonymize(small_table(5), privacy=ul.KAnonymity(2), method="optimal")
        knowledge = knowledge_of(release, oracle=MethodOracle(other))
        with pytest.raises(UnsupportedError, match="does not make this release again"):
            Minimality().run(target_of(release), knowledge)

    def test_a_method_that_cannot_be_asked(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        other = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        strict = evolve(other, models=(DistinctLDiversity(9, sensitive="ill"),))
        knowledge = knowledge_of(release, oracle=MethodOracle(strict))
        with pytest.raises(UnsupportedError, match="the method cannot be asked: no release"):
            Minimality().run(target_of(release), knowledge)

    def test_a_list_that_lacks_somebody(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        some = release.table.frame.select("age", "job").head(4)
        knowledge = knowledge_of(release, side=Side.of({"external": some}))
        with pytest.raises(DataError, match=r"the list has 4 people, and .* 6 records"):
            Minimality().run(target_of(release), knowledge)

    def test_a_table_drawn_hardly_ever_leads_there(self) -> None:
        table = ul.as_table(
            {"age": list(range(20)), "ill": ["flu", "hiv"] * 10}, quasi="age", sensitive="ill"
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity(2), method="anatomize", seed=1)
        with pytest.raises(UnsupportedError, match=r"of 21 possible tables .* 0 lead"):
            Minimality(most_worlds=200).run(target_of(release), knowledge_of(release))

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"assumes": "nothing"}, "no assumption 'nothing' among 3"),
            ({"most_worlds": 0}, "most_worlds must be at least 1"),
            ({"seconds": 0}, "seconds must be greater than 0"),
            ({"limit": 2}, r"limit must lie in \(0, 1\]"),
        ],
    )
    def test_parameters_that_mean_nothing(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(ParameterError, match=message):
            Minimality(**parameters)
