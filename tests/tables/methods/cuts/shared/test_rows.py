"""Rows put together by cuts are what the cuts say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts import plain_cuts
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared import rows as module
from unlinkable.tables.methods.cuts.shared.genome import Cut
from unlinkable.tables.methods.cuts.shared.rows import Rows


def as_cut(ranges: tuple[plain_cuts.Range, ...]) -> Cut:
    starts = [lo for lo, _ in ranges]
    widths = [hi - lo for lo, hi in ranges]
    blocks = np.repeat(np.arange(len(ranges), dtype=np.int32), widths)
    return Cut(np.array([*starts, ranges[-1][1]], np.int32), blocks)


@given(tables(min_records=1, max_records=16, max_qid=3), st.booleans(), st.data())
def test_groups_and_boxes_are_those_of_the_cuts(
    random: RandomTable, is_wide: bool, data: st.DataObject
) -> None:
    finest, attributes = finest_of(random), table_of(random).attributes
    plain = [data.draw(st.sampled_from(plain_cuts.all_cuts(a.taxonomy))) for a in attributes]
    cuts = [as_cut(cut) for cut in plain]
    rows = Rows(finest, [a.taxonomy.n for a in attributes])
    grouped = rows._group_wide(cuts) if is_wide else rows.group(cuts)
    expected = plain_cuts.published(finest, plain)
    assert grouped.labels.tolist() == expected.labels.tolist()
    assert grouped.sizes.tolist() == expected.sizes.tolist()
    assert rows.weights(grouped).tolist() == expected.sizes.tolist()
    keep = grouped.sizes > 1
    partition, suppressed = rows.partition(grouped, cuts, keep), expected.suppress(~keep)
    assert partition.labels.tolist() == suppressed.labels.tolist()
    assert partition.lo.tolist() == suppressed.lo.tolist()
    assert partition.hi.tolist() == suppressed.hi.tolist()

    needed = frozenset({("s0",)})
    groups, merged = rows.groups(grouped, cuts, needed), expected.groups()
    owner = {(finest.owner,)} if finest.owner else set()
    assert set(groups.histograms) == needed | owner
    assert groups.histograms["s0",].counts.tolist() == merged.histograms["s0",].counts.tolist()
    # Keys may number what is shown differently, but tell the same apart.
    for mine, theirs in zip(groups.keys.T, merged.keys.T, strict=True):
        pairs = set(zip(mine.tolist(), theirs.tolist(), strict=True))
        assert len(pairs) == len(set(mine.tolist())) == len(set(theirs.tolist()))


def test_what_does_not_fit_into_a_number_is_grouped_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_WIDEST", 5)
    random_rows = np.array([[0, 0], [1, 2], [1, 1]], np.int32)
    finest = Groups(np.array([1, 2, 4]), np.array([1.0, 2.0, 4.0]), {}, {}, ("a", "b"), random_rows)
    cuts = [as_cut(((0, 1), (1, 2))), as_cut(((0, 1), (1, 2), (2, 3)))]
    grouped = Rows(finest, [2, 3]).group(cuts)
    assert grouped.sizes.tolist() == [1, 2, 4]
    assert grouped.first.tolist() == [0, 1, 2]
