"""DRBT: records as points in a smaller space, in which distances are about the same.

Clusters are about distances. A random projection into fewer dimensions keeps distances roughly, and
its coordinates mix all columns: nobody can read a value off them [1]_.

A matrix of m rows and r < m columns makes r mixtures of m columns [3]_. Some matrices still tell a
column: because of what they are, or because columns of the records depend on each other.

References
----------
.. [1] S. R. M. Oliveira, O. R. Zaïane. "Privacy-preserving clustering to uphold business
   collaboration: a dimensionality reduction based transformation approach." IJISP 1(2), 2007.
   Section 7.3 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
.. [2] K. Liu, C. Giannella, H. Kargupta. "A survey of attack techniques on privacy-preserving data
   perturbation methods." In: Privacy-Preserving Data Mining, Springer 2008.
.. [3] D. Achlioptas. "Database-friendly random projections." PODS 2001.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.params import Choice, as_columns, at_least, is_flag
from unlinkable.tables.data import Role, Table, beside, frame_of, free_name
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.coordinates import coordinates_of, spreads
from unlinkable.tables.metrics import stress
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, FloatArray

__all__ = ["DRBT", "TOLD", "Projection", "dependent", "draw_projection", "explained"]

_SAMPLE = 2_000
"""Between so many records at most distances are compared."""

_DRAWS = 200
"""How often one is drawn again from whose coordinates a column of these records is computable."""


class Projection(Choice, noun="kind of projection"):
    """Where the entries of a random projection come from."""

    GAUSSIAN = "gaussian"
    """Normal, each column of the matrix then divided by its length."""
    SPARSE = "sparse"
    """The square root of 3 times +1 or -1 with probability 1/6 each, otherwise 0."""


@frozen
class DRBT(RecordMethod):
    r"""Publish random mixtures of columns of numbers, in which people are about as far apart.

    1. Columns that do not matter for clusters are left out: only ``columns`` are used.
    2. :math:`T' = T R`, for the n records of m columns :math:`T`, each with mean 0 and standard
       deviation 1, and a random matrix :math:`R` of m rows and ``r`` columns.
    3. The distances before and after are compared: *stress*.

    Coordinates are published multiplied by :math:`\sqrt{m/r}` if the columns of R have length 1
    (``gaussian``), and by :math:`1/\sqrt r` if their entries have variance 1 (``sparse``): then
    distances between published records estimate the original ones as they are, and `Stress` needs
    no further factor. The book gives the first factor for both, which is too large by the square
    root of m for the second.

    r must be smaller than m: otherwise the map could be undone. That is not enough for sparse
    matrices. If all entries of R but those of r rows are 0, for instance, these r columns of the
    table can be solved for; a column of R that is all 0 tells nothing. Such matrices, from which
    any column of the table could be computed, are drawn again.

    Nor is a good matrix enough if columns depend on each other: with b = 2a + 1, a mixture of a and
    b alone is a itself. So the records are looked at, too. A matrix is drawn again if the best
    linear fit of any column by the published coordinates explains 99 % of its variance or more
    (:math:`R^2 \ge 0.99`). What is just below that is published: **a column may still be estimated
    closely**, the closer the more columns depend on each other and the nearer r is to m. Other than
    linear dependencies are not looked for.

    Promises
    --------
    None that a verifier could judge. Protection rests on R being secret and on having no inverse,
    and it is weak: whoever knows some records exactly, or how the columns are distributed, can
    estimate R and with it the others [2]_; and distances to known people are disclosed on purpose.
    Give the result only to people who may know the distances between records.

    Publishes
    ---------
    The coordinates ``c1``, ..., and the target columns and weights of the records as they are. All
    other columns are left out. R, the means and the standard deviations stay private, and so does
    the seed. Records are not true of people: they show none of their values.

    Parameters
    ----------
    r
        How many mixtures are published: fewer than there are columns, or values could be computed
        from them. If not given, half as many as there are columns, and at least one.
    columns
        The columns that are mixed: numbers or dates, and no targets or weights, which are published
        as they are. If not given, all quasi-identifying, sensitive and insensitive columns of
        numbers or dates.
    kind
        What goes into a mixture: ``gaussian``, a random part of every column, or ``sparse``, the
        same part of about a third of the columns, added or taken off, and nothing of the others.
    standardize
        Whether all columns count alike, whatever their units: each is brought to mean 0 and
        standard deviation 1 first. If not, columns with large numbers decide how far apart people
        are.

    Cost
    ----
    O(n m^2), and the distances between 2,000 records.

    Raises
    ------
    ParameterError
        If r is not smaller than the number of columns.
    SchemaError, DataError
        If there are no such columns, one of them is a target or weight, or values are missing.
    UnsupportedError
        If a column holds categories, or no matrix hides all columns, as they are or because they
        depend on each other.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 30, 70, 50, 40], "pay": [1, 2, 3, 9, 1], "rent": [3, 9,
    ...     8, 2, 4]}, quasi=["age", "pay", "rent"])
    >>> ul.anonymize(people, privacy=[], method=ul.DRBT(r=2), seed=1).masked.frame.columns
    ['c1', 'c2']
    """

    name: ClassVar[str] = "drbt"
    reference: ClassVar[str] = "Oliveira and Zaïane 2007"
    needs_promise: ClassVar[bool] = False

    r: int | None = field(default=None, validator=optional(at_least(1)))
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    kind: Projection = field(default=Projection.GAUSSIAN, converter=Projection, kw_only=True)
    standardize: bool = field(default=True, validator=is_flag, kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "it publishes mixtures of columns, in which no two people need to look alike: use "
            "cluster-framework or mondrian for promises about groups"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Project the records; ``facts`` tell the stress, the effort counts matrices ``drawn``."""
        self.require(privacy, may_suppress=False)
        columns = self._chosen(table)
        points = coordinates_of(self, table, columns)
        if self.standardize:
            points = (points - points.mean(axis=0)) / spreads(points)
        r = self._n_coordinates(columns)
        matrix, n_drawn = self._hiding(points, columns, r, task.rng)
        projected = points @ matrix
        kept = table.schema.with_role(Role.TARGET, Role.WEIGHT)
        names: list[str] = []
        for i in range(r):
            names.append(free_name(f"c{i + 1}", [*kept, *names]))
        frame = frame_of({name: projected[:, i] for i, name in enumerate(names)})
        some = task.rng.permutation(len(points))[:_SAMPLE]
        facts = {"stress": stress(points[some], projected[some]), "records compared": some.size}
        return MaskedRecords(
            beside(frame, table.frame, kept),
            np.arange(len(table)),
            effort={"drawn": n_drawn},
            facts=facts,
        )

    def _hiding(
        self, points: FloatArray, columns: Columns, r: int, rng: np.random.Generator
    ) -> tuple[FloatArray, int]:
        """Draw a matrix whose coordinates tell no column of these records; count those drawn.

        Raises
        ------
        UnsupportedError
            If none does.
        """
        off = points - points.mean(axis=0)
        spread = off.T @ off
        n_drawn = 0
        for _ in range(_DRAWS):
            matrix, more = draw_projection(rng, len(columns), r, self.kind)
            n_drawn += more
            if explained(spread, matrix).max() < TOLD:
                return matrix, n_drawn
        if len(points) <= r + 1:
            why = f"of {len(points)} records, {r} coordinates tell all: use a smaller r"
        elif bound := dependent(spread, columns):
            why = (
                f"the columns {', '.join(map(repr, bound))} depend on each other: leave some of "
                "them out" + (", or use a smaller r" if r > 1 else "")
            )
        else:
            why = "use a smaller r, or standardize=true if that was left out"
        raise UnsupportedError(
            f"from {r} coordinates of {len(columns)} columns some of these could be computed, "
            f"whatever matrix is drawn; {why}"
        )

    def _chosen(self, table: Table) -> Columns:
        """Find the columns to project."""
        if self.columns is None:
            named = table.schema.with_role(Role.QUASI, Role.SENSITIVE, Role.INSENSITIVE)
            columns = tuple(
                n for n in named if table.numbered(n).observed.domain.kind is not Kind.CATEGORY
            )
        else:
            columns = self.columns
        kept = table.schema.with_role(Role.TARGET, Role.WEIGHT)
        if both := [name for name in columns if name in kept]:
            raise SchemaError(
                f"column {both[0]!r} is a target or weight, and published as it is: mixed into the "
                f"coordinates it would tell of the others; leave it out of the columns of {self}"
            )
        return columns

    def _n_coordinates(self, columns: Columns) -> int:
        """Count the coordinates, and refuse as many as there are columns.

        Raises
        ------
        ParameterError
            If columns could be computed from them.
        """
        r = max(len(columns) // 2, 1) if self.r is None else self.r
        if columns and r >= len(columns):
            raise ParameterError(
                f"{self} publishes {r} coordinates of {len(columns)} columns, from which "
                "these could be computed: r must be smaller than the number of columns"
            )
        return r


_TRIES = 1_000
"""How often a matrix is drawn again that would give a column away."""

TOLD = 0.99
"""From this share of its variance on, a column counts as computable."""


def explained(spread: FloatArray, matrix: FloatArray) -> FloatArray:
    """Tell which share of the variance of each column the coordinates explain, by the best fit.

    Parameters
    ----------
    spread
        The covariances of the columns, or a multiple of them.
    matrix
        By which the columns are projected.

    Examples
    --------
    >>> explained(np.eye(2), np.array([[1.0], [1.0]])).round(6).tolist()
    [0.5, 0.5]
    """
    unit = np.sqrt(np.diag(spread))
    unit = np.where(unit > 0, unit, 1.0)
    # In standard deviations, and by mixtures that have little in common, so that no column is lost
    # beside those of large numbers.
    together = spread / unit[:, None] / unit
    mixed, _ = np.linalg.qr(matrix * unit[:, None])
    inverse = np.linalg.pinv(mixed.T @ together @ mixed, rcond=1e-12, hermitian=True)
    across = together @ mixed
    shares: FloatArray = np.einsum("ij,jk,ik->i", across, inverse, across)
    return shares


def dependent(spread: FloatArray, columns: Columns) -> list[str]:
    """Name the columns that can be computed from the others."""
    found = []
    for j, name in enumerate(columns):
        others = np.delete(np.eye(len(columns)), j, axis=1)
        if explained(spread, others)[j] >= TOLD:
            found.append(name)
    return found


def draw_projection(
    rng: np.random.Generator, m: int, r: int, kind: Projection
) -> tuple[FloatArray, int]:
    r"""Draw a matrix of m rows and r < m columns that keeps distances on the average.

    Also tells how many were drawn until one was found that gives no column away. Column j of the
    table is a mixture of the published ones just if the j-th unit vector lies in the space that the
    columns of the matrix span, that is, if its projection on that space has length 1.

    Raises
    ------
    UnsupportedError
        If none of a thousand will do.

    Examples
    --------
    >>> matrix, _ = draw_projection(np.random.default_rng(0), 5, 2, Projection.GAUSSIAN)
    >>> np.allclose((matrix**2).sum(axis=0), 5 / 2)
    True
    """
    for n_drawn in range(1, _TRIES + 1):
        if kind is Projection.GAUSSIAN:
            matrix = rng.standard_normal((m, r))
            matrix *= np.sqrt(m / r) / np.sqrt((matrix**2).sum(axis=0))
        else:
            matrix = np.sqrt(3 / r) * rng.choice([1.0, 0.0, 0.0, 0.0, 0.0, -1.0], (m, r))
        basis, lengths, _ = np.linalg.svd(matrix, full_matrices=False)
        told = (basis[:, lengths > 1e-9] ** 2).sum(axis=1)
        if (matrix != 0).any(axis=0).all() and told.max() < 1 - 1e-9:
            return matrix, n_drawn
    raise UnsupportedError(
        f"no {kind.value} projection of {m} columns on {r} hides all of them: use a smaller r, or "
        "kind gaussian"
    )
