"""Pools: kinds of people and groups that hang together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.minimal.shared.pools import Fits, Pool

N_KINDS, N_GROUPS = 7, 7


@given(st.sets(st.tuples(st.integers(0, N_KINDS - 1), st.integers(0, N_GROUPS - 1)), max_size=14))
def test_pools_are_what_can_be_reached(edges: set[tuple[int, int]]) -> None:
    listed = np.array(sorted(edges), np.int64).reshape(-1, 2)
    fits = Fits(listed[:, 0], listed[:, 1], np.ones(len(listed), np.int64))
    of_kind, of_group = fits.pools(N_KINDS, N_GROUPS)
    for group in range(N_GROUPS):
        reached, before = {group}, set[int]()
        while reached != before:
            before = set(reached)
            kinds = {k for k, g in edges if g in reached}
            reached |= {g for k, g in edges if k in kinds}
        kinds = {k for k, g in edges if g in reached}
        assert set(np.flatnonzero(of_group == of_group[group]).tolist()) == reached
        assert set(np.flatnonzero(of_kind == of_group[group]).tolist()) == kinds
    assert all(of_kind[k] == -1 for k in range(N_KINDS) if k not in {kind for kind, _ in edges})
    assert sorted(set(of_group.tolist())) == list(range(len(set(of_group.tolist()))))


def test_people_left_out_choose_by_how_frequent_values_are() -> None:
    pool = Pool((np.array([4, 5]),), np.array([0, 2]), (3, 1), is_left_out=True)
    assert list(pool.dealt()) == [(((0, 2),), 1), (((1, 1),), 6), (((2, 0),), 9)]
    assert pool.n_classes(10) == 3


def test_others_share_out_what_is_there() -> None:
    pool = Pool((np.array([0, 1]), np.array([2])), np.array([0, 2]), (2, 1))
    assert list(pool.dealt()) == [(((1, 1), (1, 0)), 2), (((2, 0), (0, 1)), 1)]
    assert pool.n_classes(10) == 2
