"""The watch for the intersection attack says of every partition what the attack says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import series_of_sheets
from tests.tables.attacks.series.tiny import tiny_series
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.incremental.inferable import Inferable
from unlinkable.tables.series.incremental.intersection_watch import IntersectionWatch
from unlinkable.typing import CodeArray

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
TEXTS = ("0", "1", "2")


def watch_of(sheets: tuple[Sheet, ...], limit: Fraction) -> IntersectionWatch:
    past = Inferable.empty()
    for one in sheets[:-1]:
        past = past.updated(one)
    table = sheets[-1]
    return IntersectionWatch(past.told_in(TEXTS), table.people, table.values, limit)


def is_safe(sheets: tuple[Sheet, ...], labels: CodeArray, limit: Fraction) -> bool:
    """Attack all releases, of which the last one is grouped so; some fell before."""
    table, kept = sheets[-1], labels >= 0
    groups = np.unique(labels[kept], return_inverse=True)[1]
    new = Sheet.of(table.people[kept], groups, table.values[kept], 3)
    outcome = Intersection(limit=limit).run(series_of_sheets([*sheets[:-1], new]))
    here = {str(p + 1) for p in new.people.tolist()}
    return not any(v.confidence > limit and v.who["person"] in here for v in outcome.victims)


@given(tiny_series(made_up=False), LIMITS, st.data())
def test_splits_are_allowed_if_the_attack_finds_nobody(
    sheets: tuple[Sheet, ...], limit: Fraction, data: st.DataObject
) -> None:
    watch = watch_of(sheets, limit)
    labels = np.zeros(len(sheets[-1]), np.int32)
    for new in range(1, 5):
        group = data.draw(st.sampled_from(sorted({*labels.tolist()})))
        members = np.flatnonzero(labels == group)
        right = np.array(data.draw(st.lists(st.sampled_from(members.tolist()), unique=True)), int)
        if right.size in (0, members.size):
            continue
        trial = labels.copy()
        trial[right] = new
        expected = is_safe(sheets, trial, limit)
        assert watch.is_safe(trial) == expected
        assert watch.allows(group, right) == expected
        if data.draw(st.booleans()):
            watch.split(group, right, new)
            labels = trial


@given(tiny_series(made_up=False), LIMITS, st.data())
def test_records_that_are_left_out_tell_nothing(
    sheets: tuple[Sheet, ...], limit: Fraction, data: st.DataObject
) -> None:
    n = len(sheets[-1])
    labels = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int32)
    if (labels >= 0).any():
        assert watch_of(sheets, limit).is_safe(labels) == is_safe(sheets, labels, limit)


def test_a_split_may_win_back_what_a_group_lost() -> None:
    """Coarser is not safer: the second a of the four belongs to somebody who came later."""
    first = Sheet.of([0, 1, 2, 3], [0] * 4, [0, 0, 1, 2], 4)
    table = Sheet.of([0, 1, 2, 3, 4, 5], [0] * 6, [0, 0, 1, 2, 0, 3])
    past = Inferable.start(first)
    watch = IntersectionWatch(past, table.people, table.values, Fraction(1, 2))
    assert watch.is_safe(np.zeros(6, np.int32))
    assert not watch.allows(0, np.array([1, 3]))
    watch.split(0, np.array([1, 3]), 7)
    assert watch.allows(0, np.array([4, 5]))
    assert not watch.allows(7, np.array([1]))
    watch.split(0, np.array([4, 5]), 3)
    assert not watch.allows(7, np.array([1]))
