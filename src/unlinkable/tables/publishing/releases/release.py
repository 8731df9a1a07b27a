"""Release: published data, the promises, and how they were kept."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field

from unlinkable.registry import DEFAULT_KIND
from unlinkable.release import Measurement
from unlinkable.release import Release as AnyRelease
from unlinkable.spelling import finite
from unlinkable.tables.data import Side, Table
from unlinkable.tables.methods.base import MaskedRecords, Method, Solution
from unlinkable.tables.metrics.base import Metric, Published
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.publishing.judging.evidence import Evidence, Finding
from unlinkable.tables.risk import Exposure, RiskReport
from unlinkable.typing import Columns, CountArray, Progress

if TYPE_CHECKING:
    from unlinkable.release.plan import Plan as AnyPlan
    from unlinkable.release.plan import Statement
    from unlinkable.report import Report
    from unlinkable.tables.charts import Chart
    from unlinkable.tables.publishing.attacking.attackable import Attackable
    from unlinkable.tables.publishing.bundles.draft import TableDraft
    from unlinkable.tables.publishing.releases.explanation import Explanation

__all__ = ["Release"]


@define(eq=False, frozen=True, kw_only=True)
class Release(AnyRelease):
    """A table that was published, and all that is known of how it came about.

    Attributes
    ----------
    table
        The original records. They stay with the holder.
    applied
        The published records.
    models
        What was promised.
    finding
        What the published values were found to keep.
    method
        How it was made.
    metric
        What was kept small, or is measured first; None if nothing was asked for.
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
    applied: Applied = field(repr=False)
    models: tuple[GroupModel, ...]
    finding: Finding = field(repr=False)
    method: Method
    metric: Metric | None
    identifiers: Mapping[str, Pseudonymization] = field(repr=False)
    seed: int = field(repr=False)
    seconds: Mapping[str, float] = field(repr=False)
    crowds: Mapping[str, Table] = field(factory=dict, repr=False)
    side: Side = field(factory=Side, repr=False)

    @property
    @abc.abstractmethod
    def outcome(self) -> Solution | MaskedRecords:
        """What the method found or made, with what it took."""

    @property
    def frame(self) -> object:
        """The published records, in the kind of frame that the original came in."""
        if self.table.origin is None:
            return self.applied.frame
        if not self.applied.is_in_order:
            # An index of the original would tell which record is which.
            return self.table.origin.give_new(self.applied.frame)
        return self.table.origin.give_back(self.applied.frame, self.applied.rows)

    @property
    def data_kind(self) -> str:
        return DEFAULT_KIND

    @property
    def promises(self) -> tuple[GroupModel, ...]:
        return self.models

    @property
    def made_by(self) -> str:
        return str(self.method)

    @property
    def source(self) -> str | None:
        return self.table.source

    @property
    def optimal(self) -> bool | None:
        return self.outcome.optimal

    @property
    def effort(self) -> Mapping[str, int]:
        return self.outcome.effort

    @property
    def is_complete(self) -> bool:
        return self.outcome.is_complete

    @property
    def facts(self) -> Mapping[str, float]:
        return self.outcome.facts

    @property
    def n_records(self) -> int:
        """Number of published records."""
        return self.applied.frame.height

    @property
    @abc.abstractmethod
    def n_suppressed(self) -> int:
        """Number of records that were left out."""

    @property
    def node(self) -> Mapping[str, int] | None:
        """The level of every attribute, if all values of an attribute are on the same one."""
        return None

    @property
    @abc.abstractmethod
    def told_columns(self) -> Columns:
        """The columns whose values, as they are published, hidden values are counted by."""

    @abc.abstractmethod
    def evidence(self) -> Evidence:
        """Take what is published, and what stays with the holder that promises refer to."""

    def verify(self) -> Finding:
        """Judge every promise again, from the published values alone."""
        return self.evidence().judge(self.models)

    def measure(self, metric: str | Metric | None = None) -> float:
        """Measure what was lost; by the metric that guided the search if none is given.

        Raises
        ------
        ParameterError
            If none is given, and none guided it.
        UnsupportedError, SchemaError
            If the metric makes no sense for this kind of release, or needs what the table does not
            have, such as a column of classes.
        """
        return self.evaluate(metric).value

    @abc.abstractmethod
    def evaluate(
        self, metric: str | Metric | None = None, progress: Progress | None = None
    ) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        Raises
        ------
        ParameterError, UnsupportedError, SchemaError
            As `measure` does.
        """

    @abc.abstractmethod
    def published(self, metric: Metric | None = None) -> Published:
        """Give the published records beside the original ones, with what a metric needs."""

    @property
    def published_rows(self) -> CountArray | None:
        """The original records that are published, in their order; None if all or nobody's are."""
        rows = self.applied.rows
        return None if rows is None or rows.size == len(self.table) else np.sort(rows)

    @abc.abstractmethod
    def published_alone(self, metric: Metric | None = None) -> Published:
        """Give the published records beside what they were, without those that are left out.

        What recipients are told is measured on this: no figure depends on values that only records
        have that are left out.
        """

    @abc.abstractmethod
    def exposure(self) -> Exposure | None:
        """Tell how exposed people are; None if groups of equal published values do not tell."""

    def risk(
        self,
        *,
        threshold: float | str | Fraction = Fraction(1, 5),
        population: object | None = None,
        fraction: float | str | Fraction | None = None,
        size: int | None = None,
        estimator: str = "dankar",
        largest: int | None = None,
        progress: Progress | None = None,
    ) -> RiskReport:
        """Tell how likely people are found in the release, and before it was made.

        Parameters
        ----------
        threshold
            From which risk on a record counts as at risk.
        population
            Everybody who could be in the table, to be counted.
        fraction, size
            If there is no such list: which share of the population the table is, or how many people
            there are.
        estimator
            How to estimate how many are unique in the population.
        largest
            The largest number of columns by which somebody may be unique.
        progress
            Whom to tell how far it is.

        Raises
        ------
        ParameterError, SchemaError, DataError
            If a parameter means nothing, or the population does not fit.
        """
        from unlinkable.tables.publishing.releases.risking import risk_of
        from unlinkable.tables.risk import Assessment

        asked = Assessment(
            threshold=threshold, fraction=fraction, size=size, estimator=estimator, largest=largest
        )
        return risk_of(self, asked, population=population, progress=progress)

    def attackable(self) -> Attackable:
        from unlinkable.tables.publishing.attacking.attackable import Attackable

        return Attackable.of(self)

    @abc.abstractmethod
    def charts(self) -> dict[str, Chart]:
        """Draw what can be drawn of the release. Saving or showing needs the extra ``charts``."""

    @abc.abstractmethod
    def explain(self) -> Explanation:
        """Say which attributes and records cost the most, and what would help.

        Raises
        ------
        UnsupportedError
            If values were not generalized.
        """

    def report(
        self,
        *,
        holder: bool = False,
        statement: Statement | None = None,
        attacks: bool = False,
        explain: bool = False,
    ) -> Report:
        from unlinkable.tables.publishing.reported.reports import report_of_release

        return report_of_release(
            self, holder=holder, statement=statement, attacks=attacks, explain=explain
        )

    @abc.abstractmethod
    def recode(self, new: object, *, key: bytes | None = None) -> Release:
        """Treat new records of the same schema in the same way, and judge the promises for them.

        Raises
        ------
        UnsupportedError
            If what was done says nothing of other records.
        """

    @abc.abstractmethod
    def _repr_html_(self) -> str: ...

    def draft(
        self,
        plan: AnyPlan | None = None,
        statement: Statement | None = None,
        data_format: str | None = None,
    ) -> TableDraft:
        from unlinkable.tables.publishing.bundles.draft import draft_of
        from unlinkable.tables.publishing.plans.plan import Plan

        metrics = plan.metrics() if isinstance(plan, Plan) else ()
        return draft_of(self, metrics, statement, data_format)

    def losses(self, stated: Mapping[str, float | None]) -> dict[str, float | None]:
        # What recipients are not told, the holder still is.
        if self.metric is None or str(self.metric) in stated:
            return dict(stated)
        return {**stated, str(self.metric): finite(self.measure())}

    def summary(self) -> dict[str, object]:
        node = None if self.node is None else dict(self.node)
        return {**super().summary(), "node": node, "replaced": dict(self.replaced)}

    @property
    def replaced(self) -> Mapping[str, float]:
        """The share of the values of each column that were replaced, where values are."""
        return {}
