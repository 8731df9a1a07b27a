"""Building a report: the public one from the public half alone, the holder's from both."""

from __future__ import annotations

from unlinkable.release.report import (
    attacks_part,
    gaps_part,
    holder_page,
    method_part,
    promises_part,
    public_page,
)
from unlinkable.report import Report
from unlinkable.tables.publishing.reported.columns_part import columns_part
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.holder_part import costs_part, table_origin_part
from unlinkable.tables.publishing.reported.loss_part import table_loss_part
from unlinkable.tables.publishing.reported.public_view import PublicView
from unlinkable.tables.publishing.reported.risk_part import Risks, groups_part, risk_part
from unlinkable.tables.publishing.reported.values_part import values_part

__all__ = ["holder_report", "public_report"]

_NOT_TOLD = (
    "How likely people were found in the original records is not told: it would be a figure about "
    "the original, and the holder has not approved it."
)


def public_report(view: PublicView) -> Report:
    """Explain a release to recipients, from the public half alone."""
    approved = view.about.risk_before
    before = None if approved is None else Risks.stated(approved)
    sections = [
        columns_part(view),
        promises_part(view),
        gaps_part(view),
        risk_part(view, before, why_not=_NOT_TOLD),
        table_loss_part(view),
        groups_part(view),
        values_part(view),
        attacks_part(view),
        method_part(view),
    ]
    return public_page(view, sections)


def holder_report(view: PublicView, held: Held) -> Report:
    """Explain a release to its holder, with all that is known."""
    original = held.before
    before = None if original.risk is None else Risks.stated(original.risk)
    sections = [
        columns_part(view),
        promises_part(view),
        gaps_part(view),
        risk_part(view, before, why_not=held.missing),
        table_loss_part(view),
        costs_part(view, held),
        groups_part(view),
        values_part(view, original.distributions),
        attacks_part(view, held.attack_suite),
        method_part(view),
        table_origin_part(held),
    ]
    return holder_page(view, sections, held.attack_suite)
