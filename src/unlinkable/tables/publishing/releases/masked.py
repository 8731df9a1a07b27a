"""A release whose values were separated from people, replaced by others, or made up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.data import (
    Frame,
    Role,
    Table,
    beside,
    canonical_values,
    codes_of,
    counts_several_times,
    keep_rows,
    n_different,
    numbers_of,
    published_records,
)
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod
from unlinkable.tables.metrics.base import Bucketized, Measurement, Metric, Perturbed, Published
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.judging.visible import visible
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.publishing.releases.summary import summary_html
from unlinkable.tables.risk import Exposure, exposure
from unlinkable.tables.taxonomies.builders import NodeValues, TaxonomyBuilder
from unlinkable.typing import Columns, Progress

if TYPE_CHECKING:
    from unlinkable.tables.charts import Chart

__all__ = ["MaskedRelease", "builder_of", "evidence_of", "published_of"]


@define(eq=False, frozen=True, kw_only=True)
class MaskedRelease(Release):
    """A release whose values were not generalized, and all that is known of how it came about.

    Attributes
    ----------
    method, masked
        How it was made, and what came out.
    """

    method: RecordMethod
    metric: Metric | None
    masked: MaskedRecords = field(repr=False)

    @property
    def outcome(self) -> MaskedRecords:
        """What the method made."""
        return self.masked

    @property
    def n_suppressed(self) -> int:
        """Number of records that were left out."""
        return self.masked.n_suppressed

    @property
    def promises_noise(self) -> bool:
        """Whether nothing may be told of the original records that noise has not paid for."""
        return any(isinstance(model, NoiseModel) for model in self.models)

    @property
    def frame(self) -> object:
        """The published records, in the kind of frame that the original came in.

        An index of the original is kept only where every record is still in its place: it would
        tell the order otherwise, or name people who are not there.
        """
        rows, origin = self.masked.rows, self.table.origin
        if origin is not None and rows is not None and np.array_equal(rows, range(len(self.table))):
            return origin.give_back(self.masked.frame, None)
        return self._new(self.masked.frame)

    @property
    def hidden(self) -> object | None:
        """What whole buckets hide, in the kind of frame that the original came in."""
        return None if self.masked.buckets is None else self._new(self.masked.buckets.hidden)

    def _new(self, frame: Frame) -> object:
        return frame if self.table.origin is None else self.table.origin.give_new(frame)

    @property
    def told_columns(self) -> Columns:
        """The published columns; quasi-identifiers only where they are as they were: in buckets."""
        shown, buckets = self.masked.frame.columns, self.masked.buckets
        if buckets is None:
            return tuple(name for name in shown if name not in self.table.schema.quasi)
        return tuple(dict.fromkeys([*shown, *buckets.hidden.columns]))

    def evidence(self) -> Evidence:
        """Take what is published, and what stays with the holder that promises refer to."""
        return evidence_of(self.table, self.masked, self.models)

    def evaluate(
        self, metric: str | Metric | None = None, progress: Progress | None = None
    ) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        Raises
        ------
        ParameterError, UnsupportedError, SchemaError
            As `measure` does.
        """
        from unlinkable.tables.publishing.anonymizing.written import as_metric

        chosen = self.metric if metric is None else as_metric(metric)
        if chosen is None:
            raise ParameterError(
                "say what to measure: a release that was not generalized has no usual metric"
            )
        return chosen.measure(self.published(chosen), progress)

    def published(self, metric: Metric | None = None) -> Published:
        """Give the published records beside the original ones."""
        return published_of(self.table, self.masked)

    def published_alone(self, metric: Metric | None = None) -> Published:
        rows = self.masked.rows
        if rows is None or rows.size == len(self.table):
            return self.published(metric)
        alone = evolve(self.masked, rows=np.arange(rows.size))
        return published_of(published_records(self.table, rows), alone)

    @property
    def replaced(self) -> dict[str, float]:
        """For every column the share of its published values that differ from the original ones.

        Empty if no published record is a certain person's, or values are told for whole buckets or
        with counts. It stays with the holder.
        """
        masked, rows = self.masked, self.masked.rows
        if rows is None or masked.buckets is not None or masked.counts is not None:
            return {}
        schema, frame = self.table.schema, masked.frame
        names = [
            name
            for name in frame.columns
            if name in schema.names and schema[name].role is not Role.IDENTIFIER
        ]
        original = canonical_values(keep_rows(self.table.frame, rows).select(names), names)
        return {name: n_different(frame, original, name) / max(frame.height, 1) for name in names}

    @property
    def untouched(self) -> Columns:
        """The quasi-identifiers of which no value was replaced, though the method replaces values.

        Whoever knows them of somebody can look for that person's record by them.
        """
        if self.method.truthful:
            return ()
        shares = self.replaced
        return tuple(name for name in self.table.schema.quasi if shares.get(name) == 0)

    def exposure(self) -> Exposure | None:
        """Tell how exposed people are: in buckets, or in groups that a promise is about."""
        sensitive = [(n,) for n in self.table.schema.sensitive]
        if self.masked.buckets is not None:
            told = exposure(self.evidence().groups(frozenset(sensitive)), sensitive)
            shown = exposure(count(self.table).finest, [])
            return evolve(shown, attribute=told.attribute)
        if all(model.unsearchable is not None for model in self.models):
            return None
        told_columns = [names for names in sensitive if names[0] in self.masked.frame.columns]
        return exposure(self.evidence().groups(frozenset(told_columns)), told_columns)

    def charts(self) -> dict[str, Chart]:
        """Draw values before and after. The chart stays with the holder.

        Saving or showing a chart needs the extra ``charts``.
        """
        from unlinkable.tables.charts import draw_before_after
        from unlinkable.tables.publishing.releases.drawing import BEFORE_AFTER

        return {BEFORE_AFTER: draw_before_after(self.published())}

    def explain(self) -> NoReturn:
        """Refuse: what a release costs by attribute is known of generalized values alone."""
        metric = "propensity" if self.masked.buckets is None else "query-error"
        untouched = ", ".join(map(repr, self.untouched))
        raise UnsupportedError(
            f"{self.method} does not generalize: there are no levels and groups to explain; "
            f"measure what was lost, for instance by {metric}"
            + (f". Quasi-identifiers that stayed as they were: {untouched}" if untouched else "")
        )

    def recode(self, new: object, *, key: bytes | None = None) -> NoReturn:
        """Refuse: what was done to some records says nothing of others."""
        raise UnsupportedError(
            f"{self.method} does not generalize: what it did to these records says nothing of "
            "others; anonymize the new records by themselves"
        )

    def _repr_html_(self) -> str:
        return summary_html(self)


def evidence_of(table: Table, masked: MaskedRecords, models: tuple[GroupModel, ...]) -> Evidence:
    """Take what a masking publishes, with what stays with the holder, for the verifier."""
    seen = visible(
        masked.frame, table.schema.quasi, models, buckets=masked.buckets, counts=masked.counts
    )
    counted = {name for names in All(models).needs() for name in names}
    given = {n: builder for n in sorted(counted) if (builder := builder_of(table, masked, n))}
    frame, owner, hidden = seen.frame, table.schema.owner, None
    rows = masked.rows if seen.is_row_by_row else None
    if rows is None:
        return Evidence(frame, seen.quasi, given)
    original = keep_rows(table.frame, rows)
    if owner is not None:
        frame = beside(frame, original, [owner])
    # Promises about quasi-identifiers are about what people had before these were replaced.
    unseen = sorted(
        n for n in counted & set(table.schema.names) if n in seen.quasi or n not in frame.columns
    )
    hidden = original.select(unseen) if unseen else None
    return Evidence(frame, seen.quasi, given, owner, hidden)


def builder_of(table: Table, masked: MaskedRecords, name: str) -> TaxonomyBuilder | None:
    """Give the taxonomy of a column, unless it shows values that the original does not have."""
    if name not in table.schema.names:
        return None
    frame = masked.frame
    if masked.buckets is not None and name in masked.buckets.hidden.columns:
        frame = masked.buckets.hidden
    taxonomy = table.taxonomy(name)
    is_known = name not in frame.columns or (codes_of(frame, name, taxonomy.domain) >= 0).all()
    return NodeValues(taxonomy) if is_known else None


def published_of(table: Table, masked: MaskedRecords) -> Published:
    """Put what a masking publishes beside the original records, for metrics."""
    if masked.buckets is not None:
        return Bucketized.of(table, masked.frame, masked.buckets.hidden, masked.buckets.column)
    if masked.counts is None:
        return Perturbed(table, masked.frame, masked.rows)
    if masked.ledger is not None and counts_several_times(masked.frame.drop(masked.counts)):
        raise UnsupportedError(
            "the release has several tables of counts, in which everybody is counted again: it "
            "cannot be measured as one table; publish counts of one set of columns for that"
        )
    weights = numbers_of(masked.frame, masked.counts)
    return Perturbed(table, masked.frame.drop(masked.counts), masked.rows, weights)
