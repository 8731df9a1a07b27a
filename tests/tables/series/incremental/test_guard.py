"""The guard: all watches in step with a search that sees distinct records only."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables.series.worst_adversary import SlowWatch
from unlinkable.errors import InfeasibleError
from unlinkable.tables.series.incremental.guard import Guard
from unlinkable.typing import CodeArray

FINEST = np.array([2, 0, 1, 0, 2], np.int32)
"""The finest group of five records."""

LAST = np.array([0, 0, 1, 1, -1], np.int32)


def smallest(n: int) -> SlowWatch:
    """Watch that no group has fewer records."""

    def finds(labels: CodeArray) -> bool:
        counts = np.bincount(labels[labels >= 0])
        return bool((counts[counts > 0] < n).any())

    return SlowWatch(FINEST.size, finds)


def test_lists_the_records_of_finest_groups() -> None:
    guard = Guard({}, FINEST, LAST)
    assert guard.records(np.array([0, 2], np.int32)).tolist() == [1, 3, 0, 4]
    assert guard.records(np.zeros(0, np.int32)).tolist() == []


def test_parts_a_region_if_all_watches_agree_and_keeps_them_in_step() -> None:
    one, two = smallest(1), smallest(2)
    guard = Guard({"difference": one, "intersection": two}, FINEST, LAST)
    order = np.array([0, 1, 2], np.int32)
    assert guard.part(0, 2, 3, order) is None
    assert one.labels.tolist() == two.labels.tolist() == [1, 0, 0, 0, 1]
    assert guard.part(0, 1, 2, order) == "intersection"
    assert one.labels.tolist() == [1, 0, 0, 0, 1]


def test_moves_the_smaller_half_and_knows_both_by_their_first_rows() -> None:
    watch = smallest(1)
    guard = Guard({"difference": watch}, FINEST, LAST)
    order = np.array([1, 0, 2], np.int32)
    assert guard.part(0, 1, 3, order) is None  # the lower half is moved: group 1
    assert watch.labels.tolist() == [0, 0, 1, 0, 0]
    assert guard.part(1, 2, 3, order) is None  # the upper half was group 0
    assert watch.labels.tolist() == [2, 0, 1, 0, 2]


def test_asks_for_whole_partitions_of_finest_groups() -> None:
    guard = Guard({"difference": smallest(1), "intersection of ill": smallest(2)}, FINEST, LAST)
    assert guard.is_safe(np.array([0, 0, 1], np.int32))
    assert not guard.is_safe(np.array([0, 1, 2], np.int32))
    assert guard.is_safe(np.array([0, 1, 2], np.int32), guard.monotone)
    assert guard.is_safe(np.array([0, -1, 2], np.int32))
    assert guard.monotone == ("difference",)


def test_refuses_records_of_which_nothing_can_be_published() -> None:
    guard = Guard({"difference": smallest(6)}, FINEST, LAST)
    with pytest.raises(InfeasibleError, match="even if all of them show the same, difference"):
        guard.require_whole()
