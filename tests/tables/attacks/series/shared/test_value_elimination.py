"""Narrowing: what is struck out is impossible in every world.

Absences: values of earlier groups that a later release has nowhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

from tests.tables.attacks.series import worlds
from tests.tables.attacks.series.test_critical_absence import series_of_people
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.memberships import Memberships
from unlinkable.tables.attacks.series.shared.value_elimination import (
    find_absences,
    intersect,
    narrow,
)


def tangle_of(sheets: list[Sheet]) -> Memberships:
    n = max(sheet.n_values for sheet in sheets)
    return Memberships.of(sheets, np.arange(n, dtype=np.int32))


@given(series_of_people())
def test_intersects_the_groups_of_everybody(drawn: Any) -> None:
    sheets, _ = drawn
    found = intersect(tangle_of(sheets))
    told = {(int(p), int(v)) for p, v in zip(found.person, found.label, strict=True)}
    expected = set()
    for p in {int(p) for s in sheets for p in s.people if p >= 0}:
        sets = [
            set(s.values[s.groups == s.groups[s.people == p][0]].tolist())
            for s in sheets
            if p in s.people
        ]
        expected |= {(p, v) for v in set.intersection(*sets)}
    assert told == expected


@given(series_of_people())
def test_what_is_possible_is_never_struck_out(drawn: Any) -> None:
    sheets, _ = drawn
    first = intersect(tangle_of(sheets))
    found = narrow(first)
    left = {(int(p), int(v)) for p, v in zip(found.person, found.label, strict=True)}
    possible = {(p, v) for p, own in worlds.shares(sheets).items() for v in own}
    assert possible <= left
    assert found.person.size <= first.person.size
    assert found.contradicted == 0


def test_draws_conclusions_from_conclusions() -> None:
    """Who has the only value left decides for the next, and so on."""
    sheets = [
        Sheet.of([0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 1, 2]),
        Sheet.of([0, 4, 1, 2], [0, 0, 1, 1], [0, 3, 1, 1]),
    ]
    assert narrow(intersect(tangle_of(sheets))).only().tolist() == [0, 1, 1, 2, 3]


def test_counts_people_who_can_have_nothing() -> None:
    sheets = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 1], [0, 0], [2, 3])]
    assert intersect(tangle_of(sheets)).contradicted == 2


def by_definition(sheets: list[Sheet], guarded: set[int]) -> tuple[set[int], set[int]]:
    people, values = set(), set()
    for i, first in enumerate(sheets):
        for later in sheets[i + 1 :]:
            for p in set(first.people.tolist()) & set(later.people.tolist()) - {-1}:
                group = first.groups[first.people == p][0]
                gone = set(first.values[first.groups == group].tolist()) & guarded
                gone -= set(later.values.tolist())
                values |= gone
                people |= {p} if gone else set()
    return people, values


@given(series_of_people())
def test_says_what_the_definition_says(drawn: Any) -> None:
    sheets, _ = drawn
    memberships = Memberships.of(sheets, np.arange(4, dtype=np.int32))
    for guarded in ({0, 1, 2, 3}, {0}):
        found = find_absences(memberships, np.isin(np.arange(5), [*guarded]))
        people, values = by_definition(sheets, guarded)
        assert (found.n_people, set(found.labels.tolist())) == (len(people), values)
