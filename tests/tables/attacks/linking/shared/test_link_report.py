"""What a join tells in words: names, and numbers that a steward understands.

What weighing tells in words.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.linking.record_linkage import RecordLinkage
from unlinkable.tables.attacks.linking.shared import candidate_pairs
from unlinkable.tables.attacks.linking.shared.link_report import (
    details_of,
    doubts,
    found_by,
    names_of,
)
from unlinkable.tables.attacks.linking.shared.links import link
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side, SideTable

PEOPLE = SideTable("list", pl.DataFrame({"name": ["Ann", None], "a": [1, 2], "b": [None, "x"]}))


def test_people_are_called_by_their_names_or_by_what_is_known() -> None:
    assert names_of(PEOPLE, "name", ("a",), [1, 0]) == [{"name": ""}, {"name": "Ann"}]
    assert names_of(PEOPLE, None, ("a", "b"), [0]) == [{"a": "1", "b": ""}]
    assert names_of(PEOPLE, "name", ("a",), []) == []


def test_a_join_that_finds_nobody_says_so() -> None:
    target = Target(pl.DataFrame({"a": [7]}), ("a",), ())
    links = link(target, PEOPLE, [match(target, PEOPLE)], ())
    nobody = np.zeros(2, bool)
    assert found_by(links, nobody) == (
        "0 of 2 people have exactly one matching record. 2 people match no record. The list names "
        "2 people and the release has 1 record: not all of them are in the table. Each is looked "
        "at as if known to be in it."
    )
    details = details_of(links, nobody)
    assert details["highest_certainty_of_a_record"] == 0.0
    assert details["records_unmatched"] == 1
    assert details["right_guesses_expected"] == 0.0


def test_little_that_is_known_is_told_in_words() -> None:
    told = doubts({"zip": 0.0, "sex": 0.05, "job": 0.0001})
    assert [text.split(":")[0] for text in told] == [
        "The release knows none of the values of zip in the list",
        "The release knows only 5.0% of the values of sex in the list",
        "The release knows less than 0.1% of the values of job in the list",
    ]


TOLD = pl.DataFrame(
    {"a": [*range(30)], "b": [str(i % 7) for i in range(30)], "s": ["x", "y", None] * 10}
)
KNOWLEDGE = AdversaryKnowledge(
    Side.of({"external": TOLD.select("a", "b", n=pl.col("a").cast(pl.String))})
)


def test_victims_are_told_with_what_their_records_hide() -> None:
    outcome = RecordLinkage(probabilistic=True).run(Target(TOLD, ("a", "b"), ("s",)), KNOWLEDGE)
    assert outcome.n_fallen == 30
    told = {v.who["n"]: v.learned["s"] for v in outcome.victims}
    assert told == {str(i): ["x", "y", "no value"][i % 3] for i in range(30)}
    assert outcome.found == (
        "30 of 30 people can be linked to a record, allowing for misspelt and missing values. "
        "About 100% of the list seem to have a record, judging by a, b."
    )
    assert outcome.details["right_links"] is None
    assert 0.8 < float(outcome.details["agreement_on_a"] or 0) <= 1


def test_shares_are_told_where_a_record_is_in_a_bucket() -> None:
    told = TOLD.with_columns(g=pl.col("a") // 3)
    target = Target(told, ("a", "b"), ("s",), bucket="g")
    outcome = RecordLinkage(probabilistic=True).run(target, KNOWLEDGE)
    assert outcome.victims[0].learned["s"] in {"x (33%)", "y (33%)", "no value (33%)"}


def test_columns_that_cannot_tell_people_apart_link_nobody() -> None:
    n = 3000
    told = pl.DataFrame({"a": ["m", "f"] * (n // 2)})
    names = [str(i) for i in range(n)]
    people = pl.DataFrame({"n": names, "a": [f"{'mf'[i % 2]}" for i in range(n)]})
    outcome = RecordLinkage(probabilistic=True).run(
        Target(told, ("a",), ()), AdversaryKnowledge(Side.of({"external": people}))
    )
    assert outcome.n_fallen == 0


def test_nobody_can_say_what_is_right_without_names_in_the_original() -> None:
    original = as_table(TOLD, quasi=["a", "b"], sensitive="s")
    knowledge = AdversaryKnowledge(KNOWLEDGE.side, truth=Truth(original, np.arange(30)))
    target = Target(TOLD, ("a", "b"), ("s",))
    assert RecordLinkage(probabilistic=True).run(target, knowledge).details["right_links"] is None


def test_says_so_where_hardly_anybody_was_weighed() -> None:
    rng = np.random.default_rng(0)
    told = pl.DataFrame({name: rng.integers(0, 10_000, 200) * 10 for name in "abc"})
    people = told.select(pl.all() + 1_000_003).with_columns(n=pl.Series(map(str, range(200))))
    outcome = RecordLinkage(probabilistic=True).run(
        Target(told, ("a", "b", "c"), ()), AdversaryKnowledge(Side.of({"external": people}))
    )
    assert outcome.found.startswith("0 of 200 people can be linked to a record")
    assert "That says little: only 0 people of the list came near enough" in outcome.found
    assert outcome.details["people_weighed"] == 0
    assert outcome.interval == (0.0, 1.0)


def test_says_so_where_the_list_is_short() -> None:
    people = {"n": ["0"], "a": [0], "b": ["0"]}
    outcome = RecordLinkage(probabilistic=True).run(
        Target(TOLD, ("a", "b"), ("s",)), AdversaryKnowledge(Side.of({"external": people}))
    )
    assert "That says little: 1 person of a list is too few to find out" in outcome.found
    assert outcome.is_undecided


def test_says_so_where_too_many_records_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_pairs, "_LEAST", 0)
    monkeypatch.setattr(candidate_pairs, "_PER_SIDE", 0)
    outcome = RecordLinkage(probabilistic=True).run(Target(TOLD, ("a", "b"), ()), KNOWLEDGE)
    assert outcome.found == (
        "Nobody was linked: a, b alone do not tell people apart well enough to weigh them."
    )
    assert outcome.interval == (0.0, 1.0)
