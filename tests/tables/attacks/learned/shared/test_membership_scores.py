"""Recognition: scores by their definition, and rules that do not judge those they come from.

Trials: people of several halves are told apart together.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unlinkable.tables.attacks.learned.shared.column_axes import read_axes
from unlinkable.tables.attacks.learned.shared.membership_scores import (
    Trial,
    advantages_of,
    all_scores,
    best_threshold,
    place,
    suspicion,
    tell_apart,
    tell_members,
)

AGE = st.one_of(
    st.integers(0, 9).map(str),
    st.integers(0, 8).map(lambda a: f"[{a}-{a + 2})"),
    st.just("*"),
    st.none(),
)
SHOWN = st.tuples(AGE, st.sampled_from(["a", "b", "*"]))
PERSON = st.tuples(st.integers(0, 9), st.sampled_from("abc"))


def on_age(shown: str | None, age: int, width: int) -> float:
    """How far an age is from what a record shows, out of the range of all ages."""
    if shown == "*":
        return 0.0
    if shown is None:
        return 1.0
    if shown.startswith("["):
        first, end = (int(part) for part in shown[1:-1].split("-"))
        last = end - 1
    else:
        first = last = int(shown)
    return max(first - age, age - last, 0) / width


@given(
    st.lists(SHOWN, min_size=1, max_size=12),
    st.lists(PERSON, min_size=1, max_size=6),
    st.lists(PERSON, max_size=5),
)
def test_scores_are_what_they_are_said_to_be(
    shown: list[tuple[str | None, str]],
    people: list[tuple[int, str]],
    strangers: list[tuple[int, str]],
) -> None:
    # Ages 0 to 9 are on the axis, so that an interval ends with the last age that is in it; several
    # jobs are, so that no job is all jobs.
    corners = [(age, "ab"[age % 2]) for age in range(10)]
    frames = [
        pl.DataFrame(rows, {"age": kind, "job": pl.String}, orient="row")
        for rows, kind in (
            (shown, pl.String),
            (people, pl.Int64),
            (strangers, pl.Int64),
            (corners, pl.Int64),
        )
    ]
    axes = read_axes(("age", "job"), frames, {})
    release = place(axes, 0, distinct=True)
    found = suspicion(release, place(axes, 1), place(axes, 2))

    def apart(record: tuple[str | None, str], person: tuple[int, str]) -> float:
        return on_age(record[0], person[0], 9) + (record[1] not in ("*", person[1]))

    def between(one: tuple[int, str], other: tuple[int, str]) -> float:
        return abs(one[0] - other[0]) / 9 + (one[1] != other[1])

    near = [min(apart(record, person) for record in shown) for person in people]
    assert found["nearest"] == pytest.approx([-d for d in near])
    alike = [sum(apart(record, person) == 0 for person in strangers) for record in shown]
    assert found["crowd"] == pytest.approx(
        [
            sum(1 / (c + 1) for r, c in zip(shown, alike, strict=True) if apart(r, person) == 0)
            for person in people
        ]
    )
    assert ("relative" in found) is bool(strangers)
    if strangers:
        far = [min(between(person, other) for other in strangers) for person in people]
        assert found["relative"] == pytest.approx(
            [(f - d) / (f + d) if f + d else 0.0 for d, f in zip(near, far, strict=True)]
        )
    assert int(release.counts.sum()) == len(shown)
    assert len(release) == len(set(shown))


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=15))
def test_the_best_threshold_is_the_best_of_all(people: list[tuple[int, bool]]) -> None:
    scores = np.array([score for score, _ in people], float)
    is_member = np.array([member for _, member in people])
    advantage, least = best_threshold(scores, is_member)

    def advantage_at(threshold: float) -> float:
        told = scores >= threshold
        return float(told[is_member].mean() - told[~is_member].mean())

    if is_member.all() or not is_member.any():
        assert (advantage, least) == (0.0, np.inf)
    else:
        assert advantage == pytest.approx(max(map(advantage_at, scores)))
        assert advantage == pytest.approx(advantage_at(least))


def test_members_are_told_by_whichever_score_tells_them() -> None:
    rng = np.random.default_rng(0)
    is_member = np.arange(400) < 200
    scores = {"noise": rng.random(400), "sign": rng.random(400) / 2}
    scores["sign"][is_member] += 1
    assert np.array_equal(tell_members(scores, is_member, rng), is_member)


def test_a_score_that_is_lower_for_members_tells_nobody() -> None:
    rng = np.random.default_rng(0)
    is_member = np.arange(100) < 50
    assert not tell_members({"sign": np.where(is_member, -1.0, 0.0)}, is_member, rng).any()


def test_scores_without_meaning_have_no_advantage() -> None:
    """Whoever judged people by a rule that was found with them would see an advantage here.

    Of 200 tables of 100 people and three scores, the mean advantage has a deviation of about
    0.1 / sqrt(200); it leaves 5 of them once in a million runs.
    """
    rng = np.random.default_rng(7)
    is_member = np.arange(100) < 50
    crossed, fooled = [], []
    for _ in range(200):
        scores = {name: rng.random(100) for name in "abc"}
        told = tell_members(scores, is_member, rng)
        crossed.append(told[is_member].mean() - told[~is_member].mean())
        fooled.append(max(best_threshold(score, is_member)[0] for score in scores.values()))
    bound = -stats.norm.ppf(1e-6 / 2) * np.std(crossed) / np.sqrt(200)
    assert abs(np.mean(crossed)) < bound
    assert np.mean(fooled) > 0.15 > bound


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
    assert [*all_scores([first, second])] == ["nearest"]
    assert [*all_scores([first])] == ["nearest", "relative"]
