"""The report of a kind of data that has nothing to add to what all have."""

from __future__ import annotations

from pathlib import Path

from unlinkable.errors import BundleError, ParameterError
from unlinkable.release.bundle.opened import Bundle
from unlinkable.release.report.attacks_part import attacks_part
from unlinkable.release.report.loss_part import loss_part
from unlinkable.release.report.method_part import method_part
from unlinkable.release.report.origin_part import origin_part
from unlinkable.release.report.page import holder_page, public_page
from unlinkable.release.report.promises_part import gaps_part, promises_part
from unlinkable.release.report.view import ReportView
from unlinkable.report import Bullets, Report, Section
from unlinkable.typing import Progress

__all__ = ["require_holder", "standard_report"]


def standard_report(
    bundle: Bundle,
    view: ReportView,
    *,
    holder: bool = False,
    original: str | Path | None = None,
    attacks: bool = False,
    explain: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Explain a bundle; see `Bundle.report`."""
    require_holder(holder=holder, attacks=attacks, explain=explain, original=original)
    common = [promises_part(view), gaps_part(view), loss_part(view.manifest)]
    if not holder:
        return public_page(view, [*common, attacks_part(view), method_part(view)])
    if bundle.provenance is None:
        raise BundleError(
            f"{bundle.folder} has no private half, and the report for the holder needs it: ask for "
            "the public report"
        )
    file = None if original is None else Path(original)
    suite = bundle.attackable(file).attack_all(progress=progress) if attacks else None
    sections = [*common, attacks_part(view, suite), method_part(view)]
    if explain:
        found = bundle.explain(None if original is None else str(original), progress)
        sections.append(Section("What costs the most", [Bullets(found.sentences())]))
    sections.append(origin_part(bundle.provenance.model_dump(mode="json")))
    return holder_page(view, sections, suite)


def require_holder(
    *, holder: bool, attacks: bool, explain: bool, original: str | Path | None = None
) -> None:
    """Refuse what recipients must not see.

    Raises
    ------
    ParameterError
        If it is asked for in a report that is not for the holder.
    """
    if holder:
        return
    if attacks or explain:
        raise ParameterError(
            f"{'attacks' if attacks else 'explain'} need the original records, and recipients must "
            "not see what comes of it: ask for the report for the holder"
        )
    if original is not None:
        raise ParameterError(
            "the report for recipients does not look at the original records: ask for the "
            "holder's report, or do not name them"
        )
