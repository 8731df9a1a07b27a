"""What only the holder is told of where the data came from, and how the search went."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.release.report.words import number
from unlinkable.report import Block, Cell, Facts, Section, Table

__all__ = ["origin_part"]


def origin_part(origin: Mapping[str, object]) -> Section:
    """Tell where the data came from: the fields of `Provenance`."""
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
            rows = [(str(name), _text(value)) for name, value in given.items()]
            blocks.append(Table(title, header, rows, right=[1]))
    return Section("Where it came from", blocks)


def _text(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)
