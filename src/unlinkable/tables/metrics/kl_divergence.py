"""KL divergence: how far the distributions of a release are from those of the original.

Analyses of a generalized table take records for spread evenly over the ranges that they show.
The divergence measures how far off the distribution is that they then work with [1]_.

References
----------
.. [1] D. Kifer, J. Gehrke. "Injecting utility into anonymized datasets." SIGMOD 2006. Section 3.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.queries import are_surely_apart
from unlinkable.params import is_flag
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.base.published import Generalized, Perturbed, Published
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.tables.metrics.shared.blocks import density_at
from unlinkable.tables.taxonomies import Attribute
from unlinkable.typing import CodeArray, FloatArray, Progress

__all__ = ["KLDivergence"]


@frozen
class KLDivergence(GroupMetric):
    r"""The divergence of the distribution that a release shows from that of the original, in bits.

    :math:`\sum_x p(x) \log_2 (p(x) / q(x))`, where :math:`p(x)` is the share of the value
    :math:`x` in the original table, and :math:`q(x)` its share in the release if every record is
    spread evenly over the values of its range. A suppressed record is spread over all values: this
    is all that somebody knows who knows how many there were. Every value that occurs has then some
    share in the release, and the divergence is finite. Records count by their weights; a missing
    value is a value.

    Taken attribute by attribute, it is the mean over the quasi-identifying columns by their
    importance, and the details give each. Taken ``joint``, :math:`x` is a whole record, spread over
    all combinations of values of its ranges, and importance does not matter. Boxes may overlap:
    every group adds to all records that it covers.

    Of a perturbed release the published values are counted, attribute by attribute; a number is a
    value like any other, and one that the original does not have is refused. A value that the
    release lacks would make the divergence infinite: one more record, spread evenly over all
    values, is therefore added to both tables. What noise brought below nothing counts as nothing,
    and a column that was not published as spread evenly.

    Parameters
    ----------
    joint
        Whether whole records are compared, and not each attribute by itself.

    Range
    -----
    From 0, both say the same, to at most log2 of the number of values, or of combinations of
    values; for perturbed releases it depends on the number of records. A table that shows only
    roots has that number less the entropy of the original: 0 if all values are equally common. Do
    not read it as loss of detail: by attributes, swapping all values costs nothing.

    Guides a search
    ---------------
    Not by pruning: merging groups can lower it. Of the values a, b, c and d, half of the records
    have a and show everything, and half have b and show {b, c, d}: q is 1/8 for a and 7/24 for b,
    and the divergence 1.39 bits. Put together, all show everything: q is 1/4 for both, and the
    divergence 1 bit. Where every column shows one level of its taxonomy and nothing is suppressed,
    it never falls.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "cook", "clerk"]}, quasi="job")
    >>> one = Partition.at_levels(count(people).finest, people.attributes, [1])
    >>> round(KLDivergence().value(Shown.of(one, people.attributes)), 4)  # 1 bit less the entropy
    0.1887
    """

    name: ClassVar[str] = "kl-divergence"
    reference: ClassVar[str] = "Kifer and Gehrke 2006"
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Perturbed)
    makes_no_sense: ClassVar[str] = "its quasi-identifying values are as they were"

    joint: bool = field(default=False, validator=is_flag)

    def value(self, shown: Shown) -> float:
        if self.joint:
            return _of_records(shown)
        return float(_of_attributes(shown) @ shown.importance)

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the divergence of every attribute; nothing if whole records are compared."""
        return {} if self.joint else _named(shown.attributes, _of_attributes(shown))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        if not isinstance(published, Perturbed):
            return super()._measure(published, progress)
        if self.joint:
            raise UnsupportedError(
                "the whole records of a perturbed release are rarely those of the original, and "
                "their divergence says nothing: leave out joint"
            )
        attributes = published.original.attributes
        divergences = np.array([_of_counts(published, a) for a in attributes])
        importance = np.array([a.importance for a in attributes])
        mean = float(divergences @ importance / importance.sum()) if attributes else 0.0
        return Measurement(mean, _named(attributes, divergences))


def _named(attributes: tuple[Attribute, ...], values: FloatArray) -> dict[str, float]:
    return {a.name: value for a, value in zip(attributes, values.tolist(), strict=True)}


def _of_attributes(shown: Shown) -> FloatArray:
    """Measure the divergence of every attribute."""
    divergences = np.zeros(len(shown.attributes))
    for j, before in enumerate(shown.before):
        after = _spread(shown, j)
        # A record adds to its own value at least what it would if it were spread over all values.
        divergences[j] = _divergence(before, np.maximum(after, before / before.size))
    return divergences


def _spread(shown: Shown, column: int) -> FloatArray:
    """Spread every record evenly over its range, and suppressed ones over all values."""
    n = shown.attributes[column].taxonomy.n
    lo, hi = shown.lo[:, column], shown.hi[:, column]
    is_wide = hi - lo > 1
    as_was = sum_floats_by_label(shown.weights[~is_wide], lo[~is_wide], n)
    lo, hi, each = lo[is_wide], hi[is_wide], shown.weights[is_wide] / (hi - lo)[is_wide]
    begins = sum_floats_by_label(each, lo, n + 1)
    ends = sum_floats_by_label(each, hi, n + 1)
    spread: FloatArray = as_was + np.cumsum(begins - ends)[:n] + shown.suppressed_weight / (n or 1)
    return spread


def _divergence(before: FloatArray, after: FloatArray) -> float:
    """Measure the divergence of amounts from others; equal ones diverge by exactly 0."""
    is_there = before > 0
    p, q = before[is_there], after[is_there]
    bits = float(p @ np.log2(p / q)) / (float(p.sum()) or 1.0)
    return max(bits + float(np.log2((after.sum() or 1.0) / (before.sum() or 1.0))), 0.0)


def _of_records(shown: Shown) -> float:
    """Measure the divergence of whole records."""
    if not shown.attributes:
        return 0.0
    is_there = shown.finest.weights > 0
    weights, labels = shown.finest.weights[is_there], shown.labels[is_there]
    density = _log2(shown.weights) - np.log2(shown.hi - shown.lo).sum(axis=1)
    n_values = np.array([max(a.taxonomy.n, 1) for a in shown.attributes])
    everywhere = np.log2(shown.suppressed_weight or 1.0) - float(np.log2(n_values).sum())
    after = _density(shown, np.exp2(density), shown.finest.keys[is_there], labels)
    if shown.suppressed_weight:
        after = after + np.exp2(everywhere)
    # A share too small for a float is known by the record's own box, the largest part of it.
    own = np.append(density, everywhere)[labels]
    bits = np.log2(weights) - np.maximum(_log2(after), own)
    # Not a dot product: BLAS would keep a second core busy for nothing.
    return max(float((weights * bits).sum()) / (shown.total_weight or 1.0), 0.0)


def _density(shown: Shown, amounts: FloatArray, points: CodeArray, labels: CodeArray) -> FloatArray:
    """Add up the amounts of the groups that cover each record, its own among them."""
    if not are_surely_apart(np.ascontiguousarray(shown.lo.T), np.ascontiguousarray(shown.hi.T)):
        return density_at(shown.lo, shown.hi, amounts, points)
    # A record that was published is in the box of its group, and in no other.
    density: FloatArray = np.append(amounts, 0.0)[labels]
    left_out = np.flatnonzero(labels < 0)
    if left_out.size:
        density[left_out] = density_at(shown.lo, shown.hi, amounts, points[left_out])
    return density


def _log2(amounts: FloatArray) -> FloatArray:
    """Take logarithms; that of nothing is infinitely small."""
    with np.errstate(divide="ignore"):
        return np.log2(amounts)


def _of_counts(published: Perturbed, attribute: Attribute) -> float:
    """Measure the divergence of the values of a column that were counted."""
    original, n = published.original, attribute.taxonomy.n
    ones = np.ones(len(original)) if original.weights is None else original.weights
    before = sum_floats_by_label(ones, original.codes(attribute.name), n)
    after = np.zeros(n)
    if attribute.name in published.columns:
        codes = published.codes(attribute.name)
        weights = np.ones(codes.size) if published.weights is None else published.weights
        after = np.maximum(sum_floats_by_label(weights, codes, n), 0.0)
    return _divergence(before + 1 / max(n, 1), after + 1 / max(n, 1))
