"""Building a report: the public one from the public half alone, the holder's from both."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from unlinkable.release.report import quantity
from unlinkable.report import Note, Report, Section, Tone
from unlinkable.tables.publishing.attacking.assault import Assault
from unlinkable.tables.publishing.reported.attacks_part import attacks_part
from unlinkable.tables.publishing.reported.columns_part import columns_part
from unlinkable.tables.publishing.reported.glossary_part import glossary_part
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.holder_part import costs_part, origin_part
from unlinkable.tables.publishing.reported.loss_part import loss_part
from unlinkable.tables.publishing.reported.method_part import method_part
from unlinkable.tables.publishing.reported.opening import opening
from unlinkable.tables.publishing.reported.promises_part import gaps_part, promises_part
from unlinkable.tables.publishing.reported.risk_part import Risks, groups_part, risk_part
from unlinkable.tables.publishing.reported.told import Told
from unlinkable.tables.publishing.reported.values_part import values_part

__all__ = ["holder_report", "public_report"]

_NOT_TOLD = (
    "How likely people were found in the original records is not told: it would be a figure about "
    "the original, and the holder has not approved it."
)
_FOR_THE_HOLDER = (
    "This report is for the holder of the data alone: it shows figures about the original records. "
    "Give recipients the report in the public half."
)


def public_report(told: Told) -> Report:
    """Explain a release to recipients, from the public half alone."""
    approved = told.about.risk_before
    before = None if approved is None else Risks.told(approved)
    return _report(
        told,
        "Release report",
        [
            columns_part(told),
            promises_part(told),
            gaps_part(told),
            risk_part(told, before, why_not=_NOT_TOLD),
            loss_part(told),
            groups_part(told),
            values_part(told),
            attacks_part(told),
            method_part(told),
        ],
    )


def holder_report(told: Told, held: Held) -> Report:
    """Explain a release to its holder, with all that is known."""
    known = held.before
    before = None if known.risk is None else Risks.told(known.risk)
    report = _report(
        told,
        "Release report for the holder",
        [
            columns_part(told),
            promises_part(told),
            gaps_part(told),
            risk_part(told, before, why_not=held.missing),
            loss_part(told),
            costs_part(told, held),
            groups_part(told),
            values_part(told, known.distributions),
            attacks_part(told, held.assault),
            method_part(told),
            origin_part(held),
        ],
        held.assault,
        "the published files and what their holder keeps",
    )
    return evolve(report, lead=(Note(_FOR_THE_HOLDER, Tone.CAUTION), *report.lead))


def _report(
    told: Told,
    title: str,
    sections: Sequence[Section | None],
    assault: Assault | None = None,
    source: str = "the published files",
) -> Report:
    manifest = told.manifest
    kept = [section for section in sections if section is not None]
    noun = "row of counts" if told.masked and told.masked.counts else "record"
    many = "rows of counts" if noun != "record" else None
    report = Report(
        title=title,
        subtitle=f"{quantity(manifest.records, noun, many)}, published on "
        f"{manifest.created.isoformat()}",
        lead=opening(told, assault),
        sections=kept,
        footer=f"Written by unlinkable {manifest.version} from {source}. Check them with the "
        "command unlinkable verify.",
    )
    return evolve(report, sections=(*kept, glossary_part(report.texts())))
