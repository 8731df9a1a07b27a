"""A report as plain values, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping

from attrs import fields

from unlinkable.report.blocks import Bars, Block, Gauge, PairedBars
from unlinkable.report.document import Report

__all__ = ["FORMAT", "to_json", "to_json_text"]

FORMAT = 1
"""The number of the format, in which keys are only ever added."""

_NAMES = {"PairedBars": "paired-bars"}


def to_json(report: Report) -> dict[str, object]:
    """Give a report as plain values; every block says what it is.

    Examples
    --------
    >>> from unlinkable.report import Paragraph
    >>> to_json(Report("Weather", "", [Paragraph("Sun.")]))["lead"]
    [{'block': 'paragraph', 'text': 'Sun.'}]
    """
    return {
        "format": FORMAT,
        "title": report.title,
        "subtitle": report.subtitle,
        "lead": [_block(block) for block in report.lead],
        "sections": [
            {"title": section.title, "blocks": [_block(block) for block in section.blocks]}
            for section in report.sections
        ],
        "footer": report.footer,
    }


def to_json_text(report: Report) -> str:
    """Write a report as a JSON document."""
    return json.dumps(to_json(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _block(block: Block) -> dict[str, object]:
    name = type(block).__name__
    return {"block": _NAMES.get(name, name.lower()), **_fields(block)}


def _fields(value: object) -> Mapping[str, object]:
    names = [attribute.name for attribute in fields(type(value))]  # type: ignore[arg-type]
    return {name: _plain(getattr(value, name)) for name in names}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Gauge | Bars | PairedBars):
        return _block(value)
    return _fields(value) if hasattr(value, "__attrs_attrs__") else value
