"""Reconstruction error: how far off recipients are who reconstruct what goes with what.

References
----------
.. [1] G. Ghinita, Y. Tao, P. Kalnis. "On the anonymization of sparse high-dimensional data." ICDE
   2008. Equations 13.2 and 13.3 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data
   Publishing." 2010.
.. [2] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.params import Choice, as_columns, at_least
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import Bucketized, Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.features import Unchanged, weights_of
from unlinkable.tables.metrics.shared.reconstruction import Reconstruction, cells_of_column
from unlinkable.typing import Columns, CountArray, FloatArray, Progress

__all__ = ["InformationUnit", "ReconstructionError", "reconstruction_error"]


class InformationUnit(Choice, noun="unit"):
    """What information is counted in."""

    BITS = "bits"
    """By logarithms to base 2."""
    NATS = "nats"
    """By natural logarithms."""

    @property
    def per_bit(self) -> float:
        """How much of it a bit is."""
        return 1.0 if self is InformationUnit.BITS else math.log(2)


def reconstruction_error(
    actual: Sequence[float] | FloatArray | CountArray,
    estimated: Sequence[float] | FloatArray | CountArray,
    *,
    unit: InformationUnit = InformationUnit.BITS,
    smoothing: float = 0.0,
) -> float:
    r"""Measure how far an estimated distribution is from the actual one.

    The Kullback-Leibler divergence :math:`\sum_C Act_C \log (Act_C / Est_C)` over cells C. A cell
    where nothing is (:math:`Act_C = 0`) adds nothing, whatever was expected there; a cell where
    something is and nothing was expected makes the error infinite, unless ``smoothing`` is added to
    all counts of both.

    Parameters
    ----------
    actual, estimated
        Counts or shares of all cells; each is divided by its sum.
    unit
        Whether to count bits or nats.
    smoothing
        What is first added to each.

    Raises
    ------
    ParameterError
        If the distributions do not have the same cells, or one of them is none.

    Examples
    --------
    >>> reconstruction_error([0, 1, 0, 0], [0, 0.5, 0.5, 0])
    1.0
    >>> reconstruction_error([1, 1], [1, 0]), reconstruction_error([1, 0], [1, 0])
    (inf, 0.0)
    """
    act, est = (np.asarray(given, float) for given in (actual, estimated))
    if act.ndim != 1 or act.shape != est.shape:
        raise ParameterError(
            f"distributions must have the same cells, got the shapes {act.shape} and {est.shape}"
        )
    for counts in (act, est):
        is_some = counts.size > 0 and counts.sum() + smoothing > 0
        if not is_some or not np.isfinite(counts).all() or (counts < 0).any():
            raise ParameterError("a distribution needs counts of 0 or more, and not only zeros")
    act, est = act + smoothing, est + smoothing
    act, est = act[act > 0] / act.sum(), est[act > 0] / est.sum()
    with np.errstate(divide="ignore"):
        return max(float(act @ (np.log2(act) - np.log2(est))), 0.0) * unit.per_bit


@frozen
class ReconstructionError(Metric):
    r"""How far off one is who reconstructs from the release how often values go together.

    For each sensitive value s, :math:`Act_C` is the share of its occurrences that fall into cell C,
    a combination of the values of some columns, and :math:`Est_C` the share that a recipient
    expects there; the error of s is :math:`\sum_C Act_C \log (Act_C / Est_C)`. The result is the
    mean over all sensitive values by how often they occur, which is the divergence of values and
    cells taken together.

    A group of n records, a of which have s, is expected to have :math:`a\,b / n` of them in a cell
    that b of its records are in. In a bucketized release b is known. In a generalized one, the
    records of a group are expected to lie evenly over all combinations that its ranges cover. A
    table without sensitive columns is reconstructed by the cells alone. Suppressed records are
    compared with nothing; records are counted, whatever they weigh.

    Where values were perturbed, and it is not known which record is which, each column by itself is
    compared: the distribution of its published values with that of the original ones, numbers in
    intervals. The result is the mean over the columns.

    Parameters
    ----------
    sensitive
        The columns whose values are spread; the result is the mean over them. All sensitive columns
        if not given. Not used where values were perturbed.
    columns
        The columns whose values make up the cells: the quasi-identifier if not given. Where values
        were perturbed, the columns to compare: all if not given.
    unit
        Whether to count ``bits`` or ``nats``.
    bins
        Number of intervals for numbers and dates that were perturbed, each with about as many
        original records. Numbers outside of them belong to the first or the last.
    smoothing
        Where values were perturbed, what is added to the count of each value or interval in both
        distributions, so that one which got lost does not make the error infinite.

    Range
    -----
    From 0, nothing is lost, upwards. An error of x bits means that on average the number of people
    with a value in a cell is expected to be 2 to the power of x smaller than it is; the greatest
    possible value depends on the table. Merging buckets can make it smaller: of the records (f,
    flu), (f, hiv), (m, flu), the first in a bucket of its own and the others in one give 0.47 bits,
    all three in one bucket 0.25.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.groups import Histogram
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> ill = ward.taxonomy("ill")
    >>> held = Histogram(np.array([0, 2]), np.array([0, 1], np.int32), np.array([3, 1]), 2, ill)
    >>> release = Bucketized(ward, ward.frame, np.arange(4), np.zeros(4, np.int32), {"ill": held})
    >>> # 2/4 log 4/3 + 1/4 log 2/3 + 1/4 log 2
    >>> round(ReconstructionError().measure(release).value, 4)
    0.3113
    """

    name: ClassVar[str] = "reconstruction-error"
    reference: ClassVar[str] = "Ghinita, Tao and Kalnis 2008"
    purpose: ClassVar[Purpose] = Purpose.TASK
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Bucketized, Perturbed)

    sensitive: Columns | None = field(default=None, converter=as_columns)
    columns: Columns | None = field(default=None, converter=as_columns)
    unit: InformationUnit = field(default=InformationUnit.BITS, converter=InformationUnit)
    bins: int = field(default=20, validator=at_least(1))
    smoothing: float = field(default=0.5, converter=float, validator=at_least(0))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        if isinstance(published, Perturbed):
            columns = self._columns(published, published.columns)
            by_column = {name: self._of_column(published, name) for name in columns}
            return Measurement(float(np.mean(list(by_column.values()))), by_column)
        assert isinstance(published, Generalized | Bucketized)
        hidden = self._hidden(published)
        quasi = tuple(name for name in published.quasi if name not in hidden)
        columns = self._columns(published, quasi)
        errors: list[float] = []
        details: dict[str, float] = {}
        for i, name in enumerate(hidden or (None,)):
            found = self._reconstructed(published, columns, name)
            errors.append(found.error * self.unit.per_bit)
            if name is not None:
                worst = float(np.nanmax(found.by_value)) * self.unit.per_bit
                details |= {name: errors[-1], f"{name}: value with the largest error": worst}
            if progress is not None:
                progress((i + 1) / max(len(hidden), 1), f"{name or 'records'} reconstructed")
        details["records compared"] = float(found.actual.sum())
        return Measurement(float(np.mean(errors)), details)

    def _hidden(self, published: Generalized | Bucketized) -> Columns:
        """Find the columns whose values are spread."""
        if isinstance(published, Bucketized):
            what, there = "bucketized column", tuple(published.hidden)
        else:
            what, there = "published column", published.columns
        for name in self.sensitive or ():
            if name not in there:
                raise SchemaError(unknown(what, name, there))
        if self.sensitive:
            return tuple(dict.fromkeys(self.sensitive))
        usual = there if isinstance(published, Bucketized) else published.original.schema.sensitive
        return tuple(name for name in usual if name in there)

    def _columns(self, published: Published, usual: Columns) -> Columns:
        """Find the columns that are compared, or make up the cells."""
        columns = tuple(dict.fromkeys(usual if self.columns is None else self.columns))
        for name in columns:
            if name not in published.columns:
                raise SchemaError(unknown("published column", name, published.columns))
        if not columns:
            raise UnsupportedError(f"{self} has no published column to look at")
        return columns

    def _reconstructed(
        self, published: Generalized | Bucketized, columns: Columns, sensitive: str | None
    ) -> Reconstruction:
        if isinstance(published, Generalized):
            return Reconstruction.from_boxes(published, columns, sensitive)
        assert sensitive is not None
        return Reconstruction.from_buckets(published, columns, sensitive)

    def _of_column(self, published: Perturbed, name: str) -> float:
        """Compare the distributions of one column."""
        before, after, n_cells = cells_of_column(published, name, self.bins)
        people = weights_of(Unchanged.of(published.original))
        actual = np.bincount(before, people, n_cells)
        estimated = np.bincount(after, weights_of(published), n_cells)
        return reconstruction_error(actual, estimated, unit=self.unit, smoothing=self.smoothing)
