"""How it was made: method, parameters, versions and files."""

from __future__ import annotations

from unlinkable.errors import UnlinkableError
from unlinkable.registry import find
from unlinkable.release.bundle.bundle_files import REPORT
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.report.view import ReportView
from unlinkable.report import Block, Cell, Facts, Section, Table
from unlinkable.spelling import read_call

__all__ = ["method_part"]


def method_part(view: ReportView) -> Section:
    """Tell how the release was made."""
    manifest = view.manifest
    facts: list[tuple[str, Cell]] = [
        ("Method", manifest.method),
        ("What it does", _meaning(manifest)),
        ("Best of its kind", _optimal(manifest.optimal)),
        ("Made on", manifest.created.isoformat()),
        ("Made with", f"unlinkable {manifest.version}"),
        ("Format of the manifest", str(manifest.format)),
        *view.method_facts(),
    ]
    rows = [
        (file.name, "" if file.rows is None else f"{file.rows:,}", f"{file.size:,}", file.sha256)
        for file in manifest.files
        if file.name != REPORT
    ]
    header = ("File", "Rows", "Bytes", "SHA-256")
    blocks: list[Block] = [
        Facts([(name, value) for name, value in facts if value]),
        Table("Files that this report is about", header, rows, right=[1, 2]),
    ]
    return Section("How it was made", blocks)


def _meaning(manifest: Manifest) -> str:
    try:
        entry = manifest.policy or find("method", read_call(manifest.method)[0])
        return entry.summary.replace("``", "")
    except UnlinkableError:
        return ""


def _optimal(optimal: bool | None) -> str:
    if optimal is None:
        return "The method does not aim at the best release of its kind."
    if optimal:
        return "Yes: no release of this kind loses less."
    return "Not known: a release of this kind that loses less may exist."
