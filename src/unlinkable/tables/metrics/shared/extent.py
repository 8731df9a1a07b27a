"""Extent: how much of an attribute a range covers, by the number of its values or by its length."""

from __future__ import annotations

import numpy as np

from unlinkable.params import Choice
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["Extent", "lengths"]


class Extent(Choice):
    """How the extent of a range of numbers or dates is measured."""

    COUNT = "count"
    """By how many of the values that occur it covers, as that of categories is."""
    LENGTH = "length"
    """By how far the last of these values is from the first."""


def lengths(domain: Domain, lo: CodeArray, hi: CodeArray) -> FloatArray:
    """Measure ranges of numbers or dates by their length, as a share of the length of the domain.

    A range reaches from its first value to its last one, so that a single value has no length, and
    neither has a missing value. A range that holds missing values beside others shows everything.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.domain import Kind
    >>> ages = Domain(Kind.NUMBER, np.array([10, 20, 50]), has_missing=True)
    >>> lengths(ages, np.array([0, 0, 1, 2, 3]), np.array([1, 2, 3, 4, 4])).tolist()
    [0.0, 0.25, 0.75, 1.0, 0.0]
    """
    # Halved, no two numbers are further apart than a float can tell.
    ends = np.append(domain.as_numbers() / 2, 0.0)
    whole = ends[-2] - ends[0] if domain.n_present else 0.0
    is_wide = hi - lo > 1
    share: FloatArray = np.where(is_wide, ends[hi - 1] - ends[lo], 0.0) / (whole or 1.0)
    share[is_wide & (hi > domain.n_present)] = 1.0
    return share
