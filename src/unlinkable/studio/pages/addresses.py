"""Where files of a project can be fetched from."""

from __future__ import annotations

from urllib.parse import quote

from unlinkable.studio.workbench import Workbench

__all__ = ["bundle_address", "report_address"]


def bundle_address(work: Workbench, name: str) -> str:
    """Say where the public half of a bundle is, as a ZIP archive."""
    return f"{_home(work)}/bundles/{quote(name, safe='')}"


def report_address(work: Workbench, name: str, *, half: str = "public") -> str:
    """Say where the report of a bundle is."""
    return f"{bundle_address(work, name)}/report?half={half}"


def _home(work: Workbench) -> str:
    return f"/api/v1/projects/{quote(work.project.key)}"
