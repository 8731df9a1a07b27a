"""Those whom an adversary is surest of.

Victims: people have names where the list leaves no doubt, and are described otherwise.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import SchemaError
from unlinkable.tables.attacks.base.attack import Victim
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.victims import (
    TopVictims,
    VictimNames,
    most_confident,
    name_column,
)
from unlinkable.tables.attacks.worlds.shared.members import Members, group_of_people
from unlinkable.tables.data.side import SideTable

SURE = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=12)


@given(SURE, st.integers(1, 5))
def test_the_largest_are_picked_and_the_first_among_equals(sure: list[float], most: int) -> None:
    expected = sorted(range(len(sure)), key=lambda i: (-sure[i], i))[:most]
    assert most_confident(np.array(sure, float), most).tolist() == expected


@given(st.lists(SURE, max_size=4), st.integers(1, 5))
def test_offers_one_by_one_are_offers_at_once(offers: list[list[float]], most: int) -> None:
    surest = TopVictims(most)
    for k, sure in enumerate(offers):
        surest.offer(
            np.array(sure, float),
            lambda at, k=k, sure=sure: Victim({"who": f"{k} {at}"}, sure[at]),  # type: ignore[misc]
        )
    everybody = [(s, f"{k} {i}") for k, sure in enumerate(offers) for i, s in enumerate(sure) if s]
    expected = sorted(everybody, key=lambda pair: -pair[0])[:most]
    assert [(v.confidence, v.who["who"]) for v in surest.victims] == expected


def test_nobody_is_told_of_whom_nothing_is_believed() -> None:
    surest = TopVictims()
    surest.offer(np.zeros(3), lambda at: Victim({}, 0.0))
    assert surest.victims == ()


TOLD = Target(
    pl.DataFrame({"b": [1, 1, 2], "sex": ["m", "f", "f"], "age": [1, 2, 3], "ill": list("xyz")}),
    ("sex", "age"),
    ("ill",),
    bucket="b",
)


def name_all(people: SideTable | None, identity: str | None = "id") -> list[list[dict[str, str]]]:
    members = Members.published(TOLD, "ill", ("sex",))
    parts = None if people is None else group_of_people(TOLD, people)
    naming = VictimNames(TOLD, np.arange(2), ("sex",), people, parts, identity)
    return naming(members.seen(("sex",)), [0, 1, 2])


def listed(ages: list[int]) -> SideTable:
    frame = pl.DataFrame({"id": ["Eve", "Tom", "Ann"], "sex": ["f", "m", "f"], "age": ages})
    return SideTable("list", frame)


def test_people_who_can_only_be_in_one_bucket_are_named() -> None:
    assert name_all(listed([2, 1, 3])) == [[{"id": "Eve"}], [{"id": "Tom"}], [{"id": "Ann"}]]


def test_people_whom_the_list_does_not_tell_are_described() -> None:
    described = [[{"b": "1", "sex": "f"}], [{"b": "1", "sex": "m"}], [{"b": "2", "sex": "f"}]]
    assert name_all(None) == described
    assert name_all(listed([2, 1, 3]), None) == described
    half = name_all(listed([9, 1, 3]))
    assert half[2] == [{"id": "Ann"}]
    assert half[0] == described[0]
    lacking = SideTable("list", pl.DataFrame({"id": ["Eve", "Tom", "Ann"], "age": [2, 1, 3]}))
    assert name_all(lacking) == described


def test_names_are_in_the_first_column_that_is_new() -> None:
    assert name_column(listed([1, 2, 3]), None, TOLD) == "id"
    assert name_column(listed([1, 2, 3]), "age", TOLD) == "age"
    nameless = SideTable("list", pl.DataFrame({"sex": ["m"]}))
    assert name_column(nameless, None, TOLD) is None
    with pytest.raises(SchemaError, match=r"no column 'who' .*in 'list'"):
        name_column(nameless, "who", TOLD)
