"""Handing values out anew: by definition, and as often as worlds weigh."""

from __future__ import annotations

from itertools import permutations, product
from math import exp, lgamma, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.worlds.world_sampling import (
    balance_tables,
    count_cells,
    log_weights,
    swap_values,
    weigh_worlds,
)

Groups = list[tuple[list[list[int]], list[int]]]
"""What the people of each group show (cells, -1 for nothing), and what they hold, rising."""


@st.composite
def groups(draw: st.DrawFn) -> Groups:
    n_columns = draw(st.integers(1, 2))
    found = []
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 4))
        cell = st.tuples(*(st.integers(-1, 1) for _ in range(n_columns)))
        shown = draw(st.lists(cell, min_size=n, max_size=n))
        cells = [[c + 2 * j if c >= 0 else -1 for j, c in enumerate(row)] for row in shown]
        held = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n).map(sorted))
        found.append((cells, held))
    return found


class Laid:
    """Groups as the kernels want them."""

    def __init__(self, found: Groups) -> None:
        values = [sorted({*held}) for _, held in found]
        sizes, widths = [len(held) for _, held in found], [len(v) for v in values]
        self.start = np.append(0, np.cumsum(sizes))
        self.at = np.append(0, np.cumsum(widths))
        self.base = np.append(0, np.cumsum(np.multiply(sizes, widths)))
        self.values = np.array([x for v in values for x in v], np.int32)
        self.cells = np.array([c for cells, _ in found for c in cells], np.int32)
        self.held = np.array(
            [v.index(x) for (_, h), v in zip(found, values, strict=True) for x in h], np.int32
        )
        self.counts = np.empty((4, 3), np.int64)
        count_cells(self.start, self.at, self.values, self.cells, self.held, self.counts)

    def weigh(self, smoothing: float) -> tuple[int, np.ndarray]:
        credit = np.empty(int(self.base[-1]))
        n = weigh_worlds(
            *(self.start, self.at, self.values, self.cells, self.held.copy()),
            *(self.counts.copy(), smoothing, self.base, credit),
        )
        return n, credit


def worlds_of(found: Groups) -> list[list[int]]:
    """List every world, as what each person holds."""
    each = [sorted({*permutations(held)}) for _, held in found]
    return [[x for part in world for x in part] for world in product(*each)]


def weight_of(cells: list[list[int]], world: list[int], smoothing: float) -> float:
    """Weigh a world by its counts."""
    pairs = [(c, x) for row, x in zip(cells, world, strict=True) for c in row if c >= 0]
    return exp(
        sum(
            lgamma(pairs.count(pair) + smoothing) - lgamma(smoothing)
            for pair in product(range(4), range(3))
        )
    )


@given(groups(), st.sampled_from([1.0, 0.5, 3.0]))
def test_all_worlds_are_weighed_as_they_are_defined(found: Groups, smoothing: float) -> None:
    laid, cells = Laid(found), [c for cells, _ in found for c in cells]
    worlds = worlds_of(found)
    weights = [weight_of(cells, world, smoothing) for world in worlds]
    n, credit = laid.weigh(smoothing)
    assert n == len(worlds)
    at, wanted = 0, []
    for _, held in found:
        for _ in held:
            for x in sorted({*held}):
                own = [w for w, world in zip(weights, worlds, strict=True) if world[at] == x]
                wanted.append(sum(own) / sum(weights))
            at += 1
    width = np.repeat(np.diff(laid.at), np.diff(laid.start))
    row = np.repeat(np.arange(width.size), width)
    shares = credit / np.bincount(row, credit)[row]
    assert shares == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(groups(), st.integers(0, 100))
def test_weights_add_up_what_people_show(found: Groups, seed: int) -> None:
    laid = Laid(found)
    logs = np.random.default_rng(seed).normal(size=(4, 3))
    out = np.empty(int(laid.base[-1]))
    log_weights(laid.start, laid.at, laid.values, laid.cells, logs, laid.base, out)
    wanted = [
        sum(logs[c, x] for c in row if c >= 0)
        for cells, held in found
        for row in cells
        for x in sorted({*held})
    ]
    assert out == pytest.approx(wanted)


@given(groups(), st.integers(0, 100))
def test_swaps_keep_what_each_group_holds_and_credit_everybody(found: Groups, seed: int) -> None:
    laid, rng = Laid(found), np.random.default_rng(seed)
    n = int(laid.start[-1])
    weights, credit = rng.normal(size=int(laid.base[-1])), np.zeros(int(laid.base[-1]))
    held = laid.held.copy()
    swap_values(laid.start, laid.at, laid.base, weights, held, rng.random(2 * n), credit)
    meetings = 0
    for g, (_, own) in enumerate(found):
        part = slice(laid.start[g], laid.start[g + 1])
        assert sorted(held[part].tolist()) == sorted(laid.held[part].tolist())
        meetings += len(own) if len({*own}) > 1 else 0
    assert credit.sum() == pytest.approx(2 * meetings)


def test_swaps_meet_worlds_as_often_as_they_weigh() -> None:
    rng = np.random.default_rng(5)
    table = rng.dirichlet(np.ones(3), size=4)
    room = [2, 1, 1]
    held = np.array([0, 0, 1, 2], np.int32)
    at, start, base = np.array([0, 3]), np.array([0, 4]), np.array([0, 12])
    n_rounds = 40_000
    credit = np.zeros(12)
    logs = np.log(table).ravel()
    for _ in range(n_rounds):
        swap_values(start, at, base, logs, held, rng.random(8), credit)
    found = credit.reshape(4, 3) / credit.reshape(4, 3).sum(axis=1, keepdims=True)
    worlds = {*permutations([0, 0, 1, 2])}
    weights = {w: prod(float(table[i, x]) for i, x in enumerate(w)) for w in worlds}
    total = sum(weights.values())
    for i, x in product(range(4), range(3)):
        wanted = sum(w for world, w in weights.items() if world[i] == x) / total
        # The standard error is below sqrt(1/4 / 40,000) = 0.0025, and this is five of them.
        assert found[i, x] == pytest.approx(wanted, abs=0.0125)
    assert found.sum(axis=0) == pytest.approx(room, abs=0.03)


@given(st.integers(0, 1000), st.integers(2, 6))
def test_balanced_tables_add_up_to_people_and_values(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    room = np.array([1, n - 1])
    logs, out = rng.normal(size=2 * n), np.empty(2 * n)
    at, start, base = np.array([0, 2]), np.array([0, n]), np.array([0, 2 * n])
    balance_tables(start, at, room, base, logs, 200, out)
    table = out.reshape(n, 2)
    assert table.sum(axis=1) == pytest.approx(np.ones(n))
    assert table.sum(axis=0) == pytest.approx(room, abs=1e-6)
    # Scaling leaves the odds ratios between any two people as they were.
    odds = np.log(table[:, 0] / table[:, 1])
    before = logs.reshape(n, 2)[:, 0] - logs.reshape(n, 2)[:, 1]
    assert odds - odds[0] == pytest.approx(before - before[0], abs=1e-6)
