"""Watching splits for differences: the same answer as trying all sets of groups after each."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.subtracting import (
    SHARES,
    Release,
    is_safe_alone,
    merged_until_safe,
    rests,
    sheet_of,
)
from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.group_differences import Overlap
from unlinkable.tables.series.incremental.difference_watch import DifferenceWatch
from unlinkable.typing import CodeArray, CountArray

HALF = Fraction(1, 2)

BOUNDS = st.one_of(SHARES, st.just(HALF - Fraction(1, 10**10)))
"""Shares, one of them too long for numbers of 32 bits."""


@st.composite
def pasts(draw: st.DrawFn) -> tuple[list[int], list[Release]]:
    """What present records hide, and earlier releases with people who are gone (from 100 on)."""
    n = draw(st.integers(4, 16))
    hidden = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    found = []
    for _ in range(draw(st.integers(1, 2))):
        n_groups, least = draw(st.integers(1, 4)), draw(st.sampled_from([-1, 0]))
        groups = draw(st.lists(st.integers(least, n_groups - 1), min_size=n, max_size=n))
        gone = draw(
            st.lists(st.tuples(st.integers(0, n_groups - 1), st.integers(0, 3)), max_size=2)
        )
        release = [(p, g, hidden[p]) for p, g in enumerate(groups) if g >= 0]
        release += [(100 + i, g, v) for i, (g, v) in enumerate(gone)]
        found.append(release)
    return hidden, found


def watch_of(
    hidden: list[int],
    past: list[Release],
    k: int,
    c: Fraction,
    labels: CodeArray | None = None,
) -> DifferenceWatch:
    old, departed = [], []
    for release in past:
        groups = np.full(len(hidden), -1, np.int32)
        for p, g, _ in release:
            if p < 100:
                groups[p] = g
        gone = np.array([(g, v) for p, g, v in release if p >= 100], np.int32).reshape(-1, 2)
        old.append(groups)
        departed.append((gone[:, 0], gone[:, 1]))
    values = np.array(hidden, np.int32)
    return DifferenceWatch(old, values, k, c, departed=departed, labels=labels)


def is_closed(
    hidden: list[int], labels: CodeArray, past: list[Release], k: int, c: Fraction
) -> bool:
    """Whether every group keeps k and c, and no set of groups taken away opens a channel."""
    new = [(p, int(g), hidden[p]) for p, g in enumerate(labels) if g >= 0]
    return is_safe_alone(new, k, c) and not any(
        rest.breaks(k, c)
        for old in past
        for first, second in permutations([old, new], 2)
        for rest in rests(first, second)
    )


@given(pasts(), st.integers(1, 3), BOUNDS, st.data())
def test_allows_what_opens_no_channel(
    given_past: tuple[list[int], list[Release]], k: int, c: Fraction, data: st.DataObject
) -> None:
    hidden, past = given_past
    past = [merged_until_safe(release, k, c) for release in past]
    labels = np.zeros(len(hidden), np.int32)
    watch = watch_of(hidden, past, k, c)
    if not is_closed(hidden, labels, past, k, c):
        assert not watch.allows(0, np.arange(len(hidden) // 2))
        return
    for step in range(1, 5):
        group = data.draw(st.sampled_from(np.unique(labels).tolist()))
        members = np.flatnonzero(labels == group)
        right = np.array(sorted(data.draw(st.sets(st.sampled_from(members.tolist())))), np.int64)
        if right.size in (0, members.size):
            continue
        after = labels.copy()
        after[right] = step
        expected = is_closed(hidden, after, past, k, c)
        assert watch.allows(group, right) == expected
        assert watch.allows(group, right[::-1].copy()) == expected
        assert (watch.is_safe(after) and is_safe_alone(_new(hidden, after), k, c)) == expected
        if expected and data.draw(st.booleans()):
            watch.split(group, right, step)
            labels = after
            if data.draw(st.booleans()):
                watch = watch_of(hidden, past, k, c, labels)


def _new(hidden: list[int], labels: CodeArray) -> Release:
    return [(p, int(g), hidden[p]) for p, g in enumerate(labels) if g >= 0]


@given(pasts(), st.integers(1, 3), SHARES, st.data())
def test_never_allows_what_the_attack_finds(
    given_past: tuple[list[int], list[Release]], k: int, c: Fraction, data: st.DataObject
) -> None:
    """Whatever earlier releases are like."""
    hidden, past = given_past
    watch, labels = watch_of(hidden, past, k, c), np.zeros(len(hidden), np.int32)
    for new in range(1, 5):
        members = np.flatnonzero(labels == labels.max())
        chosen = data.draw(st.sets(st.sampled_from(members.tolist()), max_size=members.size - 1))
        right = np.array(sorted(chosen), np.int64)
        if right.size and watch.allows(int(labels.max()), right):
            watch.split(int(labels.max()), right, new)
            labels[right] = new
            assert watch.is_safe(labels)
        if (labels == labels.max()).sum() < 2:
            break


@given(pasts(), st.integers(1, 3), SHARES, st.data())
def test_is_safe_says_what_the_attack_says(
    given_past: tuple[list[int], list[Release]], k: int, c: Fraction, data: st.DataObject
) -> None:
    hidden, past = given_past
    n = len(hidden)
    labels = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)), np.int32)
    used = np.unique(labels[labels >= 0]).tolist()
    new = [(p, used.index(g), hidden[p]) for p, g in enumerate(labels.tolist()) if g >= 0]
    open_ = any(
        Overlap.of(sheet_of(a), sheet_of(b), 200).opens_channel(k, c)
        for old in past
        for a, b in permutations([_without_gaps(old), new], 2)
    )
    assert watch_of(hidden, past, k, c).is_safe(labels) != open_


def _without_gaps(release: Release) -> Release:
    used = sorted({g for _, g, _ in release})
    return [(p, used.index(g), v) for p, g, v in release]


@given(pasts(), st.integers(1, 3), SHARES, st.data())
def test_a_finer_partition_is_never_safer(
    given_past: tuple[list[int], list[Release]], k: int, c: Fraction, data: st.DataObject
) -> None:
    """For groups that keep k and c alone: what a search relies on."""
    hidden, past = given_past
    past = [merged_until_safe(release, k, c) for release in past]
    n = len(hidden)
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.int32)
    merged = np.minimum(labels, 2)
    if is_closed(hidden, labels, past, k, c):
        assert is_closed(hidden, merged, past, k, c)


def cut_in_half(watch: DifferenceWatch, columns: CountArray, k: int) -> tuple[CodeArray, int, int]:
    """Split groups at the medians of columns in turn, where it is allowed."""
    labels, todo, n_asked, n_groups = np.zeros(len(columns), np.int32), [(0, 0)], 0, 1
    while todo:
        group, depth = todo.pop()
        members = np.flatnonzero(labels == group)
        for j in range(columns.shape[1]):
            column = columns[members, (depth + j) % columns.shape[1]]
            right = members[column > np.median(column)]
            if min(right.size, members.size - right.size) < k:
                continue
            n_asked += 1
            if watch.allows(group, right):
                watch.split(group, right, n_groups)
                labels[right] = n_groups
                todo += [(group, depth + j + 1), (n_groups, depth + j + 1)]
                n_groups += 1
                break
    return labels, n_groups, n_asked


def test_a_growing_table_is_split_into_many_groups() -> None:
    rng = np.random.default_rng(0)
    columns, values = rng.integers(0, 100, (3_000, 4)), rng.integers(0, 8, 3_000).astype(np.int32)
    old: list[CodeArray] = []
    made = []
    for n in (1_000, 2_000, 3_000):
        past = [np.append(labels, np.full(n - labels.size, -1, np.int32)) for labels in old]
        watch = DifferenceWatch(past, values[:n], 5, HALF)
        labels, n_groups, n_asked = cut_in_half(watch, columns[:n], 5)
        assert watch.is_safe(labels)
        old.append(labels)
        made.append((n_groups, n_asked))
    assert made == GOLDEN


GOLDEN = [(131, 142), (261, 271), (503, 575)]
"""Groups made, and splits asked for, in each release."""


def test_a_split_that_was_not_asked_for_is_taken_note_of() -> None:
    """Two of five are new: they cannot be apart from the others, nor can one of them."""
    old = [np.array([0, 0, 0, -1, -1], np.int32)]
    watch = DifferenceWatch(old, np.arange(5, dtype=np.int32), 2, HALF)
    watch.split(0, np.array([2, 3, 4]), 1)
    assert watch.allows(1, np.array([3, 4])) is False
    assert not watch.is_safe(np.array([0, 0, 1, 1, 1], np.int32))


def test_without_earlier_releases_only_the_groups_themselves_count() -> None:
    watch = DifferenceWatch([], np.array([0, 1, 0, 0], np.int32), 2, HALF)
    assert watch.allows(0, np.array([0, 1])) is False  # the other half has one value only
    watch = DifferenceWatch([], np.array([0, 1, 0, 1], np.int32), 2, HALF)
    assert watch.allows(0, np.array([0, 1])) is True
    watch.split(0, np.array([0, 1]), 7)
    assert watch.allows(7, np.array([0])) is False
    with pytest.raises(ParameterError, match="no group 3: there are 2"):
        watch.allows(3, np.array([0]))
