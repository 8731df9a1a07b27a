"""A release whose values were generalized: every record shows ranges that cover its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import PublicDomains, published_records
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.base import Search, Solution, Task
from unlinkable.tables.metrics.base import Generalized, GroupMetric, Measurement, Metric, Shown
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.publishing.releases.summary import losses_html, summary_html
from unlinkable.tables.risk import Exposure, exposure
from unlinkable.typing import Columns, Progress

if TYPE_CHECKING:
    from unlinkable.tables.charts import Chart
    from unlinkable.tables.publishing.releases.explanation import Explanation

__all__ = ["GeneralizedRelease"]


@define(eq=False, frozen=True, kw_only=True)
class GeneralizedRelease(Release):
    """A release whose values were generalized, and all that is known of how it came about.

    Attributes
    ----------
    counted
        The finest groups of the original records.
    method, metric, task, solution
        How it was searched for, and what was found.
    domains
        The values that recipients may know: what is published is written and measured by these.
    """

    counted: Counted = field(repr=False)
    method: Search
    metric: GroupMetric
    task: Task = field(repr=False)
    solution: Solution = field(repr=False)
    domains: PublicDomains = field(repr=False)

    @property
    def outcome(self) -> Solution:
        """What the search found."""
        return self.solution

    @property
    def n_suppressed(self) -> int:
        """Number of records that were left out."""
        return self.solution.partition.n_suppressed

    @property
    def node(self) -> Mapping[str, int] | None:
        """The level of every attribute, if all values of an attribute are on the same one."""
        return self.solution.node

    @property
    def shown(self) -> Shown:
        """What the release shows, for metrics."""
        shown = Shown.of(self.solution.partition, self.task.attributes)
        return evolve(shown, partition=None) if self._is_recoded else shown

    @property
    def _is_recoded(self) -> bool:
        """Whether these are later records, whose values are numbered otherwise than the regions."""
        return any(self.table.taxonomy(a.name) is not a.taxonomy for a in self.task.attributes)

    @property
    def told_columns(self) -> Columns:
        """The columns that are no quasi-identifiers: these are published as they were."""
        quasi = self.table.schema.quasi
        return tuple(name for name in self.applied.frame.columns if name not in quasi)

    def evidence(self) -> Evidence:
        """Take what is published, and what stays with the holder that promises refer to."""
        return Evidence.of(self.table, self.applied, self.models, self.domains, self.crowds)

    def evaluate(
        self, metric: str | Metric | None = None, progress: Progress | None = None
    ) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        Raises
        ------
        UnsupportedError, SchemaError
            As `measure` does.
        """
        from unlinkable.tables.publishing.anonymizing.written import as_metric

        chosen = self.metric if metric is None else as_metric(metric)
        if isinstance(chosen, GroupMetric) and chosen.boxes_suffice:
            return chosen.measure_groups(self.shown)
        return chosen.measure(self.published(chosen), progress)

    def published(self, metric: Metric | None = None) -> Generalized:
        """Give the published records beside the original ones, with what a metric needs counted.

        Raises
        ------
        UnsupportedError
            If they are later records that were put into the regions of a release: these may have
            values of which the release knows nothing.
        """
        self._require_own_records()
        partition = self.solution.partition
        if isinstance(metric, GroupMetric):
            counted = self.counted.also(self.table, metric.needs(self.table.schema))
            partition = evolve(partition, finest=counted.finest)
        return Generalized.of(self.table, partition, self.counted.labels, self.applied.in_order())

    def published_alone(self, metric: Metric | None = None) -> Generalized:
        self._require_own_records()
        partition, rows = self.solution.partition, self.published_rows
        table = published_records(self.table, rows, list(self.crowds.values()))
        needs = metric.needs(table.schema) if isinstance(metric, GroupMetric) else ()
        counted = count(table, needs)
        boxes = self.domains.boxes(partition.finest.columns, partition.lo, partition.hi)
        shown = partition.shown_as(*boxes)
        labels = shown.labels[self.counted.labels]
        labels = labels if rows is None else labels[rows]
        parts = counted.parts(labels)
        assert parts is not None  # Equal records are in one finest group, and so in one part.
        seen = Shown.of(Partition(counted.finest, parts, shown.lo, shown.hi), table.attributes)
        seen = seen.beside(self.n_suppressed)
        return Generalized(table, self.applied.in_order(), np.arange(len(table)), seen, labels)

    def _require_own_records(self) -> None:
        if self._is_recoded:
            raise UnsupportedError(
                "these records were put into the regions of another release, which may not know "
                "all their values: measure them by what groups alone tell, such as iloss"
            )

    def exposure(self) -> Exposure:
        """Tell how exposed people are in the published groups."""
        sensitive = [(name,) for name in self.table.schema.sensitive]
        counted = self.counted.also(self.table, sensitive)
        partition = evolve(self.solution.partition, finest=counted.finest)
        return exposure(partition.groups(), sensitive)

    def metrics(self) -> dict[str, float]:
        """Measure what was lost by the metric that guided the search, and by all usual ones."""
        from unlinkable.tables.metrics import DEFAULT_METRICS

        shown = self.shown
        chosen = {str(m): m for m in (self.metric, *DEFAULT_METRICS)}
        return {name: metric.value(shown) for name, metric in chosen.items()}

    def loss_by_attribute(self) -> dict[str, float]:
        """Measure the share of each attribute that was lost."""
        from unlinkable.tables.publishing.releases.drawing import loss_by_attribute

        return loss_by_attribute(self.shown, self.metric)[0]

    def charts(self) -> dict[str, Chart]:
        """Draw what each attribute lost, how large groups are, and values before and after.

        The last chart shows how values were distributed before: it stays with the holder. Saving
        or showing a chart needs the extra ``charts``.
        """
        from unlinkable.tables.publishing.releases.drawing import charts_of

        published = None if self._is_recoded else self.published()
        return charts_of(self.shown, self.models, self.metric, published)

    def _repr_html_(self) -> str:
        return summary_html(self, losses_html(self))

    def explain(self) -> Explanation:
        """Say which attributes and records cost the most, and what would help."""
        from unlinkable.tables.publishing.releases.explain import explain

        return explain(self)

    def recode(self, new: object, *, key: bytes | None = None) -> GeneralizedRelease:
        """Treat new records of the same schema in the same way, and judge the promises for them."""
        from unlinkable.tables.publishing.anonymizing.recode import recode

        return recode(self, new, key=key)
