"""What only the holder is told: where the records came from, and what costs the most."""

from __future__ import annotations

from unlinkable.release.report import origin_part, percent
from unlinkable.report import Block, Bullets, Paragraph, Section, Table
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.publishing.releases.drawing import loss_by_attribute
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.public_view import PublicView

__all__ = ["costs_part", "table_origin_part"]


def table_origin_part(held: Held) -> Section:
    """Tell where the records came from, how the search went, and what was replaced."""
    section = origin_part(held.origin)
    if not held.before.replaced:
        return section
    shares = [(name, percent(share)) for name, share in held.before.replaced.items()]
    title = "How many values of each column were replaced"
    table = Table(title, ("Column", "Replaced"), shares, right=[1])
    return Section(section.title, (*section.blocks, table))


def costs_part(view: PublicView, held: Held) -> Section | None:
    """Tell which columns cost the most and, if it was tried, what would help."""
    shown = held.shown
    if shown is None:
        return None
    losses, metric = loss_by_attribute(shown, ILoss())
    weights = dict(zip(losses, shown.importance, strict=True))
    total = sum(losses[name] * weights[name] for name in losses) or 1.0
    node = view.manifest.node
    rows = []
    for attribute in sorted(shown.attributes, key=lambda a: -losses[a.name] * weights[a.name]):
        name, height = attribute.name, attribute.taxonomy.height
        level = "" if node is None else f"{node[name]} of {height}"
        part = float(losses[name] * weights[name] / total)
        rows.append((name, level, percent(losses[name]), percent(part)))
    header = ("Column", "Level", "Lost of the column", "Part of the whole loss")
    blocks: list[Block] = [
        Table(f"What each column costs, by {metric.name}", header, rows, right=[1, 2, 3])
    ]
    if held.explanation is not None:
        blocks.append(Bullets(list(held.explanation.sentences())))
    else:
        blocks.append(
            Paragraph("What would help is tried by unlinkable explain, or here with --explain.")
        )
    return Section("What costs the most", blocks)
