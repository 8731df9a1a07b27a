r"""Fourier coefficients: marginals told in another basis, in which they agree by themselves.

Instead of the counts, the coefficients of the table in an orthogonal basis are published with
noise: those, and only those, that the marginals depend on [1]_. Marginals that are computed from
the same coefficients agree, whatever the noise.

For attributes of two values the basis is that of Walsh:
:math:`f_\alpha = \sum_c (-1)^{\alpha \cdot c} x_c` for every set :math:`\alpha` of attributes that
a marginal includes. A person changes each of them by one, so :math:`m` of them have L1 sensitivity
:math:`m`. For an attribute of :math:`d > 2` cells, :math:`d - 1` contrasts take the place of
:math:`\pm 1`: cosines :math:`\sqrt 2 \cos(\pi k (2 c + 1) / 2 d)`. They are taken times
:math:`2^q` and rounded, so that all coefficients are whole numbers, their sensitivity is exact, and
geometric or discrete Gaussian noise does for them. The rounded basis is inverted as it is: rounding
loses nothing.

References
----------
.. [1] B. Barak, K. Chaudhuri, C. Dwork, S. Kale, F. McSherry, K. Talwar. "Privacy, accuracy, and
   consistency too: a holistic solution to contingency table release." PODS 2007. Theorem 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.noise import SpendableBudget
from unlinkable.tables.methods.noisy.shared.marginals import Axes, Workload
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Basis", "coefficients", "noisy_coefficients", "rows_of", "signed_marginals"]

_MOST_BITS = 10
_ALL_BITS = 40
"""A coefficient is less than two to this many, times the number of records."""


@define(eq=False, frozen=True)
class Basis:
    """The contrasts of every attribute, as whole numbers.

    Attributes
    ----------
    workload
        The attributes and marginals.
    contrasts
        For every attribute a matrix with a row for each contrast and a column for each cell.
    units
        What the contrasts of each attribute were multiplied by.

    Examples
    --------
    >>> Basis.of(Workload((2, 3), ((0, 1),))).contrasts[0].tolist()
    [[1, -1]]
    """

    workload: Workload
    contrasts: tuple[CountArray, ...]
    units: tuple[int, ...]

    @classmethod
    def of(cls, workload: Workload) -> Basis:
        """Make the basis for attributes of these sizes."""
        rich = [sum(workload.sizes[a] > 2 for a in axes) for axes in workload.marginals]
        bits = min(_MOST_BITS, _ALL_BITS // max(1, *rich))
        units = tuple(1 if size <= 2 else 2**bits for size in workload.sizes)
        made = [_contrasts(size, unit) for size, unit in zip(workload.sizes, units, strict=True)]
        return cls(workload, tuple(made), units)

    def unit(self, axes: Axes) -> int:
        """Give what the coefficients of a set were multiplied by."""
        return prod(self.units[axis] for axis in axes)

    def sensitivity(self, axes: Axes) -> tuple[int, float]:
        """Give by how much a person changes the coefficients of a set, in L1 and in L2. Exact."""
        tables = [self.contrasts[axis] for axis in axes]
        l1 = prod(int(np.abs(t).sum(axis=0).max(initial=0)) for t in tables)
        l2 = prod(int((t**2).sum(axis=0).max(initial=0)) for t in tables)
        return l1, float(np.sqrt(l2))


def _contrasts(size: int, unit: int) -> CountArray:
    k, c = np.arange(1, size)[:, None], np.arange(size)[None, :]
    cosines = np.sqrt(2) * np.cos(np.pi * k * (2 * c + 1) / (2 * size))
    return np.asarray(np.rint(unit * cosines), np.int64)


def coefficients(basis: Basis, counts: Sequence[CountArray]) -> dict[Axes, CountArray]:
    """Give the coefficients of all sets, from the true marginals. Exact whole numbers."""
    found: dict[Axes, CountArray] = {}
    for axes, table in zip(basis.workload.marginals, counts, strict=True):
        for k in range(len(axes) + 1):
            for wanted in combinations(axes, k):
                if wanted not in found:
                    others = tuple(i for i, axis in enumerate(axes) if axis not in wanted)
                    found[wanted] = _along(
                        table.sum(axis=others), [basis.contrasts[a] for a in wanted]
                    )
    return found


def noisy_coefficients(
    basis: Basis, counts: Sequence[CountArray], spendable: SpendableBudget
) -> dict[Axes, FloatArray]:
    """Tell the coefficients of all sets with the same noise, in units of the plain basis.

    The budget is split so that every coefficient gets noise of the same scale.
    """
    true = coefficients(basis, counts)
    sensitivities = {s: basis.sensitivity(s) for s in true}
    plain = {s: (l1 / basis.unit(s), l2 / basis.unit(s)) for s, (l1, l2) in sensitivities.items()}
    is_pure = spendable.currency.value == "pure"
    parts = {s: l1 if is_pure else l2**2 for s, (l1, l2) in plain.items()}
    whole = sum(parts.values())
    told = {}
    for s, exact in true.items():
        if not parts[s]:
            continue
        l1, l2 = sensitivities[s]
        what = f"coefficients of {len(s)} attributes" if s else "number of records"
        noisy = spendable.count(exact, l1=l1, l2=l2, share=parts[s] / whole, what=what)
        told[s] = noisy / basis.unit(s)
    return told


def signed_marginals(basis: Basis, told: Mapping[Axes, FloatArray]) -> list[FloatArray]:
    """Compute the marginals from coefficients. They agree, and may be negative."""
    workload = basis.workload
    inverse = [_inverse(t / unit) for t, unit in zip(basis.contrasts, basis.units, strict=True)]
    marginals = []
    for axes in workload.marginals:
        # Along each axis the first entry is the sum, and the others are the contrasts.
        spectrum = np.zeros(workload.shape(axes))
        for k in range(len(axes) + 1):
            for s in combinations(axes, k):
                if s in told:
                    at = tuple(slice(1, None) if a in s else slice(0, 1) for a in axes)
                    spectrum[at] = told[s].reshape(spectrum[at].shape)
        marginals.append(np.asarray(_along(spectrum, [inverse[a] for a in axes]), np.float64))
    return marginals


def rows_of(basis: Basis, sets: Sequence[Axes]) -> FloatArray:
    """Give the coefficients of some sets as sums over the cells of the joint table, row by row."""
    rows = []
    for s in sets:
        factors = [
            basis.contrasts[a] / basis.units[a] if a in s else np.ones((1, basis.workload.sizes[a]))
            for a in basis.workload.all_axes
        ]
        row: FloatArray = np.ones((1, 1))
        for factor in factors:
            row = np.kron(row, factor).astype(np.float64)
        rows.append(row)
    return np.vstack(rows)


def _inverse(contrasts: NDArray[np.float64]) -> FloatArray:
    size = contrasts.shape[1]
    return np.asarray(np.linalg.inv(np.vstack([np.ones((1, size)), contrasts])), np.float64)


def _along(table: NDArray[np.int64] | NDArray[np.float64], matrices: Sequence[NDArray]) -> NDArray:  # type: ignore[type-arg]
    """Multiply each axis of an array by a matrix."""
    for i, matrix in enumerate(matrices):
        table = np.moveaxis(np.tensordot(matrix, table, axes=(1, i)), 0, i)
    return table
