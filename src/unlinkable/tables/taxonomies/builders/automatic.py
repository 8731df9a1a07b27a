"""Auto: a taxonomy made from the values of the column, where nobody has one to give.

Numbers and dates are divided from the top, categories are merged from the bottom. Both are made
from the data, and so tell something of it: where the cuts lie, and which values are alike. A
taxonomy that was drawn up without looking at the records does not.
"""

from __future__ import annotations

import numpy as np
from attrs import field, frozen

from unlinkable.errors import TaxonomyError
from unlinkable.params import at_least
from unlinkable.tables.taxonomies.builders.base import (
    Observed,
    Step,
    TaxonomyBuilder,
    number_runs,
    stack,
)
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Auto", "merge_alike", "merge_rare"]

_MOST_NODES = 1 << 12
"""A level with more nodes generalizes next to nothing, and is omitted."""

_SPARE_LEVELS = 1
"""How many levels the tree may be deeper than a tree that only counts distinct values."""


@frozen
class Auto(TaxonomyBuilder):
    """Divide numbers into equally frequent intervals, merge rare or similar categories.

    Numbers and dates: the tree begins with everything, and every node is cut into ``groups``
    parts with as equal numbers of records as can be, down to the single values. It is at most one
    level deeper than a tree over the distinct values has to be. Nodes are called by their range.

    Categories: the tree begins with the values; on every level the rarest ``groups`` are merged,
    then the next rarest, and so on. Nodes are called by their values, ``{Dancer, Writer}``.

    Levels with more than 4,096 nodes are omitted.

    Parameters
    ----------
    groups
        Number of parts of each node.
    by_hidden
        Whether to merge categories whose records have the most similar sensitive values, instead
        of the rarest. Distributions are compared by their total variation distance, weighted by the
        numbers of records.

    Raises
    ------
    TaxonomyError
        If ``by_hidden`` is asked for numbers or dates, without sensitive columns, or for thousands
        of categories.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.published_values import write_level
    >>> ages = Auto().build(observe("age", [20, 20, 20, 31, 38, 45]))
    >>> [write_level(ages, i, np.arange(4)).tolist() for i in (1, 2)]
    [['20', '31', '[38-46)', '[38-46)'], ['20', '[31-46)', '[31-46)', '[31-46)']]
    """

    groups: int = field(default=2, validator=at_least(2))
    by_hidden: bool = False

    def build(self, observed: Observed) -> Taxonomy:
        domain = observed.domain
        if domain.kind is not Kind.CATEGORY:
            if self.by_hidden:
                raise TaxonomyError(
                    f"column {observed.name!r} holds {domain.kind.value}s, which are kept in "
                    "order: merging by sensitive values is for categories"
                )
            steps = _divide(observed.counts[: domain.n_present], self.groups)
            return stack(observed.name, domain, steps)
        parents = self._merge(observed)
        keys: list[CodeArray] = [np.arange(domain.n_present, dtype=np.int32), *parents]
        order = np.lexsort(keys)
        ordered = Domain(Kind.CATEGORY, domain.values[order], domain.has_missing)
        kept = [p for p in parents if 1 < p.max(initial=0) + 1 <= _MOST_NODES]
        return stack(observed.name, ordered, [Step(number_runs(p[order])) for p in kept])

    def _merge(self, observed: Observed) -> list[CodeArray]:
        n = observed.domain.n_present
        counts = observed.counts[:n]
        if not self.by_hidden:
            return merge_rare(counts, self.groups)
        if observed.hidden is None:
            raise TaxonomyError(
                f"the taxonomy of {observed.name!r} is to follow the sensitive values, and there "
                "are none: name a sensitive column"
            )
        return merge_alike(observed.name, counts, observed.hidden[:n], self.groups)


def _divide(counts: CountArray, groups: int) -> list[Step]:
    """Cut codes into nodes from the top; give the levels from the bottom."""
    n = len(counts)
    before = np.concatenate([[0], np.cumsum(counts)])
    height = _SPARE_LEVELS
    while groups ** (height - _SPARE_LEVELS) < n:
        height += 1
    levels: list[CodeArray] = []
    starts = np.zeros(min(n, 1), np.int64)
    for depth in range(1, height):
        starts = _cut(before, starts, groups, groups ** (height - depth))
        if len(starts) > _MOST_NODES or len(starts) == n:
            break
        if len(starts) > 1:
            blocks = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
            levels.append(blocks.astype(np.int32))
    return [Step(blocks) for blocks in reversed(levels)]


def _cut(before: CountArray, starts: CountArray, groups: int, most: int) -> CountArray:
    """Cut every node into parts with equal numbers of records and at most ``most`` codes each."""
    n = len(before) - 1
    ends = np.append(starts[1:], n)
    # Numbers of records, times `groups` to stay with whole numbers.
    upto = before * groups
    total = before[ends] - before[starts]
    cuts = [starts]
    for part in range(1, groups):
        last, rest = cuts[-1], groups - part
        ideal = upto[starts] + total * part
        at = np.searchsorted(upto, ideal)
        at -= ideal - upto[at - 1] <= upto[at] - ideal
        at = np.clip(at, last + 1, np.maximum(ends - rest, last + 1))
        at = np.clip(at, ends - rest * most, last + most)
        cuts.append(np.minimum(at, ends))
    found = np.unique(np.concatenate(cuts))
    return found[found < n]


_MOST_COMPARED = 2048
"""Beyond this many categories, comparing all pairs takes too long and too much memory."""


def merge_rare(counts: CountArray, groups: int) -> list[CodeArray]:
    """Merge the rarest values, then the next rarest, and so on, level by level.

    Returns for every level, up to but without the root, the node of each value. O(n log n) in all.

    Examples
    --------
    >>> [nodes.tolist() for nodes in merge_rare(np.array([1, 50, 2, 9]), 2)]
    [[0, 1, 0, 1]]
    """
    levels: list[CodeArray] = []
    node, weights = np.arange(len(counts)), np.asarray(counts, np.int64)
    while len(weights) > groups:
        parent = np.empty(len(weights), np.int64)
        parent[np.argsort(weights, kind="stable")] = np.arange(len(weights)) // groups
        node, weights = parent[node], np.bincount(parent, weights).astype(np.int64)
        levels.append(node.astype(np.int32))
    return levels


def merge_alike(name: str, counts: CountArray, hidden: FloatArray, groups: int) -> list[CodeArray]:
    r"""Merge the values with the most similar distributions of sensitive values, level by level.

    On every level, pairs of nodes are taken in the order of

    .. math:: \frac{w_i w_j}{w_i + w_j} \cdot \tfrac12 \sum_s |p_i(s) - p_j(s)|

    with :math:`w` records and distributions :math:`p`, and merged as long as a node has no more
    than ``groups`` children. O(n² log n) for n values.
    """
    if len(counts) > _MOST_COMPARED:
        raise TaxonomyError(
            f"column {name!r} has {len(counts)} values, too many to compare their sensitive values "
            f"pair by pair (at most {_MOST_COMPARED}): merge by frequency, or give a taxonomy"
        )
    levels: list[CodeArray] = []
    node, weights, shares = np.arange(len(counts)), counts.astype(float), hidden
    while len(weights) > groups:
        parent = _join_nearest(weights, shares, groups)
        n_parents = int(parent.max()) + 1
        mass = np.zeros((n_parents, shares.shape[1]))
        np.add.at(mass, parent, shares * weights[:, None])
        weights = np.bincount(parent, weights)
        shares = mass / weights[:, None]
        node = parent[node]
        levels.append(node.astype(np.int32))
    return levels


def _join_nearest(weights: FloatArray, shares: FloatArray, groups: int) -> CountArray:
    """Put the nearest nodes together, at most ``groups`` of them each; number what comes out."""
    n = len(weights)
    one, other = np.triu_indices(n, 1)
    distance = np.zeros((n, n))
    for share in shares.T:
        distance += np.abs(share[:, None] - share) / 2
    cost = distance[one, other] * weights[one] * weights[other] / (weights[one] + weights[other])
    nearest = np.argsort(cost, kind="stable")
    leader = list(range(n))
    members = [[i] for i in range(n)]
    for i, j in zip(one[nearest].tolist(), other[nearest].tolist(), strict=True):
        a, b = leader[i], leader[j]
        if a != b and len(members[a]) + len(members[b]) <= groups:
            for k in members[b]:
                leader[k] = a
            members[a] += members[b]
    return np.unique(leader, return_inverse=True)[1].astype(np.int64)
