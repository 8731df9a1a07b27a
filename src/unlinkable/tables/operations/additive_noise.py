r"""Additive noise: every number is published with something random added to it.

Single values are hidden, and what many of them say together stays: sums of noise cancel out, and
the distribution of the originals can be estimated from the published numbers and the distribution
of the noise [1]_. Noise that is correlated as the data are keeps correlations, too, and the result
can be scaled back so that means and covariances are exactly those of the original [2]_.

References
----------
.. [1] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000.
.. [2] J. J. Kim. "A method for limiting disclosure in microdata based on random noise and
   transformation." Proceedings of the ASA section on survey research methods, 1986.
.. [3] Z. Huang, W. Du, B. Chen. "Deriving private information from randomized data." SIGMOD 2005.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError
from unlinkable.noise import Event, Ledger, Mechanism, Neighbours, laplace
from unlinkable.params import as_columns, exact, is_flag, positive
from unlinkable.tables.data import (
    LARGEST,
    Frame,
    Role,
    Schema,
    Table,
    numbers_of,
    numeric_points,
    publishable_columns,
    with_numbers,
)
from unlinkable.tables.operations.base.operation import Perturbation
from unlinkable.tables.operations.shared.columns import NUMERIC, chosen_columns, require_columns
from unlinkable.tables.operations.shared.moments import (
    Bounds,
    Distribution,
    as_bounds,
    bounds_by_column,
    correlated_noise,
    width,
    with_moments_of,
)
from unlinkable.typing import Columns, FloatArray

__all__ = ["AdditiveNoise"]


@frozen
class AdditiveNoise(Perturbation):
    r"""Add random numbers to the numbers of some columns.

    Instead of :math:`x_i` the release has :math:`z_i = x_i + y_i`, with :math:`y_i` drawn from a
    distribution that is published. Whole numbers are rounded to whole numbers, and dates, which
    count in days, to days. A missing value stays missing.

    Parameters
    ----------
    scale
        How much noise: half the width of the ``uniform`` distribution on [-scale, scale], the
        standard deviation of the ``gaussian``, the scale b of the ``laplace`` one (standard
        deviation b times the root of 2). In units of the column; days for dates.
    distribution
        ``gaussian``, ``uniform`` or ``laplace``.
    relative
        Whether the scale is meant in standard deviations of each column.
    correlated
        Whether noise on several columns is correlated as the columns are, with a covariance of
        scale**2 times theirs. Gaussian and relative noise only. Then it cannot be filtered out by
        looking for directions in which data vary little, as independent noise on correlated columns
        can [3]_.
    keep_moments
        Whether noisy numbers are moved and scaled back so that their means and covariances are
        exactly the original ones, before they are rounded. Of all linear maps that do this, the one
        that changes least is taken.
    columns
        Which ones. If not given, the sensitive columns that hold numbers or dates.
    bounds
        For a column the least and the largest value that anybody could have, as ``[["age", 0,
        100]]``. Values beyond are set to the nearest bound before noise is added. Give what is
        known of such values in general, never what the table holds.

    Guarantees
    ----------
    How sure anybody can be of a value is bounded by the noise alone: nothing is promised, and
    columns that hang together let independent noise be filtered out [3]_.

    *A price.* If every published column has Laplace noise of a given scale and bounds, the release
    is differentially private, each person by himself: ``ledger`` says so. Noise is then drawn by
    OpenDP and cannot be seeded, and a missing value is taken for the middle of the bounds, because
    that it misses would be told otherwise. Neighbouring tables replace a person. The order of the
    records must not depend on their values.

    Cost
    ----
    O(n) for each column, O(n d**2) for d correlated ones. With a price, about 25 microseconds for
    each number.

    Raises
    ------
    ParameterError
        If options contradict each other.
    SchemaError, UnsupportedError
        If there is no such column, or it holds categories.
    DataError
        If a column is infinite or constant, so that its own spread gives no scale, values are
        missing where columns are looked at together, or numbers would become infinite.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "clerk"], "pay": [2000, 3000]}, quasi="job",
    ...     sensitive="pay")
    >>> noisy = AdditiveNoise(100).apply(staff, np.random.default_rng(1))
    >>> noisy["pay"].to_list()
    [2035, 3082]
    """

    name: ClassVar[str] = "additive-noise"
    reference: ClassVar[str] = "Agrawal and Srikant 2000; Kim 1986"

    scale: Fraction = field(converter=exact, validator=positive)
    distribution: Distribution = field(
        default=Distribution.GAUSSIAN, converter=Distribution, kw_only=True
    )
    relative: bool = field(default=False, validator=is_flag, kw_only=True)
    correlated: bool = field(default=False, validator=is_flag, kw_only=True)
    keep_moments: bool = field(default=False, validator=is_flag, kw_only=True)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    bounds: Bounds = field(default=(), converter=as_bounds, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.correlated and self.distribution is not Distribution.GAUSSIAN:
            raise ParameterError(
                f"noise of the distribution {self.distribution} cannot be correlated and stay so "
                "distributed: use gaussian"
            )
        if self.correlated and not self.relative:
            raise ParameterError(
                "correlated noise is measured by the spread of the columns: say relative=true"
            )

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        require_columns(schema, tuple(self._bounded) or None, f"the bounds of {self.name}")
        return self

    def apply(self, table: Table, rng: np.random.Generator) -> Frame:
        columns = self._chosen(table)
        if self._has_price(table):
            made = self._with_price(table, columns)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                made = self._without_price(table, columns, rng)
        frame = table.frame
        for name, numbers in zip(columns, made, strict=True):
            if np.isinf(numbers).any():
                raise DataError(
                    f"with this noise numbers of column {name!r} would become infinite: choose a "
                    "smaller scale"
                )
            frame = with_numbers(frame, name, _rounded(table, name, numbers))
        return frame

    def _without_price(
        self, table: Table, columns: Columns, rng: np.random.Generator
    ) -> list[FloatArray]:
        if self.correlated or self.keep_moments:
            return self._together(table, columns, rng)
        return [self._alone(table, name, rng) for name in columns]

    def told(self, table: Table) -> dict[str, float | str]:
        """Say how wide noise is that was measured by the data."""
        if not self.relative:
            return {}
        return {
            f"scale of {name}": float(self.scale) * _spread(name, self._clamped(table, name))
            for name in self._chosen(table)
        }

    def ledger(self, table: Table) -> Ledger | None:
        if not self._has_price(table):
            return None
        events = [
            Event(
                Mechanism.LAPLACE,
                {"sensitivity": width(*self._bounded[name]), "scale": float(self.scale)},
                what=f"every value of {name}",
            )
            for name in self._chosen(table)
        ]
        return Ledger(events, Neighbours.REPLACE)

    def _chosen(self, table: Table) -> Columns:
        return chosen_columns(table, self.columns, [Role.SENSITIVE], NUMERIC, self.name)

    @property
    def _bounded(self) -> dict[str, tuple[Fraction, Fraction]]:
        return bounds_by_column(self.bounds)

    def _has_price(self, table: Table) -> bool:
        """Whether all that is published of a person is noise of a known price."""
        is_plain = not (self.relative or self.correlated or self.keep_moments)
        if self.distribution is not Distribution.LAPLACE or not is_plain or table.schema.owner:
            return False
        published = set(publishable_columns(table))
        return published == set(self._chosen(table)) and published <= set(self._bounded)

    def _clamped(self, table: Table, name: str) -> FloatArray:
        numbers = numbers_of(table.frame, name)
        if name in self._bounded:
            lower, upper = map(float, self._bounded[name])
            numbers = np.clip(numbers, lower, upper)
        if np.isinf(numbers).any():
            raise DataError(f"column {name!r} has infinite values: leave them out, or give bounds")
        return numbers

    def _with_price(self, table: Table, columns: Columns) -> list[FloatArray]:
        made = []
        for name in columns:
            middle = float(sum(self._bounded[name]) / 2)
            numbers = np.nan_to_num(self._clamped(table, name), nan=middle)
            within = width(*self._bounded[name])
            noisy, _ = laplace(numbers, sensitivity=within, scale=float(self.scale))
            made.append(noisy)
        return made

    def _alone(self, table: Table, name: str, rng: np.random.Generator) -> FloatArray:
        numbers = self._clamped(table, name)
        scale = float(self.scale) * (_spread(name, numbers) if self.relative else 1.0)
        return numbers + self.distribution.draw(rng, scale, numbers.size)

    def _together(
        self, table: Table, columns: Columns, rng: np.random.Generator
    ) -> list[FloatArray]:
        numeric_points(table, columns)
        points = np.column_stack([self._clamped(table, name) for name in columns])
        if len(points) < len(columns) + 2:
            raise DataError(
                f"{len(points)} records are too few to know how {len(columns)} columns vary "
                "together: take fewer columns, or noise that is neither correlated nor scaled back"
            )
        if self.correlated:
            noisy = points + float(self.scale) * correlated_noise(points, rng)
        else:
            noisy = np.column_stack([self._alone(table, name, rng) for name in columns])
        return list((with_moments_of(points, noisy) if self.keep_moments else noisy).T)


def _spread(name: str, numbers: FloatArray) -> float:
    known = numbers[~np.isnan(numbers)]
    if known.size and np.abs(known).max() > LARGEST:
        raise DataError(
            f"column {name!r} has numbers beyond {LARGEST:g}, of which the spread cannot be "
            "computed: change the unit, or say relative=false"
        )
    spread = float(known.std(ddof=1)) if known.size > 1 else 0.0
    if not spread:
        raise DataError(
            f"column {name!r} does not vary, so that noise relative to its spread would be none: "
            "say relative=false"
        )
    return spread


def _rounded(table: Table, name: str, numbers: FloatArray) -> FloatArray:
    values = table.numbered(name).observed.domain.values
    return np.rint(numbers) if np.issubdtype(values.dtype, np.integer) else numbers
