"""Workload: how uncertain some targets are once a region is cut.

Recipients learn to tell a class or a number from the quasi-identifier. A cut is good for them if
its halves differ in it [1]_: the classes of each half are as uncertain as little can be (equation
6.4), and its numbers lie close to their mean (equation 6.5). Several targets are added up
(equations 6.6 and 6.7).

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization." KDD 2006. Section
   6.4 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.kernels.splitting import cut_bits, cut_gains, squared_errors
from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.shared.region_cuts import Cuts, Penalty, unevenness
from unlinkable.tables.methods.regions.shared.region_search import CuttingMethod
from unlinkable.tables.methods.shared.targets import target_columns
from unlinkable.tables.metrics import entropy
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import Columns, CountArray, FloatArray

__all__ = ["Classes", "GuidedMethod", "Numbers", "Workload", "are_targets", "target_counts"]

_EXACT = 1 << 52
"""Sums of whole numbers below this are exact in floats."""

_LISTED = 1 << 16
"""For so many numbers n, n log2 n is computed once."""

_WIDEST = 1 << 62
"""Sums of steps below this fit into 64 bits."""

_DAY = 86_400_000_000
"""Microseconds."""


def target_counts(finest: Groups, columns: Columns) -> Histogram:
    """Find how often each value of a target occurs.

    Raises
    ------
    UnsupportedError
        If it was not counted.
    """
    if columns not in finest.histograms:
        raise UnsupportedError(
            f"the values of {', '.join(columns)} were not counted: count what the method needs"
        )
    return finest.histograms[columns]


@define(eq=False, frozen=True)
class Classes:
    """A target of classes: what is left is the bits that tell the class of every record.

    A missing class is a class like any other, and records count the same whatever they weigh.

    Attributes
    ----------
    counts
        The classes of the finest groups.
    scale, n_log_n
        How exactly bits are counted, see `unlinkable.kernels.splitting.workload_cuts`.
    whole
        The bits that tell the class of every record of the table.
    """

    counts: Histogram
    scale: float
    n_log_n: FloatArray
    whole: float

    @classmethod
    def of(cls, counts: Histogram, n_targets: int = 1) -> Self:
        """Count bits so exactly that sums over so many targets are exact."""
        total = counts.total
        n = int(total.sum())
        most = n_targets * n * math.log2(max(n, 2)) + 1
        scale = 2.0 ** math.floor(math.log2(_EXACT / most))
        first = np.arange(min(n + 1, _LISTED))
        n_log_n = np.rint(first * np.log2(np.maximum(first, 1)) * scale)
        return cls(counts, scale, n_log_n, entropy(total) * n)

    def __call__(self, cuts: Cuts) -> FloatArray:
        """Count the bits that are left by each cut: the entropy of its halves, times records."""
        owns = cuts.layout.rows.order[cuts.rows]
        counts = self.counts
        left = cut_bits(
            counts.indptr,
            counts.values,
            counts.counts,
            counts.n_values,
            owns,
            cuts.starts,
            cuts.item,
            cuts.below,
            self.n_log_n,
            self.scale,
        )
        return left / self.scale


@define(eq=False, frozen=True)
class Numbers:
    """A target of numbers or dates: what is left is their squared distances from the means.

    A missing number is left out. Dates count in days. Numbers are taken as whole steps of their
    last decimal place, or of a 2^-62nd of their range and number if that is more: sums are exact.

    Attributes
    ----------
    known, totals
        How many records of each finest group have a number, and the sum of these in steps.
    unit
        How large a step is.
    whole
        The squared distances of all numbers of the table from their mean.
    """

    known: CountArray
    totals: CountArray
    unit: float
    whole: float

    @classmethod
    def of(cls, name: str, counts: Histogram) -> Self:
        """Add up the numbers of the finest groups.

        Raises
        ------
        DataError
            If a number is too large to be squared.
        """
        assert counts.taxonomy is not None
        steps, unit = _steps(name, counts.taxonomy.domain, int(counts.counts.sum()))
        is_known = counts.values < steps.size
        amounts = np.where(is_known, counts.counts, 0)
        # The missing value has the code after the last number.
        sums = amounts * np.append(steps, 0)[counts.values]
        total = counts.total
        values = np.flatnonzero(total).astype(np.int32)
        indptr = np.array([0, values.size], np.int64)
        error = squared_errors(indptr, values, total[values], steps)[0]
        known, totals = counts.reduce(np.add, amounts), counts.reduce(np.add, sums)
        return cls(known, totals, unit, float(error) * unit**2)

    def __call__(self, cuts: Cuts) -> FloatArray:
        """Measure what is left by each cut, less what its region had: never above 0."""
        owns = cuts.layout.rows.order[cuts.rows]
        gains = cut_gains(self.known, self.totals, owns, cuts.starts, cuts.item, cuts.below)
        return -gains * self.unit**2


@define(eq=False, frozen=True)
class Workload:
    """Several targets: what is left of each, added up.

    Attributes
    ----------
    targets
        What recipients want to tell.
    by_share
        Whether the uncertainty of a target is taken as a share of that in the whole
        table. Bits and squared numbers can be added up only so.
    """

    targets: tuple[Classes | Numbers, ...]
    by_share: bool

    def __call__(self, cuts: Cuts) -> FloatArray:
        """Measure cuts."""
        left = np.zeros(len(cuts))
        for target in self.targets:
            if not self.by_share:
                left += target(cuts)
            elif target.whole > 0:
                left += target(cuts) / target.whole
        return left


def _steps(name: str, domain: Domain, n_records: int) -> tuple[CountArray, float]:
    """Take numbers or dates as whole steps from the least one; tell how large a step is."""
    if not domain.n_present:
        return np.empty(0, np.int64), 1.0
    values, unit = domain.values, 1.0
    if domain.kind is Kind.DATE:
        unit = 1 / _DAY if np.datetime_data(values.dtype)[0] == "us" else 1.0
        values = values.astype(np.int64)
    most = _WIDEST // max(n_records, 1)
    span = int(values[-1]) - int(values[0]) if values.dtype.kind == "i" else _WIDEST
    if span < _WIDEST:
        coarse = span // most + 1
        return (values - values[0]) // coarse, unit * coarse
    numbers = domain.as_numbers()
    with np.errstate(over="ignore", invalid="ignore"):
        width = float(numbers[-1] - numbers[0])
        if not math.isfinite(n_records * np.float64(width) ** 2):
            raise DataError(
                f"column {name!r} holds numbers that are too large to be squared: leave these "
                "records out, or mark the values as missing"
            )
    unit = max(float(domain.unit), width / most)
    return np.rint((numbers - numbers[0]) / unit).astype(np.int64), unit


def are_targets(instance: object, attribute: Any, value: Columns | None) -> None:
    """Refuse a list of columns that names none."""
    if value is not None and not value:
        raise ParameterError(f"{attribute.name} must name a column: leave it out, or name one")


class GuidedMethod(CuttingMethod):
    """A search that cuts regions where the halves tell the most of some targets."""

    @property
    @abc.abstractmethod
    def targets(self) -> Columns | None:
        """The columns to be predicted; None until the method is bound to a table."""

    @abc.abstractmethod
    def counted(self, targets: Columns) -> list[Columns]:
        """Say which columns are counted together."""

    @abc.abstractmethod
    def workload(self, finest: Groups, targets: Columns) -> Workload:
        """Say what is left of these targets by a cut."""

    @property
    def ties(self) -> Penalty:
        return unevenness

    def bind(self, schema: Schema) -> Self:
        renew: Callable[..., Self] = evolve
        return renew(self, targets=target_columns(schema, self.targets))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return frozenset(self.counted(target_columns(schema, self.targets)))

    def penalty(self, finest: Groups, task: Task) -> Penalty:
        if self.targets is None:
            raise SchemaError(
                f"{self} does not know what is to be told: name the columns with targets=..., or "
                "bind it to the table"
            )
        return self.workload(finest, self.targets)
