"""What the sums alone settle, in whole numbers: no optimization gets it exactly right.

That nobody of a kind has a value, or everybody, leaves no choice for some cells, and then perhaps
none for others. Bounds are narrowed until nothing moves; a cell whose bounds meet is settled.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.errors import DataError
from unlinkable.tables.models.shared.maxent.cells import Cells
from unlinkable.typing import CountArray

__all__ = ["InconsistentError", "inconsistent", "settle"]

_ROUNDS = 100
"""Bounds that still move after this many rounds are left as they are: the solver copes."""

_CLOSE = Fraction(1, 10**12)
"""A probability that was rounded may be this far from one that people can have."""


def settle(cells: Cells, source: str) -> tuple[CountArray, CountArray]:
    """Find the fewest and the most people that each cell can hold.

    Raises
    ------
    DataError
        If what is known contradicts what is published.
    """
    lower = np.zeros(cells.row.size, np.int64)
    upper = np.minimum(cells.people[cells.row], cells.records[cells.column])
    for _ in range(_ROUNDS):
        before = int(upper.sum() - lower.sum())
        _force(cells, lower, upper, source)
        _narrow(cells, lower, upper)
        if (lower > upper).any():
            raise inconsistent(source)
        if int(upper.sum() - lower.sum()) == before:
            break
    return lower, upper


class InconsistentError(DataError):
    """What is known contradicts the published groups."""


def inconsistent(source: str, label: str | None = None) -> InconsistentError:
    """Say that what is known cannot be true of these groups."""
    which = (
        "some of the statements together contradict" if label is None else f"{label} contradicts"
    )
    return InconsistentError(
        f"what is known by {source!r} is inconsistent with the published groups: {which} how "
        "often values occur in them. Correct the probabilities, or leave these rows out"
    )


def _force(cells: Cells, lower: CountArray, upper: CountArray, source: str) -> None:
    """Settle the cells of every equation that can be met in one way only."""
    bounds = cells.term_sums(lower).tolist(), cells.term_sums(upper).tolist()
    for equation in cells.equations:
        weighed = list(zip(equation.terms, equation.weights, strict=True))
        least = sum(w * bounds[w < 0][k] for k, w in weighed)
        most = sum(w * bounds[w > 0][k] for k, w in weighed)
        slack = _CLOSE * sum(abs(w) * bounds[1][k] for k, w in weighed)
        if not least - slack <= equation.p <= most + slack:
            raise inconsistent(source, equation.label)
        is_most = most - equation.p <= slack
        if least == most or not (is_most or equation.p - least <= slack):
            continue
        for k, w in weighed:
            at = cells.terms[cells.sort, k]
            if (w > 0) == is_most:
                lower[at] = upper[at]
            else:
                upper[at] = lower[at]


def _narrow(cells: Cells, lower: CountArray, upper: CountArray) -> None:
    """Bound every cell by what the others of its row, and of its column, leave to it."""
    for sums, totals, at in (
        (0, cells.people, cells.row),
        (1, cells.records, cells.column),
    ):
        least, most = cells.sums(lower)[sums], cells.sums(upper)[sums]
        rest = totals[at] - least[at] + lower
        need = totals[at] - most[at] + upper
        np.minimum(upper, rest, out=upper)
        np.maximum(lower, need, out=lower)
