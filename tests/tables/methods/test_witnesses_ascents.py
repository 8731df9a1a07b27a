"""Bottom-up searches, step by step: each is critical if one can be, and the cheapest of these."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.witnessed import Asked, asked
from tests.witness.ascents import Ascent
from tests.witness.cuts import show
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.cuts.bottom_up_generalization import BottomUpGeneralization
from unlinkable.tables.models import KAnonymity


@given(asked(max_trees=3), st.integers(1, 5))
def test_every_generalization_is_the_best_critical_one(table: Asked, k: int) -> None:
    labels = [str(row["c0"]) for row in table.rows]
    ascent = Ascent(table.rows, table.trees, k, labels)
    if len(table.rows) < k:
        with pytest.raises(InfeasibleError):
            table.search(BottomUpGeneralization(), [KAnonymity(k)])
        return
    found = table.search(BottomUpGeneralization(), [KAnonymity(k)])
    state = ascent.start
    for step in found.trace:
        assert ascent.anonymity(state) < k, "it ends at once when all groups are large enough"
        candidates = ascent.candidates(state)
        node = table.block(step.column, step.lo, step.hi)
        (taken,) = (c for c in candidates if (c.column, c.node) == (step.column, node))
        critical = [c for c in candidates if ascent.is_critical(state, c)]
        if critical:
            assert taken in critical
            least = min(ascent.worth(state, c) for c in critical)
            assert ascent.worth(state, taken) <= least + 1e-9
            assert step.score == pytest.approx(ascent.worth(state, taken), abs=1e-9)
        else:
            least = min(ascent.loss(c) for c in candidates)
            assert ascent.loss(taken) <= least + 1e-9
            assert math.isinf(ascent.worth(state, taken))
        state = ascent.apply(state, taken)
    assert ascent.anonymity(state) >= k
    expected = show(table.rows, state)
    for record, row in zip(table.release(found), expected, strict=True):
        assert record is not None
        assert all(record[a] == row[a] for a in table.qid)


@given(asked(max_trees=3, missing=True), st.integers(1, 5))
def test_the_last_generalization_was_needed(table: Asked, k: int) -> None:
    if len(table.rows) < k:
        return
    found = table.search(BottomUpGeneralization(), [KAnonymity(k)])
    assert all(len(region) >= k for region in table.regions(found))
    ascent = Ascent(table.rows, table.trees, k)
    state = ascent.start
    for step in found.trace:
        assert ascent.anonymity(state) < k
        node = table.block(step.column, step.lo, step.hi)
        (taken,) = (
            c for c in ascent.candidates(state) if (c.column, c.node) == (step.column, node)
        )
        state = ascent.apply(state, taken)
    assert ascent.anonymity(state) >= k
