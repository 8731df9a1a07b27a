"""A report as Markdown: for wikis, tickets and version control."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unlinkable.report.blocks import (
    Bars,
    Block,
    Bullets,
    Card,
    Cell,
    Facts,
    Figures,
    Gallery,
    Gauge,
    Mark,
    Note,
    PairedBars,
    Paragraph,
    Table,
    Terms,
)
from unlinkable.report.document import Report

__all__ = ["to_markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_AT_THE_START = re.compile(r"^(?=[#+-])|(?<=^\d)(?=[.)]\s)|(?<=^\d\d)(?=[.)]\s)")
"""What begins a heading or an item of a list."""


def to_markdown(report: Report) -> str:
    """Write a report as Markdown. What texts hold is never taken for markup."""
    parts = [f"# {_text(report.title)}"]
    parts += [_text(report.subtitle)] if report.subtitle else []
    # Nothing stands above what matters most but the title.
    parts += [_card(b, "##") if isinstance(b, Card) else _block(b) for b in report.lead]
    for section in report.sections:
        parts.append(f"## {_text(section.title)}")
        parts += [_block(block) for block in section.blocks]
    if report.footer:
        parts += ["---", _text(report.footer)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return _text(text)
        case Note(text):
            return f"> **Note:** {_text(text)}"
        case Bullets(items):
            return "\n".join(f"- {_text(item)}" for item in items)
        case Facts(rows):
            return _facts(rows)
        case Figures(items):
            return "\n".join(f"- **{_text(item.value)}** {_text(item.label)}" for item in items)
        case Table(caption, header, rows, right):
            return f"**{_text(caption)}**\n\n{_table(header, rows, right)}"
        case Card():
            return _card(block)
        case Gauge():
            return _gauge(block)
        case Bars(caption, header, bars, note):
            written = _table(header, [(bar.label, bar.text) for bar in bars], [1])
            return _with_note(f"**{_text(caption)}**\n\n{written}", note)
        case PairedBars(caption, header, pairs, note):
            cells = [(pair.label, pair.first_text, pair.second_text) for pair in pairs]
            return _with_note(f"**{_text(caption)}**\n\n{_table(header, cells, [1, 2])}", note)
        case Gallery(items):
            return "\n\n".join(_block(item) for item in items)
        case Terms(items):
            return "\n".join(f"- **{_text(t.name)}**: {_text(t.meaning)}" for t in items)


def _card(card: Card, level: str = "###") -> str:
    lines = [f"{level} {_text(card.title)}: {_text(card.verdict.text)}"]
    lines += [_text(sentence) for sentence in card.sentences]
    return "\n\n".join([*lines, *([_facts(card.facts.rows)] if card.facts.rows else [])])


def _gauge(gauge: Gauge) -> str:
    said = [f"**{_text(gauge.label)}: {_text(gauge.text)}**"]
    said += [_text(t) for t in (gauge.before_text, gauge.limit_text, gauge.note) if t]
    return "; ".join(said)


def _with_note(text: str, note: str) -> str:
    return f"{text}\n\n{_text(note)}" if note else text


def _facts(rows: Iterable[tuple[str, Cell]]) -> str:
    return "\n".join(f"- **{_text(name)}:** {_cell(value)}" for name, value in rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[Cell]], right: Iterable[int]) -> str:
    numbers = set(right)
    rule = ["---:" if i in numbers else "---" for i in range(len(header))]
    lines = [[_cell(name) for name in header], rule]
    lines += [[_cell(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell) -> str:
    return _text(cell.text) if isinstance(cell, Mark) else _text(cell)


def _text(text: str) -> str:
    r"""Write a text so that nothing in it is markup, on one line.

    Examples
    --------
    >>> _text("*all* of\n<b>")
    '\\*all\\* of \\<b\\>'
    >>> _text("- 5"), _text("1. one"), _text("27.3 %")
    ('\\- 5', '1\\. one', '27.3 %')
    """
    line = " ".join(text.split())
    return _AT_THE_START.sub(r"\\", _SPECIAL.sub(r"\\\1", line), count=1)
