"""Rare cells are put together and told apart again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.noisy.shared.rare import Rare


@given(st.lists(st.integers(-20, 60), min_size=1, max_size=12), st.floats(0.1, 10))
def test_groups_are_the_frequent_cells_and_one_for_all_others(
    noisy: list[int], deviation: float
) -> None:
    rare = Rare.of(np.array(noisy), deviation)
    alone = [i for i, n in enumerate(noisy) if n >= 3 * deviation]
    together = [i for i in range(len(noisy)) if i not in alone]
    if len(together) < 2:
        assert rare.group_of.tolist() == list(range(len(noisy)))
    else:
        assert rare.group_of[alone].tolist() == list(range(len(alone)))
        assert set(rare.group_of[together].tolist()) == {len(alone)}
    assert rare.merge(np.array(noisy)).sum() == sum(noisy)


@given(st.lists(st.integers(-20, 60), min_size=1, max_size=12), st.floats(0.1, 10))
def test_records_stay_in_their_group(noisy: list[int], deviation: float) -> None:
    rare = Rare.of(np.array(noisy), deviation)
    groups = np.repeat(np.arange(rare.n), 20).astype(np.int32)
    cells = rare.tell_apart(groups, np.random.default_rng(0))
    assert rare.group_of[cells].tolist() == groups.tolist()


def test_rare_cells_come_back_in_their_proportions() -> None:
    rare = Rare.of(np.array([900, 30, 10, -50]), deviation=20)
    cells = rare.tell_apart(np.full(8000, 1, np.int32), np.random.default_rng(0))
    counts = np.bincount(cells, minlength=4)
    assert (counts[0], counts[3]) == (0, 0)
    assert abs(counts[1] - 6000) < 200
    none = Rare.of(np.array([-5, -5, 0]), deviation=20)
    spread = np.bincount(none.tell_apart(np.zeros(3000, np.int32), np.random.default_rng(0)))
    assert (spread > 900).all()
