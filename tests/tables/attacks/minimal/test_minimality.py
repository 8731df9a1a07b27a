"""The minimality attack: the book's example, all tables one by one, and our own methods."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.tables.attacks.minimal.plain_algorithm import (
    JOBS,
    Plain,
    Row,
    against,
    believed,
    by_enumeration,
    knowledge_of,
    releases,
    small_table,
    surest,
    told_of,
)
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.minimal.minimality import Minimality
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.models import ConfidenceBounding, DistinctLDiversity, FrequencyLDiversity
from unlinkable.tables.publishing.attacking.targets import target_of
from unlinkable.tables.taxonomies import observe


class TestTheBook:
    """Example 5.1."""

    @pytest.fixture
    def case(self) -> dict[str, Any]:
        return cases.load("book-ch05-ex5.1-minimality-attack")

    @pytest.fixture
    def target(self, case: dict[str, Any]) -> Target:
        given = case["input"]["published"]
        asked = case["input"]["requirement"]
        promise = ConfidenceBounding(
            f"{', '.join(asked['qid'])} -> Disease = {asked['value']} <= {asked['h']}"
        )
        return Target(
            pl.DataFrame(given["rows"], schema=given["columns"], orient="row"),
            ("Job", "Sex"),
            ("Disease",),
            taxonomies={
                "Job": JOBS.build(observe("Job", ["Engineer", "Lawyer"])),
                "Sex": ul.Flat().build(observe("Sex", ["Male"])),
            },
            promises=(promise,),
        )

    @pytest.fixture
    def staff(self, case: dict[str, Any]) -> AdversaryKnowledge:
        given = case["input"]["external"]
        people = pl.DataFrame(given["rows"], schema=given["columns"], orient="row")
        return AdversaryKnowledge(Side.of({"external": people}))

    @pytest.mark.parametrize("assumes", [None, "minimal", "one-step"])
    def test_two_people_are_found_out(
        self, case: dict[str, Any], target: Target, staff: AdversaryKnowledge, assumes: str | None
    ) -> None:
        outcome = Minimality(assumes=assumes).run(target, staff)
        wanted = case["expected"]
        assert outcome.details["worlds"] == wanted["possible_worlds"]
        assert outcome.details["consistent_worlds"] == wanted["worlds_consistent_with_minimality"]
        assert outcome.details["asked"] == 3
        believed = {v.who["Name"]: (v.learned["Disease"], v.confidence) for v in outcome.victims}
        for name, chance in wanted["posterior_HIV"].items():
            assert believed[name] == (("HIV", chance) if chance else ("Flu", 1.0))
        assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (7, 7, 1.0)
        assert outcome.interval is None

    def test_the_groups_alone_say_two_in_seven(
        self, case: dict[str, Any], target: Target, staff: AdversaryKnowledge
    ) -> None:
        outcome = Minimality().run(target, staff)
        wanted = case["expected"]["naive_posterior_HIV"]
        assert outcome.details["naive_confidence"] == pytest.approx(1 - wanted)
        outcome = Minimality(values="HIV").run(target, staff)
        assert outcome.details["naive_confidence"] == pytest.approx(wanted)
        assert [(v.who["Name"], v.confidence) for v in outcome.victims] == [
            ("Andy", 1.0),
            ("Bob", 1.0),
        ]
        assert (outcome.n_fallen, outcome.details["more_exposed_people"]) == (2, 2)

    @pytest.mark.parametrize("method", ["optimal", "top-down-specialization", "datafly"])
    def test_the_method_itself_tells_the_same(self, case: dict[str, Any], method: str) -> None:
        given = case["input"]["original"]
        table = ul.as_table(
            pl.DataFrame(given["rows"], schema=given["columns"], orient="row"),
            quasi=["Job", "Sex"],
            sensitive="Disease",
            taxonomies={"Job": JOBS},
        )
        promise = ConfidenceBounding("Job, Sex -> Disease = HIV <= 60%")
        release = ul.anonymize(table, privacy=promise, method=method)
        outcome = Minimality().run(target_of(release), knowledge_of(release))
        assert outcome.details["assumed"] == "method"
        assert outcome.highest == 1.0
        assert (outcome.details["worlds"], outcome.details["consistent_worlds"]) == (21, 1)


@given(releases(), st.randoms(use_true_random=False))
def test_equals_running_the_algorithm_on_all_tables(
    release: tuple[list[Row], list[Row], Plain], random: Random
) -> None:
    people, told, plain = release
    random.shuffle(told)
    n_kept, posterior = by_enumeration(people, told, plain.recoded)
    target, knowledge = against(people, told, plain)
    outcome = Minimality(limit="1/3").run(target, knowledge)
    wanted = surest(posterior, len(people))
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)
    assert outcome.highest == pytest.approx(float(max(wanted)), abs=1e-12)
    assert outcome.n_fallen == sum(p > Fraction(1, 3) for p in wanted)
    # People of whom nothing is open are not counted.
    consistent = outcome.details["consistent_worlds"]
    assert isinstance(consistent, int)
    assert n_kept % consistent == 0
    for victim in outcome.victims:
        told_value = posterior[int(victim.who["name"]), victim.learned["s"]]
        assert float(told_value) == pytest.approx(victim.confidence, abs=1e-12)


@pytest.mark.parametrize(
    ("method", "seed"),
    [
        ("optimal", 3),
        ("optimal", 7),
        ("datafly", 5),
        ("datafly", 7),
        ("incognito", 7),
        ("flash", 11),
        ("mondrian", 0),
        ("mondrian", 21),
        ("top-down-specialization", 16),
        ("top-down-specialization", 21),
    ],
)
def test_our_own_methods_give_away_what_running_them_on_all_tables_tells(
    method: str, seed: int
) -> None:
    """On these tables more than the groups say."""
    table = small_table(seed)
    promise = DistinctLDiversity(2)
    release = ul.anonymize(table, privacy=promise, method=method)

    def publish(rows: Sequence[Row]) -> list[Row] | None:
        frame = pl.DataFrame(rows, schema=table.frame.schema, orient="row")
        try:
            made = ul.anonymize(Table(frame, table.schema), privacy=promise, method=method)
        except InfeasibleError:
            return None
        return made.applied.frame.rows()

    told = release.applied.frame.rows()
    _, posterior = by_enumeration(table.frame.select("age", "job").rows(), told, publish)
    names = {"external": table.frame.select("age", "job").with_row_index("name")}
    outcome = Minimality().run(target_of(release), knowledge_of(release, side=Side.of(names)))
    wanted = surest(posterior, len(table))
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)
    assert outcome.details["more_exposed_people"]


def test_what_does_not_look_at_hidden_values_gives_nothing_away() -> None:
    release = ul.anonymize(small_table(3, 9), privacy=ul.KAnonymity(3), method="mondrian")
    outcome = Minimality().run(target_of(release), knowledge_of(release))
    assert outcome.details["worlds"] == outcome.details["consistent_worlds"]
    assert outcome.highest == outcome.details["naive_confidence"]
    assert outcome.details["more_exposed_people"] == 0


def test_people_may_fit_several_groups() -> None:
    """The method tells which of them they were in."""

    class Lazy:
        """Puts people with x into one group, and tells of the others as much as it can."""

        algorithm, is_random = "lazy", False

        def recoded(self, rows: Sequence[Row]) -> list[Row]:
            return [("*" if v == "x" and q == "a0" else q[:1], v) for q, v in rows]

        def publish(self, table: Table, rng: np.random.Generator) -> Target:
            return told_of(self.recoded(table.frame.rows()))

    people, lazy = [("a0",), ("a1",), ("a0",), ("b0",)], Lazy()
    told = lazy.recoded([(*p, v) for p, v in zip(people, "xyzx", strict=True)])
    n_kept, posterior = by_enumeration(people, told, lazy.recoded)
    assert n_kept == 4  # one of the two with a0 has x, and another of the three left has it
    target, knowledge = against(people, told, lazy)
    outcome = Minimality().run(target, knowledge)
    assert outcome.details["worlds"] == 12
    wanted = dict(enumerate(map(float, surest(posterior, 4))))
    assert believed(outcome) == pytest.approx(wanted)


def test_people_left_out_are_listed_as_well() -> None:
    """The only baker was left out; who knows why learns what the baker may have."""
    table = ul.as_table(
        {"job": ["cook"] * 4 + ["baker"], "ill": ["flu", "hiv", "flu", "hiv", "flu"]},
        quasi="job",
        sensitive="ill",
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(2), suppression="1/5")
    assert release.n_suppressed == 1
    target = target_of(release)
    in_release = {"name": list("ABCD"), "job": ["cook"] * 4}
    for listed in (in_release, {"name": list("ABCDE"), "job": ["cook"] * 4 + ["baker"]}):
        outcome = Minimality().run(
            target, knowledge_of(release, side=Side.of({"external": listed}))
        )
        assert outcome.n_attacked == 5
        assert outcome.details["worlds"] == 4  # the baker has what any of four records tells
        assert outcome.highest == 0.5
    assert {"job": "baker"} not in [v.who for v in outcome.victims]


@pytest.mark.parametrize("assumes", ["method", "minimal"])
def test_columns_that_nobody_looks_at_change_nothing(assumes: str) -> None:
    told = []
    for more in ({}, {"town": [f"town {i}" for i in range(7)]}):
        table = ul.as_table(
            {"job": ["Engineer"] * 3 + ["Lawyer"] * 4, "ill": list("xxxyyzz"), **more},
            quasi="job",
            sensitive="ill",
            insensitive=[*more],
            taxonomies={"job": JOBS},
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity("3/2"))
        outcome = Minimality(assumes=assumes).run(target_of(release), knowledge_of(release))
        told.append((outcome.details, [v.confidence for v in outcome.victims]))
    assert told[0] == told[1]
    assert told[0][0]["more_exposed_people"]


def test_progress_is_told() -> None:
    told: list[float] = []
    release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
    knowledge = knowledge_of(release, progress=lambda share, words: told.append(share))
    outcome = Minimality().run(target_of(release), knowledge)
    assert len(told) == outcome.details["asked"]
    assert told == sorted(told)
    assert 0 <= min(told) <= max(told) <= 1
