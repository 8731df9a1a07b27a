"""Addresses of jobs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from unlinkable.studio.api.forms import JobTold
from unlinkable.studio.api.projects import ProjectKey
from unlinkable.studio.api.work import job_told
from unlinkable.studio.errors import BusyError, TaskError
from unlinkable.studio.studio import Studio

__all__ = ["jobs_router"]

JobKey = Annotated[str, Path(max_length=64, description="The id of a job.")]


def jobs_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["jobs"])

    @router.get("/projects/{key}/jobs")
    async def list_jobs(key: ProjectKey) -> list[JobTold]:
        """List the jobs of a project, the last one first, without results."""
        studio.projects.open(key)
        return [JobTold.model_validate(job.to_json()) for job in studio.jobs.of(key)]

    @router.get("/jobs/{job}")
    async def show_job(job: JobKey) -> JobTold:
        """Show how far a job is, and what came of it."""
        return job_told(studio.jobs.find(job))

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
    async def cancel_job(job: JobKey) -> JobTold:
        """Stop a job, if it is not over yet."""
        return job_told(studio.jobs.cancel(job))

    return router
