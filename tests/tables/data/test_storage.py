"""What the private half keeps of records and groups comes back whole, or is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.data.storage import boxes_frame, read_boxes, read_rows, rows_frame


@given(st.lists(st.integers(-1, 3)), st.booleans(), st.booleans())
def test_records_come_back(labels: list[int], has_owners: bool, is_mixed: bool) -> None:
    owners = pl.Series("who", [f"p{i % 2}" for i in range(len(labels))], dtype=pl.String)
    kept = [i for i, label in enumerate(labels) if label >= 0][:: -1 if is_mixed else 1]
    row = np.array([kept.index(i) if i in kept else -1 for i in range(len(labels))], np.int64)
    frame = rows_frame(row, np.array(labels, np.int32), owners if has_owners else None)
    rows, groups, back = read_rows(frame)
    assert rows.tolist() == row.tolist()
    assert groups.tolist() == labels
    assert (back is None) != has_owners
    if back is not None:
        assert back.to_list() == owners.to_list()


def test_groups_come_back() -> None:
    lo, hi = np.array([[0, 1], [2, 3]], np.int32), np.array([[1, 2], [5, 4]], np.int32)
    sizes, weights = np.array([3, 4]), np.array([3.5, 4.0])
    before: list[NDArray[Any]] = [lo, hi, sizes, weights]
    after: list[NDArray[Any]] = list(read_boxes(boxes_frame(lo, hi, sizes, weights), 2))
    assert [a.tolist() for a in after] == [b.tolist() for b in before]
    assert [a.dtype for a in after] == [b.dtype for b in before]


def test_other_frames_are_refused() -> None:
    with pytest.raises(DataError, match="this is no list of records"):
        read_rows(pl.DataFrame({"record": [0]}))
    with pytest.raises(DataError, match="the records are not in their order"):
        read_rows(pl.DataFrame({"record": [1, 0], "row": [0, 1], "group": [0, 0]}))
    with pytest.raises(DataError, match="this is no list of groups"):
        read_boxes(pl.DataFrame({"size": [1]}), 1)
