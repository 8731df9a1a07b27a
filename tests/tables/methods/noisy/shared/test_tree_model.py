"""Trees: fitted exactly, and drawn from as nearly as whole numbers allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.noisy.shared.marginals import count_marginal
from unlinkable.tables.methods.noisy.shared.tree_model import Edge, TreeModel, fit
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
