"""Learning: all that a private model of a table is told about it, step by step, each paid for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.noise import Currency, SpendableBudget
from unlinkable.tables.methods.noisy.shared.cells import Cells
from unlinkable.tables.methods.noisy.shared.marginals import (
    Workload,
    count_marginal,
    nearest_counts,
)
from unlinkable.tables.methods.noisy.shared.rare import Rare
from unlinkable.tables.methods.noisy.shared.tree_model import Edge, TreeModel, fit
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Learnt", "learn", "n_shares", "scores_of"]

_MOST_CELLS = 5_000_000
"""A pair of attributes with more cells is not counted."""


@define(eq=False, frozen=True)
class Learnt:
    """What is known of the data after the budget is spent.

    Attributes
    ----------
    model
        The counts of groups of cells, and of pairs of them.
    rare
        For each attribute what the groups are.
    n_cells, rounds
        How many counts were told, and how many rounds it took to make them agree.
    """

    model: TreeModel
    rare: list[Rare]
    n_cells: int
    rounds: int

    def draw(self, n: int, rng: np.random.Generator) -> list[CodeArray]:
        """Draw records: for each attribute the cell of each of them."""
        groups = self.model.draw(n, rng)
        return [rare.tell_apart(g, rng) for rare, g in zip(self.rare, groups, strict=True)]


def learn(cells: Sequence[Cells], spendable: SpendableBudget) -> Learnt:
    """Measure attributes, choose pairs, measure pairs; nothing else looks at the records.

    Raises
    ------
    ParameterError
        If a pair of attributes has too many cells.
    InfeasibleError
        If the budget does not suffice.
    """
    d = len(cells)
    parts = _n_parts(d)
    share = 1 / (parts * d)
    singles = [
        spendable.count(
            count_marginal([c.codes], [c.n]), l1=1, l2=1, share=share, what=f"counts by {c.name}"
        )
        for c in cells
    ]
    scale = spendable.scale(l1=1, l2=1, share=share)
    deviation = scale * (math.sqrt(2) if spendable.currency is Currency.PURE else 1)
    rare = [Rare.of(noisy, deviation) for noisy in singles]
    groups = [r.group_of[c.codes] for r, c in zip(rare, cells, strict=True)]
    merged = [r.merge(noisy) for r, noisy in zip(rare, singles, strict=True)]
    _require_small([c.name for c in cells], [r.n for r in rare])
    for_pair = 1 / (parts * max(d - 1, 1))
    pairs: dict[Edge, CountArray] = {}
    for a, b in _choose_tree(groups, merged, spendable, share=for_pair):
        counts = count_marginal([groups[a], groups[b]], [rare[a].n, rare[b].n])
        what = f"counts by {cells[a].name}, {cells[b].name}"
        pairs[a, b] = spendable.count(counts, l1=1, l2=1, share=for_pair, what=what)
    variances = scale**2, spendable.scale(l1=1, l2=1, share=for_pair) ** 2
    model, rounds = fit(merged, pairs, variances)
    n_cells = sum(map(len, singles)) + sum(p.size for p in pairs.values())
    return Learnt(model, rare, n_cells, rounds)


def _choose_tree(
    groups: Sequence[CodeArray],
    singles: Sequence[CountArray],
    spendable: SpendableBudget,
    *,
    share: float,
) -> list[Edge]:
    """Choose pairs that join all attributes, each at a share of the budget."""
    d = len(groups)
    everything = list(combinations(range(d), 2))
    if d <= 2:
        return everything
    scores = scores_of(groups, singles, everything, spendable.scale(l1=1, l2=1, share=share))
    part = list(range(d))
    edges: list[Edge] = []
    for _ in range(d - 1):
        open_ = [(a, b) for a, b in everything if part[a] != part[b]]
        chosen = spendable.choose(
            np.array([scores[pair] for pair in open_], np.int64),
            sensitivity=1,
            share=share,
            what="which pair of attributes to measure next",
        )
        a, b = open_[chosen]
        edges.append((a, b))
        part = [part[a] if p == part[b] else p for p in part]
    return sorted(edges)


def scores_of(
    groups: Sequence[CodeArray], singles: Sequence[CountArray], pairs: Sequence[Edge], scale: float
) -> dict[Edge, int]:
    """Tell how far each pair is from independent attributes, less what noise would add to it.

    One person changes a score by one: only the true counts depend on him, and one of them by one.
    """
    d = len(groups)
    sizes = [len(counts) for counts in singles]
    workload = Workload(tuple(sizes), tuple((i,) for i in range(d)))
    told, _ = nearest_counts(workload, [s.astype(np.float64) for s in singles], [1.0] * d)
    total = max(float(told[0].sum()), 1.0)
    scores = {}
    for a, b in pairs:
        true = count_marginal([groups[a], groups[b]], [sizes[a], sizes[b]])
        guess = np.rint(np.outer(told[a], told[b]) / total).astype(np.int64)
        scores[a, b] = int(np.abs(true - guess).sum()) - round(scale * true.size)
    return scores


def _require_small(names: Sequence[str], sizes: Sequence[int]) -> None:
    """Refuse pairs of attributes with more cells than can be counted."""
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])[:2]
    if math.prod(sizes[i] for i in order) > _MOST_CELLS:
        named = " and ".join(repr(names[i]) for i in order)
        raise ParameterError(
            f"{named} have more than {_MOST_CELLS} cells together: give them coarser bins or levels"
        )


def n_shares(d: int) -> int:
    """Count the shares that the budget is split into by attributes: so many steps of d each."""
    return _n_parts(d) * d


def _n_parts(d: int) -> int:
    """Count the steps that cost something: nothing is to choose between two attributes."""
    return min(d, 3)
