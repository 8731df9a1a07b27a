"""Reports on demand: of a release that was just made, or of a bundle on disk."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from unlinkable.errors import BundleError, ParameterError, UnsupportedError, in_short
from unlinkable.release.plan import Statement
from unlinkable.report import Report
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.attacking.assault import Assault
from unlinkable.tables.publishing.attacking.attackable import ATTACK_SECONDS, Attackable
from unlinkable.tables.publishing.bundles.approved import about
from unlinkable.tables.publishing.bundles.bundle import contents
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.bundles.origin import provenance_of
from unlinkable.tables.publishing.bundles.public_half import write_tables
from unlinkable.tables.publishing.plans.plan_sections import Format
from unlinkable.tables.publishing.releases.explanation import Explanation
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.publishing.reported.building import holder_report, public_report
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.told import Told
from unlinkable.typing import Progress

__all__ = ["report_of_bundle", "report_of_release"]


def report_of_release(
    release: Release,
    *,
    holder: bool = False,
    statement: Statement | None = None,
    attacks: bool = False,
    explain: bool = False,
) -> Report:
    """Explain a release; see `Release.report`.

    What recipients would get is written to a folder for the time being, and read back: the report
    says what a bundle of this release would say.
    """
    _require_holder(holder=holder, attacks=attacks, explain=explain)
    if statement is not None and not isinstance(statement, Statement):
        raise ParameterError(f"statement must be a Statement, got {in_short(statement)}")
    tables, told, records = contents(release, ())
    said = about(release, records.public, statement)
    with TemporaryDirectory() as folder:
        public = Path(folder) / "public"
        manifest = write_tables(public, tables, told, Format.CSV, said)
        bundle = Bundle(public, public, manifest, None)
        if not holder:
            return public_report(Told.of(bundle))
        origin = provenance_of(release, None, None)
        assault = release.attack_all() if attacks else None
        explanation = release.explain() if explain else None
        held = Held.of_release(release, origin, assault=assault, explanation=explanation)
        return holder_report(Told.of(bundle), held)


def report_of_bundle(
    bundle: Bundle,
    *,
    holder: bool = False,
    original: str | Path | None = None,
    statement: Statement | None = None,
    attacks: bool = False,
    explain: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Explain a bundle; see `Bundle.report`."""
    _require_holder(holder=holder, attacks=attacks, explain=explain)
    if statement is not None and statement.approve:
        raise ParameterError(
            "what of the original may be told is decided when a bundle is made: a report of it "
            "cannot approve more"
        )
    if not holder:
        if original is not None:
            raise ParameterError(
                "the report for recipients does not look at the original records: ask for the "
                "holder's report, or do not name them"
            )
        return public_report(Told.of(bundle, statement))
    if bundle.private is None:
        raise BundleError(
            f"{bundle.folder} has no private half, and the report for the holder needs it: ask for "
            "the public report"
        )
    held = Held.of_bundle(
        bundle,
        original,
        assault=_attacked(bundle, original, progress) if attacks else None,
        explanation=_explained(bundle, original, progress) if explain else None,
    )
    return holder_report(Told.of(bundle, statement), held)


def _attacked(
    bundle: Bundle, original: str | Path | None, progress: Progress | None
) -> Assault | None:
    try:
        file = None if original is None else Path(original)
        found = Attackable.of_bundle(bundle, file)
        return found.attack_all(seconds=ATTACK_SECONDS, progress=progress)
    except UnsupportedError:
        return None


def _explained(
    bundle: Bundle, original: str | Path | None, progress: Progress | None
) -> Explanation | None:
    try:
        named = None if original is None else str(original)
        return rerun(bundle.folder, named, progress=progress).explain()
    except UnsupportedError:
        return None


def _require_holder(*, holder: bool, attacks: bool, explain: bool) -> None:
    if not holder and (attacks or explain):
        raise ParameterError(
            f"{'attacks' if attacks else 'explain'} need the original records, and recipients must "
            "not see what comes of it: ask for the report for the holder"
        )
