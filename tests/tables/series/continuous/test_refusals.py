"""What continuous refuses: new people, methods, promises, records, earlier releases."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve

from tests.tables.series.continuous.eight_people import people, published
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, KCAnonymity
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Past, Request


def test_too_few_new_people_have_to_wait() -> None:
    request = Request(people(5), np.arange(5), (KAnonymity(2),))
    with pytest.raises(
        InfeasibleError, match=r"1 person is new .* wait until there are 2 new ones"
    ):
        next_release(Continuous(), request, published(Continuous()))


def test_new_people_with_the_same_value_have_to_wait() -> None:
    table = as_table({"q": [*"aabbaa"], "s": [*"xyxyxx"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(6), (KCAnonymity(2, "2/3", sensitive="s"),))
    with pytest.raises(InfeasibleError, match=r"more than 0\.667 of the 2 people who are new"):
        next_release(Continuous(), request, published(Continuous()))


def refused(request: Request, past: Past, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        next_release(Continuous(), request, past)


@pytest.mark.parametrize("method", [Optimal(), TopDownRefinement()], ids=str)
def test_refuses_other_methods(method: Any) -> None:
    request = Request(people(8), np.arange(8), (KAnonymity(2),), method)
    refused(request, Past(), f"cannot use {method.name}: leave the method out")


def test_refuses_promises_that_say_nothing_of_several_releases() -> None:
    models = (EntropyLDiversity(2, sensitive="s"),)
    refused(Request(people(8), np.arange(8), models), Past(), "cannot hold several releases to")


def test_refuses_several_records_of_a_person() -> None:
    table, promise = people(8), (KAnonymity(2),)
    refused(Request(table, np.arange(8) // 2, promise), Past(), "somebody has several records")


def test_refuses_a_number_of_the_case() -> None:
    table = people(8, case=[*"abcdefgh"])
    request = Request(table, np.arange(8), (KAnonymity(2),))
    refused(request, Past(), "column 'case' tells every record from all others")


def test_refuses_pseudonyms_that_link_records() -> None:
    table = as_table(
        {"who": [*"abcdefgh"], "q": [*"aabbaabb"], "s": [*"xyxyxyxy"]},
        identifiers="who",
        quasi="q",
        sensitive="s",
    )
    terms = Terms(
        identifiers={"who": Pseudonymization(treatment="pseudonym")}, key=bytes(range(32))
    )
    request = Request(table, np.arange(8), (KAnonymity(3),))
    with pytest.raises(UnsupportedError, match="'who' would be published as pseudonyms"):
        next_release(Continuous(), request, Past(), terms)


def test_refuses_people_who_have_left() -> None:
    request = Request(people(4), np.array([0, 1, 2, 7]), (KAnonymity(2),))
    refused(request, published(Continuous()), "1 person of release 1 has left")


def test_refuses_people_who_have_changed() -> None:
    table = as_table({"q": [*"abbbaabb"], "s": [*"xyyyxyxy"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(8), (KAnonymity(2),))
    refused(request, published(Continuous()), "2 people of release 1 have other values now")


def with_target(past: Past, **changes: Any) -> Past:
    edition = past.editions[0]
    target = evolve(edition.target, **changes)
    return Past((evolve(edition, target=target),), {}, past.n_people)


def test_refuses_releases_of_other_kinds() -> None:
    request = Request(people(8), np.arange(8), (KAnonymity(2),))
    past = published(Continuous())
    refused(request, with_target(past, is_truthful=False), "is not of generalized records alone")
    refused(request, with_target(past, bucket="q"), "the new ones would stand out by subtraction")
    refused(request, with_target(past, quasi=("s",)), "has other quasi-identifying columns")
    made_up = evolve(past.editions[0], people=np.array([0, 1, 2, -1]))
    refused(request, Past((made_up,), {}, 4), "is not of generalized records alone")


def test_refuses_earlier_releases_that_are_not_recoded_alike() -> None:
    frames = [pl.DataFrame({"q": [text] * 2, "s": [*"xy"]}) for text in ("[0-3)", "[1-5)")]
    editions = tuple(Edition(Target(f, ("q",), ("s",)), np.arange(2)) for f in frames)
    table = as_table({"q": [1, 2, 3, 4], "s": [*"xyxy"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(4), (KAnonymity(2),))
    refused(request, Past(editions, {}, 2), "overlap and are not nested.*Use incremental")


@pytest.mark.parametrize("name", ["targets", "score", "squares", "numbers"])
def test_refuses_parameters_that_mean_nothing(name: str) -> None:
    with pytest.raises(ParameterError, match="'nothing' among"):
        Continuous(**{name: "nothing"})
