r"""Special uniques: records that few columns suffice to single out.

Of two records that nobody looks like, one may be unique by a single rare value and the other only
by all values together. The first is the more dangerous one: who is unique on few columns of a
sample is more likely to be unique in the population [1]_, [2]_.

References
----------
.. [1] M. J. Elliot, A. M. Manning, R. W. Ford. "A computational algorithm for handling the special
   uniques problem." Int. J. of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002.
.. [2] M. J. Elliot, A. M. Manning, K. Mayes, J. Gurd, M. Bane. "SUDA: a program for detecting
   special uniques." UN ECE work session on statistical data confidentiality, 2005.
.. [3] A. M. Manning, D. J. Haglin, J. A. Keane. "A recursive search algorithm for statistical
   disclosure assessment." Data Mining and Knowledge Discovery 16(2), 2008.
.. [4] C. J. Skinner, M. J. Elliot. "A measure of disclosure risk for microdata." JRSS B 64(4),
   2002.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from math import prod
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups
from unlinkable.tables.risk.base import RiskMeasure
from unlinkable.tables.risk.shared.column_sets import n_sets
from unlinkable.tables.risk.shared.minimal_uniques import find_minimal_uniques
from unlinkable.tables.risk.shared.seen import Seen, see
from unlinkable.tables.risk.shared.specials import Specials, owners_of
from unlinkable.tables.risk.uniqueness import match_chance
from unlinkable.typing import FloatArray, Progress

__all__ = ["SpecialUniques"]

_EASY = 1 << 28
"""Sets of columns, times distinct records, that are examined if nothing else is asked for."""

_MOST_SETS = 1 << 20
_MOST_MARKS = 1 << 34
"""Beyond, the search would take more than memory has."""


@frozen
class SpecialUniques(RiskMeasure):
    r"""Find the records that few columns suffice to single out, and how dangerous that is.

    A *minimal sample unique* of a record is a set of columns on which nobody else looks like it,
    while somebody does on each of its proper subsets. With :math:`A` columns and sets of at most
    :math:`M` of them, a set of :math:`k` columns counts :math:`\prod_{i=k}^{\min(M, A-1)} (A - i)`,
    and the SUDA score of a record is the sum over its minimal sets [2]_. With :math:`M = A` that is
    :math:`(A - k)!`, the default of sdcMicro's ``suda2``.

    A sample of a fraction :math:`\pi` of the population, with :math:`n_1` records that are unique
    and :math:`n_2` pairs, gives whoever matches a unique record in the population a chance of
    :math:`\mathrm{DIS} = \pi n_1 / (\pi n_1 + 2 (1 - \pi) n_2)` to be right [4]_. The DIS-SUDA
    score spreads it over the records by their scores :math:`s`, as sdcMicro does: with
    :math:`q = 1 + (8 - A) / 20`, at least 1/20, and :math:`a = \sum s^{-q}` it is
    :math:`1 / (1 + n_1 (1/\mathrm{DIS} - 1) / (a\, s^q))`.

    Missing values are values like any other. If the table has an owner column, a record is unique
    if all records that look like it belong to the same person, and people are counted. In a table
    about one person nobody is singled out by columns: the empty set does already, and no set of
    columns is minimal beside it. There are no special uniques then.

    Parameters
    ----------
    largest
        The largest number of columns in a set. If it is not given, all columns, or as many as can
        be examined within seconds.
    fraction
        The share of the population that is in the table, for the DIS-SUDA score.

    Cost
    ----
    Every set of columns is reached from one of its subsets by splitting the groups that are still
    of several people: at most the distinct records times the number of sets, mostly much less. One
    bit for each distinct record and set is kept, and one count for each size.

    Raises
    ------
    ParameterError
        If there are more sets of this many columns than memory can hold.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"sex": ["f", "f", "m"], "job": ["cook", "clerk", "cook"]},
    ...     quasi=["sex", "job"])
    >>> found = SpecialUniques().measure(people)
    >>> found.scores.tolist(), found.minimal(0), found.minimal(1)
    ([1.0, 1.0, 1.0], [('sex', 'job')], [('job',)])
    """

    name: ClassVar[str] = "special-uniques"
    reference: ClassVar[str] = "Elliot et al. 2002"

    largest: int | None = field(default=None, validator=optional(at_least(1)))
    fraction: Fraction = field(default=Fraction(1, 100), converter=exact, validator=is_share)

    def measure(self, table: Table, progress: Progress | None = None) -> Specials:
        """Examine the quasi-identifier of a table."""
        return self.of(see(table), progress)

    def of(self, seen: Seen, progress: Progress | None = None) -> Specials:
        """Examine records that are grouped already."""
        groups = seen.groups
        largest = self._largest(len(groups.columns), len(groups))
        owners = owners_of(groups)
        minimal, by_column = find_minimal_uniques(groups, owners, largest, progress)
        worth = _worth(len(groups.columns), largest)
        scores = minimal @ worth
        total = float(scores.sum())
        parts = by_column @ worth / total if total else np.zeros(len(groups.columns))
        dis = match_chance(groups.people(), float(self.fraction))
        chances = _spread(scores, groups, dis)
        return Specials(
            columns=groups.columns,
            largest=largest,
            n_minimal=minimal[seen.labels],
            scores=scores[seen.labels],
            chances=chances[seen.labels],
            fraction=float(self.fraction),
            dis=dis,
            contributions=dict(zip(groups.columns, parts.tolist(), strict=True)),
            groups=groups,
            labels=seen.labels,
        )

    def _largest(self, n_columns: int, n: int) -> int:
        if self.largest is None:
            cost = max(n, 1 << 16)
            easy = takewhile(
                lambda m: n_sets(n_columns, m) * cost <= _EASY, range(2, n_columns + 1)
            )
            return max(easy, default=1)
        largest = min(self.largest, n_columns)
        asked = n_sets(n_columns, largest)
        if asked > _MOST_SETS or n_sets(n_columns, largest - 1) * n > _MOST_MARKS:
            raise ParameterError(
                f"there are {asked:,} sets of at most {largest} of {n_columns} columns, too many "
                f"for {n:,} distinct records: lower largest"
            )
        return largest


def _worth(n_columns: int, largest: int) -> FloatArray:
    """State what a minimal set of each size counts."""
    last = min(largest, n_columns - 1)
    return np.array(
        [float(prod(n_columns - i for i in range(k, last + 1))) for k in range(1, largest + 1)]
    )


def _spread(scores: FloatArray, groups: Groups, dis: float) -> FloatArray:
    """Spread the chance of all unique records over them by their scores."""
    chances = np.zeros(len(groups))
    scored = scores > 0
    if not scored.any():
        return chances
    power = max(1 + (8 - len(groups.columns)) / 20, 1 / 20)
    # Scores are factorials: their powers are compared by their logarithms.
    logs = power * np.log(scores[scored])
    least = logs.min()
    adjust = float(np.exp(least - logs).sum())
    wrong = int((groups.people() == 1).sum()) * (1 / dis - 1)
    chances[scored] = 1 / (1 + wrong / (adjust * np.exp(logs - least)))
    return chances
