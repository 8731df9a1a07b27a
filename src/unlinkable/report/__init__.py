"""Report: a document for people, as HTML, Markdown and JSON.

This room knows how a page looks, and nothing of releases: what is on the page is gathered in
`unlinkable.tables.publishing`.
"""

from __future__ import annotations

from unlinkable.report.blocks import (
    Block,
    Bullets,
    Card,
    Cell,
    Facts,
    Figure,
    Figures,
    Mark,
    Note,
    Paragraph,
    Table,
    Term,
    Terms,
    Tone,
)
from unlinkable.report.document import Report, Section
from unlinkable.report.drawn import Bar, Bars, Gallery, Gauge, Pair, PairedBars

__all__ = [
    "Bar",
    "Bars",
    "Block",
    "Bullets",
    "Card",
    "Cell",
    "Facts",
    "Figure",
    "Figures",
    "Gallery",
    "Gauge",
    "Mark",
    "Note",
    "Pair",
    "PairedBars",
    "Paragraph",
    "Report",
    "Section",
    "Table",
    "Term",
    "Terms",
    "Tone",
]
