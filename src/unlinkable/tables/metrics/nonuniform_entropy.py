"""Non-uniform entropy: how much there is to guess about the values behind the published ones.

Unlike losses that count values, it knows that a range of a common and a rare value gives away
almost as much as the common value alone.

References
----------
.. [1] A. Gionis, T. Tassa. "k-Anonymization with minimal loss of information." IEEE TKDE 21(2),
   2009. The non-uniform entropy measure.
.. [2] F. Prasser, J. Eicher, H. Spengler, R. Bild, K. A. Kuhn. "Flexible data anonymization using
   ARX: current status and challenges ahead." Software: Practice and Experience 50(7), 2020.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.base.shown import Shown
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["NonuniformEntropy"]


@frozen
class NonuniformEntropy(GroupMetric):
    r"""The bits that it takes to tell each value from its published range, as a share of the most.

    A cell that held :math:`v` and shows the range :math:`V` loses :math:`-\log_2 (n(v) / n(V))`,
    where :math:`n` counts the records of the original table by their weights: what there is to
    guess for a reader who knows how common every value is. The losses of all records on an
    attribute are added up, and divided by what they would come to if all showed the root, which is
    the entropy of the attribute times the number of records. The loss of a table is the mean over
    the attributes by their importance. A suppressed record loses what the root does, as the
    definition says; ARX [2]_ counts for it what the generalized value loses, and what it takes to
    tell this among the suppressed records alone. A missing value is a value.

    Range
    -----
    From 0, all values are published as they were, to 1, all are roots or left out. An attribute
    with one value has nothing to lose: it counts as 0 in the mean, which then cannot reach 1.

    Guides a search
    ---------------
    The loss never falls: a range that grows holds no fewer records of the original, so that
    :math:`n(V)` grows, and :math:`n(v)` stays; no range holds more than the root. The measure of
    the same name without "non-uniform", which counts the entropy within every range, does fall.

    Examples
    --------
    Nine records and one are put together: to tell them apart again takes 0.47 bits each, of the
    1.23 bits that it would take to tell all twenty apart.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"ill": ["no"] * 9 + ["yes"] + ["maybe"] * 10}, quasi="ill")
    >>> partition = Partition.tight(count(ward).finest, np.array([0, 0, 1], np.int32), 2)
    >>> round(NonuniformEntropy().value(Shown.of(partition, ward.attributes)), 4)
    0.19
    """

    name: ClassVar[str] = "nonuniform-entropy"
    reference: ClassVar[str] = "Gionis and Tassa 2009"
    monotone: ClassVar[bool] = True

    def value(self, shown: Shown) -> float:
        return float(self.by_attribute(shown) @ shown.importance)

    def by_attribute(self, shown: Shown) -> FloatArray:
        """Measure the loss of every attribute, as a share of the most that it can lose."""
        losses = np.zeros(len(shown.attributes))
        for j, before in enumerate(shown.before):
            whole = shown.total_weight
            most = whole * float(_bits(whole)) - float(before @ _bits(before))
            lost = _lost(before, shown.lo[:, j], shown.hi[:, j], shown)
            if np.count_nonzero(before) > 1:
                losses[j] = min(max(lost / most, 0.0), 1.0)
        return losses

    def details(self, shown: Shown) -> dict[str, float]:
        """Give the loss of every attribute."""
        losses = self.by_attribute(shown).tolist()
        return {a.name: loss for a, loss in zip(shown.attributes, losses, strict=True)}


def _lost(before: FloatArray, lo: CodeArray, hi: CodeArray, shown: Shown) -> float:
    """Add up the bits that the cells of an attribute lose.

    Every record is in the range that it shows, so that the sum of log n(V) - log n(v) is taken over
    groups and over values, not over records. Values that are shown as they were stay out of both
    sums, and lose exactly nothing.
    """
    is_wide = hi - lo > 1
    weights = shown.weights[is_wide]
    up_to = np.append(0.0, np.cumsum(before))
    ranges = up_to[hi[is_wide]] - up_to[lo[is_wide]]
    as_was = sum_floats_by_label(shown.weights[~is_wide], lo[~is_wide], before.size)
    left_out = shown.suppressed_weight * _bits(shown.total_weight)
    return float(weights @ _bits(ranges) + left_out - (before - as_was) @ _bits(before))


def _bits(weights: FloatArray | float) -> FloatArray:
    """Take the binary logarithm, and 0 where there is nothing."""
    logarithms: FloatArray = np.log2(np.where(np.asarray(weights) > 0, weights, 1.0))
    return logarithms
