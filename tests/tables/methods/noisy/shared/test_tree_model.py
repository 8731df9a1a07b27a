"""Trees: fitted exactly, and drawn from as nearly as whole numbers allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.noise import Budget, SpendableBudget
from unlinkable.tables.methods.noisy.shared.count_cells import Cells
from unlinkable.tables.methods.noisy.shared.marginals import count_marginal
from unlinkable.tables.methods.noisy.shared.tree_model import (
    Edge,
    Rare,
    TreeModel,
    fit,
    learn,
    n_shares,
    scores_of,
)
from unlinkable.typing import CodeArray, CountArray

SIZES = (2, 3, 4, 2)
TREE: tuple[Edge, ...] = ((0, 2), (1, 2), (2, 3))


def records(seed: int, n: int) -> list[CodeArray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(0, size, n).astype(np.int32) for size in SIZES]


def counted(codes: list[CodeArray]) -> tuple[list[CountArray], dict[Edge, CountArray]]:
    singles = [count_marginal([c], [s]) for c, s in zip(codes, SIZES, strict=True)]
    pairs = {(a, b): count_marginal([codes[a], codes[b]], [SIZES[a], SIZES[b]]) for a, b in TREE}
    return singles, pairs


@given(st.integers(0, 10**6), st.integers(1, 300))
def test_true_counts_are_fitted_and_drawn_again(seed: int, n: int) -> None:
    singles, pairs = counted(records(seed, n))
    model, rounds = fit(singles, pairs, (1.0, 1.0))
    assert rounds == 0
    assert model.total == pytest.approx(n)
    drawn = model.draw(n, np.random.default_rng(seed))
    again, pairs_again = counted(drawn)
    # The values of the root come out exactly, all others to within one for each value above them.
    assert np.abs(again[0] - singles[0]).max() <= 1
    for edge, table in pairs_again.items():
        assert np.abs(table - pairs[edge]).max() <= 2 * max(SIZES)


def test_pairs_on_the_tree_are_kept_and_others_follow_from_them() -> None:
    rng = np.random.default_rng(4)
    root = rng.integers(0, 4, 20_000)
    codes = [(root > 1), np.minimum(root, 2), root, (root % 2)]
    model, _ = fit(*counted([c.astype(np.int32) for c in codes]), (1.0, 1.0))
    drawn = model.draw(20_000, rng)
    # Every attribute is a function of the root, so any two of them go together as they did.
    for a, b in [(0, 1), (0, 3), (1, 3)]:
        sizes = [SIZES[a], SIZES[b]]
        true = count_marginal([codes[a].astype(np.int32), codes[b].astype(np.int32)], sizes)
        assert np.abs(count_marginal([drawn[a], drawn[b]], sizes) - true).max() <= 8


@given(st.integers(0, 10**6), st.floats(0.1, 30))
def test_noisy_counts_become_a_model_without_a_negative_count(seed: int, noise: float) -> None:
    singles, pairs = counted(records(seed, 60))
    rng = np.random.default_rng(seed)

    def noisy(table: CountArray) -> CountArray:
        return np.rint(table + rng.normal(0, noise, table.shape)).astype(np.int64)

    told = [noisy(t) for t in singles], {e: noisy(t) for e, t in pairs.items()}
    model, _ = fit(*told, (1.0, 2.0))
    assert all((t >= 0).all() for t in [*model.singles, *model.pairs.values()])
    for (a, b), table in model.pairs.items():
        np.testing.assert_allclose(table.sum(axis=1), model.singles[a], atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=0), model.singles[b], atol=1e-6)
    drawn = model.draw(25, rng)
    assert all(c.max() < s for c, s in zip(drawn, SIZES, strict=True))


def test_every_attribute_comes_after_its_parent() -> None:
    ones = [np.ones(1)] * 5
    order = TreeModel(ones, {(0, 4): np.ones((1, 1)), (1, 4): np.ones((1, 1))}).order()
    assert order == [(None, 0), (0, 4), (4, 1), (None, 2), (None, 3)]


def test_nothing_is_drawn_from_nothing() -> None:
    singles, pairs = counted(records(0, 0))
    model, _ = fit(singles, pairs, (1.0, 1.0))
    assert model.total == 0
    assert [len(c) for c in model.draw(0, np.random.default_rng(0))] == [0] * 4
    # If records are asked for all the same, every value is as likely.
    assert np.bincount(model.draw(400, np.random.default_rng(0))[2]).tolist() == [100] * 4


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
