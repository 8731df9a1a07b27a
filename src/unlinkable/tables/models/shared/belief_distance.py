"""How far a release moves what is believed of people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.kernels.counting import merge_tallies
from unlinkable.kernels.distributions import move_past_missing
from unlinkable.params import Choice
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.kernel_regression import KernelPrior, level_weights, positions
from unlinkable.tables.taxonomies import Kind, Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["BeliefChange", "BeliefDistance", "belief_changes", "measure_change"]

_CELLS = 1 << 21
"""The number of probabilities that are computed at a time, unless one group has more."""


class BeliefDistance(Choice, noun="distance of beliefs"):
    """How far apart two beliefs about a value are, from 0 to 1.

    The first three are the work of turning one into the other, as in t-closeness, by how far apart
    two values are. A missing value is 1 away from every other.
    """

    EQUAL = "equal"
    """Any two values are 1 apart: half the sum of the differences."""
    ORDERED = "ordered"
    """Values are as far apart as their places among the m that occur, out of m - 1."""
    HIERARCHICAL = "hierarchical"
    """Values are as far apart as their least common node is high, out of the root's height."""
    JENSEN_SHANNON = "jensen-shannon"
    """The mean divergence, in bits, of the two from their mean."""


@define(eq=False, frozen=True)
class BeliefChange:
    """What is believed of the people of some groups, before and after.

    Attributes
    ----------
    groups
        Which groups, in rising order; none of them is empty.
    starts
        Where the people of each begin.
    before, after
        For everybody the probability of each value.
    """

    groups: CountArray
    starts: CountArray
    before: FloatArray
    after: FloatArray


def belief_changes(prior: KernelPrior, counted: Histogram) -> Iterator[BeliefChange]:
    """Work out what is believed of people whose groups are published, some groups at a time.

    The value s goes to one of the n_s records of the group that have it: to a person in proportion
    to how likely that person was to have it, among all in the group (the Omega-estimate of Li, Li
    and Zhang). What a person gets of all values is made to add up to 1.
    """
    n_groups, (n_people, m) = counted.n_groups, prior.probabilities.shape
    rows, itself = (counted.indptr, counted.counts), np.arange(n_groups, dtype=np.int32)
    indptr, people, sizes = merge_tallies(
        rows[0], prior.person[counted.values], rows[1], itself, n_groups, n_people
    )
    values = merge_tallies(rows[0], prior.value[counted.values], rows[1], itself, n_groups, m)
    filled = np.flatnonzero(np.diff(indptr))
    first = 0
    while first < filled.size:
        reach = indptr[filled[first]] + max(_CELLS // m, 1)
        last = int(np.searchsorted(indptr[filled + 1], reach, side="right"))
        groups = filled[first : max(last, first + 1)]
        first += groups.size
        some = slice(indptr[groups[0]], indptr[groups[-1] + 1])
        before = prior.probabilities[people[some]]
        starts = indptr[groups] - some.start
        votes = np.add.reduceat(before * sizes[some, None], starts, axis=0)
        share = _dense(values, groups, m) / np.where(votes > 0, votes, 1)
        after = before * np.repeat(share, np.diff(indptr)[groups], axis=0)
        after /= after.sum(axis=1, keepdims=True)
        yield BeliefChange(groups, starts, before, after)


def measure_change(
    change: BeliefChange, prior: KernelPrior, distance: BeliefDistance, smoothing: Fraction | None
) -> FloatArray:
    """Measure for everybody how far the beliefs before and after are from each other."""
    before, after = change.before, change.after
    taxonomy, m = prior.parts[-1][0], prior.codes.size
    match distance:
        case BeliefDistance.EQUAL:
            return _half_sum(after - before)
        case BeliefDistance.ORDERED if prior.codes[-1] == taxonomy.domain.missing and m > 1:
            work: FloatArray = move_past_missing(after, before)
            return work / max(m - 2, 1)
        case BeliefDistance.ORDERED:
            carried = np.cumsum(after - before, axis=1)[:, :-1]
            return 2 * _half_sum(carried) / max(m - 1, 1)
        case BeliefDistance.HIERARCHICAL:
            return _hierarchical(after - before, taxonomy, prior.codes)
        case BeliefDistance.JENSEN_SHANNON:
            if smoothing is not None:
                spread = _spread(taxonomy, prior.codes, smoothing)
                before, after = (np.einsum("is,st->it", p, spread) for p in (before, after))
            return _jensen_shannon(after, before)


def _dense(
    rows: tuple[CountArray, CodeArray, CountArray], groups: CountArray, m: int
) -> FloatArray:
    indptr, values, counts = rows
    out = np.zeros((groups.size, m))
    some = slice(indptr[groups[0]], indptr[groups[-1] + 1])
    out[np.repeat(np.arange(groups.size), np.diff(indptr)[groups]), values[some]] = counts[some]
    return out


def _half_sum(gaps: FloatArray) -> FloatArray:
    half: FloatArray = np.abs(gaps).sum(axis=1) / 2
    return half


def _hierarchical(surplus: FloatArray, taxonomy: Taxonomy, codes: CodeArray) -> FloatArray:
    far = np.zeros(len(surplus))
    for level in taxonomy.levels[:-1]:
        starts = np.flatnonzero(np.diff(level.blocks[codes], prepend=-1))
        far += _half_sum(np.add.reduceat(surplus, starts, axis=1))
    return far / max(taxonomy.height, 1)


def _jensen_shannon(one: FloatArray, other: FloatArray) -> FloatArray:
    mean = (one + other) / 2
    bits = np.zeros(len(one))
    for p in (one, other):
        share = np.divide(p, mean, out=np.ones_like(p), where=p > 0)
        bits += (p * np.log2(share)).sum(axis=1) / 2
    return np.clip(bits, 0, 1)


def _spread(taxonomy: Taxonomy, codes: CodeArray, b: Fraction) -> FloatArray:
    """Give for every value the shares of it that go to each, the nearer the more."""
    if taxonomy.domain.kind is Kind.CATEGORY:
        pairs = np.repeat(codes, codes.size), np.tile(codes, codes.size)
        lo, hi = np.minimum(*pairs), np.maximum(*pairs) + 1
        weights = level_weights(taxonomy, b)[taxonomy.cover(lo, hi)]
    else:
        place = positions(taxonomy.domain, codes) / float(b)
        gap = np.subtract.outer(place, place)
        is_apart = np.isnan(place)[:, None] != np.isnan(place)
        gap[is_apart] = 1 / float(b)
        weights = np.maximum(1 - np.nan_to_num(gap) ** 2, 0)
    square = weights.reshape(codes.size, -1)
    shares: FloatArray = square / square.sum(axis=1, keepdims=True)
    return shares
