"""r-gather: clusters of at least r records, the widest of them as narrow as can be.

What is published of a cluster is a record in its middle, how many records it has, how far they are
from that at most, and the sensitive values [1]_. Where a few records may be left out, one that is
far from all others does not make every cluster wide.

References
----------
.. [1] G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, D. Thomas, A. Zhu. "Achieving
   anonymity via clustering." PODS 2006. Sections 2.1 (r-gather) and 2.2 ((r, epsilon)-gather).
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.1.3.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, optional

from unlinkable.errors import ParameterError
from unlinkable.kernels.counting import count
from unlinkable.params import as_columns, at_least, at_most, exact, is_flag
from unlinkable.tables.data import (
    Frame,
    Table,
    free_name,
    keep_rows,
    publishable_columns,
    with_column,
    with_order,
)
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.clustering import (
    Clusters,
    cluster_refusal,
    information_loss,
    merge_clusters,
    require_size,
)
from unlinkable.tables.methods.perturb.shared.gathered import (
    Gathered,
    gather,
    gather_most,
    radii_of,
)
from unlinkable.tables.methods.perturb.shared.record_points import RecordPoints, quasi_columns
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import FloatArray

__all__ = ["RGather"]


def _as_share(value: float | int | str | Fraction | None) -> Fraction | None:
    return None if value is None else exact(value)


@frozen
class RGather(RecordMethod):
    """Gather records around centres, at least r to each, with the largest radius small.

    The radius of a cluster is the largest distance of its records from its centre, which is one of
    them; distances are those of `mdav`. If all records are gathered, the largest radius is at most
    twice the least that is possible (of more than 1,000 records, 2.002 times): centres are chosen
    that are so far apart that no two of them can be in one cluster of the best gathering, and a
    maximum flow decides whether each can have r records; the rest goes to the closest centre. If
    a share epsilon may be left out, it is at most four times the least that is possible when so
    many are left out. Centres are tried from the densest places on.

    If the promise is about more than sizes, clusters that break it join the one whose centre is
    nearest, until all keep it; the bound on the radius is then lost.

    Promises
    --------
    As `mdav`: every promise that can be judged a group at a time and survives merging, k-anonymity
    for k up to r first, counted in the published table.

    Publishes
    ---------
    For every record the quasi-identifying values of the centre of its cluster, the columns ``size``
    and ``radius`` of the cluster, and sensitive and other columns as they were. The centre is a
    record of the table: r records show its values, and nobody can tell whose they are. The radius
    is in the units of distances; how many units of each column these are is told. Records are not
    truthful.

    Parameters
    ----------
    r
        Records that a cluster needs, if that is more than the promise asks for.
    epsilon
        The share of the records that may be left out, no more than the release allows to
        suppress; as much as it allows if not given.
    columns
        The quasi-identifying columns that tell how near records are; all if not given.
    scaled
        Whether all columns count alike, whatever their units; if not, numbers count in their own
        units, and different categories are 1 apart.

    Cost
    ----
    A pass for the r nearest of every record, and about ten gatherings, each of which takes a search
    in a tree for every centre and record; a flow only where nearest centres do not have enough. Up
    to 1,000 records all distances are compared.

    Raises
    ------
    UnsupportedError
        If the promise may be broken by merging clusters or cannot be judged a group at a time, or
        if a column has too many categories.
    InfeasibleError
        If all records in one cluster break the promise.
    ParameterError
        If epsilon is more than the share that may be suppressed.
    DataError
        If numbers are missing.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.metrics import ILoss
    >>> people = as_table({"age": [20, 21, 22, 60, 61, 62, 99]}, quasi="age")
    >>> task = Task(people.attributes, ILoss(), suppression=Fraction(15, 100))
    >>> masked = RGather(scaled=False).mask(people, All([KAnonymity(3)]), task)
    >>> masked.frame.rows()[2:4], masked.n_suppressed
    ([(21, 3, 1.0), (61, 3, 1.0)], 1)
    """

    name: ClassVar[str] = "r-gather"
    reference: ClassVar[str] = "Aggarwal et al. 2006"
    groups_people: ClassVar[bool] = True

    r: int | None = field(default=None, validator=optional(at_least(2)))
    epsilon: Fraction | None = field(
        default=None,
        converter=_as_share,
        validator=optional(and_(at_least(0), at_most(1))),
        kw_only=True,
    )
    columns: tuple[str, ...] | None = field(default=None, converter=as_columns, kw_only=True)
    scaled: bool = field(default=True, validator=is_flag, kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return cluster_refusal(model)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Gather records, merge clusters that break the promise, and show the centres.

        The effort counts radii that were ``tried``, and ``merges`` of clusters in so many
        ``merge_rounds``. The facts tell the largest ``radius``, the ``least_radius`` that is known
        to be impossible to beat, the number of ``groups``, and the ``information_loss``.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        columns = quasi_columns(table, self.columns)
        r = max(self.r or 2, privacy.least_size, 2)
        require_size(table, r, privacy)
        space = RecordPoints.of(table, columns, scaled=self.scaled)
        points = space.points
        found = self._gathered(points, r, task)
        formed = Clusters(found.labels, found.centres.size, {"tried": found.n_tried})
        clusters, host = merge_clusters(table, formed, points[found.centres], privacy, task)
        shown = evolve(
            found,
            labels=clusters.labels,
            centres=found.centres[host],
            radii=radii_of(points, clusters.labels, found.centres[host]),
        )
        rows = np.flatnonzero(clusters.labels >= 0)
        return MaskedRecords(
            keep_rows(_published(table, shown), rows),
            rows,
            told={f"one unit of radius, on {name}": unit for name, unit in space.scales.items()},
            n_suppressed=len(table) - rows.size,
            effort=clusters.effort,
            facts={
                "radius": shown.radius,
                "least_radius": found.bound,
                "groups": float(clusters.n),
                "information_loss": information_loss(points, clusters),
            },
        )

    def _gathered(self, points: FloatArray, r: int, task: Task) -> Gathered:
        n = len(points)
        allowed = task.may_suppress(n)
        n_out = allowed if self.epsilon is None else int(self.epsilon * n)
        if n_out > allowed:
            raise ParameterError(
                f"epsilon leaves out up to {n_out} of {n} records, and the release allows "
                f"{allowed}: allow that share to be suppressed, too"
            )
        # One cluster at least is published, whatever may be left out.
        n_out = min(n_out, n - r)
        if n_out == 0:
            return gather(points, r, task.progress)
        return gather_most(points, r, n_out, task.progress)


def _published(table: Table, found: Gathered) -> Frame:
    """Show every record as the centre of its cluster; those left out are as they were."""
    names = publishable_columns(table)
    frame, labels = table.frame.select(names), found.labels
    kept = labels >= 0
    shown = np.where(kept, found.centres[labels], np.arange(len(table)))
    for name in table.schema.quasi:
        frame = with_order(frame, name, shown)
    sizes = count(labels, found.centres.size)
    frame = with_column(frame, free_name("size", names), np.where(kept, sizes[labels], 0))
    radii = np.where(kept, found.radii[labels], 0.0)
    return with_column(frame, free_name("radius", names), radii)
