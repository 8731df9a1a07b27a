r"""Discrete medians: a number is told as the median of those that mean the same for a class.

Numbers are cut where that tells most about the class, as long as the cut is worth the words that it
takes to describe it [1]_; each number becomes the median of its stretch [2]_.

References
----------
.. [1] U. M. Fayyad, K. B. Irani. "Multi-interval discretization of continuous-valued attributes for
   classification learning." IJCAI 1993.
.. [2] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Section 5.3.2. Its example is cut where neither rule would, and its two medians follow no
   one rule for an even number of values.
"""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.perturbation import best_class_cut
from unlinkable.params import Choice
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Median", "class_cuts", "discrete_medians"]


class Median(Choice):
    """What the median of an even number of values is."""

    LOW = "low"
    """The smaller of the two in the middle: a value that somebody has."""
    HIGH = "high"
    """The larger of the two."""
    AVERAGE = "average"
    """What lies between them."""


def class_cuts(numbers: FloatArray, classes: CodeArray) -> FloatArray:
    r"""Find where numbers are cut to tell classes apart, in rising order.

    Of n records the cut with the largest information gain is taken if the gain is more than
    :math:`(\log_2(n-1) + \log_2(3^k-2) - kH + k_1 H_1 + k_2 H_2)/n`, with k, k1 and k2 the numbers
    of classes in the whole and the parts and H their entropies; then both parts are cut in the same
    way. A cut lies in the middle between two neighbouring numbers. Of equal gains the lowest cut is
    taken.

    Examples
    --------
    >>> class_cuts(np.arange(20.0), (np.arange(20) > 9).astype(np.int32)).tolist()
    [9.5]
    """
    order = np.argsort(numbers, kind="stable")
    sorted_numbers = np.ascontiguousarray(numbers[order])
    sorted_classes = np.ascontiguousarray(classes[order])
    room = np.zeros((2, int(classes.max(initial=-1)) + 1), np.int64)
    found, open_parts = [], [(0, numbers.size)]
    while open_parts:
        start, stop = open_parts.pop()
        at = int(best_class_cut(sorted_numbers, sorted_classes, start, stop, *room))
        if at >= 0 and _pays(sorted_classes[start:stop], at - start):
            found.append((sorted_numbers[at - 1] + sorted_numbers[at]) / 2)
            open_parts += [(start, at), (at, stop)]
    return np.sort(np.array(found, float))


def discrete_medians(
    numbers: FloatArray, cuts: FloatArray, median: Median = Median.LOW
) -> FloatArray:
    """Replace every number by the median of those between the same two cuts.

    A number that equals a cut lies below it.

    Examples
    --------
    >>> discrete_medians(np.array([9.0, 1.0, 2.0, 5.0]), np.array([4.0])).tolist()
    [5.0, 1.0, 1.0, 5.0]
    """
    part = np.searchsorted(cuts, numbers, side="left")
    ordered = np.sort(numbers)
    sizes = np.bincount(part, minlength=cuts.size + 1)
    start: CountArray = np.cumsum(sizes) - sizes
    last = max(numbers.size - 1, 0)
    low = np.minimum(start + np.maximum(sizes - 1, 0) // 2, last)
    high = np.minimum(start + sizes // 2, last)
    if not numbers.size:
        return numbers
    match median:
        case Median.LOW:
            middle = ordered[low]
        case Median.HIGH:
            middle = ordered[high]
        case Median.AVERAGE:
            middle = (ordered[low] + ordered[high]) / 2
    return np.asarray(middle[part], float)


def _pays(classes: CodeArray, at: int) -> bool:
    """Whether a cut gains more than it takes to describe it."""
    n = classes.size
    whole, low, high = (_entropy(part) for part in (classes, classes[:at], classes[at:]))
    gain = whole[0] - at / n * low[0] - (n - at) / n * high[0]
    spread = whole[1] * whole[0] - low[1] * low[0] - high[1] * high[0]
    # Of many classes, 3**k - 2 is 3**k to within any precision, and would not fit into a float.
    words = np.log2(3.0 ** whole[1] - 2) if whole[1] < 30 else whole[1] * np.log2(3.0)
    return bool(gain > (np.log2(n - 1) + words - spread) / n)


def _entropy(classes: CodeArray) -> tuple[float, int]:
    """Give the entropy of classes in bits, and how many there are."""
    shares = np.unique(classes, return_counts=True)[1] / classes.size
    return float(-(shares * np.log2(shares)).sum()), shares.size
