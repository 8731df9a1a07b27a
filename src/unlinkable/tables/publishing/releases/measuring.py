"""Measuring what was lost, from files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.kernels.counting import count, sum_floats_by_label
from unlinkable.registry import entries, make
from unlinkable.tables.charts import Chart, draw_before_after
from unlinkable.tables.data import Frame, Role, Table, shows_rows, texts_of
from unlinkable.tables.data.reading import read_frame
from unlinkable.tables.engines import count as count_records
from unlinkable.tables.groups import Partition, number_rows
from unlinkable.tables.metrics import DEFAULT_METRICS, ILoss
from unlinkable.tables.metrics.base import (
    Bucketized,
    Generalized,
    GroupMetric,
    Measurement,
    Metric,
    Perturbed,
    Published,
    Shown,
)
from unlinkable.tables.publishing.anonymizing.planned import changed, read_table
from unlinkable.tables.publishing.bundles.opened import open_bundle
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.drawing import BEFORE_AFTER, charts_of
from unlinkable.tables.taxonomies import read_ranges
from unlinkable.typing import CodeArray, Progress

__all__ = ["Treatment", "beside", "draw_tables", "measure_bundle", "measure_tables", "read_both"]


class Treatment(StrEnum):
    """What was done to the values of a table that is read from a file."""

    GENERALIZED = "generalized"
    """They were replaced by ranges and labels that cover them."""
    PERTURBED = "perturbed"
    """They were replaced by other values: noise, swapping, synthetic records."""

    @classmethod
    def read(cls, text: str) -> Treatment:
        """Read what was done.

        Raises
        ------
        ParameterError
            If it is nothing that is known.
        """
        if text not in [known.value for known in cls]:
            raise ParameterError(unknown("treatment", text, [known.value for known in cls]))
        return cls(text)


def measure_bundle(
    folder: Path,
    metrics: Sequence[str],
    original: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Measurement]:
    """Measure a bundle, from its private half or as its manifest says."""
    bundle = open_bundle(folder)
    if not metrics and not bundle.is_generalized:
        raise _say_what(Perturbed if bundle.hidden is None else Bucketized)
    return {str(m): bundle.evaluate(m, original, progress) for m in _chosen(metrics)}


def measure_tables(
    original: Path,
    released: Path,
    plan: Path,
    metrics: Sequence[str],
    treatment: Treatment = Treatment.GENERALIZED,
    progress: Progress | None = None,
) -> dict[str, Measurement]:
    """Measure a table against the one it was made from, by the roles and taxonomies of a plan.

    Records of the original that the release does not have count as suppressed. If both have as many
    records, and each could be what its counterpart shows, they are taken to be in the same order.
    Otherwise nobody can say which record is which: metrics that need to know refuse, and for others
    every record counts once, whatever it weighs.
    """
    if not metrics and treatment is Treatment.PERTURBED:
        raise _say_what(Perturbed)
    both = read_both(original, released, plan)
    return {str(m): m.measure(beside(*both, treatment, m), progress) for m in _chosen(metrics)}


def _say_what(kind: type[Published]) -> ParameterError:
    """Name the metrics that make sense for a kind of release that has no usual ones."""
    known = [e.name for e in entries("metric") if kind in e.make().reads]
    return ParameterError(f"say what to measure of {kind.kind} values: {', '.join(known)}")


def draw_tables(
    original: Path, released: Path, plan: Path, treatment: Treatment = Treatment.GENERALIZED
) -> dict[str, Chart]:
    """Draw what a table lost against the one it was made from.

    Of perturbed values there is nothing to draw but how they are distributed before and after.
    """
    published = beside(*read_both(original, released, plan), treatment)
    if isinstance(published, Generalized):
        return charts_of(published.shown, (), ILoss(), published)
    return {BEFORE_AFTER: draw_before_after(published)}


def read_both(original: Path, released: Path, plan: Path) -> tuple[Table, Frame, str]:
    """Read a table, what was published of it, and say how the latter is called."""
    before = read_table(changed(Plan.load(plan), source=str(original.resolve())))
    return before, read_frame(released), str(released)


def _chosen(metrics: Sequence[str]) -> list[Metric]:
    return [make("metric", text) for text in metrics] or list(DEFAULT_METRICS)


def beside(
    before: Table, after: Frame, name: str, treatment: Treatment, metric: Metric | None = None
) -> Published:
    """Put a published table beside the one that it was made from, for a metric.

    Raises
    ------
    DataError
        If it cannot have been made from it.
    """
    if absent := [c for c in before.schema.quasi if c not in after.columns]:
        raise DataError(f"{name} has no column {absent[0]!r}, which the plan makes known to others")
    if treatment is Treatment.PERTURBED:
        rows = np.arange(len(before)) if after.height == len(before) else None
        return Perturbed(before, after, rows)
    return _generalized(before, after, name, metric)


def _generalized(before: Table, after: Frame, name: str, metric: Metric | None) -> Generalized:
    if after.height > len(before):
        raise DataError(
            f"{name} has {after.height} records, and the original {len(before)}: it cannot have "
            "been made from it"
        )
    quasi = before.schema.quasi
    boxes = [
        read_ranges(before.taxonomy(c), texts_of(after, c), column=c, may_skip=True) for c in quasi
    ]
    lo: CodeArray = np.column_stack([box[0] for box in boxes])
    hi: CodeArray = np.column_stack([box[1] for box in boxes])
    labels, first = number_rows(np.column_stack([lo, hi]))
    needs = metric.needs(before.schema) if isinstance(metric, GroupMetric) else ()
    counted = count_records(before, needs)
    codes = counted.finest.keys[counted.labels]
    same_order = (
        len(lo) == len(before)
        and bool(((lo <= codes) & (codes < hi)).all())
        and _tells_the_same(before, after)
    )
    rows = np.arange(len(before)) if same_order else None
    if same_order and (parts := counted.parts(labels)) is not None:
        partition = Partition(counted.finest, parts, lo[first], hi[first])
        return Generalized(before, after, rows, Shown.of(partition, before.attributes), labels)
    sizes = count(labels, first.size)
    weights = sizes.astype(float)
    if rows is not None and before.weights is not None:
        weights = sum_floats_by_label(before.weights, labels, first.size)
    n_suppressed = len(before) - after.height
    shown = Shown(
        before.attributes,
        lo[first],
        hi[first],
        sizes,
        weights,
        n_suppressed,
        float(n_suppressed),
    )
    return Generalized(before, after, rows, shown, labels)


def _tells_the_same(before: Table, after: Frame) -> bool:
    """Tell whether all columns that are published as they were hold what they held, in order."""
    kept = (c for c in after.columns if c in before.schema.names)
    as_they_were = (c for c in kept if before.schema[c].role not in (Role.IDENTIFIER, Role.QUASI))
    rows = np.arange(len(before))
    return all(shows_rows(after, before.frame, column, rows) for column in as_they_were)
