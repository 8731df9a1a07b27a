"""Specializing: steps, and what is known of groups without looking at them again."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.methods.regions.test_greedy_personalized import counted_of, wards
from unlinkable.tables.methods.regions.shared.guarded_cells import GuardedCells
from unlinkable.tables.methods.regions.shared.specializing import Specializing
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import KAnonymity, PersonalizedPrivacy
from unlinkable.tables.models.base import All, GroupModel


def of(random: RandomTable, *others: GroupModel) -> tuple[Specializing, GuardedCells]:
    model = PersonalizedPrivacy("1/3", sensitive="s0", guard="g")
    people, counted = counted_of(random, All([model]))
    cells = GuardedCells.of(counted.finest, All([model]), ILoss(), 1.0, Counter())
    return Specializing(counted.finest, people.attributes, ILoss(), cells, All(others)), cells


def loss(state: Specializing, cells: GuardedCells) -> float:
    """Measure all columns from the groups as they are."""
    partition = state.partition()
    groups = partition.groups()
    attributes = state.attributes
    told = ILoss().totals(Shown.of(partition, attributes)).sum()
    return float(told + cells.lost(groups, cells.show(groups)).sum())


@given(wards())
def test_what_is_worked_out_ahead_is_what_comes_of_it(random: RandomTable) -> None:
    state, cells = of(random)
    if not state.is_feasible:
        return
    before = loss(state, cells)
    while (found := state.best(lambda: False)) is not None:
        n_parts = state.n_parts
        step = state.make(found)
        after = loss(state, cells)
        assert (before - after) / len(random.rows) == pytest.approx(step.score)
        assert state.n_parts >= n_parts
        before = after


@given(wards(), st.integers(1, 4))
def test_no_step_breaks_another_promise(random: RandomTable, k: int) -> None:
    state, _ = of(random, KAnonymity(k))
    if len(random.rows) < k:
        return
    while (found := state.best(lambda: False)) is not None:
        state.make(found)
        assert state.partition().sizes.min() >= k


@given(wards())
def test_the_groups_are_told_apart_by_what_they_show(random: RandomTable) -> None:
    state, _ = of(random)
    while (found := state.best(lambda: False)) is not None:
        state.make(found)
    partition = state.partition()
    boxes = {*zip(map(tuple, partition.lo), map(tuple, partition.hi), strict=True)}
    assert len(boxes) == partition.n_parts == state.n_parts
