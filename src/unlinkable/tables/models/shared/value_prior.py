"""The sensitive value that is expected of anybody before a release: one prior for all people."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import exact
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import Histogram
from unlinkable.typing import CountArray, FloatArray

__all__ = ["ValuePrior", "ValueProbabilities", "probability", "read_probabilities"]

ValueProbabilities: TypeAlias = tuple[tuple[str, Fraction], ...]
"""Values by their texts, each with the probability that somebody has it."""

_WIDEST = 1 << 31
"""Weights and totals below this can be multiplied with counts in 64 bits."""

_CLOSE = Fraction(1, 10**9)
"""Probabilities that were rounded may add up to this much more than 1."""


@define(eq=False, frozen=True)
class ValuePrior:
    """The probability of every value, as a whole number out of a total.

    Attributes
    ----------
    weights, total
        The value with code c has the probability ``weights[c] / total``.
    unknown_values
        Values that are believed in, and are none of the column.
    """

    weights: NDArray[Any]
    total: int
    unknown_values: ValueProbabilities = ()

    @property
    def shares(self) -> FloatArray:
        """The probability of every code."""
        shares: FloatArray = (self.weights / max(self.total, 1)).astype(float)
        return shares

    @classmethod
    def of_table(cls, whole: CountArray) -> Self:
        """Believe of everybody what is true of all records together."""
        return cls(whole, int(whole.sum()))

    @classmethod
    def of_probabilities(
        cls, probabilities: ValueProbabilities, hidden: Histogram, whole: CountArray, name: str
    ) -> Self:
        """Look up the values that beliefs are about.

        Raises
        ------
        DataError
            If nothing is said about a value that occurs.
        """
        assert hidden.taxonomy is not None
        domain, total = hidden.taxonomy.domain, lcm(*(p.denominator for _, p in probabilities))
        weights = np.full(hidden.n_values, -1, object)
        unknown_values = []
        for text, p in probabilities:
            code = domain.code_of(text) if text else domain.missing
            if code >= 0:
                weights[code] = int(p * total)
            else:
                unknown_values.append((text, p))
        is_silent = (weights < 0) & (whole > 0)
        if is_silent.any():
            silent = hidden.text(int(np.flatnonzero(is_silent)[0])) or "the missing value"
            raise DataError(
                f"{name!r} does not say how likely {silent!r} is, which occurs in the table: add "
                "a row with its probability, or 0"
            )
        weights[weights < 0] = 0
        dtype = np.int64 if total < _WIDEST else object
        return cls(weights.astype(dtype), total, tuple(unknown_values))


def read_probabilities(side: SideTable) -> ValueProbabilities:
    """Read a side table with the columns ``value`` and ``p``.

    Raises
    ------
    SchemaError
        If one of the columns is missing.
    DataError
        If a value is listed twice, or the probabilities are none.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"value": ["flu", "hiv"], "p": [0.9, 0.1]})
    >>> read_probabilities(SideTable("guess", frame))
    (('flu', Fraction(9, 10)), ('hiv', Fraction(1, 10)))
    """
    found: dict[str, Fraction] = {}
    for value, text in zip(side.texts("value"), side.texts("p"), strict=True):
        key = value or ""
        if key in found:
            raise DataError(f"{key or 'the missing value'!r} is listed twice in {side.name!r}")
        found[key] = probability(text, f"the p of {key or 'the missing value'!r} in {side.name!r}")
    if (added := sum(found.values(), Fraction(0))) > 1 + _CLOSE:
        raise DataError(
            f"the probabilities in {side.name!r} add up to {float(added):.6g}: they must be those "
            "of one person's value, at most 1 together"
        )
    return tuple(found.items())


def probability(text: str | None, what: str) -> Fraction:
    """Read a probability as it is written: 0.25, 1/3.

    Raises
    ------
    DataError
        If it is none.

    Examples
    --------
    >>> probability("1/3", "p")
    Fraction(1, 3)
    """
    try:
        p = exact(text or "")
    except ParameterError:
        raise DataError(f"{what} must be a number or a fraction like 2/3, got {text!r}") from None
    if not 0 <= p <= 1:
        raise DataError(f"{what} must lie in [0, 1], got {text}")
    return p
