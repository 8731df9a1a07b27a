"""Promises that ask for nothing but sizes."""

from __future__ import annotations

import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.cuts.shared.sizes import good_sizes
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All, GroupModel

DATA = {"job": ["a", "a", "b"], "s": ["x", "y", "x"], "who": ["p", "q", "p"]}


def test_judges_every_size_there_can_be() -> None:
    table = as_table(DATA, quasi="job", sensitive="s", insensitive="who")
    good = good_sizes(count(table).finest, All([KAnonymity(1), KAnonymity(3)]))
    assert good is not None
    # A group without records breaks nothing.
    assert good.tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    "model",
    [
        DistinctLDiversity(2, sensitive="s"),
        TCloseness(0.5, sensitive="s"),
        KAnonymity(2, qid="job"),
    ],
    ids=str,
)
def test_says_so_if_a_promise_asks_for_more(model: GroupModel) -> None:
    table = as_table(DATA, quasi="job", sensitive="s", insensitive="who")
    finest = count(table, [("s",)]).finest
    assert good_sizes(finest, All([KAnonymity(2), model])) is None


def test_owners_are_more_than_sizes() -> None:
    table = as_table(DATA, quasi="job", sensitive="s", owner="who")
    assert good_sizes(count(table).finest, All([KAnonymity(2)])) is None
