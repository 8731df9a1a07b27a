"""Density-based perturbation: little noise where people are many, much where they are few.

Noise of one size either hides nobody who lives far from others, or spoils the places where a little
would do. Here the noise of a point reaches as far as its t-th nearest neighbour [1]_.

References
----------
.. [1] S. Chawla, C. Dwork, F. McSherry, A. Smith, H. Wee. "Toward privacy in public databases." TCC
   2005. Section 5; section 5.1.3.3 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import Choice, as_columns, at_least, positive
from unlinkable.tables.data import Table, publishable_columns, rounded, with_numbers
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.coordinates import (
    coordinates_of,
    refuse_owner,
    spreads,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import Columns, FloatArray, Progress

__all__ = ["DensityPerturbation", "NoiseShape", "draw_noise"]

_AT_ONCE = 2_000
"""For so many records neighbours are looked for at a time."""


class NoiseShape(Choice, noun="shape of noise"):
    """How noise is spread around a point."""

    GAUSSIAN = "gaussian"
    """A spherical normal distribution."""
    BALL = "ball"
    """The same density everywhere in a ball, and none outside."""


@frozen
class DensityPerturbation(RecordMethod):
    r"""Move every record by noise that reaches as far as its ``t``-th nearest neighbour.

    Records are points, each coordinate divided by its standard deviation. With :math:`\rho_i` the
    Euclidean distance of point :math:`x_i` of d coordinates to its t-th nearest neighbour and ``s``
    the scale, :math:`x_i + N_i` is published, where :math:`N_i` is

    - ``gaussian``: normal with mean 0 and standard deviation :math:`s \rho_i / \sqrt d` in every
      coordinate, so that its mean squared length is :math:`(s \rho_i)^2`;
    - ``ball``: uniform in the ball of radius :math:`s \rho_i`.

    Numbers are then rounded to the step in which the column was written: whole numbers stay whole,
    days stay days. The literature leaves the shape and the factor open.

    Promises
    --------
    None that a verifier could judge: nothing is the same for several people. Who is hidden rests on
    the noise alone, which is not differentially private: its scale comes from the data, unpaid.

    - A record that at least t others are identical to is not moved at all: it hides among them.
    - **The noise itself tells something.** How far published points scatter shows how near the
      t neighbours of a person were; who knows a person's true values learns about the neighbours.
      `CrossTrainingRound` takes the scale from other people's records, and has no such leak.
    - Whoever knows the exact values of a person can still tell which published record is the
      likeliest.

    Publishes
    ---------
    All records with the moved columns in place of the original ones; other columns as they are,
    sensitive ones among them. Distances to neighbours and the noise stay private. Records are not
    true any more of the people they came from.

    Parameters
    ----------
    t
        Which neighbour the noise reaches to. The more, the more noise.
    columns
        The columns that are moved; all quasi-identifying ones if not given.
    shape
        How noise is spread: ``gaussian`` or ``ball``.
    scale
        By how much the noise is larger than the distance to the neighbour.

    Cost
    ----
    O(n (t + log n)) with a k-d tree for n records of few columns; in many, up to O(n^2).

    Raises
    ------
    SchemaError
        If there is no column to move.
    UnsupportedError
        If one holds categories, or people may have several records.
    DataError
        If values are missing or too large, or there are no more than t records.
    ParameterError
        If noise of this scale leads beyond the numbers that there are.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 23, 80]}, quasi="age")
    >>> masked = ul.anonymize(people, privacy=[], method=ul.DensityPerturbation(t=1),
    ...     seed=1).masked
    >>> [abs(new - old) < 6 for new, old in zip(masked.frame["age"], [20, 21, 22, 23])]
    [True, True, True, True]
    """

    name: ClassVar[str] = "density-perturbation"
    reference: ClassVar[str] = "Chawla et al. 2005"
    needs_promise: ClassVar[bool] = False

    t: int = field(default=10, validator=at_least(1))
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    shape: NoiseShape = field(default=NoiseShape.GAUSSIAN, converter=NoiseShape, kw_only=True)
    scale: float = field(default=1.0, converter=float, validator=positive, kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "every record is moved by noise of its own, and no two need to look alike: use mdav or "
            "mondrian for promises about groups, and dp-histogram or dp-synthetic for those about "
            "noise"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Move the records; ``facts`` tell the mean and greatest distance to the t-th neighbour."""
        self.require(privacy, may_suppress=False)
        refuse_owner(self, table)
        columns = table.schema.quasi if self.columns is None else self.columns
        points = coordinates_of(self, table, columns)
        if len(points) <= self.t:
            raise DataError(
                f"{self} needs {self.t} neighbours of every record, and there are {len(points)} "
                "records: choose a smaller t"
            )
        units = spreads(points)
        radius = _distance_to_neighbour(points / units, self.t, task.progress)
        with np.errstate(over="ignore", invalid="ignore"):
            reach = radius * self.scale
            noise = draw_noise(task.rng, reach, points.shape[1], self.shape)
        frame = table.frame.select(publishable_columns(table))
        for j, name in enumerate(columns):
            domain = table.numbered(name).observed.domain
            with np.errstate(over="ignore", invalid="ignore"):
                moved = rounded(points[:, j] + noise[:, j] * units[j], domain)
            if not np.isfinite(moved).all():
                raise ParameterError(
                    f"noise of {self} is too large for the numbers of column {name!r}: choose a "
                    "smaller scale"
                )
            frame = with_numbers(frame, name, moved)
        facts = {"mean radius": float(radius.mean()), "greatest radius": float(radius.max())}
        return MaskedRecords(
            frame, np.arange(len(table)), effort={"moved": len(table)}, facts=facts
        )


def draw_noise(
    rng: np.random.Generator, radius: FloatArray, n_coordinates: int, shape: NoiseShape
) -> FloatArray:
    """Draw a vector for every radius: uniform in the ball, or normal with that mean square length.

    A uniform point of a ball has a direction like that of any spherical distribution, and the d-th
    power of its length is uniform.

    Raises
    ------
    ParameterError
        If a radius is no number.
    """
    if not np.isfinite(radius).all():
        raise ParameterError("noise would reach farther than numbers do: choose a smaller scale")
    noise = rng.standard_normal((len(radius), n_coordinates))
    if shape is NoiseShape.GAUSSIAN:
        noise *= (radius / np.sqrt(n_coordinates))[:, None]
        return noise
    length = np.sqrt((noise**2).sum(axis=1))
    reach = radius * rng.random(len(radius)) ** (1 / n_coordinates)
    noise *= (reach / np.where(length > 0, length, 1.0))[:, None]
    return noise


def _distance_to_neighbour(points: FloatArray, t: int, progress: Progress) -> FloatArray:
    """Find how far the t-th nearest other point of every point is.

    Some points at a time: in between there is time to tell how far it is, and to be stopped.
    """
    from scipy import spatial

    tree, n = spatial.cKDTree(points), len(points)
    distance = np.empty(n)
    for first in range(0, n, _AT_ONCE):
        progress(first / n, "looking for the neighbours of every record")
        some = slice(first, first + _AT_ONCE)
        distance[some] = tree.query(points[some], k=[t + 1])[0][:, 0]
    return distance
