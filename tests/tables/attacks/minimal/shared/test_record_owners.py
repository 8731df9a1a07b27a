"""Record owners: people whom the holder adds, and what belongs to the original records."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from attrs import evolve

import unlinkable as ul
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.minimal.shared.record_owners import (
    RecordOwners,
    as_it_was,
    told_columns,
)
from unlinkable.tables.data.side import Side

ORIGINAL = ul.as_table(
    {
        "name": ["A", "B", "C"],
        "job": ["cook", "baker", "cook"],
        "ill": ["x", "y", "y"],
        "pay": [1, 2, 3],
    },
    identifiers="name",
    quasi="job",
    sensitive="ill",
    insensitive="pay",
)
TARGET = Target(
    pl.DataFrame(
        {"job": ["cook", "cook"], "ill": ["y", "x"], "pay": ["3", "1"], "name": ["p", "q"]}
    ),
    ("job",),
    ("ill",),
)
TRUTH = Truth(ORIGINAL, np.array([2, 0]))


def knowledge(listed: dict[str, list[str]], truth: Truth | None = None) -> AdversaryKnowledge:
    return AdversaryKnowledge(Side.of({"external": listed}), truth)


def test_people_are_called_by_their_names_or_by_what_they_show() -> None:
    listed = knowledge({"called": ["Ann", "Bob"], "job": ["cook", "cook"]})
    everybody = RecordOwners.of(TARGET, listed, "external", None)
    assert everybody.who(1) == {"called": "Bob"}
    nameless = RecordOwners.of(TARGET, knowledge({"job": ["cook", "cook"]}), "external", None)
    assert nameless.who(1) == {"job": "cook"}


def test_the_holder_adds_people_left_out_in_the_order_of_the_original() -> None:
    listed = knowledge({"called": ["Ann", "Cid"], "job": ["cook", "cook"]}, TRUTH)
    everybody = RecordOwners.of(TARGET, listed, "external", None)
    assert everybody.people.texts("job") == ["cook", "baker", "cook"]
    who = [everybody.who(i) for i in range(3)]
    assert who == [{"called": "Ann"}, {"job": "baker"}, {"called": "Cid"}]


@pytest.mark.parametrize(
    ("jobs", "truth"),
    [
        (["cook"], TRUTH),
        (["cook", "baker"], TRUTH),
        (["cook", "cook"], evolve(TRUTH, rows=None)),
    ],
    ids=["too few", "others", "nobody can say who"],
)
def test_other_lists_are_refused(jobs: list[str], truth: Truth) -> None:
    with pytest.raises(DataError, match="it must hold everybody, also those left out"):
        RecordOwners.of(TARGET, knowledge({"job": jobs}, truth), "external", None)


def test_a_list_lacks_a_column() -> None:
    with pytest.raises(SchemaError, match="no column 'job'"):
        RecordOwners.of(TARGET, knowledge({"age": ["3"]}), "external", None)


def test_pseudonyms_do_not_belong_to_the_original() -> None:
    assert told_columns(TARGET, knowledge({})) == ("ill", "pay", "name")
    assert told_columns(TARGET, knowledge({}, TRUTH)) == ("ill", "pay")
    assert told_columns(evolve(TARGET, bucket="pay"), knowledge({})) == ("ill", "name")


def test_texts_of_numbers_are_numbers_again() -> None:
    assert as_it_was(TARGET, ("ill", "pay"), knowledge({}, TRUTH)).frame["pay"].to_list() == [3, 1]
    assert as_it_was(TARGET, ("ill", "pay"), knowledge({})).frame["pay"].to_list() == ["3", "1"]
