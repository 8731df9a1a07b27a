r"""Second-order swapping: values drawn anew so that counts of pairs of columns are kept, nearly.

Algorithm 5.1 of [1]_, after the data swapping of [2]_, for categories of any number and with its
indices repaired: it begins with the second column, and divides by the number of columns before.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Section 5.3.2.
.. [2] S. P. Reiss. "Practical data-swapping: the first steps." ACM Transactions on Database Systems
   9(1), 1984.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.typing import CodeArray, CountArray

__all__ = ["draw_second_order"]


def draw_second_order(
    kept: CodeArray, columns: Sequence[CodeArray], rng: np.random.Generator
) -> list[CodeArray]:
    r"""Draw new codes for columns, one after the other, given a column that is kept.

    Column j of a record becomes b with the mean, over the columns k before it (the kept one is the
    first), of :math:`F_2[v_k = a_k, v_j = b] / F_1[v_k = a_k]`, where :math:`a_k` is what the
    record has on k by now, and F are counts of the original. That is: one of the columns before is
    drawn, then one of the records that have that value there, and its value on j is taken.
    O(n v log n) for v columns.

    Parameters
    ----------
    kept
        The codes of the column that stays as it is: what is to be told from the others.
    columns
        The codes of the columns to be drawn anew.
    rng
        The source of chance.
    """
    before, made = [kept, *columns], [kept]
    places = [_Places(codes) for codes in before[:-1]]
    for j, codes in enumerate(columns, start=1):
        guide = rng.integers(0, j, codes.size)
        drawn = np.empty_like(codes)
        for k in range(j):
            at = np.flatnonzero(guide == k)
            drawn[at] = codes[places[k].draw(made[k][at], rng)]
        made.append(drawn)
    return made[1:]


class _Places:
    """Where each code of a column occurs."""

    def __init__(self, codes: CodeArray) -> None:
        self._order = np.argsort(codes, kind="stable")
        self._sizes = np.bincount(codes, minlength=1)
        self._start = np.cumsum(self._sizes) - self._sizes

    def draw(self, codes: CodeArray, rng: np.random.Generator) -> CountArray:
        """Draw for each code one of the records that have it."""
        found: CountArray = self._order[self._start[codes] + rng.integers(0, self._sizes[codes])]
        return found
