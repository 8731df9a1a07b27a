"""What was lost: the figures of the metrics."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError
from unlinkable.registry import find
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.report.words import number
from unlinkable.report import Block, Paragraph, Section, Table
from unlinkable.spelling import read_call

__all__ = ["loss_part", "measured_table"]


def loss_part(manifest: Manifest) -> Section:
    """List what was measured."""
    table = measured_table(manifest)
    block: Block = Paragraph("What was lost was not measured.") if table is None else table
    return Section("What was lost", [block])


def measured_table(manifest: Manifest) -> Table | None:
    """List the metrics that a manifest states, and what they measure; None if it states none."""
    if not manifest.metrics:
        return None
    rows = [(name, number(value), _meaning(name)) for name, value in manifest.metrics.items()]
    return Table("What was measured", ("Metric", "Value", "What it measures"), rows, right=[1])


def _meaning(written: str) -> str:
    try:
        return find("metric", read_call(written)[0]).summary.replace("``", "")
    except UnlinkableError:
        return ""
