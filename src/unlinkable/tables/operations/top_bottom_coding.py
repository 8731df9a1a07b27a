"""Top and bottom coding: extreme numbers are published as "so much or more".

References
----------
.. [1] A. Hundepool et al. "Statistical Disclosure Control." 2012. Section 3.3.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.converters import optional

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import exact
from unlinkable.tables.operations.base.operation import Scheme, columns_that
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.taxonomies import Kind, Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["TopBottomCoding"]


@frozen
class TopBottomCoding(Scheme):
    """All numbers up to ``bottom`` are told as one range, and all from ``top`` on as another.

    Parameters
    ----------
    column
        Which column. It must hold numbers.
    bottom, top
        Where the ranges end and begin; they are part of them. One of them may be left out.

    Guarantees
    ----------
    Records stay true. People with extreme values no longer stand out by these alone; the range
    ends at the largest number that occurs, which the range gives away.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [1, 17, 40, 91, 104]}, quasi="age")
    >>> recode(people, [TopBottomCoding("age", top=90, bottom=17)]).texts("age")
    ['[1-18)', '[1-18)', '40', '[91-105)', '[91-105)']
    """

    name: ClassVar[str] = "top-bottom-coding"
    reference: ClassVar[str] = "Hundepool et al. 2012"

    column: str
    bottom: Fraction | None = field(default=None, converter=optional(exact), kw_only=True)
    top: Fraction | None = field(default=None, converter=optional(exact), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.bottom is None and self.top is None:
            raise ParameterError("give a bottom, a top, or both")
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise ParameterError(f"bottom must be less than top, got {self.bottom} and {self.top}")

    def apply(self, recoding: Recoding) -> Recoding:
        j = recoding.at(self.column)
        domain = recoding.taxonomies[j].domain
        if domain.kind is not Kind.NUMBER:
            raise SchemaError(
                f"column {self.column!r} holds {domain.kind.value} values: only numbers are coded "
                "at the top and the bottom"
            )
        numbers, codes = domain.values, recoding.codes[:, j]
        end = 0 if self.bottom is None else int((numbers <= float(self.bottom)).sum())
        start = len(numbers) if self.top is None else int((numbers < float(self.top)).sum())
        is_low, is_high = codes < end, (codes >= start) & (codes < len(numbers))
        lo = np.where(is_low, 0, np.where(is_high, start, recoding.lo[:, j]))
        hi = np.where(is_low, end, np.where(is_high, len(numbers), recoding.hi[:, j]))
        return recoding.show(j, lo, hi)

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        said = "is generalized elsewhere than at its top and its bottom"
        return columns_that(recoding, _is_at_the_ends, said)

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        """Count the pairs of ends: none or at least two values at either side, apart."""
        return math.prod(_n_codings(taxonomy) for taxonomy in recoding.taxonomies)


def _is_at_the_ends(taxonomy: Taxonomy, codes: CodeArray, lo: CodeArray, hi: CodeArray) -> bool:
    is_plain = (lo == codes) & (hi == codes + 1)
    if taxonomy.domain.kind is not Kind.NUMBER:
        return bool(is_plain.all())
    n = taxonomy.domain.n_present
    wide_lo, wide_hi = lo[~is_plain], hi[~is_plain]
    bottoms, tops = np.unique(wide_hi[wide_lo == 0]), np.unique(wide_lo[wide_hi == n])
    end = int(bottoms[0]) if bottoms.size else 0
    start = int(tops[-1]) if tops.size else n
    in_place = is_plain & (codes >= end) & (codes < start) | (codes >= n)
    in_place |= (lo == 0) & (hi == end) & (codes < end)
    in_place |= (lo == start) & (hi == n) & (codes >= start) & (codes < n)
    return bool(in_place.all())


def _n_codings(taxonomy: Taxonomy) -> int:
    if taxonomy.domain.kind is not Kind.NUMBER:
        return 1
    n = taxonomy.domain.n_present
    sizes = [0, *range(2, n + 1)]
    ways = sum(1 for low in sizes for high in sizes if low + high <= n)
    # All values at the bottom, or all at the top: that is the same.
    return ways - (n > 1)
