"""Addresses of what there is: descriptions, runs and bundles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path as File
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response, StreamingResponse

from unlinkable.containment import find_file, find_folder
from unlinkable.errors import BundleError
from unlinkable.studio.api.projects import ProjectKey
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.project import Project
from unlinkable.studio.security.cells import guarded_lines
from unlinkable.studio.security.headers import report_policy
from unlinkable.studio.studio import Studio
from unlinkable.studio.zipped import zip_stream

__all__ = ["results_router"]

RunNumber = Annotated[int, Path(ge=1, le=10**9, description="The number of a run.")]
BundleName = Annotated[str, Path(max_length=200, description="The name of a bundle.")]
Half = Annotated[
    Literal["public", "both"],
    Query(description="The private half stays with the holder: ask for both only to move it."),
]

_TOML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/toml": {"schema": {"type": "string"}}}}
}
_HTML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {"schema": {"type": "string"}}}}
}
_ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}
_CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string", "format": "binary"}}}}
}


def results_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["results"], prefix="/projects/{key}")
    _add_runs(router, studio.projects.open)
    _add_bundles(router, studio.projects.open)
    return router


def _add_runs(router: APIRouter, open_project: Callable[[str], Project]) -> None:
    @router.get("/description")
    async def description(key: ProjectKey) -> dict[str, Any]:
        """Show the last look at the data, as `unlinkable describe --json` prints it."""
        found = open_project(key).description
        if found is None:
            raise NotFoundError("no file was described yet")
        return dict(found["description"])

    @router.get("/runs")
    async def runs(key: ProjectKey) -> list[dict[str, Any]]:
        """List the runs: for each what `unlinkable anonymize --json` prints, and its number."""
        return [{"run": o["run"], **o["release"]} for o in open_project(key).runs()]

    @router.get("/runs/{run}")
    async def run(key: ProjectKey, run: RunNumber) -> dict[str, Any]:
        """Show all that is known of a run."""
        return dict(open_project(key).outcome(run))

    @router.delete("/runs/{run}", status_code=204, response_class=Response)
    async def delete_run(key: ProjectKey, run: RunNumber) -> Response:
        """Delete a run; bundles that were published from it stay."""
        project = open_project(key)
        project.outcome(run)
        project.drop_run(run)
        return Response(status_code=204)

    @router.get("/plan.toml", response_class=Response, responses=_TOML)
    async def plan_file(key: ProjectKey) -> Response:
        """Download the plan."""
        toml = open_project(key).toml
        if toml is None:
            raise NotFoundError("there is no plan yet: describe a file first")
        headers = {"content-disposition": 'attachment; filename="plan.toml"'}
        return Response(toml, media_type="application/toml", headers=headers)


def _add_bundles(router: APIRouter, open_project: Callable[[str], Project]) -> None:
    @router.get("/bundles")
    async def bundles(key: ProjectKey) -> list[str]:
        """List the published bundles."""
        return open_project(key).bundle_names()

    @router.get("/bundles/{name:path}/report", response_class=Response, responses=_HTML)
    async def report(
        key: ProjectKey,
        name: BundleName,
        half: Literal["public", "private"] = "public",
        download: bool = False,
    ) -> Response:
        """Show the report of a bundle: of the public half, or the holder's own."""
        file = _file(open_project(key).bundle(name), half, "report.html", "no such report")
        return await _report(file, f"{_plain(name)}-{half}.html" if download else None)

    @router.get(
        "/bundles/{name:path}/spreadsheet", response_class=StreamingResponse, responses=_CSV
    )
    async def spreadsheet(key: ProjectKey, name: BundleName) -> Response:
        """Download the published table for a spreadsheet: no value is taken for a formula."""
        file = _file(open_project(key).bundle(name), "public", "data.csv", "no table in CSV")
        return _download(guarded_lines(file), "text/csv; charset=utf-8", f"{name}.csv")

    @router.get("/bundles/{name:path}", response_class=StreamingResponse, responses=_ZIP)
    async def bundle(key: ProjectKey, name: BundleName, half: Half = "public") -> Response:
        """Download a bundle as a ZIP archive."""
        folder = open_project(key).bundle(name)
        source = folder / "public" if half == "public" else folder
        inside = name.replace("/", "-")
        return _download(zip_stream(source, inside), "application/zip", f"{inside}.zip")


def _file(bundle: File, half: str, name: str, what: str) -> File:
    """Find a file of a bundle; what is only a link is not sent."""
    try:
        return find_file(find_folder(bundle, half) or bundle / half, name)
    except BundleError:
        raise NotFoundError(f"this bundle has {what}") from None


async def _report(file: File, kept_as: str | None) -> Response:
    """Send a report, to be shown or, under a name, to be kept."""
    page = await asyncio.to_thread(file.read_bytes)
    headers = {"content-security-policy": report_policy(page).decode()}
    if kept_as is not None:
        headers["content-disposition"] = f'attachment; filename="{kept_as}"'
    return Response(page, media_type="text/html", headers=headers)


def _download(parts: Iterator[bytes], kind: str, name: str) -> StreamingResponse:
    headers = {"content-disposition": f'attachment; filename="{_plain(name)}"'}
    return StreamingResponse(parts, media_type=kind, headers=headers)


def _plain(name: str) -> str:
    """Write a name with characters that any header can carry."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
