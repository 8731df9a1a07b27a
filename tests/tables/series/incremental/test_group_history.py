"""GroupHistory: records are followed from the table as they are from all releases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import series_of_sheets
from tests.tables.attacks.series.tiny import tiny_series
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.traces import trace
from unlinkable.tables.series.incremental.channels import ColumnChannels
from unlinkable.tables.series.incremental.group_history import GroupHistory
from unlinkable.tables.series.incremental.history_table import HistoryTable
from unlinkable.tables.series.incremental.inferences import Inferences
from unlinkable.typing import CodeArray

LIMITS = st.sampled_from([Fraction(3, 4), Fraction(1)])
TEXTS = ("flu", None, "hiv", "cold")


def table_of(sheets: Sequence[Sheet]) -> GroupHistory:
    """Take in releases one by one, and store the table after each of them.

    Values have other numbers in every release.
    """
    table = GroupHistory.empty()
    for i, sheet in enumerate(sheets):
        turned = TEXTS[i % 4 :] + TEXTS[: i % 4]
        values = (sheet.values - i) % 4
        other = Sheet.of(sheet.people, sheet.groups, values, 4)
        again = GroupHistory.from_frames(table.updated(other, turned).to_frames())
        assert again is not None
        table = again
    return table.with_texts(TEXTS)


def checked(groups: GroupHistory, last: Sheet, k: int, limit: Fraction) -> bool:
    """Tell from the table whether record tracing exposes somebody."""
    table = HistoryTable(Inferences.empty(), groups)
    return ColumnChannels(k, limit, table, last).exposes(RecordTracing.name, last.groups)


def exposes(sheets: Sequence[Sheet], k: int, limit: Fraction) -> bool:
    outcome = RecordTracing(k=k, limit=limit).run(series_of_sheets([*sheets]))
    return outcome.n_fallen > 0


def growing_series(seed: int) -> list[Sheet]:
    """Make four releases in two groups each; every other series is safe, more or less."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 16))
    values = rng.integers(0, 3, n)
    sheets = []
    for size in range(n - 3, n + 1):
        groups = np.unique(rng.integers(0, 2, size), return_inverse=True)[1]
        sheets.append(Sheet.of(range(size), groups, values[:size], 4))
    return sheets


@given(st.integers(0, 2**32).map(growing_series), st.integers(2, 3), LIMITS)
def test_the_table_says_of_a_release_what_the_attack_on_all_of_them_says(
    sheets: list[Sheet], k: int, limit: Fraction
) -> None:
    *earlier, last = sheets
    table, made = table_of(earlier), np.zeros(len(last), np.int32)
    for group in range(last.n_groups):
        made[last.groups == group] = group
        now = grouped(last, made)
        assert checked(table, now, k, limit) is exposes([*earlier, now], k, limit)


def grouped(sheet: Sheet, labels: CodeArray) -> Sheet:
    return Sheet.of(sheet.people, labels, sheet.values, sheet.n_values)


@given(tiny_series(n_people=10, n_releases=4, made_up=False))
def test_the_table_has_what_following_all_releases_tells(sheets: tuple[Sheet, ...]) -> None:
    same = [Sheet.of(s.people, s.groups, s.values, 4) for s in sheets]
    table, traced = table_of(same), trace(same)
    assert (table.n_releases, table.n_people) == (len(sheets), traced.kinds.n_people)
    assert table.traces.kinds.where.tolist() == traced.kinds.where.tolist()
    assert table.traces.kinds.first.tolist() == traced.kinds.first.tolist()
    assert table.traces.common.values.tolist() == traced.common.values.tolist()
    assert table.traces.is_possible.tolist() == traced.is_possible.tolist()
    for person in range(table.n_people):
        kind = traced.kinds.kind[person]
        mine = traced.is_possible & (traced.common.row == kind)
        assert table.can_have(person) == [TEXTS[v] for v in traced.common.values[mine]]
    for sheet, groups in zip(same, table.groups_of(np.arange(12)), strict=True):
        assert dict(zip(sheet.people.tolist(), sheet.groups.tolist(), strict=True)) == {
            person: group for person, group in enumerate(groups.tolist()) if group >= 0
        }
    used = [tuple(table.values[a:b]) for a, b in zip(table.starts, table.starts[1:], strict=False)]
    assert len({*used}) == len(used)


def test_what_all_groups_have_in_common_is_not_enough_to_follow_records() -> None:
    """Two histories with the same TS, IS and IQ, after which one release is safe, and is not.

    People lie in a grid, and groups are boxes of it: columns, rows, and then columns again or
    other boxes. Everybody's regions have his cell in common either way.
    """
    x, y = np.array([1, 2, 1, 1, 2, 1, 2]), np.array([2, 0, 1, 1, 0, 2, 1])
    values = [2, 0, 0, 2, 2, 1, 0]
    columns, rows, boxes, new = (
        Sheet.of(range(7), groups, values, 4)
        for groups in (x - 1, y, np.where(y == 2, 2, x - 1), [0, 1, 1, 1, 0, 0, 0])
    )
    verdicts, inferable = [], []
    for earlier in ([columns, rows, columns], [columns, rows, boxes]):
        table = Inferences.empty()
        for sheet in earlier:
            table = table.updated(sheet)
        inferable.append([(table.first[p], table.may_have(p)) for p in range(7)])
        assert not exposes(earlier, 2, Fraction(1))
        found = checked(table_of(earlier), new, 2, Fraction(1))
        assert found is exposes([*earlier, new], 2, Fraction(1))
        verdicts.append(found)
    assert inferable[0] == inferable[1]
    assert verdicts == [False, True]


def test_refuses_records_that_cannot_be_followed() -> None:
    table = GroupHistory.empty().updated(Sheet.of([0, 1], [0, 0], [0, 1]))
    with pytest.raises(UnsupportedError, match="1 value changed from one release to another"):
        table.updated(Sheet.of([0, 1], [0, 0], [0, 0], 2))
    with pytest.raises(UnsupportedError, match="made up are nobody's"):
        table.updated(Sheet.of([0, -1], [0, 0], [0, 0], 2))


def test_nothing_is_known_before_anything_is_published() -> None:
    nothing = GroupHistory.from_frames(GroupHistory.empty().to_frames())
    assert nothing is not None
    assert (nothing.n_people, nothing.n_releases, nothing.sheets) == (0, 0, ())
    assert nothing.can_have(0) == []
    assert nothing.values_of(np.array([0, -1])).tolist() == [-1, -1]
    assert GroupHistory.from_frames({}) is None
