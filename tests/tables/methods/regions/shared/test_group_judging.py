"""A promise taken apart: what sizes tell, and what they do not."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel

HIDDEN = DistinctLDiversity(2, sensitive="s")


@pytest.fixture(scope="module")
def finest() -> Groups:
    people = as_table(
        {"a": range(100), "s": ["x", "y"] * 50, "p": [i // 2 for i in range(100)]},
        quasi="a",
        sensitive=["s", "p"],
    )
    return count(people, [("s",), ("p",)]).finest


@pytest.mark.parametrize(
    ("models", "least", "rest"),
    [
        ([KAnonymity(1)], 1, ()),
        ([KAnonymity(7)], 7, ()),
        ([KAnonymity(7), KAnonymity(12, qid="a")], 12, ()),
        ([KAnonymity(100)], 100, ()),
        ([KAnonymity(7), HIDDEN], 7, (HIDDEN,)),
        ([HIDDEN], 1, (HIDDEN,)),
        ([], 1, ()),
    ],
)
def test_finds_the_least_size_that_keeps_what_sizes_can_keep(
    finest: Groups, models: list[GroupModel], least: int, rest: tuple[GroupModel, ...]
) -> None:
    judge = Judge.of(finest, All(models))
    assert (judge.least, judge.rest.models) == (least, rest)
    assert judge.sizes_suffice is (not rest)


def test_sizes_say_nothing_where_people_own_several_records_or_records_have_weights(
    finest: Groups,
) -> None:
    promise = KAnonymity(3)
    owned, weighted = evolve(finest, owner="p"), evolve(finest, weights=finest.weights * 2)
    for groups in (owned, weighted):
        judge = Judge.of(groups, All([promise]))
        assert (judge.least, judge.rest.models) == (1, (promise,))
    assert not Judge.of(owned, All([promise])).keeps(owned).any()


def test_a_group_must_have_the_size_and_keep_the_rest(finest: Groups) -> None:
    groups = finest.merge(np.array([0] * 3 + [1] * 97, np.int32), 2, (), np.empty((2, 0), np.int32))
    judge = Judge.of(finest, All([KAnonymity(4), HIDDEN]))
    assert judge.keeps(groups).tolist() == [False, True]
    assert Judge.of(finest, All([HIDDEN])).keeps(finest).tolist() == [False] * 100
