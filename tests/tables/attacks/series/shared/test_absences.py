"""Absences: values of earlier groups that a later release has nowhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

from tests.tables.attacks.series.test_critical_absence import series_of_people
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.absences import find_absences
from unlinkable.tables.attacks.series.shared.tangle import Tangle


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
    tangle = Tangle.of(sheets, np.arange(4, dtype=np.int32))
    for guarded in ({0, 1, 2, 3}, {0}):
        found = find_absences(tangle, np.isin(np.arange(5), [*guarded]))
        people, values = by_definition(sheets, guarded)
        assert (found.n_people, set(found.labels.tolist())) == (len(people), values)
