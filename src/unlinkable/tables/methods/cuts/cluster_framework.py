"""Cluster framework: mask a table so that its clusters can still be found.

Clusters have no class that a search could be guided by. So the original is clustered first, and the
cluster of each record is used as its class: a method that keeps classes apart then keeps clusters
apart [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, L. Wang, P. C. K. Hung. "Privacy-preserving data publishing for
   cluster analysis." DKE 68(6), 2009. Section 7.2.2 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar, Self

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import at_least, exact_or_none, is_share
from unlinkable.spelling import read_call
from unlinkable.tables.data import ColumnPlan, Role, Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.cluster_trial import (
    F_MEASURE,
    LABEL,
    ClusterTrial,
    masker,
    within,
)
from unlinkable.tables.methods.shared.feasible import infeasible
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.metrics import Clustering, CodeSpace
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.typing import Columns

__all__ = ["ClusterFramework"]


def _as_algorithms(value: str | Clustering | Iterable[str]) -> tuple[Clustering, ...]:
    return tuple(map(Clustering, [value] if isinstance(value, str) else value))


def _is_written(instance: object, attribute: object, value: str) -> None:
    if not isinstance(value, str):
        raise ParameterError(
            f"masking must be the written form of a method, like top-down-refinement, got {value!r}"
        )
    read_call(value)


def _are_some(instance: object, attribute: object, value: tuple[Clustering, ...]) -> None:
    if not value:
        raise ParameterError("algorithms must name at least one, like k-means")


@frozen
class ClusterFramework(Search):
    """Mask a table for cluster analysis, in five steps.

    1. The distinct records are clustered by their quasi-identifying values, each as often as it
       occurs, as points of the space that `ClusterMetric` describes.
    2. The table is masked by a method for classification, with the cluster as the class.
    3. The published values of the groups are clustered by the same algorithm, into as many
       clusters.
    4. Both structures are compared by the F-measure. If it is not yet ``enough``, it starts over
       with the next algorithm, or with other random numbers, and in the end the best is kept.
    5. The release is the masked table alone. How much of the clusters it keeps is reported to the
       data holder only (`Solution.facts`: ``cluster-f-measure``, ``match-point``). Publishing these
       numbers, or the clusters of step 1, would reveal more of the original than is promised: the
       cluster of a record depends on its exact values.

    The numbers are about quasi-identifying columns only, and a recipient who uses another
    algorithm, or other columns, may find other clusters.

    Parameters
    ----------
    clusters
        The number of clusters.
    algorithms
        How clusters are found: ``k-means``, ``bisecting-k-means`` or ``gaussian-mixture``, or
        several of them to be tried one after the other. Choose what recipients use.
    masking
        The method that makes values coarser, in written form: any that is guided by a target
        column. Its scheme, and the promises that it can keep, are those of this method.
    enough
        How similar the clusters before and after must be for the search to end: the F-measure, up
        to 1. If not given, all tries are made.
    tries
        The maximum number of tries; if not given, once with each algorithm.
    time
        The number of seconds after which no other try is begun, and the masking of the first one
        ends.

    Cost
    ----
    Two clusterings and one masking for each try. The first clustering is of all distinct records,
    and usually takes longest: ten starts of an algorithm that is linear in their number.

    Raises
    ------
    ParameterError
        If the masking method does not exist, or is not guided by a class.
    DataError
        If scikit-learn is not installed.
    UnsupportedError, InfeasibleError
        If the masking method cannot keep the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    >>> method = ul.ClusterFramework(2, masking="infogain-mondrian")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(3), method=method, seed=0).solution
    >>> found.partition.sizes.tolist(), found.facts["cluster-f-measure"]
    ([3, 4], 1.0)
    """

    name: ClassVar[str] = "cluster-framework"
    reference: ClassVar[str] = "Fung, Wang, Wang and Hung 2009"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization
    stoppable: ClassVar[bool] = True

    clusters: int = field(default=5, validator=at_least(1))
    algorithms: tuple[Clustering, ...] = field(
        default=(Clustering.K_MEANS,), converter=_as_algorithms, validator=_are_some
    )
    masking: str = field(default="top-down-refinement", validator=_is_written)
    enough: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(is_share)
    )
    tries: int | None = field(default=None, validator=optional(at_least(1)))
    time: float | None = field(default=None, validator=is_seconds)
    _masker: Search | None = field(default=None, kw_only=True, eq=False, repr=False)

    def bind(self, schema: Schema) -> Self:
        if LABEL in schema.names:
            raise SchemaError(
                f"{self.name} needs the name {LABEL!r} for itself: rename that column"
            )
        labelled = _with_label(schema)
        return evolve(self, masker=masker(self.masking, LABEL).bind(labelled))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        guided = self.bind(schema)._guided
        return frozenset(c for c in guided.needs(_with_label(schema)) if LABEL not in c)

    def misfits(self, recoding: Recoding) -> list[str]:
        return self._guided.misfits(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        self._guided.require(privacy, may_suppress=may_suppress)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Cluster, mask, cluster again and compare, until that is enough.

        The effort counts ``tries``, and what all tries of the masking method took.
        """
        stop_rule = StopRule.of(task, None, self.time)
        task = stop_rule.limits(task)
        self.require(privacy, may_suppress=task.suppression > 0)
        if not finest.n_records:
            raise infeasible(finest, privacy, task)
        space = CodeSpace.of(task.attributes, finest.keys, finest.sizes)
        n_tries = self.tries or len(self.algorithms)
        effort: Counter[str] = Counter()
        best: Solution | None = None
        was_stopped = False
        for i in range(n_tries):
            was_stopped = best is not None and stop_rule.is_over()
            if was_stopped:
                break
            trial = ClusterTrial(
                self._guided, space, self.algorithms[i % len(self.algorithms)], self.clusters
            )
            found = trial.run(finest, privacy, within(task, i / n_tries, (i + 1) / n_tries))
            effort.update(found.effort)
            effort["tries"] += 1
            if best is None or found.facts[F_MEASURE] > best.facts[F_MEASURE]:
                best = found
            if self.enough is not None and best.facts[F_MEASURE] >= self.enough:
                break
        assert best is not None
        task.progress(1.0, f"F-measure {best.facts[F_MEASURE]:.3f} after {effort['tries']} tries")
        return evolve(best, effort=effort, is_complete=best.is_complete and not was_stopped)

    @property
    def _guided(self) -> Search:
        """The masking method, guided by clusters."""
        return self._masker or masker(self.masking, LABEL)


def _with_label(schema: Schema) -> Schema:
    """Add the cluster to the columns of a table, as the target."""
    return Schema((*schema.columns, ColumnPlan(LABEL, Role.TARGET)))
