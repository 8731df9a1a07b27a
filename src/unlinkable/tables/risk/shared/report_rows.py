"""A report on risk as rows of tables, for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unlinkable.tables.risk.safe_harbor import Flag

if TYPE_CHECKING:
    from unlinkable.tables.risk.risk_report import RiskReport

__all__ = ["column_rows", "flag_rows", "risk_rows", "size_rows"]


def risk_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give the figures of the three adversaries, before and after if both are there."""
    rows: list[tuple[str, ...]] = []
    for when, told in _times(report):
        found = told.re_identification
        for who, risk in (("prosecutor", found.prosecutor), ("journalist", found.journalist)):
            figures = f"{risk.highest:.4g}", f"{risk.average:.4g}", f"{risk.above:.1%}"
            rows.append((f"{who}{when}", *figures))
        rows.append((f"marketer{when}", "", f"{found.marketer:.4g}", ""))
    return rows


def size_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give how many groups there are of which size."""
    crowds = report.re_identification.crowds
    return [(crowd.text, f"{crowd.groups:,}", f"{crowd.records:,}") for crowd in crowds]


def column_rows(report: RiskReport) -> list[tuple[str, ...]]:
    """Give what each column contributes, the most dangerous one first."""
    special = report.special_uniques.contributions
    return [
        (
            c.column,
            "" if c.part is None else f"{c.part:.4f}",
            f"{c.average_without:.4f}",
            f"{special[c.column]:.1%}",
        )
        for c in report.re_identification.contributions
    ]


def flag_rows(flags: Iterable[Flag]) -> list[tuple[str, ...]]:
    """Give the columns that may hold identifiers."""
    return [(f.column, f"{f.kind.letter}: {f.kind.title}", f.why, f.remedy) for f in flags]


def _times(report: RiskReport) -> Iterable[tuple[str, RiskReport]]:
    if report.before is None:
        return [("", report)]
    return [(", before", report.before), (", after", report)]
