"""Combinations of a few columns by bits: the same as forming them all."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cells_by_definition import Members, cells, members, sheet_of
from unlinkable.kernels.lkc.few_columns import find_worst
from unlinkable.kernels.lkc.worst_cells import People
from unlinkable.typing import BoolArray

NO_MARKS = np.ones(0, bool)
ONE_EACH: People = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), 1


def people_of(drawn: Members) -> People:
    ends = np.cumsum([0, *(len(mine) for mine in drawn.owners)])
    owners = np.array([owner for mine in drawn.owners for owner in mine], np.int32)
    most = max(Counter(owners.tolist()).values())
    return ends, owners, np.zeros(owners.max() + 2, np.int64), most


def find(
    drawn: Members,
    length: int,
    known: tuple[int, int, int],
    *,
    least: int = 0,
    owned: bool = False,
    good: BoolArray = NO_MARKS,
    stops: bool = False,
) -> tuple[list[int], list[list[int]]]:
    worst = np.array([known[0], 0, known[1], known[2], 0, 0, 0])
    places = np.full((2, length), -1, np.int64)
    people = people_of(drawn) if owned else ONE_EACH
    sheet = sheet_of(drawn, max(length - 1, 1))
    find_worst(length, least, sheet, people, worst, places, good, stops)
    return worst.tolist(), [[j for j in place if j >= 0] for place in places.tolist()]


@given(members(), st.integers(1, 6), st.booleans())
def test_the_worst_cells_are_found_with_a_member_and_the_columns(
    drawn: Members, length: int, owned: bool
) -> None:
    length = min(length, drawn.n_columns)
    worst, places = find(drawn, length, (10**6, 0, 1), owned=owned)
    there = cells(drawn, length)
    assert worst[0] == min(cell.people if owned else cell.records for cell in there)
    telling = max(there, key=lambda cell: cell.peak / cell.records)
    assert worst[2] * telling.records == worst[3] * telling.peak
    for at, place, is_few in ((worst[1], places[0], True), (worst[4], places[1], False)):
        shorter = cells(drawn, len(place))
        (cell,) = (c for c in shorter if list(c.columns) == sorted(place) and at in c.inside)
        if is_few:
            assert worst[0] == (cell.people if owned else cell.records)
        elif telling.peak:
            assert (cell.peak, cell.records) == (worst[2], worst[3])


@given(members(), st.integers(1, 6), st.booleans(), st.integers(1, 9), st.integers(1, 9))
def test_a_search_stops_at_the_first_cell_that_breaks_bounds(
    drawn: Members, length: int, owned: bool, k: int, tenths: int
) -> None:
    length = min(length, drawn.n_columns)
    there = cells(drawn, length)
    is_broken = any(
        (cell.people if owned else cell.records) < k or 10 * cell.peak > tenths * cell.records
        for cell in there
    )
    worst, _ = find(drawn, length, (k, tenths, 10), owned=owned, stops=True)
    assert (worst[5] > 0) is is_broken
    unstopped, _ = find(drawn, length, (k, tenths, 10), owned=owned)
    assert worst[6] <= unstopped[6]


@given(members(), st.integers(1, 6), st.integers(0, 2), st.booleans(), st.integers(1, 9), st.data())
def test_members_of_cells_that_break_bounds_are_marked(
    drawn: Members, length: int, fewer: int, owned: bool, k: int, data: st.DataObject
) -> None:
    length = min(length, drawn.n_columns)
    least, tenths = max(length - fewer, 0), data.draw(st.integers(3, 10))
    expected = [True] * len(drawn.codes)
    for n_columns in range(least, length + 1):
        for cell in cells(drawn, n_columns):
            is_few = (cell.people if owned else cell.records) < k
            if is_few or 10 * cell.peak > tenths * cell.records:
                for m in cell.inside:
                    expected[m] = False
    good = np.ones(len(drawn.codes), bool)
    find(drawn, length, (k, tenths, 10), least=least, owned=owned, good=good)
    assert good.tolist() == expected


def test_nothing_is_looked_at_where_nothing_can_be_worse() -> None:
    """Who is alone with a hidden value, which all have: nothing is worse than that."""
    codes = [tuple(m >> j & 1 for j in range(8)) for m in range(256)]
    drawn = Members(codes, [{1: 1}] * 256, [[m] for m in range(256)])
    assert find(drawn, 8, (257, 0, 1))[0][6] == 40
    assert find(drawn, 4, (257, 0, 1))[0][6] == 2_071
    assert find(drawn, 4, (16, 1, 1), stops=True)[0][6] == 2_071
    assert find(drawn, 4, (17, 1, 1), stops=True)[0][6] == 172
    assert find(drawn, 4, (1, 1, 1), stops=True)[0][6] == 1


def test_a_search_in_many_members_finds_what_a_search_in_few_does() -> None:
    """Cells become small enough to be gathered before they are crossed."""
    rng = np.random.default_rng(8)
    codes = (rng.random((1_500, 6)) ** 3 * 5).astype(int)
    hidden = [{int(value): 1} for value in rng.integers(0, 3, 1_500)]
    drawn = Members([tuple(row) for row in codes.tolist()], hidden, [[m] for m in range(1_500)])
    for length in (3, 4, 5):
        there = cells(drawn, length)
        worst, _ = find(drawn, length, (1_501, 0, 1))
        assert worst[0] == min(cell.records for cell in there) == 1
        assert worst[2] == worst[3]
        good = np.ones(1_500, bool)
        find(drawn, length, (3, 9, 10), least=length, good=good)
        bad = {
            m
            for cell in there
            if cell.records < 3 or 10 * cell.peak > 9 * cell.records
            for m in cell.inside
        }
        assert set(np.flatnonzero(~good).tolist()) == bad
        assert 100 < len(bad) < 1_400
