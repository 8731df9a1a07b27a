"""Cluster trial: cluster the original, mask it, cluster the published values, and compare."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import attrs
import numpy as np
from attrs import define, evolve

from unlinkable.errors import ParameterError, unknown
from unlinkable.spelling import read_call
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import Clustering, CodeSpace, f_measure, match_point
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies import Domain, Kind, Level, Taxonomy
from unlinkable.typing import CodeArray, CountArray

__all__ = ["F_MEASURE", "LABEL", "ClusterTrial", "masker", "within"]

_GUIDES = ("target", "targets")
"""The parameters that name the class."""


def masker(written: str, label: str) -> Search:
    """Make a method that is guided by a class, and give it the column with that class.

    Raises
    ------
    ParameterError
        If there is no such method, it takes no class, or the class is already named.

    Examples
    --------
    >>> str(masker("infogain-mondrian(strict=false)", "cluster"))
    'infogain-mondrian(targets=["cluster"], strict=false)'
    """
    name, arguments = read_call(written)
    known = _guided_methods()
    if name not in known:
        raise ParameterError(f"{unknown('method', name, sorted(known))} that is guided by a class")
    kind, guide = known[name]
    if guide in arguments:
        raise ParameterError(
            f"cannot mask by {written}: it is guided by the clusters, leave out {guide}"
        )
    parameters = sorted(f.alias or f.name for f in _fields(kind) if not f.name.startswith("_"))
    for argument in arguments:
        if argument not in parameters:
            raise ParameterError(f"{name}: {unknown('parameter', argument, parameters)}")
    return kind(**arguments, **{guide: label})


def _guided_methods() -> Mapping[str, tuple[type[Search], str]]:
    """Find the methods that are guided by a class, by name, and the parameter that names it."""
    found: dict[str, tuple[type[Search], str]] = {}
    for room in _rooms():
        for exported in room.__all__:
            kind = getattr(room, exported)
            if isinstance(kind, type) and issubclass(kind, Search):
                guides = [f.name for f in _fields(kind) if f.name in _GUIDES]
                found.update((kind.name, (kind, guide)) for guide in guides)
    return found


def _fields(kind: type[Search]) -> tuple[attrs.Attribute[object], ...]:
    return tuple(attrs.fields(kind)) if attrs.has(kind) else ()


def _rooms() -> tuple[ModuleType, ...]:
    # These rooms import this file: they are complete when this is called.
    from unlinkable.tables.methods import cuts, lattice, regions

    return cuts, lattice, regions


LABEL = "#cluster"
"""The column with the cluster of each record, by which the masking method is guided."""

F_MEASURE, MATCH_POINT = "cluster-f-measure", "match-point"
"""The names of the facts, as those of the metrics."""


@define(eq=False, frozen=True)
class ClusterTrial:
    """The first four steps of the framework, once.

    Attributes
    ----------
    masker
        The method that masks, guided by the column `LABEL`.
    space
        The space that records are points of.
    algorithm, n_clusters
        How clusters are found, and how many.
    """

    masker: Search
    space: CodeSpace
    algorithm: Clustering
    n_clusters: int

    def run(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find a release, and record as facts how much of the clusters it keeps."""
        seed = int(task.rng.integers(1 << 32))
        # Both clusterings start from the same seed, so that they do not differ at random.
        natural = self._clusters(finest.keys, finest.keys + np.int32(1), finest.sizes, seed)
        task.progress(0.4, "original records clustered")
        masked = self.masker.search(labelled(finest, natural), privacy, within(task, 0.4, 0.8))
        partition = evolve(masked.partition, finest=finest)
        query = self._clusters(partition.lo, partition.hi, partition.sizes, seed)
        task.progress(1.0, "published records clustered")
        return evolve(masked, partition=partition, facts=_compared(natural, query, partition))

    def _clusters(self, lo: CodeArray, hi: CodeArray, sizes: CountArray, seed: int) -> CodeArray:
        return self.space.clusters(lo, hi, sizes, self.n_clusters, self.algorithm, seed)


def labelled(finest: Groups, clusters: CodeArray) -> Groups:
    """Count the cluster of records like a hidden column."""
    n = int(clusters.max(initial=0)) + 1
    names = np.array([f"cluster {i + 1}" for i in range(n)], object)
    root = Level(np.zeros(n, np.int32), ("*",))
    taxonomy = Taxonomy(Domain(Kind.CATEGORY, names), (Level(np.arange(n, dtype=np.int32)), root))
    is_met = finest.sizes > 0
    indptr = np.append(0, np.cumsum(is_met)).astype(np.int64)
    counts = Histogram(indptr, clusters[is_met], finest.sizes[is_met], n, taxonomy)
    return evolve(
        finest,
        histograms={**finest.histograms, (LABEL,): counts},
        whole={**finest.whole, (LABEL,): counts.total},
    )


def within(task: Task, begin: float, end: float) -> Task:
    """Return a task whose progress is a part of the progress of the whole."""

    def progress(share: float, words: str) -> None:
        task.progress(begin + share * (end - begin), words)

    return evolve(task, progress=progress)


def _compared(natural: CodeArray, query: CodeArray, partition: Partition) -> dict[str, float]:
    """Compare the clusters of published records; if there are none, nothing was kept."""
    # Suppressed records have the label -1, which reads the last entry: no cluster.
    found = np.append(query, np.int32(-1))[partition.labels]
    if partition.n_suppressed == partition.finest.n_records:
        return {F_MEASURE: 0.0, MATCH_POINT: 0.0}
    sizes = partition.finest.sizes
    before, after = np.repeat(natural, sizes), np.repeat(found, sizes)
    return {F_MEASURE: f_measure(before, after), MATCH_POINT: match_point(before, after)}
