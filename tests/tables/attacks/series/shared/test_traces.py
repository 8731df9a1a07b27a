"""Traces: who can have which value, against all worlds of tiny series.

Followed: which records are exposed, and whose they are.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import series_of_sheets
from tests.tables.attacks.series.tiny import (
    Owner,
    possible_jointly,
    possible_one_by_one,
    records,
    shuffled,
    tiny_series,
)
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.traces import Traces, follow_people, is_exposed, trace


def found_in(traced: Traces, sheets: tuple[Sheet, ...]) -> set[tuple[Owner, int]]:
    """Say of every owner which values he can have."""
    found = set()
    for release, owners in zip(records(sheets), traced.kinds.owners, strict=True):
        for (owner, _, _), number in zip(release, owners.tolist(), strict=True):
            kind = traced.kinds.kind[number]
            for k in range(*traced.common.indptr[kind : kind + 2].tolist()):
                if traced.is_possible[k]:
                    found.add((owner, int(traced.common.values[k])))
    return found


@given(tiny_series())
def test_is_what_sets_of_people_with_a_value_say(sheets: tuple[Sheet, ...]) -> None:
    traced = trace(sheets)
    assert traced.n_contradicted == 0
    assert found_in(traced, sheets) == possible_one_by_one(sheets)


@given(tiny_series(n_people=6))
def test_excludes_nothing_that_some_world_has(sheets: tuple[Sheet, ...]) -> None:
    assert possible_jointly(sheets) <= found_in(trace(sheets), sheets)


@given(tiny_series(n_people=6, n_releases=2, n_values=2))
def test_is_exact_for_two_releases_and_two_values(sheets: tuple[Sheet, ...]) -> None:
    assert found_in(trace(sheets), sheets) == possible_jointly(sheets)


@given(tiny_series(), st.integers(0, 9))
def test_the_order_within_groups_says_nothing(sheets: tuple[Sheet, ...], seed: int) -> None:
    mixed = tuple(shuffled(sheet, seed) for sheet in sheets)
    assert trace(sheets).is_possible.tolist() == trace(mixed).is_possible.tolist()


@given(tiny_series(changes=True))
def test_a_release_more_is_compared_with_the_others_only(sheets: tuple[Sheet, ...]) -> None:
    at_once = trace(sheets)
    step_by_step = trace(sheets, earlier=trace(sheets[:-1]))
    assert at_once.is_possible.tolist() == step_by_step.is_possible.tolist()
    assert at_once.n_contradicted == step_by_step.n_contradicted


@given(tiny_series())
def test_candidates_are_those_of_a_group_who_can_have_the_value(sheets: tuple[Sheet, ...]) -> None:
    traced = trace(sheets)
    possible = possible_one_by_one(sheets)
    for i, release in enumerate(records(sheets)):
        hidden = traced.hidden[i]
        rows = zip(hidden.row.tolist(), hidden.values.tolist(), strict=True)
        assert traced.candidates(i).tolist() == [
            sum(g == group and (owner, value) in possible for owner, g, _ in release)
            for group, value in rows
        ]


@given(tiny_series())
def test_without_solutions_every_common_value_is_possible(sheets: tuple[Sheet, ...]) -> None:
    simple = trace(sheets, feasible=False)
    assert simple.is_possible.all()
    assert found_in(trace(sheets), sheets) <= found_in(simple, sheets)


def test_a_value_that_changed_contradicts_and_excludes_nobody() -> None:
    first = Sheet.of([0, 1], [0, 0], [0, 1])
    then = Sheet.of([0, 1], [0, 0], [0, 0], 2)
    traced = trace([first, then])
    assert traced.n_contradicted == 2
    assert traced.is_possible.all()


def test_records_without_candidates_expose_nobody() -> None:
    found = is_exposed(np.array([1, 1, 1]), np.array([0, 1, 2]), 2, Fraction(1))
    assert found.tolist() == [False, True, False]


def test_shares_are_compared_exactly() -> None:
    third = Fraction(1, 3)
    assert is_exposed(np.array([1, 2]), np.array([3, 5]), 1, third).tolist() == [False, True]


def test_people_are_told_the_record_that_exposes_them_most() -> None:
    first = Sheet.of([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 2, 2])
    then = Sheet.of([0, 1, 2, 3, -1], [0, 0, 1, 1, 1], [0, 1, 2, 2, 1])
    found = follow_people(series_of_sheets([first, then]), "s", 3, Fraction(1), feasible=True)
    assert found.fewest == 1  # of the record that was made up
    assert found.sure.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.falls.tolist() == [True, True, True, True]
    assert found.fell.tolist() == [True, True, False, False]
    assert found.exposed.tolist() == [4, 5]
    assert found.n_contradicted == 0


def test_nobody_is_known_of_without_people() -> None:
    made_up = Sheet.of([-1, -1], [0, 0], [0, 1])
    found = follow_people(series_of_sheets([made_up, made_up]), "s", 2, Fraction(1), feasible=True)
    assert found.falls.size == 0
    assert found.fewest == 2
