"""Reports on demand: of a release that was just made, or of a bundle on disk."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from unlinkable.errors import BundleError, ParameterError, UnsupportedError, in_short
from unlinkable.release.attacks import AttackSuite
from unlinkable.release.bundle import provenance_of, write_data
from unlinkable.release.plan import Statement
from unlinkable.release.report import require_holder
from unlinkable.report import Report
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.attacking.attackable import ATTACK_SECONDS, Attackable
from unlinkable.tables.publishing.bundles.opened import Bundle
from unlinkable.tables.publishing.releases.explanation import Explanation
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.publishing.reported.building import holder_report, public_report
from unlinkable.tables.publishing.reported.held import Held
from unlinkable.tables.publishing.reported.public_view import PublicView
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
    require_holder(holder=holder, attacks=attacks, explain=explain)
    if statement is not None and not isinstance(statement, Statement):
        raise ParameterError(f"statement must be a Statement, got {in_short(statement)}")
    draft = release.draft(statement=statement)
    with TemporaryDirectory() as folder:
        view = write_data(Path(folder) / "public", draft.public).view()
        assert isinstance(view, PublicView)
        if not holder:
            return public_report(view)
        origin = provenance_of(release, None, None)
        suite = release.attack_all() if attacks else None
        explanation = release.explain() if explain else None
        held = Held.of_release(release, origin, attack_suite=suite, explanation=explanation)
        return holder_report(view, held)


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
    require_holder(holder=holder, attacks=attacks, explain=explain, original=original)
    if statement is not None and statement.approve:
        raise ParameterError(
            "what of the original may be told is decided when a bundle is made: a report of it "
            "cannot approve more"
        )
    if not holder:
        return public_report(bundle.view(statement))
    if bundle.private is None:
        raise BundleError(
            f"{bundle.folder} has no private half, and the report for the holder needs it: ask for "
            "the public report"
        )
    held = Held.of_bundle(
        bundle,
        original,
        attack_suite=_attacked(bundle, original, progress) if attacks else None,
        explanation=_explained(bundle, original, progress) if explain else None,
    )
    return holder_report(bundle.view(statement), held)


def _attacked(
    bundle: Bundle, original: str | Path | None, progress: Progress | None
) -> AttackSuite | None:
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
        return rerun(bundle, named, progress=progress).explain()
    except UnsupportedError:
        return None
