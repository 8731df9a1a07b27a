"""What a published bundle tells of itself, from its manifest."""

from __future__ import annotations

import json
from pathlib import Path

from attrs import frozen

from unlinkable.containment import find_file, read_file
from unlinkable.errors import BundleError
from unlinkable.studio.contracts import Document
from unlinkable.studio.workbench import Workbench

__all__ = ["BundleFacts", "bundle_facts", "bundles", "free_name", "remember_verified"]

_VERIFIED = "verified"


@frozen
class BundleFacts:
    """One published bundle.

    Attributes
    ----------
    name
        Its folder below ``bundles/``; ``history/001`` if it belongs to a series.
    folder
        Where it is on this machine.
    manifest
        ``public/release.json``; empty if that cannot be read.
    has_report
        Whether the report for recipients is in it.
    verified
        ``{"when", "holds", "problems", "scope"}`` of the last check, or None.
    """

    name: str
    folder: Path
    manifest: Document
    has_report: bool
    verified: Document | None

    @property
    def format(self) -> str:
        """The format of the published table."""
        names = [str(file["name"]) for file in self.manifest.get("files", [])]
        return "Parquet" if any(name.endswith(".parquet") for name in names) else "CSV"

    @property
    def promises(self) -> list[str]:
        """What is promised, in written form."""
        return [str(model["model"]) for model in self.manifest.get("models", [])]


def bundle_facts(work: Workbench, name: str) -> BundleFacts:
    """Look into a bundle."""
    folder = work.project.bundles / name
    manifest = _manifest(folder / "public")
    return BundleFacts(
        name=name,
        folder=folder,
        manifest=manifest,
        has_report=_has_report(folder / "public"),
        verified=_verified(work).get(name),
    )


def _manifest(public: Path) -> Document:
    try:
        found = json.loads(read_file(public, "release.json"))
    except (BundleError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _has_report(public: Path) -> bool:
    try:
        return find_file(public, "report.html").is_file()
    except BundleError:
        return False


def bundles(work: Workbench) -> list[BundleFacts]:
    """Look into all bundles, the one that was written last first."""
    found = [bundle_facts(work, name) for name in work.project.bundle_names()]
    return sorted(found, key=lambda facts: facts.folder.stat().st_ctime, reverse=True)


def free_name(work: Workbench) -> str:
    """Propose a name that no bundle has yet."""
    taken = set(work.project.bundle_names())
    names = ("release" if n == 1 else f"release-{n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def remember_verified(work: Workbench, name: str, when: str, document: Document) -> None:
    """Keep what came of a check, for all tabs."""
    told = {
        "when": when,
        "holds": bool(document["holds"]),
        "problems": list(document.get("problems", [])),
        "scope": str(document.get("scope", "")),
    }
    work.project.remember(**{_VERIFIED: {**_verified(work), name: told}})


def _verified(work: Workbench) -> Document:
    found = work.project.state.get(_VERIFIED)
    return found if isinstance(found, dict) else {}
