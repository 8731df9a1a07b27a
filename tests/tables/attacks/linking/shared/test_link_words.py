"""What a join tells in words: names, and numbers that a steward understands."""

from __future__ import annotations

import numpy as np
import polars as pl

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared.link_words import (
    details_of,
    doubts,
    found_by,
    names_of,
)
from unlinkable.tables.attacks.linking.shared.links import link
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data.side import SideTable

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
