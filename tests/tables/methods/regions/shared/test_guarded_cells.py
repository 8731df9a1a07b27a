"""Guarded cells: groups are fitted each by itself, in portions of any size."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.methods.regions.personalized_by_definition import Guard, Personalized
from tests.tables.methods.regions.test_greedy_personalized import counted_of, wards
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared import guarded_cells
from unlinkable.tables.methods.regions.shared.guarded_cells import GuardedCells, Guards
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity, PersonalizedPrivacy
from unlinkable.tables.models.base import All

SHARES = st.sampled_from(["1/5", "1/3", "1/2"])


def cells_of(random: RandomTable, p: str) -> tuple[GuardedCells, Groups]:
    model = PersonalizedPrivacy(p, sensitive="s0", guard="g")
    _, counted = counted_of(random, All([model]))
    cells = GuardedCells.of(counted.finest, All([model]), ILoss(), 1.0, Counter())
    return cells, counted.finest


@given(wards(), SHARES)
def test_every_group_is_fitted_as_if_it_were_alone(random: RandomTable, p: str) -> None:
    cells, finest = cells_of(random, p)
    together = cells.show(finest)
    lost = cells.lost(finest, together)
    for g in range(len(finest)):
        one = finest.select(np.arange(len(finest)) == g)
        alone = cells.show(one)
        own = together.row == g
        assert alone.kind.tolist() == together.kind[own].tolist()
        assert alone.count.tolist() == together.count[own].tolist()
        assert alone.node.tolist() == together.node[own].tolist()
        assert bool(alone.is_good[0]) == bool(together.is_good[g])
        assert cells.lost(one, alone)[0] == pytest.approx(lost[g])


@given(wards(), SHARES)
def test_groups_lose_what_they_lose_by_definition(random: RandomTable, p: str) -> None:
    cells, finest = cells_of(random, p)
    literal = Personalized(random.rows, random.qid, random.trees, (Guard(Fraction(p), False),))
    _, counted = counted_of(random, cells.sight.judged)
    lost = cells.lost(finest, cells.show(finest))
    for g in range(len(finest)):
        group = [row for row, at in zip(random.rows, counted.labels, strict=True) if at == g]
        assert lost[g] == pytest.approx(float(literal.lost(group, literal.fit(group)[0])))


@given(random=wards(), p=SHARES)
def test_the_size_of_portions_does_not_matter(random: RandomTable, p: str) -> None:
    cells, finest = cells_of(random, p)
    whole = cells.show(finest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guarded_cells, "_ENTRIES", 3)
        portions = cells.show(finest)
    assert portions.node.tolist() == whole.node.tolist()
    assert portions.is_good.tolist() == whole.is_good.tolist()


def test_promises_about_guards_are_known_by_what_they_can_tell() -> None:
    assert isinstance(PersonalizedPrivacy(0.5, sensitive="s", guard="g"), Guards)
    assert not isinstance(KAnonymity(2), Guards)
