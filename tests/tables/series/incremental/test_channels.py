"""Channels: what is said of a next release is what the attacks say of all of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import series_of_sheets
from tests.tables.attacks.series.tiny import tiny_series
from tests.tables.series.growing import Growing
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.incremental.channels import Channels, ColumnChannels
from unlinkable.tables.series.incremental.group_history import GroupHistory
from unlinkable.tables.series.incremental.history_table import HistoryTable
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.incremental.inferences import Inferences
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Past
from unlinkable.typing import CodeArray

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
TEXTS = ("0", "1", "2", "3")


def exposes(sheets: list[Sheet], labels: CodeArray, limit: Fraction) -> bool:
    """Check by what is known of people from all releases but the last one."""
    past = Inferences.empty()
    for one in sheets[:-1]:
        past = past.updated(one)
    table = HistoryTable(past.with_texts(TEXTS), GroupHistory.empty())
    return ColumnChannels(1, limit, table, sheets[-1]).exposes(Intersection.name, labels)


def falls(sheets: list[Sheet], labels: CodeArray, limit: Fraction) -> bool:
    """Attack all releases, of which the last one is grouped so; some fell before."""
    table, kept = sheets[-1], labels >= 0
    groups = np.unique(labels[kept], return_inverse=True)[1]
    new = Sheet.of(table.people[kept], groups, table.values[kept], 4)
    outcome = Intersection(limit=limit).run(series_of_sheets([*sheets[:-1], new]))
    here = {str(p + 1) for p in new.people.tolist()}
    return any(v.confidence > limit and v.who["person"] in here for v in outcome.victims)


@given(tiny_series(made_up=False), LIMITS, st.data())
def test_intersections_expose_whom_the_attack_exposes(
    sheets: tuple[Sheet, ...], limit: Fraction, data: st.DataObject
) -> None:
    same = [Sheet.of(s.people, s.groups, s.values, 4) for s in sheets]
    n = len(same[-1])
    labels = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int32)
    if (labels >= 0).any():
        assert exposes(same, labels, limit) == falls(same, labels, limit)


def test_a_finer_partition_may_be_safe_where_a_coarser_one_is_not() -> None:
    """The second a of the four belongs to somebody who came later."""
    sheets = [
        Sheet.of([0, 1, 2, 3], [0] * 4, [0, 0, 1, 2], 4),
        Sheet.of([0, 1, 2, 3, 4, 5], [0] * 6, [0, 0, 1, 2, 0, 3]),
    ]
    coarse, fine = np.array([0, 1, 0, 1, 0, 0]), np.array([0, 1, 0, 1, 2, 2])
    half = Fraction(1, 2)
    assert not exposes(sheets, np.zeros(6, np.int32), half)
    assert exposes(sheets, coarse.astype(np.int32), half)
    assert not exposes(sheets, fine.astype(np.int32), half)


def test_refuses_records_of_which_nothing_can_be_published() -> None:
    """One newcomer is given away by the difference, whatever is published."""
    ages = [20, 21, 22, 23, 29]
    grown = Growing([*ages], ["cook"] * 5, {"s0": [*"ababa"]}, [4, 5], 2, Fraction(1, 2))
    first = next_release(Incremental(), grown.request(4), Past(), Terms(seed=0))
    past = Past((first.edition,), first.memory, 4)
    channels = Channels(grown.request(5), past, {"s0": (grown.k, grown.c)})
    with pytest.raises(InfeasibleError, match=r"even if all of them show the same, .* finds some"):
        channels.require_whole()
