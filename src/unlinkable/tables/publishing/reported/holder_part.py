"""What only the holder is told: where the records came from, and what costs the most."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.release.report import number, percent
from unlinkable.report import Block, Bullets, Cell, Facts, Paragraph, Section, Table
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.publishing.releases.drawing import loss_by_attribute
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.told import Told

__all__ = ["costs_part", "origin_part"]


def origin_part(held: Held) -> Section:
    """Tell where the records came from, and how the search went."""
    origin = held.origin
    facts: list[tuple[str, Cell]] = [
        ("Source", str(origin.get("source") or "no file: records from memory")),
        ("SHA-256 of the source", str(origin.get("digest") or "")),
        ("Made from a plan", "yes" if origin.get("plan") else "no"),
        ("Written", str(origin.get("created") or "")),
        ("Column of owners", str(origin.get("owner") or "")),
        ("Counted by", str(origin.get("engine") or "")),
        ("Search came to its end", "yes" if origin.get("complete", True) else "no: it was stopped"),
    ]
    blocks: list[Block] = [Facts([(name, value) for name, value in facts if value])]
    for title, key, header in (
        ("How long it took", "seconds", ("Step", "Seconds")),
        ("What the search did", "effort", ("What", "How often")),
        ("What the search found", "facts", ("What", "Value")),
        ("Versions", "versions", ("Program", "Version")),
    ):
        given = origin.get(key)
        if isinstance(given, Mapping) and given:
            rows = [(str(name), _said(value)) for name, value in given.items()]
            blocks.append(Table(title, header, rows, right=[1]))
    if held.before.replaced:
        shares = [(name, percent(share)) for name, share in held.before.replaced.items()]
        title = "How many values of each column were replaced"
        blocks.append(Table(title, ("Column", "Replaced"), shares, right=[1]))
    return Section("Where it came from", blocks)


def costs_part(told: Told, held: Held) -> Section | None:
    """Tell which columns cost the most and, if it was tried, what would help."""
    shown = held.shown
    if shown is None:
        return None
    losses, metric = loss_by_attribute(shown, ILoss())
    weights = dict(zip(losses, shown.importance, strict=True))
    total = sum(losses[name] * weights[name] for name in losses) or 1.0
    node = told.manifest.node
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


def _said(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)
