"""The watch for record tracing says of every partition what the attack says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import series_of_sheets
from tests.tables.attacks.series.tiny import grown, tiny_series
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.incremental.tracing_watch import TracingWatch
from unlinkable.typing import CodeArray

LIMITS = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])


def is_safe(sheets: tuple[Sheet, ...], labels: CodeArray, k: int, limit: Fraction) -> bool:
    """Attack all releases, of which the last one is grouped so."""
    table, kept = sheets[-1], labels >= 0
    groups = np.unique(labels[kept], return_inverse=True)[1]
    new = Sheet.of(table.people[kept], groups, table.values[kept], table.n_values)
    outcome = RecordTracing(k=k, limit=limit).run(series_of_sheets([*sheets[:-1], new]))
    return not any(outcome.details[f"exposed_in_{i + 1}"] for i in range(len(sheets)))


@given(tiny_series(n_people=12), st.integers(1, 3), LIMITS, st.data())
def test_splits_are_allowed_if_the_attack_finds_nobody(
    drawn: tuple[Sheet, ...], k: int, limit: Fraction, data: st.DataObject
) -> None:
    sheets = grown(drawn)
    watch = TracingWatch(sheets, k, limit)
    labels = np.zeros(len(sheets[-1]), np.int32)
    for step in range(1, 7):
        group = data.draw(st.sampled_from(sorted({*labels.tolist()} or {0})))
        members = np.flatnonzero(labels == group)
        if members.size < 2:
            continue
        drawn_right = data.draw(st.lists(st.sampled_from(members.tolist()), unique=True))
        right = np.array(drawn_right, np.int64)
        if right.size in (0, members.size):
            continue
        trial = labels.copy()
        trial[right] = 10 * step
        expected = is_safe(sheets, trial, k, limit)
        assert watch.is_safe(trial) == expected
        assert watch.allows(group, right) == expected
        if data.draw(st.booleans()):
            watch.allows(group, members[:1])
        if data.draw(st.booleans()):
            watch.split(group, right, 10 * step)
            labels = trial


def test_many_splits_of_a_larger_series() -> None:
    """Room and log grow, and trees are mended many times."""
    rng = np.random.default_rng(1)
    n = 400
    values, at = rng.integers(0, 4, n), rng.random(n)
    sheets = [
        Sheet.of(range(m), (at[:m] * size).astype(int).tolist(), values[:m].tolist(), 4)
        for m, size in ((300, 9), (350, 14))
    ]
    watch = TracingWatch([*sheets, Sheet.of(range(n), [0] * n, values.tolist())], 3, Fraction(1))
    labels, n_allowed, n_refused, group = np.zeros(n, np.int32), 0, 0, 0
    while group <= n_allowed:
        members = np.flatnonzero(labels == group)
        right = members[at[members] >= np.median(at[members])]
        trial = labels.copy()
        trial[right] = n_allowed + 1
        allowed = watch.allows(group, right)
        assert allowed == watch.is_safe(trial)
        if allowed and right.size < members.size:
            watch.split(group, right, n_allowed + 1)
            labels, n_allowed = trial, n_allowed + 1
        else:
            n_refused += 1
            group += 1
    assert (n_allowed, n_refused) == (102, 103)
    assert watch.is_safe(labels)


def test_a_split_that_was_not_allowed_is_made_when_told_to() -> None:
    first = Sheet.of([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 0, 1])
    watch = TracingWatch([first, first], 2, Fraction(1))
    assert not watch.allows(0, np.array([3]))
    watch.split(0, np.array([3]), 1)
    assert not watch.allows(0, np.array([1]))
    assert watch.is_safe(np.zeros(4, np.int32))


def test_refuses_values_that_changed() -> None:
    first = Sheet.of([0, 1], [0, 0], [0, 1])
    with pytest.raises(UnsupportedError, match="1 value changed from one release to another"):
        TracingWatch([first, Sheet.of([0, 1], [0, 0], [0, 0], 2)], 2, Fraction(1))
    with pytest.raises(UnsupportedError, match="4 values changed"):
        TracingWatch([first, Sheet.of([0, 1], [0, 0], [1, 0]), first], 2, Fraction(1))


def test_refuses_too_many_values() -> None:
    with pytest.raises(UnsupportedError, match="has 10,000,000 values, too many to follow"):
        TracingWatch([Sheet.of([0], [0], [0]), Sheet.of([0], [0], [0], 10_000_000)], 1, Fraction(1))
