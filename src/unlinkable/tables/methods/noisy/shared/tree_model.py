r"""Tree model: all attributes by pairs, and records drawn from it.

If pairs of attributes are the edges of a tree, marginals of these pairs that agree are always those
of a table: :math:`p(x) = p(x_r) \prod p(x_j \mid x_{parent(j)})`, the one of largest entropy.
Nothing has to be fitted beyond making them agree, and records are drawn from the root down.

Rare cells, those whose own noisy count is no more than a few deviations of its noise, are put
together before pairs are counted, and told apart again in the records that are drawn, in the
proportions of their own noisy counts [1]_. Only noisy counts decide, so it costs nothing.

References
----------
.. [1] R. McKenna, G. Miklau, D. Sheldon. "Winning the NIST contest: a scalable and general approach
   to differentially private synthetic data." Journal of Privacy and Confidentiality 11(3), 2021.
   Section 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.noise import Currency, SpendableBudget
from unlinkable.tables.methods.noisy.shared.count_cells import Cells
from unlinkable.tables.methods.noisy.shared.marginals import (
    Workload,
    count_marginal,
    nearest_counts,
)
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Edge", "Learnt", "Rare", "TreeModel", "fit", "learn", "n_shares", "scores_of"]

Edge = tuple[int, int]
"""Two attributes, by their positions, rising."""


@define(eq=False, frozen=True)
class TreeModel:
    """Counts of single attributes and of the pairs on a tree, which agree.

    Attributes
    ----------
    singles
        The counts of each attribute.
    pairs
        The counts of each edge, the first attribute along the first axis.
    """

    singles: list[FloatArray]
    pairs: Mapping[Edge, FloatArray]

    @property
    def total(self) -> float:
        """Number of records that the model stands for."""
        return float(self.singles[0].sum())

    def order(self) -> list[tuple[int | None, int]]:
        """Give all attributes, each after its parent; the parent of the first is None.

        Attributes that no edge joins to the first one have no parent either.

        Examples
        --------
        >>> one = np.ones(1)
        >>> TreeModel([one] * 4, {(1, 3): one, (0, 3): one}).order()
        [(None, 0), (0, 3), (3, 1), (None, 2)]
        """
        found: list[tuple[int | None, int]] = []
        for start in range(len(self.singles)):
            waiting: list[tuple[int | None, int]] = [(None, start)]
            while waiting:
                parent, child = waiting.pop()
                if any(child == seen for _, seen in found):
                    continue
                found.append((parent, child))
                joined = [a + b - child for a, b in sorted(self.pairs) if child in (a, b)]
                waiting.extend((child, other) for other in reversed(joined))
        return found

    def draw(self, n: int, rng: np.random.Generator) -> list[CodeArray]:
        """Draw records; the counts of every pair come out as nearly as whole numbers allow.

        Among the records with the same value of the parent, children are dealt out in the
        proportions of the pair with one random start, in random order: that keeps the counts closer
        than independent draws would.

        Parameters
        ----------
        n
            How many.
        rng
            The source of chance. Privacy does not rest on it.
        """
        drawn: dict[int, CodeArray] = {}
        for parent, child in self.order():
            if parent is None:
                drawn[child] = _deal(self.singles[child][None, :], np.zeros(n, np.int32), rng)
                continue
            both = self.pairs[min(parent, child), max(parent, child)]
            joint = both if parent < child else both.T
            empty = joint.sum(axis=1) <= 0
            joint = np.where(empty[:, None], self.singles[child][None, :], joint)
            drawn[child] = _deal(joint, drawn[parent], rng)
        return [drawn[i] for i in range(len(self.singles))]


def _deal(joint: FloatArray, parents: CodeArray, rng: np.random.Generator) -> CodeArray:
    """Deal out children in the proportions of the row of each parent. O(n log n)."""
    n, (n_parents, n_children) = len(parents), joint.shape
    weight = joint.sum(axis=1, keepdims=True)
    shares = np.where(weight > 0, joint / np.where(weight > 0, weight, 1), 1 / n_children)
    upto = np.cumsum(shares, axis=1)
    upto[:, -1] = 1.0
    shuffled = rng.permutation(n)
    grouped = shuffled[np.argsort(parents[shuffled], kind="stable")]
    sizes = np.bincount(parents, minlength=n_parents)
    rank = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row = np.repeat(np.arange(n_parents), sizes)
    place = (rank + rng.random((n_parents,))[row]) / sizes[row]
    bounds = (np.arange(n_parents)[:, None] + np.minimum(upto, 1.0)).ravel()
    at = np.searchsorted(bounds, row + place, side="right") - row * n_children
    children = np.empty(n, np.int32)
    children[grouped] = np.clip(at, 0, n_children - 1)
    return children


def fit(
    singles: Sequence[CountArray],
    pairs: Mapping[Edge, CountArray],
    variances: tuple[float, float],
) -> tuple[TreeModel, int]:
    """Make noisy counts agree and not negative: the nearest such counts in weighted squares.

    Parameters
    ----------
    singles, pairs
        Noisy counts of each attribute, and of the edges of a tree.
    variances
        Of the counts of attributes and of pairs.

    Returns
    -------
    tuple
        The model, and the number of rounds it took.
    """
    sizes = tuple(len(counts) for counts in singles)
    marginals = (*((i,) for i in range(len(sizes))), *pairs)
    noisy = [counts.astype(np.float64) for counts in (*singles, *pairs.values())]
    weights = [1 / variances[0]] * len(singles) + [1 / variances[1]] * len(pairs)
    told, rounds = nearest_counts(Workload(sizes, marginals), noisy, weights)
    of_pairs = dict(zip(pairs, told[len(sizes) :], strict=True))
    return TreeModel(told[: len(sizes)], of_pairs), rounds


_DEVIATIONS = 3.0
"""A count of less than so many deviations is rare."""


@define(eq=False, frozen=True)
class Rare:
    """Which cells of an attribute are put together.

    Attributes
    ----------
    group_of
        For each cell its group. The rare cells are the last group, if there are any.
    is_rare
        Which cells these are.
    shares
        In which proportions they are separated again, as a sum from the first on.

    Examples
    --------
    >>> rare = Rare.of(np.array([50, 2, 40, -3, 1]), deviation=2)
    >>> rare.group_of.tolist(), rare.n
    ([0, 2, 1, 2, 2], 3)
    >>> rare.merge(np.array([50, 2, 40, -3, 1])).tolist()
    [50, 40, 0]
    """

    group_of: CodeArray
    is_rare: BoolArray
    shares: FloatArray

    @classmethod
    def of(cls, noisy: CountArray, deviation: float) -> Rare:
        """Find the rare cells; none if there is just one of them."""
        is_rare = np.asarray(noisy < _DEVIATIONS * deviation, bool)
        if is_rare.sum() < 2:
            is_rare = np.zeros(len(noisy), bool)
        group_of = np.where(is_rare, (~is_rare).sum(), np.cumsum(~is_rare) - 1).astype(np.int32)
        weights = np.maximum(noisy[is_rare], 0).astype(np.float64)
        if not weights.sum() > 0:
            weights = np.ones(len(weights))
        return cls(group_of, is_rare, np.cumsum(weights) / weights.sum())

    @property
    def n(self) -> int:
        """Number of groups."""
        return int(self.group_of.max(initial=-1)) + 1

    def merge(self, counts: CountArray) -> CountArray:
        """Add up the counts of the cells of each group."""
        merged = np.zeros(self.n, np.int64)
        np.add.at(merged, self.group_of, counts)
        return merged

    def tell_apart(self, groups: CodeArray, rng: np.random.Generator) -> CodeArray:
        """Give for each record a cell of its group."""
        cells = np.empty(self.n, np.int32)
        cells[self.group_of] = np.arange(len(self.group_of), dtype=np.int32)
        found = cells[groups]
        if self.is_rare.any():
            at = np.flatnonzero(groups == self.n - 1)
            place = np.searchsorted(self.shares, rng.random(len(at)), side="right")
            rare = np.flatnonzero(self.is_rare)
            found[at] = rare[np.minimum(place, len(rare) - 1)]
        return found


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

    One person changes a score by one: only the true counts depend on them, and one of them by one.
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
