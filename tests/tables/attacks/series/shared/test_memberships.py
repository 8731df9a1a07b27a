"""Memberships: groups that hang together, and whether they are even."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

from tests.tables.attacks.series.test_critical_absence import series_of_people
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.memberships import Memberships


def by_definition(sheets: list[Sheet]) -> list[set[tuple[int, int]]]:
    """Join groups that share somebody until nothing changes."""
    parts = [
        ({(t, g)}, {int(p) for p in s.people[s.groups == g] if p >= 0})
        for t, s in enumerate(sheets)
        for g in range(s.n_groups)
    ]
    merged = True
    while merged:
        merged = False
        for i, (groups, people) in enumerate(parts):
            for j in range(i + 1, len(parts)):
                if people & parts[j][1]:
                    groups |= parts[j][0]
                    people |= parts[j][1]
                    del parts[j]
                    merged = True
                    break
    return [groups for groups, _ in parts]


@given(series_of_people())
def test_groups_that_share_somebody_hang_together(drawn: Any) -> None:
    sheets, _ = drawn
    memberships = Memberships.of(sheets, np.arange(4, dtype=np.int32))
    names = [(t, g) for t, s in enumerate(sheets) for g in range(s.n_groups)]
    found: dict[int, set[tuple[int, int]]] = {}
    for part, name in zip(memberships.part.tolist(), names, strict=True):
        found.setdefault(part, set()).add(name)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, by_definition(sheets)))
    for part, is_even in enumerate(memberships.is_even().tolist()):
        told = [sheets[t].values[sheets[t].groups == g].tolist() for t, g in sorted(found[part])]
        same = len({frozenset(values) for values in told}) == 1
        assert is_even == (same and all(len({v.count(x) for x in v}) == 1 for v in told))


@given(series_of_people())
def test_people_of_one_kind_are_in_the_same_groups(drawn: Any) -> None:
    sheets, _ = drawn
    memberships = Memberships.of(sheets, np.arange(4, dtype=np.int32))
    people = np.flatnonzero(memberships.degree)
    kinds, somebody = memberships.kinds(people)
    where = {p: tuple(memberships.group[memberships.person == p].tolist()) for p in people.tolist()}
    for p, kind in zip(people.tolist(), kinds.tolist(), strict=True):
        assert where[p] == where[int(somebody[kind])]
    assert len(set(where.values())) == somebody.size


def test_nothing_at_all_is_a_tangle() -> None:
    memberships = Memberships.of([Sheet.of([], [], [])], np.zeros(0, np.int32))
    assert memberships.n_groups == memberships.n_parts == memberships.n_people == 0
