"""Addresses that start work: each answers at once with a job."""

from __future__ import annotations

from fastapi import APIRouter

from unlinkable.studio.api.forms import (
    AnonymizeForm,
    AttackForm,
    BundleForm,
    CheckForm,
    DescribeForm,
    JobTold,
    RiskForm,
)
from unlinkable.studio.api.projects import ProjectKey
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.job import Job
from unlinkable.studio.studio import Studio

__all__ = ["job_told", "work_router"]


def job_told(job: Job) -> JobTold:
    """Say how far a job is, and what came of it."""
    return JobTold.model_validate({**job.to_json(), "result": job.result})


def work_router(studio: Studio) -> APIRouter:
    """Make the addresses."""
    router = APIRouter(tags=["work"], prefix="/projects/{key}")

    @router.post("/describe", status_code=202)
    async def describe(key: ProjectKey, form: DescribeForm) -> JobTold:
        """Look at a file, and begin a plan with suggestions. The plan is replaced."""
        project = studio.projects.open(key)
        if form.file not in project.files():
            raise NotFoundError(f"there is no file {form.file!r} in this project: hand it in first")
        reading = form.model_dump(exclude_none=True, exclude={"file"})
        return job_told(studio.look_at(project, {**reading, "source": f"uploads/{form.file}"}))

    @router.post("/anonymize", status_code=202)
    async def anonymize(key: ProjectKey, form: AnonymizeForm) -> JobTold:
        """Run a method under the promises of the plan; the result has ``release``."""
        project = studio.projects.open(key)
        return job_told(studio.anonymize(project, form.method, form.levels, form.title))

    @router.post("/check", status_code=202)
    async def check(key: ProjectKey, form: CheckForm) -> JobTold:
        """Judge the table as it stands: the result is that of `unlinkable check --json`."""
        return job_told(studio.check(studio.projects.open(key), form.privacy))

    @router.post("/risk", status_code=202)
    async def risk(key: ProjectKey, form: RiskForm) -> JobTold:
        """Assess risk: the result is that of `unlinkable risk --json`."""
        project = studio.projects.open(key)
        asked = form.model_dump(exclude_none=True, exclude={"run"})
        return job_told(studio.risk(project, form.run, asked))

    @router.post("/attack", status_code=202)
    async def attack(key: ProjectKey, form: AttackForm) -> JobTold:
        """Try all attacks: ``attacks`` of the result is as of `unlinkable attack --all --json`."""
        return job_told(studio.attack(studio.projects.open(key), form.run, form.seconds))

    @router.post("/bundles", status_code=202)
    async def publish(key: ProjectKey, form: BundleForm) -> JobTold:
        """Publish a run as a bundle."""
        return job_told(studio.publish(studio.projects.open(key), form.run, form.name))

    return router
