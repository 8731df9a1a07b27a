"""Special uniques: records that few columns suffice to single out.

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

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, takewhile
from math import prod
from typing import ClassVar

import numpy as np
from attrs import define, field, frozen
from attrs.validators import optional
from numpy.typing import NDArray

from unlinkable.errors import ParameterError
from unlinkable.kernels.lkc import are_minimal, mark, single_out
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.risk.base import RiskMeasure
from unlinkable.tables.risk.shared.adversary_view import AdversaryView, adversary_view
from unlinkable.tables.risk.shared.column_sets import Keys, n_sets
from unlinkable.tables.risk.uniqueness import match_chance
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray, Progress

__all__ = ["SpecialUniques", "Specials", "find_minimal_uniques", "owners_of"]

_EASY = 1 << 28
"""Sets of columns, times distinct records, that are examined if nothing else is asked for."""

_MOST_SETS = 1 << 20
_MOST_MARKS = 1 << 34
"""Beyond, the search would take more than memory has."""


@frozen
class SpecialUniques(RiskMeasure):
    r"""Find the records that few columns suffice to single out, and how dangerous that is.

    A *minimal sample unique* of a record is a set of columns on which nobody else looks like it,
    while another person does on each of its proper subsets. With :math:`A` columns and sets of at
    most :math:`M` of them, a set of :math:`k` columns counts :math:`\prod_{i=k}^{\min(M, A-1)} (A -
    i)`, and the SUDA score of a record is the sum over its minimal sets [2]_. With :math:`M = A`
    that is :math:`(A - k)!`, the default of sdcMicro's ``suda2``.

    A sample of a fraction :math:`\pi` of the population, with :math:`n_1` records that are unique
    and :math:`n_2` pairs, gives an adversary who matches a unique record in the population a chance
    of :math:`\mathrm{DIS} = \pi n_1 / (\pi n_1 + 2 (1 - \pi) n_2)` to be right [4]_. The DIS-SUDA
    score spreads it over the records by their scores :math:`s`, as sdcMicro does: with :math:`q = 1
    + (8 - A) / 20`, at least 1/20, and :math:`a = \sum s^{-q}` it is :math:`1 / (1 + n_1
    (1/\mathrm{DIS} - 1) / (a\, s^q))`.

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
        return self.of(adversary_view(table), progress)

    def of(self, seen: AdversaryView, progress: Progress | None = None) -> Specials:
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


@define(eq=False, frozen=True)
class Specials:
    """Which records are special uniques.

    Attributes
    ----------
    columns
        The columns that were examined.
    largest
        The largest number of columns in a set.
    n_minimal
        By record and size, the number of its minimal unique sets of that many columns.
    scores
        By record, its SUDA score; 0 if it is not unique.
    chances
        By record, its DIS-SUDA score: the chance that an adversary who finds a match to it in the
        population is right; 0 if it is not unique.
    fraction
        The share of the population that this was worked out for.
    dis
        The same chance for all unique records together.
    contributions
        By column, the share of the sum of all scores that comes from sets with this column. As
        sets have several columns, the shares add up to more than 1.
    """

    columns: Columns
    largest: int
    n_minimal: CodeArray
    scores: FloatArray
    chances: FloatArray
    fraction: float
    dis: float
    contributions: Mapping[str, float]
    _groups: Groups = field(repr=False)
    _labels: CodeArray = field(repr=False)

    @property
    def n_unique(self) -> int:
        """Number of records that at most ``largest`` columns single out."""
        return int((self.scores > 0).sum())

    def by_size(self) -> dict[int, int]:
        """Count the records by the size of their smallest unique set.

        Examples
        --------
        >>> from unlinkable.tables.risk import SpecialUniques
        >>> from unlinkable.tables.data import as_table
        >>> people = as_table({"sex": ["f", "f", "m"], "job": ["cook", "clerk", "cook"]},
        ...     quasi=["sex", "job"])
        >>> SpecialUniques().measure(people).by_size()
        {1: 2, 2: 1}
        """
        first = np.argmax(self.n_minimal > 0, axis=1)[self.scores > 0] + 1
        counts = np.bincount(first, minlength=self.largest + 1)
        return {size: int(counts[size]) for size in range(1, self.largest + 1)}

    def minimal(self, record: int) -> list[Columns]:
        """Name the minimal sets of columns that single out one record, by its place in the table.

        Raises
        ------
        ParameterError
            If there is no such record.
        """
        if not 0 <= record < self._labels.size:
            raise ParameterError(
                f"no record {record}: they are numbered from 0 to {self._labels.size - 1}"
            )
        found: list[tuple[int, ...]] = []
        own = int(self._labels[record])
        if not self.scores[record]:
            return []
        agreed = self._agreed(own)
        for size in range(1, self.largest + 1):
            for places in combinations(range(len(self.columns)), size):
                is_larger = any(set(smaller) <= set(places) for smaller in found)
                if not is_larger and not agreed[:, places].all(axis=1).any():
                    found.append(places)
        return [tuple(self.columns[j] for j in places) for places in found]

    def to_json(self) -> dict[str, object]:
        """Give the figures as plain values, of no single record."""
        return {
            "largest": self.largest,
            "uniques": self.n_unique,
            "by_size": {str(size): n for size, n in self.by_size().items()},
            "highest_score": float(self.scores.max(initial=0.0)),
            "fraction": self.fraction,
            "dis": self.dis,
            "highest_dis_suda": float(self.chances.max(initial=0.0)),
            "contributions": dict(self.contributions),
        }

    def _agreed(self, own: int) -> BoolArray:
        """State on which columns records of other people agree with a group, each way once."""
        keys, owners = self._groups.keys, owners_of(self._groups)
        same: BoolArray = np.equal(keys[owners != owners[own]], keys[own])
        return same[number_rows(same.astype(np.int32))[1]]


def owners_of(groups: Groups) -> CodeArray:
    """Tell whose each group is; -1 if it belongs to several people."""
    people = groups.people()
    if groups.owner is None:
        whose = np.arange(len(groups), dtype=np.int32)
    else:
        told = groups.histograms[groups.owner,]
        whose = told.values[np.minimum(told.indptr[:-1], max(told.values.size - 1, 0))]
    return np.where(people == 1, whose, -1).astype(np.int32)


_WORD = 64


def find_minimal_uniques(
    groups: Groups, owners: CodeArray, largest: int, progress: Progress | None = None
) -> tuple[CodeArray, CountArray]:
    """Count the minimal unique sets of every group, and of every column.

    A set is minimal for a group that it singles out if no set with one column less does. Sets come
    after their subsets, for which a bit says whom they single out.

    Parameters
    ----------
    groups
        Records that look alike on all columns.
    owners
        Whose each of them is, -1 if it belongs to several people.
    largest
        The largest number of columns in a set.
    progress
        Progress callback.

    Returns
    -------
    tuple[CodeArray, CountArray]
        By group and size, the number of its minimal sets; by column and size, the number of minimal
        sets of all groups that have this column.
    """
    search = _Search(
        keys=Keys.of(groups.keys),
        largest=largest,
        bits=np.zeros(
            (n_sets(len(groups.columns), largest - 1) + 1, -(-len(groups) // _WORD)), np.uint64
        ),
        rows={(): 0},
        minimal=np.zeros((len(groups), largest), np.int32),
        by_column=np.zeros((len(groups.columns), largest), np.int64),
        progress=progress,
        n_all=n_sets(len(groups.columns), largest),
    )
    if (owners >= 0).any():
        everyone = np.arange(len(groups), dtype=np.int32)
        if (owners == owners[0]).all() and owners[0] >= 0:
            return search.minimal, search.by_column
        search.below((), everyone, owners, np.array([0, len(groups)]), len(groups.columns))
    return search.minimal, search.by_column


@define(eq=False)
class _Search:
    """What the search has found so far."""

    keys: Keys
    largest: int
    bits: NDArray[np.uint64]
    rows: dict[tuple[int, ...], int]
    minimal: CodeArray
    by_column: CountArray
    progress: Progress | None
    n_all: int
    n_done: int = 0

    def below(
        self,
        columns: tuple[int, ...],
        elements: CodeArray,
        owners: CodeArray,
        starts: CountArray,
        lowest: int,
    ) -> None:
        """Add one column before ``lowest`` after the other, and go on from there."""
        for j in range(lowest):
            more = (j, *columns)
            is_last = len(more) == self.largest
            kept, whose, ends, found = single_out(
                elements, owners, starts, self.keys.codes[j], self.keys.widths[j], is_last
            )
            self._take(more, columns, found)
            if not is_last:
                self.below(more, kept, whose, ends, j)

    def _take(self, more: tuple[int, ...], before: tuple[int, ...], found: CodeArray) -> None:
        """Take in whom a set singles out that its first subset did not."""
        size = len(more)
        if size < self.largest:
            row = self.rows[more] = len(self.rows)
            self.bits[row] = self.bits[self.rows[before]]
            mark(self.bits[row], found)
        others = [self.rows[(*more[:i], *more[i + 1 :])] for i in range(1, size)]
        new = found[are_minimal(found, self.bits, np.array(others, np.int64))]
        self.minimal[new, size - 1] += 1
        places = [self.keys.order[j] for j in more]
        self.by_column[places, size - 1] += new.size
        self.n_done += 1
        if self.progress is not None:
            self.progress(self.n_done / self.n_all, "looking for minimal unique sets")
