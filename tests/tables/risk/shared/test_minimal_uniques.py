"""The search for minimal unique sets: what it does not look at again, pinned on fixed data."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.kernels.lkc import group_refinement
from unlinkable.tables.data import as_table
from unlinkable.tables.risk.shared import minimal_uniques
from unlinkable.tables.risk.shared.seen import see
from unlinkable.tables.risk.shared.specials import owners_of


def test_records_that_are_singled_out_are_not_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    columns = {name: rng.integers(0, 12, 400) for name in "abcde"}
    groups = see(as_table(columns, quasi=list(columns))).groups
    looked_at: list[int] = []

    def counted(elements: np.ndarray, *rest: object) -> object:
        looked_at.append(elements.size)
        return group_refinement.single_out(elements, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(minimal_uniques, "single_out", counted)
    found, by_column = minimal_uniques.find_minimal_uniques(groups, owners_of(groups), 5)
    assert len(looked_at) == 31
    assert max(looked_at) == len(groups) == 399
    # 31 sets of 399 distinct records would be 12,369.
    assert sum(looked_at) == 10_179
    assert int(by_column.sum()) == int((found * np.arange(1, 6)).sum())
