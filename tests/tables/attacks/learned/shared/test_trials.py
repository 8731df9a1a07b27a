"""Trials: people of several halves are told apart together."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.tables.attacks.learned.shared.trials import Trial, advantages_of, joined, tell_apart


def trial(n_members: int, inside: float, n_others: int, outside: float) -> Trial:
    scores = np.repeat([inside, outside], [n_members, n_others])
    return Trial(np.arange(n_members), {"nearest": scores})


def test_people_of_all_trials_are_judged_by_one_another() -> None:
    trials = [trial(4, 1.0, 2, 0.0), trial(1, 1.0, 3, 0.0)]
    told, is_member, which = tell_apart(trials, np.random.default_rng(0))
    assert is_member.tolist() == [True] * 4 + [False] * 2 + [True] + [False] * 3
    assert which.tolist() == [0] * 6 + [1] * 4
    assert np.array_equal(told, is_member)


def test_the_advantage_of_a_trial_is_that_of_its_people() -> None:
    told = np.array([True, False, True, False, True, False])
    is_member = np.array([True, True, False, False, True, False])
    which = np.array([0, 0, 0, 0, 1, 1])
    assert advantages_of(told, is_member, which, 2) == pytest.approx([0.0, 1.0])


def test_only_scores_that_all_trials_have_are_used() -> None:
    """A half without anybody to compare with has no relative score."""
    first, second = trial(1, 1.0, 1, 0.0), trial(1, 1.0, 1, 0.0)
    first.scores["relative"] = np.array([1.0, 0.0])
    assert [*joined([first, second])] == ["nearest"]
    assert [*joined([first])] == ["nearest", "relative"]
