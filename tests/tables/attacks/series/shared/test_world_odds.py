"""World odds: the same answer by symmetry, by counting and, if less, without counting."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.tables.attacks.series import worlds
from tests.tables.attacks.series.test_critical_absence import series_of_people
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.memberships import Memberships
from unlinkable.tables.attacks.series.shared.world_counting import StepBudget
from unlinkable.tables.attacks.series.shared.world_odds import Odds, weigh

HALF = Fraction(1, 2)


def odds_of(sheets: list[Sheet], steps: int = 10_000, limit: Fraction = HALF) -> Odds:
    n = max(sheet.n_values for sheet in sheets)
    memberships = Memberships.of(sheets, np.arange(n, dtype=np.int32))
    return weigh(memberships, np.ones(n, bool), limit, StepBudget(steps))


@given(series_of_people())
def test_who_cannot_have_a_value_of_his_group_is_marked(drawn: Any) -> None:
    sheets, _ = drawn
    odds = odds_of(sheets)
    for p, own in worlds.shares(sheets).items():
        met = {
            int(v)
            for s in sheets
            if p in s.people
            for v in s.values[s.groups == s.groups[s.people == p][0]]
        }
        assert odds.is_excluded[p] == (met != set(own))
        assert odds.is_counted[p]


def test_even_groups_need_no_steps_and_others_do() -> None:
    even = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, -1], [0, 0], [0, 1])]
    odds = odds_of(even, 0)
    assert odds.sure.tolist() == [0.5, 0.5]
    assert odds.is_counted.all()
    uneven = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2, 3], [0] * 3, [0, 1, 1])]
    assert odds_of(uneven).sure[0] == pytest.approx(2 / 3)
    poor = odds_of(uneven, 0)
    assert poor.sure[0] == 0.5
    assert not poor.is_counted.any()


def test_parts_of_one_shape_are_counted_once() -> None:
    one = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2, 3], [0] * 3, [0, 1, 1])]
    many = [
        Sheet.of(
            [p + 10 * i for i in range(50) for p in s.people.tolist()],
            [i for i in range(50) for _ in s.people],
            [v for _ in range(50) for v in s.values.tolist()],
        )
        for s in one
    ]
    spent = []
    for sheets in (one, many):
        memberships = Memberships.of(sheets, np.arange(2, dtype=np.int32))
        budget = StepBudget(1000)
        odds = weigh(memberships, np.ones(2, bool), HALF, budget)
        spent.append(budget.spent)
        assert odds.falls.sum() == len(sheets[0].people) * 3 // 2 + len(sheets[0].people) // 2
    assert spent[0] == spent[1]


def test_refuses_releases_that_no_world_explains() -> None:
    sheets = [Sheet.of([0, 1], [0, 0], [0, 0]), Sheet.of([0, 1], [0, 0], [1, 1])]
    with pytest.raises(UnsupportedError, match="what somebody hides is not the same"):
        odds_of(sheets)
    with pytest.raises(UnsupportedError, match="what 2 people hide"):
        odds_of(sheets, 0)
