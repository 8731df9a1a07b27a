"""Routes: the addresses of the JSON interface."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path as File
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from unlinkable.containment import find_file, find_folder
from unlinkable.errors import BundleError
from unlinkable.studio.api.schemas import (
    AnonymizeForm,
    AttackForm,
    BundleForm,
    CheckForm,
    DescribeForm,
    FileAnswer,
    JobAnswer,
    PlanForm,
    ProjectAnswer,
    ProjectForm,
    RiskForm,
)
from unlinkable.studio.errors import BusyError, NotFoundError, TaskError
from unlinkable.studio.jobs import Job
from unlinkable.studio.project import Project
from unlinkable.studio.security.downloads import spreadsheet_lines, zip_stream
from unlinkable.studio.security.gate import report_policy
from unlinkable.studio.security.uploads import TABLES, TAXONOMIES, receive, safe_name
from unlinkable.studio.studio import Studio

__all__ = [
    "ProjectKey",
    "job_answer",
    "jobs_router",
    "projects_router",
    "results_router",
    "work_router",
]

ProjectKey = Annotated[str, Path(max_length=64, description="The key of a project.")]

FileName = Annotated[str, Path(max_length=300, description="The name of a file.")]

_RAW = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def project_answer(project: Project) -> ProjectAnswer:
    """Say what there is in a project."""
    return ProjectAnswer(
        key=project.key,
        name=project.name,
        revision=project.revision,
        has_plan=project.plan is not None,
        files=project.files(),
        bundles=project.bundle_names(),
        runs=[outcome["run"] for outcome in project.runs()],
    )


def projects_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["projects"])
    _add_projects(router, studio)
    _add_files(router, studio)
    _add_plan(router, studio)
    _add_registry(router, studio)
    return router


def _add_projects(router: APIRouter, studio: Studio) -> None:
    projects = studio.projects

    @router.get("/projects")
    async def list_projects() -> list[ProjectAnswer]:
        """List all projects, those that were changed last first."""
        return [project_answer(project) for project in projects.list()]

    @router.post("/projects", status_code=201)
    async def create_project(form: ProjectForm) -> ProjectAnswer:
        """Begin a project."""
        return project_answer(projects.create(form.name))

    @router.get("/projects/{key}")
    async def show_project(key: ProjectKey) -> ProjectAnswer:
        """Show a project."""
        return project_answer(projects.open(key))

    @router.delete("/projects/{key}", status_code=204, response_class=Response)
    async def delete_project(key: ProjectKey) -> Response:
        """Delete a project with all its files."""
        projects.open(key)
        studio.jobs.close(key)
        projects.delete(key)
        return Response(status_code=204)


def _add_files(router: APIRouter, studio: Studio) -> None:
    projects = studio.projects

    @router.put("/projects/{key}/files/{name}", status_code=201, openapi_extra=_RAW)
    async def put_file(key: ProjectKey, name: FileName, request: Request) -> FileAnswer:
        """Hand in a table: the body is the file as it is."""
        project = projects.open(key)
        most = studio.largest_upload
        kept = await receive(request.stream(), project.uploads, name, most, TABLES)
        project.notify("files")
        return FileAnswer(name=kept)

    @router.delete("/projects/{key}/files/{name}", status_code=204, response_class=Response)
    async def delete_file(key: ProjectKey, name: FileName) -> Response:
        """Delete an uploaded file."""
        project = projects.open(key)
        if name not in project.files():
            raise NotFoundError(f"there is no file {name!r} in this project")
        (project.uploads / safe_name(name)).unlink(missing_ok=True)
        project.notify("files")
        return Response(status_code=204)

    @router.put("/projects/{key}/taxonomies/{name}", status_code=201, openapi_extra=_RAW)
    async def put_taxonomy(key: ProjectKey, name: FileName, request: Request) -> FileAnswer:
        """Hand in a hierarchy file: the body is the file as it is."""
        project = projects.open(key)
        most = min(studio.largest_upload, 64 * 1024**2)
        kept = await receive(request.stream(), project.taxonomies, name, most, TAXONOMIES)
        project.notify("files")
        return FileAnswer(name=kept)


def _add_plan(router: APIRouter, studio: Studio) -> None:
    projects = studio.projects

    @router.get("/projects/{key}/plan")
    async def show_plan(key: ProjectKey) -> dict[str, Any]:
        """Show the plan as nested tables, and as the text of its file."""
        project = projects.open(key)
        if project.plan is None:
            raise NotFoundError("there is no plan yet: describe a file first")
        return {"plan": project.plan, "toml": project.toml}

    @router.put("/projects/{key}/plan")
    async def replace_plan(key: ProjectKey, form: PlanForm) -> dict[str, Any]:
        """Replace the plan."""
        project = projects.open(key)
        await studio.workbench(key).replace_plan(form.toml)
        return {"plan": project.plan, "toml": project.toml}


def _add_registry(router: APIRouter, studio: Studio) -> None:
    @router.get("/registry/{kind}")
    async def list_registry(kind: Annotated[str, Path(max_length=40)]) -> list[dict[str, Any]]:
        """List the registry, as `unlinkable list KIND --json` does."""
        if kind not in ("model", "method", "metric", "attack", "operation", "risk", "policy"):
            raise NotFoundError(f"there is no kind {kind!r}")
        return await studio.entries(kind)

    @router.get("/")
    async def about() -> dict[str, str]:
        """Say what this is."""
        from unlinkable import __version__

        return {"name": "unlinkable studio", "version": __version__}


def job_answer(job: Job) -> JobAnswer:
    """Say how far a job is, and what came of it."""
    return JobAnswer.model_validate({**job.to_json(), "result": job.result})


def work_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["work"], prefix="/projects/{key}")

    @router.post("/describe", status_code=202)
    async def describe(key: ProjectKey, form: DescribeForm) -> JobAnswer:
        """Look at a file, and begin a plan with suggestions. The plan is replaced."""
        project = studio.projects.open(key)
        if form.file not in project.files():
            raise NotFoundError(f"there is no file {form.file!r} in this project: hand it in first")
        reading = form.model_dump(exclude_none=True, exclude={"file"})
        return job_answer(studio.workbench(key).look_at(form.file, reading))

    @router.post("/anonymize", status_code=202)
    async def anonymize(key: ProjectKey, form: AnonymizeForm) -> JobAnswer:
        """Run a method under the promises of the plan; the result has ``release``."""
        work = studio.workbench(key)
        return job_answer(work.anonymize(form.method, levels=form.levels, title=form.title))

    @router.post("/check", status_code=202)
    async def check(key: ProjectKey, form: CheckForm) -> JobAnswer:
        """Judge the table as it stands: the result is that of `unlinkable check --json`."""
        return job_answer(studio.workbench(key).check(form.privacy))

    @router.post("/risk", status_code=202)
    async def risk(key: ProjectKey, form: RiskForm) -> JobAnswer:
        """Assess risk: the result is that of `unlinkable risk --json`."""
        asked = form.model_dump(exclude_none=True, exclude={"run"})
        return job_answer(studio.workbench(key).risk(form.run, **asked))

    @router.post("/attack", status_code=202)
    async def attack(key: ProjectKey, form: AttackForm) -> JobAnswer:
        """Try all attacks: ``attacks`` of the result is as of `unlinkable attack --all --json`."""
        return job_answer(studio.workbench(key).attack(form.run, seconds=form.seconds))

    @router.post("/bundles", status_code=202)
    async def publish(key: ProjectKey, form: BundleForm) -> JobAnswer:
        """Publish a run as a bundle."""
        return job_answer(studio.workbench(key).publish(form.run, form.name))

    return router


JobKey = Annotated[str, Path(max_length=64, description="The id of a job.")]


def jobs_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["jobs"])

    @router.get("/projects/{key}/jobs")
    async def list_jobs(key: ProjectKey) -> list[JobAnswer]:
        """List the jobs of a project, the last one first, without results."""
        studio.projects.open(key)
        return [JobAnswer.model_validate(job.to_json()) for job in studio.jobs.of(key)]

    @router.get("/jobs/{job}")
    async def show_job(job: JobKey) -> JobAnswer:
        """Show how far a job is, and what came of it."""
        return job_answer(studio.jobs.find(job))

    @router.get("/jobs/{job}/result")
    async def show_result(job: JobKey) -> Any:
        """Give the result alone: 409 as long as there is none, 400 if the job has failed."""
        found = studio.jobs.find(job)
        if not found.is_over:
            raise BusyError("the job is not done yet: ask again later")
        if found.error is not None:
            raise TaskError(found.error, found.kind or "StudioError")
        return found.result

    @router.delete("/jobs/{job}")
    async def cancel_job(job: JobKey) -> JobAnswer:
        """Stop a job, if it is not over yet."""
        return job_answer(studio.jobs.cancel(job))

    return router


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
        return _download(spreadsheet_lines(file), "text/csv; charset=utf-8", f"{name}.csv")

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
