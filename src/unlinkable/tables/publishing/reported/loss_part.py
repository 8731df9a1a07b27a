"""What was lost: how much less each column says than before."""

from __future__ import annotations

from unlinkable.release.report import measured_table, percent
from unlinkable.report import Bar, Bars, Block, Paragraph, Section
from unlinkable.tables.publishing.reported.public_view import PublicView

__all__ = ["table_loss_part"]


def table_loss_part(view: PublicView) -> Section:
    """Draw what each column lost, and list what was measured."""
    blocks: list[Block] = []
    if (loss := view.about.loss) is not None and loss.columns:
        ranked = sorted(loss.columns.items(), key=lambda item: -item[1])
        blocks.append(
            Bars(
                "What each column lost",
                ("Column", "Lost"),
                [Bar(name, share, percent(share)) for name, share in ranked],
                note=_scale(view, loss.metric),
                of_all=True,
            )
        )
    table = measured_table(view.manifest)
    if table is not None:
        blocks.append(table)
    if not blocks:
        why = (
            "How much was lost is counted from the original records without noise: under a promise "
            "about noise it is not told."
            if view.is_noisy
            else "What was lost was not measured."
        )
        blocks.append(Paragraph(why))
    return Section("What was lost", blocks)


def _scale(view: PublicView, metric: str) -> str:
    left_out = " Records that were left out count as lost." if view.manifest.suppressed else ""
    return (
        f"0 %: every value is as it was. 100 %: nothing is left of the column.{left_out} By the "
        f"metric {metric}."
    )
