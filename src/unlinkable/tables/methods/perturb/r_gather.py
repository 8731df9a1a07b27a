"""r-gather: clusters of at least r records, the widest of them as narrow as can be.

What is published of a cluster is a record in its middle, how many records it has, how far they are
from that at most, and the sensitive values [1]_. Where a few records may be left out, one that is
far from all others does not make every cluster wide.

The best radius R has three consequences. Every point has r - 1 others within 2R. Points that are
more than 2R apart belong to different clusters of the best gathering. And each of them has the r
points of its own cluster within 2R. So centres are chosen that are more than 2R apart and leave
nobody farther away than that, and each is given r points within 2R; if that fails, R was too small.

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
from attrs import define, evolve, field, frozen
from attrs.validators import and_, optional

from unlinkable.errors import ParameterError
from unlinkable.kernels.clustering import (
    closest_centre,
    kth_nearest,
    members_within,
    reserve,
    spread_centres,
)
from unlinkable.kernels.counting import count
from unlinkable.params import as_columns, at_least, at_most, exact_or_none, is_flag
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
from unlinkable.tables.methods.perturb.shared.microaggregation import (
    Clusters,
    cluster_refusal,
    information_loss,
    merge_clusters,
    require_size,
)
from unlinkable.tables.methods.perturb.shared.record_points import RecordPoints, quasi_columns
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import CodeArray, CountArray, FloatArray, Progress

__all__ = ["Gathered", "RGather", "gather", "gather_most", "radii_of"]


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
    is in the units of distances; how many units of each column these are is published. Records are
    not truthful.

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
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 99]}, quasi="age")
    >>> masked = ul.anonymize(people, privacy=ul.KAnonymity(3), method=ul.RGather(scaled=False),
    ...     suppression=Fraction(15, 100)).masked
    >>> masked.frame.rows()[2:4], masked.n_suppressed
    ([(21, 3, 1.0), (61, 3, 1.0)], 1)
    """

    name: ClassVar[str] = "r-gather"
    reference: ClassVar[str] = "Aggarwal et al. 2006"
    groups_people: ClassVar[bool] = True

    r: int | None = field(default=None, validator=optional(at_least(2)))
    epsilon: Fraction | None = field(
        default=None,
        converter=exact_or_none,
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


FEW = 1000
"""Up to so many points every distance is tried; of more, the radius is closed in on."""

CLOSE = 2.0**-9
"""How far apart the squares of a radius that will do and one that will not may be."""


@define(eq=False, frozen=True)
class Gathered:
    """Points gathered around some of them.

    Attributes
    ----------
    labels
        The cluster of each point; -1 if it is left out.
    centres
        The row of the centre of each cluster.
    radii
        How far the farthest point of each cluster is from its centre.
    bound
        No gathering has a smaller largest radius.
    n_tried
        How many radii were tried.
    """

    labels: CodeArray
    centres: CountArray
    radii: FloatArray
    bound: float
    n_tried: int

    @property
    def radius(self) -> float:
        """The largest radius."""
        return float(self.radii.max(initial=0.0))


def gather(points: FloatArray, r: int, progress: Progress) -> Gathered:
    """Gather all points into clusters of at least r, of at most twice the best radius.

    Of more than 1,000 points, of at most 1.001 times that.
    """
    progress(0.0, "looking for the neighbours of every record")
    apart = kth_nearest(points, r)
    order = np.lexsort((np.arange(len(points)), apart))
    low, n_tried = float(apart.max()), 1
    progress(0.2, f"trying a radius of {np.sqrt(low):.4g}")
    found = _try(points, order, low, r)
    if found is not None:
        return _gathered(points, *found, low, n_tried)
    steps = _distances(points, low) if len(points) <= FEW else None
    high = 4 * low
    progress(0.3, f"trying a radius of {np.sqrt(high):.4g}")
    best = _try(points, order, high, r)
    while best is None:
        # Rounding alone can make this fail: balls of half the radius have nothing in common.
        high *= 1 + 1e-9
        best = _try(points, order, high, r)
    while (middle := _between(low, high, steps)) is not None:
        # The logarithm of what is left to close in on is halved by every step.
        progress(1 - 0.7 * 0.5 ** ((n_tried - 1) / 2), f"trying a radius of {np.sqrt(middle):.4g}")
        n_tried += 1
        found = _try(points, order, middle, r)
        if found is None:
            low = middle
        else:
            high, best = middle, found
    bound = high if steps is not None else low
    return _gathered(points, *best, bound, n_tried)


def gather_most(points: FloatArray, r: int, n_out: int, progress: Progress) -> Gathered:
    """Leave out up to ``n_out`` points, and gather the others within four times the best radius.

    The best gathering leaves out no more, so that all but ``n_out`` points have r - 1 others within
    2R. Choose centres among these that are more than 4R apart: no two of them share a point within
    2R, so each has r of its own, and the rest of these is at most 4R from one of them. The same
    points are also gathered as if there were no others, and the better of the two results is taken.
    A point that was left out and is no farther from a centre than the largest radius comes back.
    """
    n = len(points)
    progress(0.0, "looking for the neighbours of every record")
    apart = kth_nearest(points, r)
    order = np.lexsort((np.arange(n), apart))
    inner = float(apart[order[n - n_out - 1]])
    kept = order[: np.searchsorted(apart[order], inner, "right")]
    progress(0.1, f"leaving out up to {n_out} records")
    centres = spread_centres(points, kept, 4 * inner)
    label, gap = closest_centre(points, centres)
    limit = max(float(gap[kept].max()), float(apart[centres].max()))
    inside = np.ascontiguousarray(points[kept])
    again = gather(inside, r, lambda share, words: progress(0.2 + 0.8 * share, words))
    labels = np.full(n, -1, np.int32)
    # Rounding alone can leave one of these centres with less than its share.
    is_whole = (count(np.where(gap <= limit, label, -1), centres.size) >= r).all()
    if again.radius**2 <= limit or not is_whole:
        labels[kept], limit = again.labels, again.radius**2
        centres = kept[again.centres]
        label, gap = closest_centre(points, centres)
    labels = np.where((labels < 0) & (gap <= limit), label, labels).astype(np.int32)
    return _gathered(points, labels, centres, inner, 1 + again.n_tried)


def _gathered(
    points: FloatArray, label: CodeArray, centres: CountArray, limit: float, n_tried: int
) -> Gathered:
    """Measure clusters; ``limit`` is the square of twice a radius that nobody can beat."""
    radii = radii_of(points, label, centres)
    return Gathered(label, centres, radii, float(np.sqrt(limit)) / 2, n_tried)


def radii_of(points: FloatArray, label: CodeArray, centres: CountArray) -> FloatArray:
    """Measure how far the points of each cluster are from its centre at most."""
    kept = label >= 0
    off = points[kept] - points[centres[label[kept]]]
    radii = np.zeros(centres.size)
    np.maximum.at(radii, label[kept], np.sqrt(np.square(off).sum(axis=1)))
    return radii


def _distances(points: FloatArray, low: float) -> FloatArray:
    """List the squares of all distances, added up column by column as the kernels do."""
    gaps = np.zeros((len(points), len(points)))
    for column in points.T:
        gaps += (column[:, None] - column[None, :]) ** 2
    return np.unique(gaps[gaps >= low])


def _between(low: float, high: float, steps: FloatArray | None) -> float | None:
    """Give a square between one that fails and one that does; None if there is no need."""
    if steps is None:
        return None if high <= low * (1 + CLOSE) else float(np.sqrt(low * high))
    a, b = np.searchsorted(steps, low, "right"), np.searchsorted(steps, high, "left")
    return float(steps[(a + b) // 2]) if a < b else None


def _try(
    points: FloatArray, order: CountArray, limit: float, r: int
) -> tuple[CodeArray, CountArray] | None:
    """Choose centres farther apart than a limit, and give each r points within it, if possible."""
    centres = spread_centres(points, order, limit)
    label, _ = closest_centre(points, centres)
    if (count(label, centres.size) >= r).all():
        return label, centres
    own = _shared_out(points, centres, limit, r)
    if own is None:
        return None
    return np.where(own >= 0, own, label).astype(np.int32), centres


def _shared_out(points: FloatArray, centres: CountArray, limit: float, r: int) -> CodeArray | None:
    """Give every centre r points of its own within a limit; None if that cannot be.

    A centre that has as many points within the limit as all centres need that have no more can wait
    until those are served. So the flow is over the others only.
    """
    most = r * centres.size
    n_within, rows = members_within(points, centres, limit, most)
    order = np.argsort(n_within, kind="stable")
    short = np.flatnonzero(n_within[order] < r * np.arange(1, centres.size + 1))
    first = order[: short[-1] + 1] if short.size else order[:0]
    own = np.full(len(points), -1, np.int32)
    if first.size and not _flow(first, n_within, rows, most, r, own):
        return None
    reserve(points, centres, order[first.size :], r, own)
    return own


def _flow(
    first: CountArray, n_within: CountArray, rows: CountArray, most: int, r: int, own: CodeArray
) -> bool:
    """Find r points for each of some centres by a maximum flow; tell whether there are enough."""
    listed = np.where(n_within < most, n_within, 0)
    start = np.cumsum(listed) - listed
    lengths = listed[first]
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ends = rows[np.repeat(start[first], lengths) + inside]
    begins = np.repeat(np.arange(first.size), lengths)
    used, end = np.unique(ends, return_inverse=True)
    n, m = first.size, used.size
    source, sink = n + m, n + m + 1
    tails = np.concatenate([np.full(n, source), begins, n + np.arange(m)])
    heads = np.concatenate([np.arange(n), n + end, np.full(m, sink)])
    room = np.concatenate([np.full(n, r), np.ones(begins.size + m, np.int64)]).astype(np.int32)
    from scipy import sparse

    graph = sparse.csr_array((room, (tails, heads)), shape=(n + m + 2, n + m + 2))
    from scipy.sparse import csgraph as flows

    found = flows.maximum_flow(graph, source, sink)
    if found.flow_value < n * r:
        return False
    taken = found.flow.tocoo()
    is_edge = (taken.row < n) & (taken.data > 0)
    own[used[taken.col[is_edge] - n]] = first[taken.row[is_edge]]
    return True
