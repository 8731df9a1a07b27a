"""Tasks that publish: a run as a bundle of its own, or the next release of a series."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Sequence

from unlinkable.errors import BundleError
from unlinkable.release.bundle import check_place
from unlinkable.release.verify import verify
from unlinkable.studio.contracts import Document, Published
from unlinkable.studio.files import private_folder
from unlinkable.studio.tasks.findings import bundle_of
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.series import History, publish_planned
from unlinkable.typing import Progress

__all__ = ["history", "publish", "publish_next"]


def publish(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str], run: int, name: str
) -> Published:
    """Publish a run: its bundle as it is, verified once more from its files.

    What was explored is what is published, byte by byte, also where chance was at work.
    """
    source = bundle_of(session, run).folder
    target = private_folder(session.folder / "bundles") / name
    check_place(target, overwrite=False)
    part = target.parent / f".{name}.{secrets.token_hex(4)}.part"
    try:
        tell(0.1, "copying the bundle")
        shutil.copytree(source, part)
        tell(0.4, "verifying what was written")
        found = verify(part)
        if not found.holds:
            said = "; ".join(found.problems)
            raise BundleError(f"nothing was published, because the bundle does not hold: {said}")
        check_place(target, overwrite=False)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    document = {**found.to_json(), "bundle": f"bundles/{name}"}
    return {"name": name, "run": run, "verified": True, "document": document}


def publish_next(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    recipient: str | None,
    dry_run: bool,
) -> Published:
    """Publish the plan as the next release of the project's series."""
    made = session.plan(plan, granted)
    home = private_folder(session.folder / "bundles") / "history"
    series = History(str(session.folder / "history.db"))
    found = publish_planned(
        series,
        made,
        session.table(made),
        recipient=recipient,
        out=home,
        dry_run=dry_run,
        progress=tell,
    )
    name = "" if found.folder is None else f"history/{found.folder.name}"
    document = {**found.to_json(), "bundle": f"bundles/{name}" if name else None}
    return {"name": name, "run": None, "verified": found.release.holds, "document": document}


def history(
    session: Session, tell: Progress, plan: Document | None, granted: Sequence[str]
) -> list[Document]:
    """List the releases of the project's series, as ``history --json`` does."""
    file = session.folder / "history.db"
    if not file.is_file():
        return []
    home = session.folder
    told = [line.to_json() for line in History(str(file)).releases()]
    for line in told:
        folder = str(line["bundle"] or "")
        line["bundle"] = folder.removeprefix(f"{home.resolve()}/") or None
    return told
