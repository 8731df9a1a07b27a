"""Interface: the addresses of the JSON interface, as an application of its own."""

from __future__ import annotations

from fastapi import FastAPI

from unlinkable import __version__
from unlinkable.studio.api.answers import REFUSALS, answer_refusals
from unlinkable.studio.api.jobs import jobs_router
from unlinkable.studio.api.projects import projects_router
from unlinkable.studio.api.results import results_router
from unlinkable.studio.api.work import work_router
from unlinkable.studio.studio import Studio

__all__ = ["build_api"]


def build_api(studio: Studio) -> FastAPI:
    """Make the JSON interface, to be mounted under ``/api/v1``.

    It has no pages of its own: such pages load scripts from elsewhere. ``openapi.json`` describes
    it.
    """
    app = FastAPI(
        title="unlinkable studio",
        version=__version__,
        description="The same contracts as `--json` of the command line.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        responses=REFUSALS,
        servers=[{"url": "/api/v1"}],
    )
    answer_refusals(app)
    for router in (projects_router, work_router, jobs_router, results_router):
        app.include_router(router(studio))
    return app
