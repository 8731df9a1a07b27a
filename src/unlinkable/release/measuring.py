"""Measuring what was lost, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from unlinkable.errors import DataError
from unlinkable.groups import number_rows
from unlinkable.kernels.tallies import count
from unlinkable.release.opened import open_bundle
from unlinkable.release.plan import Plan
from unlinkable.release.planned import changed, read_table
from unlinkable.release.registry import default_metrics, make
from unlinkable.table import Table
from unlinkable.table.published import read_ranges
from unlinkable.table.reading import read_frame
from unlinkable.table.recoded import Frame, texts_of
from unlinkable.typing import CodeArray
from unlinkable.utility.base import Shown

__all__ = ["measure_bundle", "measure_tables", "shown_in"]


def measure_bundle(folder: Path, metrics: Sequence[str]) -> dict[str, float]:
    """Measure a bundle, from its private half or as its manifest says."""
    bundle = open_bundle(folder)
    chosen = [make("metric", text) for text in metrics] or default_metrics()
    return {str(metric): bundle.measure(metric) for metric in chosen}


def measure_tables(
    original: Path, released: Path, plan: Path, metrics: Sequence[str]
) -> dict[str, float]:
    """Measure a table against the one it was made from, by the roles and taxonomies of a plan.

    Records of the original that the release does not have count as suppressed.
    """
    before = read_table(changed(Plan.load(plan), source=str(original.resolve())))
    shown = shown_in(before, read_frame(released), str(released))
    chosen = [make("metric", text) for text in metrics] or default_metrics()
    return {str(metric): metric.measure(shown) for metric in chosen}


def shown_in(before: Table, after: Frame, name: str) -> Shown:
    """Read what a published table shows of the records it was made from."""
    columns = before.schema.quasi
    if absent := [c for c in columns if c not in after.columns]:
        raise DataError(f"{name} has no column {absent[0]!r}, which the plan makes known to others")
    if after.height > len(before):
        raise DataError(
            f"{name} has {after.height} records, and the original {len(before)}: it cannot have "
            "been made from it"
        )
    boxes = [read_ranges(before.taxonomy(c), texts_of(after, c), column=c) for c in columns]
    lo: CodeArray = np.column_stack([box[0] for box in boxes])
    hi: CodeArray = np.column_stack([box[1] for box in boxes])
    labels, first = number_rows(np.column_stack([lo, hi]))
    sizes = count(labels, first.size)
    n_suppressed = len(before) - after.height
    return Shown(
        before.attributes,
        lo[first],
        hi[first],
        sizes,
        sizes.astype(float),
        n_suppressed,
        float(n_suppressed),
    )
