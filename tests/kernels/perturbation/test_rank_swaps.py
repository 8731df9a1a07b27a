"""Rank swaps: sorting by codes, and pairs that are close enough, each as likely."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.operations.chance import fits_counts
from unlinkable.kernels.perturbation.rank_swaps import sorted_places, swap_ranks


@given(st.integers(0, 40), st.integers(1, 12), st.integers(0, 999))
def test_pairs_are_mutual_close_and_leave_nobody_who_could_have_been_paired(
    n: int, reach: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(n).astype(np.int32)
    partner = np.arange(n)
    n_pairs = swap_ranks(order, reach, rng.random(n), partner)
    rank = np.empty(n, int)
    rank[order] = np.arange(n)
    assert (partner[partner] == np.arange(n)).all()
    assert (np.abs(rank[partner] - rank) <= reach).all()
    alone = np.sort(rank[partner == np.arange(n)])
    assert 2 * n_pairs + alone.size == n
    assert (np.diff(alone) > reach).all()


def test_each_free_rank_within_reach_is_as_likely() -> None:
    """False alarm: one in a million for each; the second choice depends on the first."""
    rng = np.random.default_rng(1)
    first, second = [], []
    for _ in range(6_000):
        partner = np.arange(6)
        swap_ranks(np.arange(6, dtype=np.int32), 3, rng.random(6), partner)
        first.append(int(partner[0]))
        if partner[0] == 2:
            second.append(int(partner[1]))
    counts = np.bincount(first, minlength=6).tolist()
    assert fits_counts(counts, [0, 1 / 3, 1 / 3, 1 / 3, 0, 0])
    assert not fits_counts(counts, [0, 0.43, 0.285, 0.285, 0, 0])
    # With 0 and 2 gone, 1 reaches 3 and 4.
    assert fits_counts(np.bincount(second, minlength=6).tolist(), [0, 0, 0, 0.5, 0.5, 0])


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 99))
def test_records_are_sorted_and_ties_stand_as_they_were_mixed(codes: list[int], seed: int) -> None:
    mixed = np.random.default_rng(seed).permutation(len(codes)).astype(np.int32)
    order = sorted_places(np.array(codes, np.int32), mixed, 6).tolist()
    assert order == sorted(mixed.tolist(), key=lambda i: codes[i])
