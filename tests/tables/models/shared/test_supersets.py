"""Natural supersets: which of them come, and when the search for them ends."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of
from tests.witness.closeness import natural_supersets
from tests.witness.models import groups as groups_of_rows
from unlinkable.tables.models.shared import supersets as module
from unlinkable.tables.models.shared.supersets import supersets


@pytest.mark.parametrize("cells", [1, 1 << 22])
@given(random=tables(max_records=12, min_records=1, max_qid=3), n=st.integers(1, 12))
def test_every_superset_of_n_records_comes(cells: int, random: RandomTable, n: int) -> None:
    groups = finest_of(random)
    tree = random.trees["s0"]
    members = list(groups_of_rows(random.rows, random.qid).values())
    expected = [
        {
            tuple(sum(row["s0"] == v for row in superset) for v in tree.leaves)
            for superset in natural_supersets(rows, random.rows, random.qid)
            if len(superset) >= n
        }
        for rows in members
    ]
    found: list[set[tuple[int, ...]]] = [set() for _ in members]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS", cells)
        for mask, others in supersets(groups, "s0", n, np.ones(len(groups), bool)):
            assert others.which.size == mask.sum()
            for g, row in zip(np.flatnonzero(mask), others.counts[others.which], strict=True):
                assert row.sum() >= n
                found[g].add(tuple(row.tolist()))
    assert found == expected


@given(tables(max_records=12, min_records=1, max_qid=3), st.data())
def test_groups_that_are_closed_come_no_more(random: RandomTable, data: st.DataObject) -> None:
    groups = finest_of(random)
    is_open = np.ones(len(groups), bool)
    for mask, _ in supersets(groups, "s0", 1, is_open):
        assert not (mask & ~is_open).any()
        is_open[data.draw(st.integers(0, len(groups) - 1))] = False


def test_nothing_is_looked_at_where_nothing_is_large_enough() -> None:
    rows: list[dict[str, Hashable]] = [
        {"q0": str(a), "q1": str(b), "q2": str(c), "s0": "x"}
        for a, b, c in combinations(range(6), 3)
    ]
    random = RandomTable(rows, ("q0", "q1", "q2"), ("s0",), {}, None)
    groups = finest_of(random)
    everybody = np.ones(len(groups), bool)
    sizes = [int(others.sizes.min()) for _, others in supersets(groups, "s0", 20, everybody)]
    assert sizes == [20]
    assert list(supersets(groups, "s0", 21, everybody)) == []
    assert list(supersets(groups, "s0", 1, ~everybody)) == []
