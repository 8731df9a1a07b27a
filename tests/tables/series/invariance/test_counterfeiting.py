"""Counterfeiting: what is published of a release, and that defects are noticed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.series.snapshots import Snapshot, publish
from unlinkable.tables.publishing.anonymizing.job import BrokenPromiseError
from unlinkable.tables.series.invariance.balancing import Buckets
from unlinkable.tables.series.invariance.counterfeiting import CounterfeitedGeneralization
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.invariance.signatures import Signatures


@given(st.integers(2, 3), st.integers(0, 5))
def test_groups_cover_their_people_and_say_how_many_are_made_up(m: int, seed: int) -> None:
    everybody = {p: (20 + p * 7 % 40, "abcd"[p % 4]) for p in range(60)}
    snapshots: list[Snapshot] = [everybody, {p: everybody[p] for p in range(0, 60, 3)}]
    for step, snapshot in zip(
        publish(MInvariance(m), snapshots, seed=seed), snapshots, strict=True
    ):
        frame, people = step.masked.frame, step.next.edition.people
        assert people is not None
        for p, text in zip(people.tolist(), frame["age"].to_list(), strict=True):
            lo, _, hi = text.strip("[)").partition("-")
            assert p < 0 or text == "*" or int(lo) <= snapshot[p][0] < int(hi or int(lo) + 1)
        for (text,), group in frame.group_by("age"):
            mine = np.array(frame["age"].to_list()) == text
            assert set(group["counterfeits"]) == {int((people[mine] < 0).sum())}


@pytest.mark.parametrize(
    ("shown", "owed"),
    [([0, 0, 0, 1], [-1] * 4), ([0, 0, 1, 1], [0, -1, -1, -1])],
    ids=["uneven", "another signature"],
)
def test_a_release_that_is_not_m_invariant_is_never_published(
    shown: list[int], owed: list[int]
) -> None:
    values = np.array([0, 1, 0, 1], np.int32)
    known = Signatures(("a", "b", "c"), values, np.array(owed), np.array([[False, True, True]]))
    buckets = Buckets(np.ones((1, 3), bool), np.arange(4), np.zeros(4, np.int64), values)
    method = CounterfeitedGeneralization(MInvariance(2), 2, "ill", known)
    with pytest.raises(BrokenPromiseError, match="not 2-invariant: nothing was published"):
        method._check(buckets, np.array(shown))
