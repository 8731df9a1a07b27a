"""A report on risk at a glance, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from unlinkable.tables.risk.shared.report_rows import column_rows, flag_rows, risk_rows, size_rows

if TYPE_CHECKING:
    from unlinkable.tables.risk.risk_report import RiskReport

__all__ = ["report_html"]


def report_html(report: RiskReport) -> str:
    """Write a report as HTML. It tells nothing of single records; all texts are escaped."""
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in report.sentences())
    return said + "".join(
        _table(header, rows)
        for header, rows in (
            (("adversary", "highest", "average", "above"), risk_rows(report)),
            (("people alike", "groups", "records"), size_rows(report)),
            (("column", "part", "average without", "in special uniques"), column_rows(report)),
            (("column", "Safe Harbor", "because", "what to do"), flag_rows(report.flags)),
        )
        if rows
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
