"""sequential on the book's patients: what it tells, which promises it keeps, by which scores."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tests.tables.series.sequential.small_series import run_of_the_book
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.anonymizing.job import BrokenPromiseError
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.search import SequentialSearch
from unlinkable.tables.series.sequential.sequential import Sequential


def test_the_run_of_the_book_tells_europe_from_the_us() -> None:
    tests, past = run_of_the_book()
    policy = Sequential(x=["Job", "PoB", "Zip"], y=["Test=HIV"], h="0.9")
    following = next_release(policy, Request(tests, np.arange(8)), past)
    frame = following.edition.target.frame
    assert sorted(set(frame["PoB"].to_list())) == ["Europe", "US"]
    assert set(frame["Job"].to_list()) == {"*"}
    assert set(frame["Sex"].to_list()) == {"M", "F"}  # not in x
    outcome = following.outcomes[0]
    assert (outcome.highest, outcome.details["rows"]) == (0.5, 22)
    assert str(following.release.method) == str(policy.bind(tests.schema))
    solution = following.release.solution  # type: ignore[attr-defined]
    assert [(step.column, step.parts) for step in solution.trace] == [
        ("Sex", (0, 1)),
        ("PoB", (0, 2)),
    ]
    # Information gain of 0.811 bits on the class, and the join goes from 1/3 to 1/2 sure.
    assert solution.trace[1].score == pytest.approx(0.8112781 / (1 / 6 + 1))
    assert dict(solution.effort) == {
        "steps": 2,
        "checked": 4,
        "given_up": 2,
        "groups_judged": 4,
        "rows_read": 22,
        "disclosed": 1,
        "groups": 3,
        "parts_joined": 15,
    }


def test_the_book_is_infeasible_below_a_third_and_says_that_this_is_no_proof() -> None:
    tests, past = run_of_the_book()
    policy = Sequential(x=["Job", "PoB", "Zip"], y=["Test=HIV"], h="0.3")
    with pytest.raises(UnsupportedError, match=r"up to 0\.333 sure.*x does not have 'Sex'"):
        next_release(policy, Request(tests, np.arange(8)), past)
    policy = Sequential(y=["Test=HIV"], h="0.2")
    with pytest.raises(InfeasibleError, match="the release by itself tells too much, and it may"):
        next_release(policy, Request(tests, np.arange(8)), past)


def test_a_promise_of_the_release_is_kept_as_well() -> None:
    tests, past = run_of_the_book()
    request = Request(tests, np.arange(8), models=(KAnonymity(3),))
    following = next_release(Sequential(y=["Test=HIV"], h="0.9"), request, past)
    frame = following.edition.target.frame
    assert min(Counter(frame.select("Job", "PoB", "Sex").rows()).values()) >= 3
    policy = Sequential(x=["PoB"], y=["Test=HIV"], h="0.9")
    with pytest.raises(InfeasibleError, match="column 'Job' is not in x and is published as it is"):
        next_release(policy, request, past)


def test_scores_lead_to_different_releases_all_of_which_are_safe() -> None:
    tests, past = run_of_the_book()
    for score in ("igpl", "information-gain", "discernibility", "loss"):
        policy = Sequential(y=["Test=HIV"], h="0.9", score=score)
        assert isinstance(policy.method_for(Request(tests, np.arange(8)), past), SequentialSearch)
        following = next_release(policy, Request(tests, np.arange(8)), past)
        assert not following.outcomes[0].succeeded


def test_a_first_release_is_checked_by_itself() -> None:
    tests, _ = run_of_the_book()
    request, policy = Request(tests, np.arange(8)), Sequential(h="0.9")
    following = next_release(policy, request, Past())
    assert following.outcomes == ()
    frame = following.edition.target.frame
    shown = frame.select("Job", "PoB", "Sex", "Test").rows()
    sizes = Counter(row[:3] for row in shown)
    assert all(n <= Fraction(9, 10) * sizes[row[:3]] for row, n in Counter(shown).items())
    strict = Sequential(h="0.3")
    with pytest.raises(InfeasibleError, match="the release by itself tells too much"):
        next_release(strict, request, Past())
    with pytest.raises(BrokenPromiseError, match="tells too much"):
        strict.remember(following.release, request, Past())
