"""What a private model learns: scores are as sensitive as is said, and trees join everything."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import ParameterError
from unlinkable.noise import Budget, SpendableBudget
from unlinkable.tables.methods.noisy.shared.cells import Cells
from unlinkable.tables.methods.noisy.shared.learning import learn, n_shares, scores_of


@pytest.mark.parametrize("seed", range(5))
def test_one_person_changes_no_score_by_more_than_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups = [rng.integers(0, size, 40).astype(np.int32) for size in (2, 3, 4)]
    singles = [rng.integers(0, 30, size) for size in (2, 3, 4)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    without = scores_of([g[1:] for g in groups], singles, pairs, 2.0)
    scores = scores_of(groups, singles, pairs, 2.0)
    assert all(abs(scores[p] - without[p]) == 1 for p in pairs)


def cells(seed: int, sizes: tuple[int, ...], n: int = 300) -> list[Cells]:
    rng = np.random.default_rng(seed)
    return [
        Cells(f"c{i}", np.array([str(v) for v in range(size)], object),
              rng.integers(0, size, n).astype(np.int32))
        for i, size in enumerate(sizes)
    ]  # fmt: skip


@pytest.mark.parametrize("sizes", [(3,), (3, 2), (3, 2, 4), (2, 2, 2, 2, 5)], ids=len)
@pytest.mark.parametrize("budget", [Budget(1.0), Budget(0.2, 1e-4)], ids=["pure", "with-delta"])
def test_pairs_join_all_attributes_to_a_tree(sizes: tuple[int, ...], budget: Budget) -> None:
    d = len(sizes)
    spendable = SpendableBudget.cheapest(budget, l1=n_shares(d), l2=n_shares(d) ** 0.5)
    learnt = learn(cells(0, sizes), spendable)
    assert len(learnt.model.pairs) == d - 1
    assert sum(parent is None for parent, _ in learnt.model.order()) == 1
    drawn = learnt.draw(50, np.random.default_rng(0))
    assert all(c.max() < size for c, size in zip(drawn, sizes, strict=True))
    assert len(spendable.ledger.events) == d + (d - 1 if d > 2 else 0) + d - 1


def test_pairs_of_too_many_cells_are_refused() -> None:
    several = cells(1, (4000, 2, 4000), n=400_000)
    with pytest.raises(ParameterError, match="'c0' and 'c2' have more than 5000000 cells"):
        learn(several, SpendableBudget(Budget(20.0)))


def test_of_many_counts_few_are_told_if_most_are_rare() -> None:
    several = cells(1, (200, 200))
    learnt = learn(several, SpendableBudget(Budget(0.1)))
    assert learnt.n_cells < 200 * 200
