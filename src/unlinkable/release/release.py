"""Release: published data, the promises, and how they were kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import define, evolve, field

from unlinkable.engines import Counted
from unlinkable.errors import UnsupportedError
from unlinkable.methods.base import Method, Solution, Task
from unlinkable.privacy.base import GroupModel
from unlinkable.recoding import Pseudonymization
from unlinkable.release.apply import Applied
from unlinkable.release.evidence import Evidence, Finding
from unlinkable.release.summary import summary_html
from unlinkable.table import Table
from unlinkable.table.side import Side
from unlinkable.typing import Progress
from unlinkable.utility.base import (
    Generalized,
    GroupMetric,
    Measured,
    Metric,
    Shown,
)

if TYPE_CHECKING:
    from unlinkable.release.explanation import Explanation
    from unlinkable.release.plan import Plan
    from unlinkable.release.plan_sections import Format
    from unlinkable.release.signing import SigningKey
    from unlinkable.utility.charts import Chart

__all__ = ["Release"]


@define(eq=False, frozen=True)
class Release:
    """A table that was published, and all that is known of how it came about.

    Attributes
    ----------
    table
        The original records. They stay with the holder.
    counted
        Their finest groups.
    applied
        The published records.
    models
        What was promised.
    finding
        What the published values were found to keep.
    method, metric, task, solution
        How it was searched for, and what was found.
    identifiers
        How columns that name people were treated.
    seed
        The start of all chance. It stays with the holder.
    seconds
        How long each step took.
    crowds, side
        The populations and the other tables that promises refer to. They stay with the holder.
    """

    table: Table = field(repr=False)
    counted: Counted = field(repr=False)
    applied: Applied = field(repr=False)
    models: tuple[GroupModel, ...]
    finding: Finding = field(repr=False)
    method: Method
    metric: GroupMetric
    task: Task = field(repr=False)
    solution: Solution = field(repr=False)
    identifiers: Mapping[str, Pseudonymization] = field(repr=False)
    seed: int = field(repr=False)
    seconds: Mapping[str, float] = field(repr=False)
    crowds: Mapping[str, Table] = field(factory=dict, repr=False)
    side: Side = field(factory=Side, repr=False)

    @property
    def frame(self) -> object:
        """The published records, in the kind of frame that the original came in."""
        if self.table.origin is None:
            return self.applied.frame
        return self.table.origin.give_back(self.applied.frame, self.applied.rows)

    @property
    def holds(self) -> bool:
        """Whether every promise was found to be kept."""
        return self.finding.holds

    @property
    def n_records(self) -> int:
        """Number of published records."""
        return self.applied.frame.height

    @property
    def n_suppressed(self) -> int:
        """Number of records that were left out."""
        return self.solution.partition.n_suppressed

    @property
    def n_groups(self) -> int:
        """Number of groups that the published records form."""
        return self.finding.n_groups

    @property
    def shown(self) -> Shown:
        """What the release shows, for metrics."""
        shown = Shown.of(self.solution.partition, self.task.attributes)
        return evolve(shown, partition=None) if self._is_recoded else shown

    @property
    def _is_recoded(self) -> bool:
        """Whether these are later records, whose values are numbered otherwise than the regions."""
        return any(self.table.taxonomy(a.name) is not a.taxonomy for a in self.task.attributes)

    def evidence(self) -> Evidence:
        """Take what is published, and what stays with the holder that promises refer to."""
        return Evidence.of(self.table, self.applied, self.models, self.crowds)

    def verify(self) -> Finding:
        """Judge every promise again, from the published values alone."""
        return self.evidence().judge(self.models)

    def measure(self, metric: str | Metric | None = None) -> float:
        """Measure what was lost; by the metric that guided the search if none is given.

        Raises
        ------
        UnsupportedError, SchemaError
            If the metric needs what the table does not have, such as a column of classes.
        """
        return self.evaluate(metric).value

    def evaluate(
        self, metric: str | Metric | None = None, progress: Progress | None = None
    ) -> Measured:
        """Measure what was lost, with the numbers that the result is made of.

        Raises
        ------
        UnsupportedError, SchemaError
            As `measure` does.
        """
        if isinstance(metric, str):
            from unlinkable.release.registry import make

            metric = make("metric", metric)
        chosen = metric or self.metric
        if isinstance(chosen, GroupMetric) and chosen.boxes_suffice:
            return chosen.measured(self.shown)
        return chosen.evaluated(self.published(chosen), progress)

    def published(self, metric: Metric | None = None) -> Generalized:
        """Give the published records beside the original ones, with what a metric needs counted.

        Raises
        ------
        UnsupportedError
            If they are later records that were put into the regions of a release: these may have
            values of which the release knows nothing.
        """
        if self._is_recoded:
            raise UnsupportedError(
                "these records were put into the regions of another release, which may not know "
                "all their values: measure them by what groups alone tell, such as iloss"
            )
        partition = self.solution.partition
        if isinstance(metric, GroupMetric):
            counted = self.counted.also(self.table, metric.needs(self.table.schema))
            partition = evolve(partition, finest=counted.finest)
        return Generalized.of(self.table, partition, self.counted.labels, self.applied.frame)

    def metrics(self) -> dict[str, float]:
        """Measure what was lost by the metric that guided the search, and by all usual ones."""
        from unlinkable.release.registry import default_metrics

        shown = self.shown
        chosen = {str(m): m for m in (self.metric, *default_metrics())}
        return {name: metric.of(shown) for name, metric in chosen.items()}

    def loss_by_attribute(self) -> dict[str, float]:
        """Measure the share of each attribute that was lost."""
        from unlinkable.release.drawing import loss_by_attribute

        return loss_by_attribute(self.shown, self.metric)[0]

    def charts(self) -> dict[str, Chart]:
        """Draw what each attribute lost, how large groups are, and values before and after.

        The last chart shows how values were distributed before: it stays with the holder. Saving
        or showing a chart needs the extra ``charts``.
        """
        from unlinkable.release.drawing import charts_of

        published = None if self._is_recoded else self.published()
        return charts_of(self.shown, self.models, self.metric, published)

    def _repr_html_(self) -> str:
        return summary_html(self)

    def explain(self) -> Explanation:
        """Say which attributes and records cost the most, and what would help."""
        from unlinkable.release.explain import explain

        return explain(self)

    def recode(self, new: object, *, key: bytes | None = None) -> Release:
        """Treat new records of the same schema in the same way, and judge the promises for them."""
        from unlinkable.release.recode import recode

        return recode(self, new, key=key)

    def save(
        self,
        folder: str | Path,
        *,
        format: Format | Literal["csv", "parquet"] = "csv",  # noqa: A002
        signing_key: SigningKey | None = None,
        plan: Plan | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the release as a bundle, verified from its files before it takes its place.

        Raises
        ------
        BundleError
            If the release does not hold, the place is taken or cannot be written, or what was
            written does not verify.
        """
        from unlinkable.release.bundle import save

        return save(
            self, folder, format=format, signing_key=signing_key, plan=plan, overwrite=overwrite
        )
