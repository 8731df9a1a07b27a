"""The page that explains a release: what matters first, sections, and the words that they use."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from unlinkable.release.attacks.attack_suite import AttackSuite
from unlinkable.release.report.glossary_part import glossary_part
from unlinkable.release.report.opening import opening
from unlinkable.release.report.view import ReportView
from unlinkable.report import Note, Report, Section, Tone
from unlinkable.spelling import quantity

__all__ = ["holder_page", "public_page"]

_FOR_THE_HOLDER = (
    "This report is for the holder of the data alone: it shows figures about the original records. "
    "Give recipients the report in the public half."
)


def public_page(view: ReportView, sections: Sequence[Section | None]) -> Report:
    """Put sections together that say nothing but what recipients may know."""
    return _page(view, "Release report", sections, None, "the published files")


def holder_page(
    view: ReportView, sections: Sequence[Section | None], suite: AttackSuite | None = None
) -> Report:
    """Put sections together that only the holder may see."""
    source = "the published files and what their holder keeps"
    report = _page(view, "Release report for the holder", sections, suite, source)
    return evolve(report, lead=(Note(_FOR_THE_HOLDER, Tone.CAUTION), *report.lead))


def _page(
    view: ReportView,
    title: str,
    sections: Sequence[Section | None],
    suite: AttackSuite | None,
    source: str,
) -> Report:
    manifest = view.manifest
    report = Report(
        title=title,
        subtitle=f"{quantity(manifest.records, *view.noun)}, published on "
        f"{manifest.created.isoformat()}",
        lead=opening(view, suite),
        sections=[section for section in sections if section is not None],
        footer=f"Written by unlinkable {manifest.version} from {source}. Check them with the "
        "command unlinkable verify.",
    )
    return evolve(report, sections=(*report.sections, glossary_part(report.texts())))
