"""What promises about the shares of hidden values have in common.

Confidence bounding, linkability, (alpha,k)-anonymity, (k,c)-anonymity and frequency l-diversity
are the same bound on different values, seen by different adversaries. It is stated here once.
"""

from __future__ import annotations

import abc
import math
from fractions import Fraction

import numpy as np

from unlinkable.errors import SchemaError
from unlinkable.kernels.distributions import trim_to_share
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups, Histogram, Knowledge
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.entropy_l_diversity import EntropyLDiversity
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.known_columns import is_about_all_of, knowing
from unlinkable.tables.models.shared.listed_values import Values, mark, unknown_values, unseen_in
from unlinkable.tables.models.xy_anonymity import XYAnonymity
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

__all__ = ["ShareModel"]

_WIDEST = 1 << 31
"""Counts times numbers below this fit into 64 bits."""


class ShareModel(GroupModel):
    """A promise that no hidden value has more than a share of any group.

    Values are counted by record. A missing value is a value like any other, written as the empty
    text. A value that no record has is within every bound.
    """

    @property
    @abc.abstractmethod
    def most(self) -> Fraction:
        """The largest share that a value may have."""

    @property
    @abc.abstractmethod
    def counted(self) -> Columns:
        """The columns whose values, taken together, are bounded; none until that is known."""

    @property
    def listed(self) -> Values | None:
        """The values that are bounded; None for all."""
        return None

    @property
    def known(self) -> Columns | None:
        """The columns that the adversary knows; None for the whole quasi-identifier."""
        return None

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def local(self) -> bool:
        return self.known is None

    def needs(self) -> frozenset[Columns]:
        if not self.counted:
            raise SchemaError(
                f"{self} does not say which sensitive column it is about: bind it to a table, "
                "or name the column"
            )
        return frozenset({self.counted})

    def knows(self, columns: Columns) -> Knowledge:
        return knowing(self, self.known, columns)

    def judge(self, groups: Groups) -> BoolArray:
        return is_within(self.peaks(groups), self.most, groups.sizes)

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest share of a bounded value in each group."""
        return self.peaks(groups) / np.maximum(groups.sizes, 1)

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of its most frequent values.

        What finer groups keep of it keeps the promise together, because merging is safe. If only
        one value is bounded, c of n records have it, and the bound is h, that is (c - h n) / (1 -
        h), rounded up. Where the adversary sees several groups as one, what the others cannot lose
        is lost here.
        """
        lost = np.zeros(len(groups), np.int64)
        for seen, parent in self.seen(groups):
            others = seen.sizes[parent] - groups.sizes
            np.maximum(lost, self._lost(seen)[parent] - others, out=lost)
        return lost

    def unseen(self, groups: Groups) -> str:
        return unseen_in(self._hidden(groups), self.listed, self._where)

    def witness(self, groups: Groups, at: int) -> str:
        hidden, n = self._hidden(groups), int(groups.sizes[at])
        row = slice(hidden.indptr[at], hidden.indptr[at + 1])
        values = hidden.values[row]
        counts = np.where(mark(hidden, self.listed)[values], hidden.counts[row], 0)
        records = quantity(n, "record")
        if not counts.any():
            odd = "".join(
                f"; {text} in {self._where}" for text in unknown_values(hidden, self.listed)
            )
            return f"none of the listed values of {self._where} in {records} here{odd}"
        first = int(np.argmax(counts))
        value = hidden.text(int(values[first])) or "missing"
        return (
            f"{self._where} {'is' if len(self.counted) == 1 else 'are'} {value} in "
            f"{int(counts[first])} of {records} here ({counts[first] / n:.4g}), and may be in at "
            f"most {float(self.most):.4g} of them"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it bounds all that another promise about shares bounds, as tightly.

        A group that is seen on fewer columns is a union of groups that are seen on more, and its
        shares are means of theirs. Records that agree on more hidden columns agree on fewer: where
        all values are bounded, fewer hidden columns are the stronger promise.
        """
        if not isinstance(other, ShareModel) or self.most > other.most:
            return False
        if not is_about_all_of(self.known, other.known) or not self.counted:
            return False
        if self.listed is None:
            return set(self.counted) <= set(other.counted)
        same = self.counted == other.counted and other.listed is not None
        return same and set(other.listed or ()) <= set(self.listed)

    def consequences(self) -> tuple[GroupModel, ...]:
        """Where no value has more than a share of h, there are at least 1 / h values.

        The entropy of a group is at least the logarithm of the inverse of its largest share.
        """
        if self.listed is not None or not self.most or not self.counted:
            return ()
        values = XYAnonymity(math.ceil(1 / self.most), y=self.counted, x=self.known)
        if self.known is not None or len(self.counted) > 1:
            return (values,)
        return (EntropyLDiversity(1 / self.most, sensitive=self.counted[0]), values)

    def explain_failure(self, groups: Groups) -> str:
        hidden, n = self._hidden(groups), groups.n_records
        counts = hidden.total[mark(hidden, self.listed)]
        peak = int(counts.max(initial=0))
        return (
            f"one of the values in {self._where} has {peak} of all {n} records, and some group "
            f"never does better than the whole: ask for a share of at least {_above(peak, n)} "
            f"instead of {float(self.most):.4g}, or leave records out"
        )

    def peaks(self, groups: Groups) -> CountArray:
        """Count the most frequent of the bounded values in each group."""
        hidden = self._hidden(groups)
        if self.listed is None:
            return hidden.peak
        is_bounded = mark(hidden, self.listed)[hidden.values]
        return hidden.reduce(np.maximum, np.where(is_bounded, hidden.counts, 0))

    def _lost(self, groups: Groups) -> CountArray:
        p, q = self.most.as_integer_ratio()
        if q >= _WIDEST:
            return np.zeros(len(groups), np.int64)
        hidden = self._hidden(groups)
        is_bounded = mark(hidden, self.listed)[hidden.values]
        return trim_to_share(hidden.indptr, hidden.counts, is_bounded, p, q)

    @property
    def _where(self) -> str:
        return " and ".join(map(repr, self.counted))

    def _hidden(self, groups: Groups) -> Histogram:
        (columns,) = self.needs()
        try:
            return groups.histograms[columns]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, columns))}, which were not "
                "counted: count the table with what the promise needs"
            ) from None


def _above(part: int, whole: int) -> float:
    """Round the ratio up to three places."""
    return -(-1000 * part // max(whole, 1)) / 1000
