"""Addresses of projects, their files and their plans."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from unlinkable.studio.api.forms import FileTold, PlanForm, ProjectForm, ProjectTold
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.project import Project
from unlinkable.studio.security.names import safe_name
from unlinkable.studio.security.uploads import TABLES, TAXONOMIES, receive
from unlinkable.studio.studio import Studio

__all__ = ["ProjectKey", "projects_router"]

ProjectKey = Annotated[str, Path(max_length=64, description="The key of a project.")]
FileName = Annotated[str, Path(max_length=300, description="The name of a file.")]

_RAW = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def told(project: Project) -> ProjectTold:
    """Say what there is in a project."""
    return ProjectTold(
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
    async def list_projects() -> list[ProjectTold]:
        """List all projects, those that were changed last first."""
        return [told(project) for project in projects.list()]

    @router.post("/projects", status_code=201)
    async def create_project(form: ProjectForm) -> ProjectTold:
        """Begin a project."""
        return told(projects.create(form.name))

    @router.get("/projects/{key}")
    async def show_project(key: ProjectKey) -> ProjectTold:
        """Show a project."""
        return told(projects.open(key))

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
    async def put_file(key: ProjectKey, name: FileName, request: Request) -> FileTold:
        """Hand in a table: the body is the file as it is."""
        project = projects.open(key)
        most = studio.largest_upload
        kept = await receive(request.stream(), project.uploads, name, most, TABLES)
        project.tell("files")
        return FileTold(name=kept)

    @router.delete("/projects/{key}/files/{name}", status_code=204, response_class=Response)
    async def delete_file(key: ProjectKey, name: FileName) -> Response:
        """Delete a file that was handed in."""
        project = projects.open(key)
        if name not in project.files():
            raise NotFoundError(f"there is no file {name!r} in this project")
        (project.uploads / safe_name(name)).unlink(missing_ok=True)
        project.tell("files")
        return Response(status_code=204)

    @router.put("/projects/{key}/taxonomies/{name}", status_code=201, openapi_extra=_RAW)
    async def put_taxonomy(key: ProjectKey, name: FileName, request: Request) -> FileTold:
        """Hand in a hierarchy file: the body is the file as it is."""
        project = projects.open(key)
        most = min(studio.largest_upload, 64 * 1024**2)
        kept = await receive(request.stream(), project.taxonomies, name, most, TAXONOMIES)
        project.tell("files")
        return FileTold(name=kept)


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
        await studio.replace_plan(project, form.toml)
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
