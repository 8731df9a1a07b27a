"""What was lost: how much less each column says than before."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError
from unlinkable.registry import find
from unlinkable.release.report import number, percent
from unlinkable.report import Bar, Bars, Block, Paragraph, Section, Table
from unlinkable.spelling import read_call
from unlinkable.tables.publishing.reported.told import Told

__all__ = ["loss_part"]


def loss_part(told: Told) -> Section:
    """Draw what each column lost, and list what was measured."""
    blocks: list[Block] = []
    if (loss := told.about.loss) is not None and loss.columns:
        ranked = sorted(loss.columns.items(), key=lambda item: -item[1])
        blocks.append(
            Bars(
                "What each column lost",
                ("Column", "Lost"),
                [Bar(name, share, percent(share)) for name, share in ranked],
                note=_scale(told, loss.metric),
                of_all=True,
            )
        )
    measured = told.manifest.metrics
    if measured:
        rows = [(name, number(value), _meaning(name)) for name, value in measured.items()]
        header = ("Metric", "Value", "What it measures")
        blocks.append(Table("What was measured", header, rows, right=[1]))
    if not blocks:
        why = (
            "How much was lost is counted from the original records without noise: under a promise "
            "about noise it is not told."
            if told.is_noisy
            else "What was lost was not measured."
        )
        blocks.append(Paragraph(why))
    return Section("What was lost", blocks)


def _scale(told: Told, metric: str) -> str:
    left_out = " Records that were left out count as lost." if told.manifest.suppressed else ""
    return (
        f"0 %: every value is as it was. 100 %: nothing is left of the column.{left_out} By the "
        f"metric {metric}."
    )


def _meaning(written: str) -> str:
    try:
        return find("metric", read_call(written)[0]).summary.replace("``", "")
    except UnlinkableError:
        return ""
