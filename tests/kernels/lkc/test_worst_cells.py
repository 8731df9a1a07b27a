"""Worst cells: what is worse is written down, with equality allowed, and people are counted."""

from __future__ import annotations

import numpy as np

from tests.kernels.cells_by_definition import Members, sheet_of
from unlinkable.kernels.lkc.crossings import cross
from unlinkable.kernels.lkc.worst_cells import Found, People, is_worse, judge, note

ONE_EACH: People = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1
TABLE = Members(
    [(0, 0), (0, 1), (1, 0), (1, 1)],
    [{1: 2}, {0: 1, 1: 1}, {2: 4}, {0: 6}],
    [[0, 0], [0, 1], [2, 2, 2, 2], [3, 3, 3, 4, 5, 6]],
)
EVERYTHING = np.full(8, ~np.uint64(0))


def found_of(*known: int, good: int = 0) -> Found:
    worst = np.array([known[0], -1, known[1], known[2], -1, 0, 0])
    marks = np.ones(good, bool), np.zeros(64, np.uint64)
    return worst, np.full((2, 2), -1), np.full(3, -1), np.full(3, -1), marks


def test_equal_is_not_worse() -> None:
    for known, worse in (((3, 1, 2), False), ((4, 1, 2), True), ((3, 4, 9), True)):
        assert is_worse(6 // 2, 0, ONE_EACH, found_of(*known)) is (known[0] == 4)
        assert is_worse(4, 2, ONE_EACH, found_of(3, *known[1:])) is (worse and known[0] == 3)


def test_few_people_may_have_many_records() -> None:
    nobody, owners = np.zeros(0, np.int64), np.zeros(0, np.int32)
    assert is_worse(8, 0, (nobody, owners, nobody, 4), found_of(3, 1, 1))
    assert not is_worse(9, 0, (nobody, owners, nobody, 4), found_of(3, 1, 1))


def test_all_cells_of_two_columns_are_judged() -> None:
    sheet = sheet_of(TABLE)
    tables = np.zeros((3, 4), np.int64), np.zeros((3, 4, 4), np.int64)
    cross(0, 0, 2, EVERYTHING, np.array([7, 3, 4]), sheet, tables)
    found = found_of(100, 0, 1)
    judge(0, 0, 2, 2, EVERYTHING, 0, tables, sheet, ONE_EACH, found)
    worst, places, _, meeting, _ = found
    assert worst.tolist()[:5] == [2, 0, 2, 2, 0]
    assert places.tolist() == [[0, 1], [0, 1]]
    assert worst[6] == 8  # four values, and four pairs of values
    assert meeting.tolist() == [-1, -1, -1]
    judge(0, 0, 1, 1, EVERYTHING, 0, tables, sheet, ONE_EACH, found := found_of(100, 0, 1))
    assert found[0].tolist()[:4] == [4, 1, 3, 4]  # who has no hidden value comes first
    assert found[1].tolist() == [[0, -1], [0, -1]]


def test_people_are_counted_once_in_a_cell() -> None:
    ends = np.cumsum([0, *(len(mine) for mine in TABLE.owners)])
    owners = np.concatenate(TABLE.owners).astype(np.int32)
    people: People = (ends, owners, np.zeros(8, np.int64), 4)
    sheet = sheet_of(TABLE)
    found = found_of(9, 1, 1)
    found[3][1] = sheet[5][0, 0, 0]  # the first two members
    note(0, EVERYTHING, 0, 4, 3, True, sheet, people, found)
    assert found[0].tolist()[:3] == [2, 1, 1]
    note(0, EVERYTHING, 0, 4, 3, True, sheet, people, found)
    assert found[0][5] == 1


def test_who_is_in_part_of_a_combination_is_marked_for_its_size_only() -> None:
    sheet = sheet_of(TABLE)
    for records, is_whole, is_marked in ((4, True, True), (4, False, False), (1, False, True)):
        found = found_of(2, 1, 2, good=4)
        note(0, EVERYTHING, 0, records, 3, is_whole, sheet, ONE_EACH, found)
        assert bool(found[4][1].any()) is is_marked
        assert found[0].tolist() == [2, -1, 1, 2, -1, 0, 0]
