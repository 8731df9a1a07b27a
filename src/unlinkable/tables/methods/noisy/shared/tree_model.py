r"""Tree model: all attributes by pairs, and records drawn from it.

If pairs of attributes are the edges of a tree, marginals of these pairs that agree are always those
of a table: :math:`p(x) = p(x_r) \prod p(x_j \mid x_{parent(j)})`, the one of largest entropy.
Nothing has to be fitted beyond making them agree, and records are drawn from the root down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import define

from unlinkable.tables.methods.noisy.shared.marginals import Workload, nearest_counts
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Edge", "TreeModel", "fit"]

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
